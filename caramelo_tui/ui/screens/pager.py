"""Read a text of the conversation on a page of its own.

Owns the page, its search line and its keys. The text is drawn by the pager view, however long.
Proven by tests/pilot/test_pager.py.
"""

from collections.abc import Callable
from typing import ClassVar

from textual import on
from textual.binding import Binding, BindingType
from textual.widget import Widget
from textual.widgets import Input

from caramelo_tui.ui.clipboard import copy_text
from caramelo_tui.ui.formatting import count_text
from caramelo_tui.ui.host import host_of
from caramelo_tui.ui.panes.filter_line import FilterLine
from caramelo_tui.ui.screens.dialog import Dialog
from caramelo_tui.ui.widgets.block_pager import PagerView
from caramelo_tui.ui.widgets.cells import one_line


class PagerScreen(Dialog[None]):
    """All of one text."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("y", "copy", "Copy the whole text", show=False, id="pager.copy"),
        Binding("e", "edit", "Open the text in $EDITOR", show=False, id="pager.edit"),
        Binding("escape,q", "close", "Close, or end the search", show=False, id="pager.close"),
    ]

    def __init__(self, text: str, *, title: str, edit: Callable[[str], None]) -> None:
        """Take a text.

        Args:
            text: As it came; it is made safe here.
            title: For the upper edge.
            edit: Opens a text in the person's editor.
        """
        super().__init__(title=one_line(title), kind="pager")
        self.add_class("-large")
        self._edit = edit
        self._view = PagerView(text, id="pager-view")
        self._search = FilterLine(id="pager-search")
        self._search.placeholder = "search"
        text = self._view.text
        lines = count_text(text.count("\n") + (not text.endswith("\n")), "line")
        self.box.show_hint(f"{lines} · / search · y copy · e editor · esc close")

    def compose_parts(self) -> list[Widget]:
        """Show the view over the search line."""
        return [self._view, self._search]

    def on_mount(self) -> None:
        """Give the view the keys."""
        self._view.focus()

    def action_copy(self) -> None:
        """Send the whole text to the clipboard."""
        copy_text(host_of(self._view), self._view.text)

    def action_edit(self) -> None:
        """Open the text in the person's editor."""
        self._edit(self._view.text)

    def action_close(self) -> None:
        """End a search, or close the page."""
        if self._search.value:
            self._search.close()
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
