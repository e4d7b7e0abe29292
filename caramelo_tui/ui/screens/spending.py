"""Show what every request of the session took.

Owns the table of the ledger and its sum. Proven by tests/pilot/test_spending.py.
"""

from collections.abc import Sequence
from typing import ClassVar

from textual import on
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.strip import Strip
from textual.widget import Widget
from textual.widgets._static import Static

from caramelo_tui.agent.context_port import LedgerEntry, premium_words
from caramelo_tui.domain.usage import Usage
from caramelo_tui.ui.formatting import count_text, tokens_text
from caramelo_tui.ui.panes.row_list import RowList
from caramelo_tui.ui.screens.dialog import Dialog
from caramelo_tui.ui.widgets.cells import Line, cut_cells, one_line, strip_of
from caramelo_tui.ui.widgets.frame_view import BAR_CELLS, FrameView

_NUMBER_CELLS = 5
_TOKEN_CELLS = 9
_COST_CELLS = 10
_AROUND = 6
"""Rows beside the table: the sum, a blank one, the titles."""
_TITLES = ("input", "cached", "output")
_MODEL_CELLS = 16
"""Room that the model keeps: on a narrow screen columns of tokens make way for it."""
UNKNOWN = "unknown"
"""Said of a cost that is not known; never nothing, which would read as free."""
NOT_COUNTED = "-"
"""Stands for the tokens of a request that the provider did not count."""


class LedgerRows(RowList):
    """The requests, oldest first."""

    def __init__(self, entries: Sequence[LedgerEntry]) -> None:
        super().__init__(id="ledger-rows")
        self._entries = tuple(entries)

    @property
    def row_count(self) -> int:
        """Number of requests."""
        return len(self._entries)

    @property
    def empty_text(self) -> tuple[str, ...]:
        """Said before the first request."""
        return ("No request was counted yet.",)

    def row_line(self, index: int, width: int, ground: str) -> Line:
        """Return the figures of a request."""
        entry, palette = self._entries[index], self.palette
        usage = entry.usage
        counted = (_read(usage), usage.cache_read_tokens, usage.output_tokens)
        figures = "".join(
            f"{tokens_text(tokens) if usage != Usage() else NOT_COUNTED:>{_TOKEN_CELLS}}"
            for tokens in counted[: _columns(width)]
        )
        cost = f"{money_text(entry.cost):>{_COST_CELLS}}"
        head = f"{index + 1:>{_NUMBER_CELLS}}{figures}{cost}  "
        words = cut_cells(one_line(_whose(entry)), max(width - len(head), 0))
        return [
            (head, palette.style("foreground", ground)),
            (words, palette.style("muted", ground)),
        ]


class LedgerHeader(FrameView, can_focus=False):
    """The titles of the columns."""

    def compose_frame(self, width: int, height: int) -> list[Strip]:
        """Draw the titles of the columns that have room."""
        style = self.palette.style("secondary", "surface")
        # A row keeps a cell for the cursor and those of the bar.
        line: Line = [(" " + header_text(width - 1 - BAR_CELLS), style)]
        return [strip_of(line, width, style)][:height]


class SpendingScreen(Dialog[None]):
    """All requests and their sum."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,q", "close", "Close", show=False)]

    def __init__(self, entries: Sequence[LedgerEntry]) -> None:
        super().__init__(title="Spending", kind="context")
        self._entries = tuple(entries)
        self._list = LedgerRows(entries)
        self._header = LedgerHeader(id="ledger-header")
        self.box.show_hint("↑↓ · esc closes")
        self.box.hold_rows(len(self._entries) + _AROUND)

    def compose_parts(self) -> list[Widget]:
        """Show the sum, the head of the table, and the rows."""
        total = Static(Content(sum_text(self._entries)), id="context-head", markup=False)
        return [total, self._header, self._list]

    def on_mount(self) -> None:
        """Give the list the keys, and show the latest request."""
        self._list.focus()
        self._list.move_to(self._list.row_count - 1)

    def action_close(self) -> None:
        """Close."""
        self.dismiss(None)

    @on(RowList.Opened)
    def _stay(self, event: RowList.Opened) -> None:
        """There is nothing more to say of a request."""
        event.stop()


def money_text(cost: float | None) -> str:
    """Return US dollars, small sums with more digits; ``unknown`` for an unknown cost."""
    if cost is None:
        return UNKNOWN
    return f"${cost:.2f}" if cost >= 1 or not cost else f"${cost:.4f}"


def header_text(width: int) -> str:
    """Return the titles of the columns that rows of a width in cells have."""
    titles = "".join(f"{title:>{_TOKEN_CELLS}}" for title in _TITLES[: _columns(width)])
    return f"{'':>{_NUMBER_CELLS}}{titles}{'cost':>{_COST_CELLS}}  model"


def _columns(width: int) -> int:
    """Return how many columns of tokens have room beside number, cost and model."""
    room = width - _NUMBER_CELLS - _COST_CELLS - 2 - _MODEL_CELLS
    return min(max(room // _TOKEN_CELLS, 0), len(_TITLES))


def sum_text(entries: Sequence[LedgerEntry]) -> str:
    """Return the sum of requests in one sentence."""
    usage = sum((entry.usage for entry in entries), Usage())
    known = [entry.cost for entry in entries if entry.cost is not None]
    unknown = len(entries) - len(known)
    cost = money_text(sum(known) if known or not entries else None)
    more = f" and {count_text(unknown, 'request')} of unknown cost" if unknown and known else ""
    premium = sum(entry.premium_requests for entry in entries)
    counted = f" {premium_words(premium)}." if premium else ""
    return (
        f"{count_text(len(entries), 'request')}: {tokens_text(_read(usage))} input, "
        f"{tokens_text(usage.cache_read_tokens)} cached, {tokens_text(usage.output_tokens)} "
        f"output, cost {cost}{more}.{counted}"
    )


def _read(usage: Usage) -> int:
    """Return the tokens that no cache held; those written into one are among them."""
    return usage.input_tokens + usage.cache_write_tokens


def _whose(entry: LedgerEntry) -> str:
    agent = f" · {entry.agent}" if entry.agent else ""
    premium = f" · {entry.premium_requests:g} premium" if entry.premium_requests else ""
    return f"{entry.model}{' · summary' if entry.is_summary else ''}{premium}{agent}"
