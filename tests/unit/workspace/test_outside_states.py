"""The state of paths that no event tells of."""

import time
from collections.abc import Callable
from pathlib import Path

import pytest

from caramelo_tui.workspace.outside_states import (
    MOST_STATES,
    Unprovable,
    are_as_they_were,
    states_of,
)
from tests.doubles.workspace_worlds import later_ns


def _write(folder: Path) -> None:
    (folder / "file").write_text("other")


def _appear(folder: Path) -> None:
    (folder / "missing").write_text("x")


def _vanish(folder: Path) -> None:
    (folder / "file").unlink()


def _replace_folder(folder: Path) -> None:
    (folder / "folder").rename(folder / "kept")
    (folder / "folder").mkdir()


def _lead_elsewhere(folder: Path) -> None:
    (folder / "link").unlink()
    (folder / "link").symlink_to("folder")


def _another_way(folder: Path) -> None:
    (folder / "link").unlink()
    (folder / "alias").symlink_to("file")
    (folder / "link").hardlink_to(folder / "file")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "file").write_text("x")
    (tmp_path / "folder").mkdir()
    (tmp_path / "link").symlink_to("file")
    return tmp_path


@pytest.mark.parametrize(
    "change", [_write, _appear, _vanish, _replace_folder, _lead_elsewhere, _another_way]
)
def test_each_kind_of_change_shows(folder: Path, change: Callable[[Path], None]) -> None:
    paths = [str(folder / name) for name in ("file", "missing", "folder")]
    states = states_of(paths, links=[str(folder / "link")], now_ns=later_ns())
    assert are_as_they_were(states)
    change(folder)
    assert not are_as_they_were(states)


def test_what_is_in_a_folder_does_not_count(folder: Path) -> None:
    states = states_of([str(folder / "folder")], links=[], now_ns=later_ns())
    (folder / "folder/new").write_text("x")
    assert are_as_they_were(states)


def test_a_young_stamp_proves_nothing(folder: Path) -> None:
    (folder / "file").write_text("y")
    with pytest.raises(Unprovable, match="file"):
        states_of([str(folder / "file")], links=[], now_ns=time.time_ns())


def test_too_many_are_refused() -> None:
    paths = [f"/none/{number}" for number in range(MOST_STATES)]
    assert len(states_of([*paths, *paths], links=[], now_ns=later_ns())) == MOST_STATES
    with pytest.raises(Unprovable, match="201"):
        states_of(paths, links=["/none/more"], now_ns=later_ns())
