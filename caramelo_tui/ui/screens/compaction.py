"""Show what a compaction would do, and let the person pin prompts before it happens.

Owns the list of prompts and turns with what becomes of each. It changes nothing by itself: it asks
for pins, and closes with whether to compact. Proven by tests/pilot/test_compaction.py.
"""

from collections.abc import Callable
from typing import ClassVar

from textual import on
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.widget import Widget
from textual.widgets._static import Static

from caramelo_tui.agent.context_port import CompactionPreview, ContextRow, Fate
from caramelo_tui.ui.formatting import count_text, tokens_text
from caramelo_tui.ui.panes.row_list import RowList
from caramelo_tui.ui.screens.dialog import Dialog
from caramelo_tui.ui.widgets.cells import Line, cut_cells, one_line

_AROUND = 7
"""Rows beside the list: the figures, what is kept, and blank ones between."""
_FATE_CELLS = 11
_TOKEN_CELLS = 7
_SIGNS = {Fate.STAYS: "=", Fate.PINNED: "*", Fate.SHORTENED: "~", Fate.SUMMED_UP: "-"}
"""Said beside the word, so that rows are told apart at a glance and without colours."""
_COLORS = {
    Fate.STAYS: "foreground",
    Fate.PINNED: "primary",
    Fate.SHORTENED: "secondary",
    Fate.SUMMED_UP: "muted",
}
KEEPS_ALL = "The session file keeps everything; only what the model is sent gets shorter."

Pin = Callable[[int, bool], CompactionPreview]
"""Pins a prompt or takes the pin off; returns what a compaction would do then."""


class ContextRows(RowList):
    """Prompts and turns, in the order of the conversation."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("space", "pin", "Pin", show=False)]

    def __init__(self, rows: tuple[ContextRow, ...], pin: Callable[[ContextRow], None]) -> None:
        super().__init__(id="context-rows")
        self._rows = rows
        self._pin = pin

    @property
    def row_count(self) -> int:
        """Number of prompts and turns."""
        return len(self._rows)

    @property
    def empty_text(self) -> tuple[str, ...]:
        """Said while nothing was said."""
        return ("The conversation is empty.",)

    def show(self, rows: tuple[ContextRow, ...]) -> None:
        """Show other fates; the cursor stays."""
        self._rows = rows
        self.repaint()

    def row_line(self, index: int, width: int, ground: str) -> Line:
        """Return fate, size and words of a row."""
        row, palette = self._rows[index], self.palette
        color = palette.style(_COLORS[row.fate], ground)
        fate = f"{_SIGNS[row.fate]} {row.fate.value}"
        tokens = tokens_text(row.tokens)
        head = f"{fate:<{_FATE_CELLS}}{tokens:>{_TOKEN_CELLS}}  "
        words = cut_cells(one_line(row.label), max(width - len(head), 0))
        return [(head, color), (words, palette.style("foreground", ground))]

    def action_pin(self) -> None:
        """Pin the prompt under the cursor, or take its pin off."""
        if self._rows:
            self._pin(self._rows[self.cursor])


class CompactionScreen(Dialog[bool]):
    """What goes and what stays; closes with whether to compact."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,q", "close", "Close", show=False)]

    def __init__(self, preview: CompactionPreview, pin: Pin) -> None:
        """Show a preview; ``pin`` gives the one after a change."""
        super().__init__(title="Compact the conversation", kind="context")
        self._preview = preview
        self._pin = pin
        self._list = ContextRows(preview.rows, self._change_pin)
        self._head = Static(id="context-head", markup=False)
        self.box.hold_rows(len(preview.rows) + _AROUND)
        self.box.show_hint("enter compacts · space pins a prompt · esc closes")

    def compose_parts(self) -> list[Widget]:
        """Show the figures, the rows, and that nothing is lost."""
        foot = Static(Content(KEEPS_ALL), id="context-foot", markup=False)
        return [self._head, self._list, foot]

    def on_mount(self) -> None:
        """Give the list the keys."""
        self._list.focus()
        self._show_figures()

    def action_close(self) -> None:
        """Leave the conversation as it is; pins stay."""
        self.dismiss(result=False)

    @on(RowList.Opened)
    def _compact(self, event: RowList.Opened) -> None:
        event.stop()
        self.dismiss(result=not self._preview.problem)

    def _change_pin(self, row: ContextRow) -> None:
        if row.place is None:
            self.notify("Only prompts can be pinned.", markup=False)
            return
        self._preview = self._pin(row.place, row.fate is not Fate.PINNED)
        self._list.show(self._preview.rows)
        self._show_figures()

    def _show_figures(self) -> None:
        self._head.update(Content(figures_text(self._preview)))


def figures_text(preview: CompactionPreview) -> str:
    """Return the sizes before and after, and how much goes."""
    if preview.problem:
        return preview.problem
    before, after = tokens_text(preview.tokens_before), tokens_text(preview.tokens_after)
    window = preview.context_window
    of_window = f" of {tokens_text(window)}" if window is not None else ""
    fates = [row.fate for row in preview.rows]
    goes = [
        f"{count_text(fates.count(fate), 'row')} {fate.value}"
        for fate in (Fate.SUMMED_UP, Fate.SHORTENED, Fate.PINNED)
        if fate in fates
    ]
    figures = f"About {before} to {after} tokens{of_window}."
    if preview.tokens_after >= preview.tokens_before:
        figures = f"It would not get shorter: {before} tokens now, about {after} then{of_window}."
    return f"{figures} {', '.join(goes)}."
