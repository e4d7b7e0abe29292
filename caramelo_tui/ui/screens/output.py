"""Show a whole kept output.

Owns the page; the bytes are drawn by the output view, however many. Proven by
tests/pilot/test_tool_log.py.
"""

from typing import ClassVar

from textual import on
from textual.binding import Binding, BindingType
from textual.widget import Widget
from textual.widgets import Input

from caramelo_tui.ui.clipboard import copy_text
from caramelo_tui.ui.external_editor import edit_in_editor
from caramelo_tui.ui.formatting import size_text
from caramelo_tui.ui.host import host_of
from caramelo_tui.ui.panes.filter_line import FilterLine
from caramelo_tui.ui.screens.dialog import Dialog
from caramelo_tui.ui.widgets.block_pager import PagerView
from caramelo_tui.ui.widgets.cells import one_line
from caramelo_tui.ui.widgets.output_search import SearchedOutput


class OutputScreen(Dialog[None]):
    """All output of one command."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("y", "copy", "Copy the whole text", show=False, id="pager.copy"),
        Binding("e", "edit", "Open the text in $EDITOR", show=False, id="pager.edit"),
        Binding("escape,q", "close", "Close, or end the search", show=False, id="pager.close"),
    ]

    def __init__(self, data: bytes, *, title: str) -> None:
        super().__init__(title=one_line(title), kind="output")
        self.add_class("-large")
        self._view = SearchedOutput(data, id="output-view")
        self._search = FilterLine(id="pager-search")
        self._search.placeholder = "search"
        size = size_text(len(data))
        self.box.show_hint(f"{size} · / search · y copy · e editor · esc close")

    def compose_parts(self) -> list[Widget]:
        """Show the view over the search line."""
        return [self._view, self._search]

    def on_mount(self) -> None:
        """Give the view the keys."""
        self._view.focus()

    def action_copy(self) -> None:
        """Send the whole output to the clipboard, without its colours."""
        copy_text(host_of(self._view), self._view.plain)

    def action_edit(self) -> None:
        """Open the output in the person's editor; what is changed there is theirs to keep."""
        app = host_of(self._view)
        app.run_worker(
            edit_in_editor(app, self._view.plain, suffix=".txt"), name="editor", group="editor"
        )

    def action_close(self) -> None:
        """End a search, or close the page."""
        if self._search.value:
            self._search.close()
            self._view.focus()
            return
        self.dismiss(None)

    @on(PagerView.SearchAsked)
    def _open_search(self) -> None:
        self._search.open()

    @on(Input.Changed, "#pager-search")
    def _take_search(self, event: Input.Changed) -> None:
        event.stop()
        self._view.search(event.value)

    @on(FilterLine.Left)
    def _leave_search(self, event: FilterLine.Left) -> None:
        """Hide the line; what is searched for stands above the text."""
        event.stop()
        self._search.display = False
        self._view.focus()
