"""Show a whole kept output.

Owns the page; the bytes are drawn by the output view, however many. Proven by
tests/pilot/test_tool_log.py.
"""

from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.content import Content
from textual.widget import Widget

from caramelo_tui.ui.formatting import size_text
from caramelo_tui.ui.screens.dialog import Dialog
from caramelo_tui.ui.widgets.cells import one_line
from caramelo_tui.ui.widgets.output_view import OutputView


class OutputScreen(Dialog[None]):
    """All output of one command."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,q", "close", "Close", show=False)]

    def __init__(self, data: bytes, *, title: str) -> None:
        super().__init__(title=one_line(title), kind="output")
        self.add_class("-large")
        self._data = data
        self._view = OutputView(id="output-view")
        self.box.border_subtitle = Content(f"{size_text(len(data))} · esc close")

    def compose_parts(self) -> list[Widget]:
        """Show the view."""
        return [self._view]

    def on_mount(self) -> None:
        """Show the bytes and take the keys."""
        self._view.show_bytes(self._data)
        self._view.focus()

    def action_close(self) -> None:
        """Close the page."""
        self.dismiss(None)
