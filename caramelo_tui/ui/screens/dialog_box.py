"""The frame around a question or a page.

Owns the hint at its lower edge, which follows the width, and how high it grows. Proven by
tests/pilot/test_dialog_box.py.
"""

from textual.containers import Vertical
from textual.content import Content

from caramelo_tui.ui.hints import EDGE_CELLS, fitting_hint

_FRAME_ROWS = 2
_LEAST_ROWS = 10
"""Rows that a page keeps, so that it does not jump while its list gets shorter."""


class DialogBox(Vertical):
    """A framed box with its keys at the lower edge."""

    def __init__(self) -> None:
        super().__init__(classes="dialog-box")
        self._hint = ""

    def show_hint(self, hint: str) -> None:
        """Write a hint, as much of it as has room now and after every resize."""
        self._hint = hint
        self._fit()

    def hold_rows(self, rows: int) -> None:
        """Grow no higher than some rows need, however large the screen is.

        Args:
            rows: Of what is in the box, at most; the frame comes on top.
        """
        self.styles.max_height = max(rows, _LEAST_ROWS) + _FRAME_ROWS

    def on_resize(self) -> None:
        """Write more or less of the hint."""
        self._fit()

    def _fit(self) -> None:
        self.border_subtitle = Content(fitting_hint(self._hint, self.outer_size.width - EDGE_CELLS))
