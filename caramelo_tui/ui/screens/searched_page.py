"""Read a long text on a page of its own, with a search.

Owns the page's keys and its search line; what is shown, copied and edited is said by the pages.
Proven by tests/pilot/test_pager.py and tests/pilot/test_tool_log.py.
"""

from typing import ClassVar

from textual import on
from textual.binding import Binding, BindingType
from textual.widget import Widget
from textual.widgets import Input

from caramelo_tui.ui.clipboard import copy_text
from caramelo_tui.ui.host import host_of
from caramelo_tui.ui.panes.filter_line import FilterLine
from caramelo_tui.ui.screens.dialog import Dialog
from caramelo_tui.ui.widgets.block_pager import PagerView
from caramelo_tui.ui.widgets.cells import one_line


class SearchedPage(Dialog[None]):
    """A view over its search line."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("y", "copy", "Copy the whole text", show=False, id="pager.copy"),
        Binding("e", "edit", "Open the text in $EDITOR", show=False, id="pager.edit"),
        Binding("escape,q", "close", "Close, or end the search", show=False, id="pager.close"),
    ]

    def __init__(self, view: PagerView, *, title: str, kind: str, size: str) -> None:
        """Take a view.

        Args:
            view: Shows the text and is searched.
            title: For the upper edge.
            kind: Kind of the page, for its style.
            size: How much there is, in words.
        """
        super().__init__(title=one_line(title), kind=kind)
        self.add_class("-large")
        self._view = view
        self._search = FilterLine(id="pager-search")
        self._search.placeholder = "search"
        self.box.show_hint(f"{size} · / search · y copy · e editor · esc close")

    @property
    def whole_text(self) -> str:
        """What is copied and edited; each page says it."""
        raise NotImplementedError

    def compose_parts(self) -> list[Widget]:
        """Show the view over the search line."""
        return [self._view, self._search]

    def on_mount(self) -> None:
        """Give the view the keys."""
        self._view.focus()

    def action_copy(self) -> None:
        """Send the whole text to the clipboard."""
        copy_text(host_of(self._view), self.whole_text)

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
