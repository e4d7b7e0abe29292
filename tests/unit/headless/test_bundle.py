"""A bug report is listed, shown whole on the wish, and written only then."""

import stat
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from caramelo_tui.domain.errors import CarameloError
from caramelo_tui.headless.bundle import Member, listing, wants_it, write_bundle

MEMBERS = (
    Member(name="doctor.txt", what="what the doctor found", text="ok \x1b[31mred\n"),
    Member(name="caramelo.log", what="the log", text="é" * 10),
)


def typed(*lines: str) -> Callable[[str], str]:
    waiting = list(lines)
    return lambda _question: waiting.pop(0) if waiting else ""


def test_the_list_names_every_member_its_size_and_the_file() -> None:
    text = listing(MEMBERS, Path("report.zip"))
    assert "report.zip" in text
    assert "doctor.txt" in text
    assert "what the doctor found" in text
    assert "20 bytes" in text


@pytest.mark.parametrize("answer", ["", "\n", "n\n", "no\n", "x\n", "yy\n"])
def test_nothing_but_y_writes_it(answer: str) -> None:
    assert not wants_it(MEMBERS, ask=typed(answer), say=print)


def test_v_shows_all_of_it_safely_and_asks_again() -> None:
    said: list[str] = []
    assert wants_it(MEMBERS, ask=typed("v\n", "y\n"), say=said.append)
    assert "=== doctor.txt" in said[0]
    assert "é" * 10 in said[0]
    assert "\x1b" not in said[0]


def test_it_is_private_and_holds_what_was_listed(tmp_path: Path) -> None:
    path = tmp_path / "report.zip"
    write_bundle(path, MEMBERS)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    with zipfile.ZipFile(path) as file:
        assert {name: file.read(name) for name in file.namelist()} == {
            member.name: member.data for member in MEMBERS
        }


def test_a_file_that_is_there_stays(tmp_path: Path) -> None:
    path = tmp_path / "report.zip"
    path.write_text("mine")
    with pytest.raises(CarameloError, match="there already"):
        write_bundle(path, MEMBERS)
    assert path.read_text() == "mine"


def test_a_link_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "report.zip").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(CarameloError):
        write_bundle(tmp_path / "report.zip", MEMBERS)
    assert not (tmp_path / "elsewhere").exists()


def test_a_folder_that_is_missing_is_named(tmp_path: Path) -> None:
    with pytest.raises(CarameloError, match="cannot be written"):
        write_bundle(tmp_path / "missing" / "report.zip", MEMBERS)
