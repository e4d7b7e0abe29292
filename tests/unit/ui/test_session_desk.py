"""How sessions are offered."""

import pytest

from caramelo_tui.domain.ids import SessionId
from caramelo_tui.domain.sessions import SessionSummary
from caramelo_tui.ui.session_desk import age_text, row_text


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (-5, "just now"),
        (59, "just now"),
        (60, "1 min ago"),
        (7300, "2 h ago"),
        (200_000, "2 d ago"),
    ],
)
def test_an_age_is_said_in_its_largest_unit(seconds: float, text: str) -> None:
    assert age_text(seconds) == text


def test_a_row_says_age_prompts_state_and_words_in_one_safe_line() -> None:
    session = SessionSummary(
        id=SessionId("s-1"), started_at=0, active_at=0, runs=1, first_prompt="a\nb\x1b[31m"
    )
    assert row_text(session, 3600) == "1 h ago · 1 prompt · a b<U+001B>[31m · s-1"
    damaged = SessionSummary(
        id=SessionId("s-2"), started_at=0, active_at=0, problem="the first line is damaged"
    )
    assert "the first line is damaged · nothing was asked · s-2" in row_text(damaged, 10)
