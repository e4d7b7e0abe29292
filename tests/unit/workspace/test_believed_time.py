"""A clock that jumps removes nothing; a clock that goes on is believed."""

import json
from pathlib import Path

import pytest

from caramelo_tui.workspace.believed_time import DAY_S, NAME, is_believed

NOW = 1_800_000_000.0
YEARS_S = 10 * 365 * DAY_S


def test_a_clock_is_believed_a_day_after_the_first_look(tmp_path: Path) -> None:
    assert not is_believed(tmp_path, NOW)
    assert not is_believed(tmp_path, NOW + DAY_S / 2)
    assert is_believed(tmp_path, NOW + DAY_S)
    assert is_believed(tmp_path, NOW + DAY_S + 60)


@pytest.fixture
def steady(tmp_path: Path) -> Path:
    """A folder in which the clock is believed at ``NOW``."""
    is_believed(tmp_path, NOW - 2 * DAY_S)
    assert is_believed(tmp_path, NOW)
    return tmp_path


def test_a_jump_ahead_and_back_is_never_believed(steady: Path) -> None:
    assert not is_believed(steady, NOW + YEARS_S)
    assert not is_believed(steady, NOW + YEARS_S + 3600)
    assert not is_believed(steady, NOW + 7200)
    assert not is_believed(steady, NOW + 7300)
    assert is_believed(steady, NOW + 7200 + DAY_S)


def test_a_clock_that_goes_back_is_believed_after_a_day(steady: Path) -> None:
    assert not is_believed(steady, NOW - YEARS_S)
    assert not is_believed(steady, NOW - YEARS_S + 60)
    assert is_believed(steady, NOW - YEARS_S + DAY_S)


def test_who_looks_once_a_month_is_believed_at_every_second_look(steady: Path) -> None:
    looks = [is_believed(steady, NOW + month * 30 * DAY_S) for month in range(1, 5)]
    assert looks == [False, True, False, True]


@pytest.mark.parametrize("text", ["", "[]", "nonsense", '{"at": "x"}', '{"at": null}'])
def test_a_damaged_note_is_none(steady: Path, text: str) -> None:
    (steady / NAME).write_text(text)
    assert not is_believed(steady, NOW + 60)
    assert json.loads((steady / NAME).read_text())["at"] == NOW + 60


def test_a_look_that_cannot_be_kept_is_not_believed(tmp_path: Path) -> None:
    assert not is_believed(tmp_path / "missing", NOW)
    (tmp_path / NAME).mkdir()
    assert not is_believed(tmp_path, NOW)
