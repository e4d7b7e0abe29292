"""What the tree was before a command, and what it is after."""

import os
import time
from pathlib import Path

import pytest

from caramelo_tui.workspace import checkpoints
from caramelo_tui.workspace.checkpoints import CommandChange, TreePictures, TreeTooLarge
from caramelo_tui.workspace.file_io import FileStore
from caramelo_tui.workspace.journal import Journal
from caramelo_tui.workspace.sandbox import Sandbox
from tests.doubles.clocks import ManualClock


class World:
    def __init__(self, folder: Path) -> None:
        self.root = folder / "work"
        self.root.mkdir()
        self.journal = Journal(folder / "state", ManualClock())
        sandbox = Sandbox(self.root)
        self.pictures = TreePictures(sandbox, FileStore(sandbox), self.journal)

    def text_before(self, change: CommandChange) -> str | None:
        return None if change.before is None else self.journal.blob(change.before).decode()

    def compared(self) -> list[tuple[str, str | None, str | None]]:
        changes, _left_out = self.pictures.changes()
        return [
            (c.path, self.text_before(c), None if c.after is None else c.after.decode())
            for c in changes
        ]


@pytest.fixture
def world(tmp_path: Path) -> World:
    return World(tmp_path)


def test_made_changed_and_deleted_files_are_found_with_both_sides(world: World) -> None:
    (world.root / "a").write_text("a")
    (world.root / "d").mkdir()
    (world.root / "d" / "b").write_text("b")
    world.pictures.take()
    (world.root / "a").write_text("A")
    (world.root / "d" / "b").unlink()
    (world.root / "new").write_text("n")
    assert world.compared() == [("a", "a", "A"), ("d/b", "b", None), ("new", None, "n")]
    assert world.compared() == []


def test_what_changed_between_two_commands_is_nobodys(world: World) -> None:
    (world.root / "a").write_text("a")
    world.pictures.take()
    assert world.compared() == []
    (world.root / "a").write_text("mine")
    world.pictures.take()
    (world.root / "a").write_text("command")
    assert world.compared() == [("a", "mine", "command")]


def test_a_touched_file_is_no_change(world: World) -> None:
    (world.root / "a").write_text("a")
    world.pictures.take()
    os.utime(world.root / "a", (1, 1))
    assert world.compared() == []


def test_a_change_within_a_tick_of_the_clock_is_found(world: World) -> None:
    # Written just now: its stamp may be the same after the next write.
    for number in range(20):
        (world.root / "a").write_text(f"{number:02}")
        world.pictures.take()
        (world.root / "a").write_text(f"{number + 50}")
        assert world.compared() == [("a", f"{number:02}", f"{number + 50}")]


def test_the_mode_of_a_deleted_file_is_kept(world: World) -> None:
    (world.root / "run").write_text("x")
    (world.root / "run").chmod(0o755)
    world.pictures.take()
    (world.root / "run").unlink()
    changes, _left_out = world.pictures.changes()
    assert [change.mode for change in changes] == [0o755]


def test_skipped_folders_links_and_temporary_files_are_left_out(world: World) -> None:
    world.pictures.take()
    for folder in (".git", "node_modules"):
        (world.root / folder).mkdir()
        (world.root / folder / "x").write_text("x")
    (world.root / "link").symlink_to("/etc/passwd")
    (world.root / ".a.caramelo-0123abcd").write_text("x")
    assert world.compared() == []


def test_large_files_are_named_and_left_out(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checkpoints, "FILE_LIMIT_BYTES", 4)
    (world.root / "big").write_text("12345")
    (world.root / "small").write_text("1")
    world.pictures.take()
    (world.root / "big").write_text("54321")
    (world.root / "small").write_text("123456")
    changes, left_out = world.pictures.changes()
    assert changes == ()
    assert left_out == ("big", "small")


@pytest.mark.parametrize(("limit", "words"), [("FILES_LIMIT", "files"), ("TREE_LIMIT_BYTES", "MB")])
def test_a_tree_above_a_limit_is_refused(
    world: World, monkeypatch: pytest.MonkeyPatch, limit: str, words: str
) -> None:
    monkeypatch.setattr(checkpoints, limit, 2)
    for name in "abc":
        (world.root / name).write_text("x")
    with pytest.raises(TreeTooLarge, match=words):
        world.pictures.take()


def test_what_is_known_is_not_read_again(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    (world.root / "a").write_text("a")
    # Older than a tick of the clock: its stamp can be trusted.
    monkeypatch.setattr(time, "time_ns", lambda: 2**62)
    world.pictures.take()
    reads: list[str] = []
    monkeypatch.setattr(FileStore, "read_bytes", lambda _self, path, **_more: reads.append(path))
    assert world.compared() == []
    assert reads == []


@pytest.mark.skipif(os.geteuid() == 0, reason="root may list any folder")
def test_a_folder_that_cannot_be_listed_does_not_keep_the_rest(world: World) -> None:
    (world.root / "shut").mkdir()
    (world.root / "shut" / "x").write_text("x")
    (world.root / "a").write_text("a")
    (world.root / "shut").chmod(0)
    world.pictures.take()
    (world.root / "a").write_text("A")
    assert world.compared() == [("a", "a", "A")]
    (world.root / "shut").chmod(0o700)


def test_folders_that_lie_too_deep_are_left_out(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(checkpoints, "DEPTH_LIMIT", 1)
    world.pictures.take()
    (world.root / "1" / "2").mkdir(parents=True)
    (world.root / "1" / "a").write_text("a")
    (world.root / "1" / "2" / "b").write_text("b")
    assert world.compared() == [("1/a", None, "a")]
