"""A hint is never cut in a word: whole parts go."""

import pytest

from caramelo_tui.ui.hints import fitting_hint

HINT = "4.0 KB · / search · y copy · esc close"


@pytest.mark.parametrize(
    ("cells", "shown"),
    [
        (0, HINT),
        (38, HINT),
        (37, "4.0 KB · / search · esc close"),
        (28, "4.0 KB · esc close"),
        (10, "esc close"),
        (1, "esc close"),
    ],
)
def test_the_parts_before_the_last_go_from_the_end(cells: int, shown: str) -> None:
    assert fitting_hint(HINT, cells) == shown


def test_an_empty_hint_stays_empty() -> None:
    assert not fitting_hint("", 3)
