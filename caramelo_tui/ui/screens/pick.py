"""Let the person choose one of a few things.

Owns a list with a line of explanation above it and the whole words of the row under the cursor
below it. What the choice means is its caller's affair. Proven by tests/pilot/test_grants.py and
tests/pilot/test_skills.py.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from textual import on
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.geometry import Size
from textual.widget import Widget
from textual.widgets._static import Static

from caramelo_tui.ui.keys_in_force import keys_in_force
from caramelo_tui.ui.own_labels import NamedKeys, bindings_of_class, hint_among
from caramelo_tui.ui.panes.row_list import RowList
from caramelo_tui.ui.screens.dialog import Dialog
from caramelo_tui.ui.widgets.cells import Line, cut_cells, one_line

_NAME_CELLS = 28
"""Room for names; longer ones are cut in the list and whole below it."""
_SHORT_BELOW = 18
"""Screen rows below which nothing is set apart by blank rows."""
_KEYS: tuple[NamedKeys, ...] = (
    (("list.up", "list.down"), ""),
    (("list.open_row",), "chooses"),
    (("pick.close",), "closes"),
)
_ROWS = 8
"""Rows of the list before it scrolls."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PickRow:
    """One thing to choose."""

    name: str
    """What the caller gets back."""
    words: str
    """What it is, in plain words."""
    mark: str = ""
    """Said after the name, such as ``active``; empty for nothing."""


class PickList(RowList):
    """The rows."""

    def __init__(self, rows: Sequence[PickRow], *, id: str | None = None) -> None:  # noqa: A002 - Textual's own name
        super().__init__(id=id)
        self._rows = tuple(rows)
        widest = max((len(one_line(row.name)) for row in self._rows), default=0)
        self._name_cells = min(widest, _NAME_CELLS)

    @property
    def row_count(self) -> int:
        """Number of things to choose from."""
        return len(self._rows)

    @property
    def current(self) -> PickRow | None:
        """The row under the cursor."""
        return self._rows[self.cursor] if self._rows else None

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """Take as many rows as there are, up to a limit."""
        del container, viewport, width
        return min(max(len(self._rows), 1), _ROWS)

    def row_line(self, index: int, width: int, ground: str) -> Line:
        """Return name, mark and words of a row."""
        row = self._rows[index]
        palette = self.palette
        name = cut_cells(one_line(row.name), self._name_cells)
        line: Line = [(f"{name:<{self._name_cells}}", palette.style("foreground", ground, "bold"))]
        if row.mark:
            line.append((f"  {one_line(row.mark)}", palette.style("secondary", ground)))
        used = sum(len(text) for text, _ in line)
        words = cut_cells(f"  {one_line(row.words)}", max(width - used, 0))
        return [*line, (words, palette.style("muted", ground))]


class PickScreen(Dialog[str | None]):
    """A choice; closes with the name of the chosen row, or ``None``."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q", "close", "Choose nothing", show=False, id="pick.close")
    ]

    def __init__(self, rows: Sequence[PickRow], *, title: str, intro: str) -> None:
        """Offer rows.

        Args:
            rows: At least one.
            title: Safe text for the upper edge.
            intro: Safe text above the list: what choosing does.
        """
        super().__init__(title=title, kind="pick")
        self._intro = intro
        self._list = PickList(rows, id="pick-rows")
        self._words = Static(id="pick-words", markup=False)

    def compose_parts(self) -> list[Widget]:
        """Show explanation, list, and the words of the current row."""
        intro = Static(Content(self._intro), id="pick-intro", markup=False)
        return [intro, self._list, self._words]

    def on_mount(self) -> None:
        """Give the list the keys."""
        known = (*bindings_of_class(PickList), *bindings_of_class(PickScreen))
        self.box.show_hint(hint_among(known, _KEYS, keys_in_force(self)))
        self._list.focus()
        self._show_words()

    def on_resize(self) -> None:
        """Set nothing apart by blank rows on a small screen."""
        self.set_class(self.size.height < _SHORT_BELOW, "-short")

    def action_close(self) -> None:
        """Choose nothing."""
        self.dismiss(None)

    @on(RowList.Moved)
    def _show_words(self) -> None:
        row = self._list.current
        if row is not None:
            self._words.update(Content(f"{one_line(row.name)}: {one_line(row.words)}"))

    @on(RowList.Opened)
    def _choose(self, event: RowList.Opened) -> None:
        event.stop()
        row = self._list.current
        if row is not None:
            self.dismiss(row.name)
