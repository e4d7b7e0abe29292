"""Numbers, times and states in few cells."""

import pytest
from rich.cells import cell_len

from caramelo_tui.domain.tool_calls import CallState
from caramelo_tui.ui.formatting import (
    STATE_SIGNS,
    STATE_VARIABLES,
    change_text,
    count_text,
    duration_text,
    size_text,
    state_sign,
    state_variable,
    state_words,
    tokens_text,
)
from caramelo_tui.ui.themes import FALLBACK_VARIABLES


@pytest.mark.parametrize(
    ("duration_ms", "text"),
    [
        (-5, "0 ms"),
        (0, "0 ms"),
        (999, "999 ms"),
        (1_000, "1.0 s"),
        (9_940, "9.9 s"),
        (9_960, "10 s"),
        (59_400, "59 s"),
        (59_600, "1 min 00 s"),
        (125_000, "2 min 05 s"),
        (3_599_600, "1 h 00 min"),
        (7_500_000, "2 h 05 min"),
    ],
)
def test_durations_are_short(duration_ms: int, text: str) -> None:
    assert duration_text(duration_ms) == text


@pytest.mark.parametrize(
    ("size", "text"),
    [
        (0, "0 B"),
        (1_023, "1023 B"),
        (1_024, "1.0 KB"),
        (10_240, "10 KB"),
        (10_485_760, "10 MB"),
        (3 * 1024**3, "3.0 GB"),
    ],
)
def test_sizes_count_by_1024(size: int, text: str) -> None:
    assert size_text(size) == text


def test_counts_have_their_noun() -> None:
    assert count_text(1, "line") == "1 line"
    assert count_text(1_234, "line") == "1,234 lines"
    assert count_text(2, "entry", "entries") == "2 entries"


@pytest.mark.parametrize(
    ("tokens", "text"),
    [
        (812, "812"),
        (4_600, "4.6k"),
        (46_000, "46k"),
        (999_600, "1.0M"),
        (1_240_000, "1.2M"),
        (2_000_000_000, "2000M"),
    ],
)
def test_tokens_are_short(tokens: int, text: str) -> None:
    assert tokens_text(tokens) == text


def test_changes_have_a_true_minus() -> None:
    assert change_text(12, 3) == "+12 \u22123"


def test_every_state_has_a_sign_of_one_cell_and_a_colour() -> None:
    assert set(STATE_SIGNS) == set(STATE_VARIABLES)
    assert {state.value for state in CallState} <= set(STATE_SIGNS)
    assert all(cell_len(sign) == 1 for sign in STATE_SIGNS.values())
    assert set(STATE_VARIABLES.values()) <= set(FALLBACK_VARIABLES)


def test_an_unknown_state_is_shown_all_the_same() -> None:
    assert state_sign("new") == "·"
    assert state_variable("new") == "state-muted"
    assert state_words("not_run") == "not run"
