"""What a killed write left goes; nothing else does."""

import fcntl
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from caramelo_tui.domain.ids import CallId
from caramelo_tui.workspace.atomic_write import WriteStep
from caramelo_tui.workspace.file_io import FileStore
from caramelo_tui.workspace.journal import Journal
from caramelo_tui.workspace.leftovers import (
    LEAST_AGE_S,
    MOST_JOURNALS,
    remove_leftovers,
    written_folders,
)
from caramelo_tui.workspace.sandbox import Sandbox
from tests.doubles.clocks import ManualClock

LEFT = ".a.py.caramelo-0123abcd"
LATER = 10_000_000_000.0


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "work" / "src").mkdir(parents=True)
    return tmp_path / "work"


def removed(root: Path, *folders: str, now: float = LATER) -> tuple[str, ...]:
    return remove_leftovers(Sandbox(root), folders or (".", "src"), now=now)


def test_leftovers_of_killed_writes_go_and_are_named(root: Path) -> None:
    (root / LEFT).write_text("half")
    (root / "src" / LEFT).write_text("half")
    (root / "src" / "a.py").write_text("whole")
    assert removed(root) == (LEFT, f"src/{LEFT}")
    assert [path.name for path in (root / "src").iterdir()] == ["a.py"]


@pytest.mark.parametrize("name", ["a.caramelo-0123abcd", ".a.caramelo-0123abc", ".a.caramelo-XYZ"])
def test_a_name_that_no_write_of_ours_gives_stays(root: Path, name: str) -> None:
    (root / name).write_text("theirs")
    assert removed(root) == ()
    assert (root / name).exists()


@pytest.mark.parametrize(
    "make",
    [
        lambda path: path.symlink_to("src/kept"),
        lambda path: path.mkdir(),
        os.mkfifo,
    ],
)
def test_links_folders_and_pipes_of_that_name_stay(
    root: Path, make: Callable[[Path], None]
) -> None:
    (root / "src" / "kept").write_text("kept")
    make(root / LEFT)
    assert removed(root) == ()
    assert os.path.lexists(root / LEFT)
    assert (root / "src" / "kept").read_text() == "kept"


def test_a_folder_that_became_a_link_is_not_entered(root: Path, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / LEFT).write_text("theirs")
    (root / "linked").symlink_to(elsewhere)
    assert removed(root, "linked", "gone", "../elsewhere") == ()
    assert (elsewhere / LEFT).exists()


def test_a_young_file_stays(root: Path) -> None:
    (root / LEFT).write_text("half")
    at = max((root / LEFT).stat().st_mtime, (root / LEFT).stat().st_ctime)
    assert removed(root, now=at + LEAST_AGE_S - 1) == ()
    assert removed(root, now=at + LEAST_AGE_S) == (LEFT,)


def test_a_file_that_somebody_holds_stays(root: Path) -> None:
    (root / LEFT).write_text("half")
    with (root / LEFT).open("rb") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        assert removed(root) == ()
    assert removed(root) == (LEFT,)


@pytest.mark.parametrize("step", [WriteStep.WRITE, WriteStep.FLUSH, WriteStep.RENAME])
def test_a_write_under_way_keeps_its_file(root: Path, step: WriteStep) -> None:
    found: list[tuple[str, ...]] = []

    def tidy(at: WriteStep, path: str) -> None:
        del path
        if at is step:
            found.append(removed(root))

    FileStore(Sandbox(root), step_hook=tidy).write_atomic("src/a.py", b"new", expected_hash=None)
    assert found == [()]
    assert (root / "src" / "a.py").read_bytes() == b"new"


def test_files_of_other_users_stay(root: Path) -> None:
    if os.geteuid() != 0:
        pytest.skip("only root can give a file away")
    (root / LEFT).write_text("half")
    os.chown(root / LEFT, 12345, -1)
    assert removed(root) == ()


def test_folders_come_from_the_newest_journals(tmp_path: Path) -> None:
    journals: list[Path] = []
    for number in range(MOST_JOURNALS + 1):
        folder = tmp_path / str(number)
        path = "top.txt" if number == MOST_JOURNALS else f"d{number}/x/a.txt"
        Journal(folder, ManualClock(), blobs=tmp_path / "blobs").record(
            call_id=CallId("c"), turn_id=None, run_id=None, path=path, before=None, after=b""
        )
        os.utime(folder / "journal.jsonl", (number, number))
        journals.append(folder / "journal.jsonl")
    journals += [tmp_path / "none"]
    found = written_folders(journals)
    assert "." in found
    assert "d0/x" not in found
    assert "d2/x" in found
