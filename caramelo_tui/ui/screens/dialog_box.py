"""The frame around a question or a page.

Owns the hint at its lower edge, which follows the width. Proven by tests/pilot/test_dialog_box.py.
"""

from textual.containers import Vertical
from textual.content import Content

from caramelo_tui.ui.hints import EDGE_CELLS, fitting_hint


class DialogBox(Vertical):
    """A framed box with its keys at the lower edge."""

    def __init__(self) -> None:
        super().__init__(classes="dialog-box")
        self._hint = ""

    def show_hint(self, hint: str) -> None:
        """Write a hint, as much of it as has room now and after every resize."""
        self._hint = hint
        self._fit()

    def on_resize(self) -> None:
        """Write more or less of the hint."""
        self._fit()

    def _fit(self) -> None:
        self.border_subtitle = Content(fitting_hint(self._hint, self.outer_size.width - EDGE_CELLS))
