"""Draw what can be chosen while something else has the keys.

Owns the rows, the mark and which of the rows are in view. The keys are those of an editor or an
input beside it, whose owner moves the mark. Proven by tests/pilot/test_completion.py and
tests/pilot/test_find.py.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from rich.cells import cell_len
from textual import events
from textual.message import Message
from textual.strip import Strip

from caramelo_tui.ui.widgets.cells import Line, cut_cells, one_line, strip_of
from caramelo_tui.ui.widgets.frame_view import BAR_CELLS, FrameView

MARK = "▸"
"""Stands before the row that would be chosen."""
_NAME_CELLS = 40
"""Room that names keep where the words behind them have not enough."""
_LEAST_NAME_CELLS = 22
"""The same on a narrow screen."""
_NARROW_BELOW = 60
"""Cells of a row below which it is narrow."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChoiceRow:
    """One thing to choose; both texts are shown as one safe line."""

    name: str
    words: str = ""


class ChoiceRows(FrameView, can_focus=False):
    """Rows with a mark on one of them, or on none."""

    class Clicked(Message):
        """The person clicked a row."""

        def __init__(self, index: int) -> None:
            super().__init__()
            self.index = index

    def __init__(self, *, ground: str = "surface", id: str | None = None) -> None:  # noqa: A002 - Textual's own name
        super().__init__(id=id)
        self._ground = ground
        self._rows: tuple[ChoiceRow, ...] = ()
        self._note = ""
        self._marked: int | None = None
        self._top = 0

    def show(self, rows: Sequence[ChoiceRow], *, marked: int | None, note: str = "") -> None:
        """Show rows.

        Args:
            rows: From top to bottom.
            marked: Index of the row that would be chosen; ``None`` for none.
            note: Said while there are no rows.
        """
        self._rows, self._marked, self._note = tuple(rows), marked, note
        self.repaint()

    @property
    def name_cells(self) -> int:
        """Room for a row without words, in cells; a longer one is cut."""
        return max(self.size.width - BAR_CELLS - cell_len(MARK) - 1, 0)

    def compose_frame(self, width: int, height: int) -> list[Strip]:
        """Draw the rows around the mark."""
        palette, ground = self.palette, self._ground
        plain = palette.style("foreground", ground)
        if not self._rows:
            lines: list[Line] = [[(f"  {self._note}", palette.style("muted", ground))]]
            lines += [[]] * height
            return [strip_of(line, width, plain) for line in lines[:height]]
        marked = self._marked or 0
        self._top = min(max(self._top, marked - height + 1), marked)
        self._top = max(min(self._top, len(self._rows) - height), 0)
        shown = self._rows[self._top : self._top + height]
        names = _column(shown, width - BAR_CELLS - cell_len(MARK) - 1)
        strips = [
            strip_of(self._line(self._top + y, row, names, width - BAR_CELLS), width, plain)
            for y, row in enumerate(shown)
        ]
        blank = strip_of([], width, plain)
        return strips + [blank] * (height - len(strips))

    def on_click(self, event: events.Click) -> None:
        """Tell which row was clicked."""
        index = self._top + event.y
        if index < len(self._rows):
            self.post_message(self.Clicked(index))

    def _line(self, index: int, row: ChoiceRow, names: int, width: int) -> Line:
        palette, ground = self.palette, self._ground
        is_marked = index == self._marked
        name = one_line(row.name)
        if row.words:
            name = cut_cells(name, names)
            name += " " * (names - cell_len(name))
        name = cut_cells(name, max(width - 2, 0))
        sign = f"{MARK} " if is_marked else "  "
        color, attributes = ("primary", "bold") if is_marked else ("foreground", "")
        line: Line = [(sign + name, palette.style(color, ground, attributes))]
        room = width - 2 - cell_len(name)
        if row.words and room > 2:  # noqa: PLR2004 - the gap before the words
            words = cut_cells(f"  {one_line(row.words)}", room)
            line.append((words, palette.style("muted", ground)))
        return line


def _column(rows: Sequence[ChoiceRow], width: int) -> int:
    """Return the cells of the column of names: as wide as they are, and the words have room."""
    told = [row for row in rows if row.words]
    names = max((cell_len(one_line(row.name)) for row in told), default=0)
    words = max((cell_len(one_line(row.words)) for row in told), default=0) + 2
    least = _NAME_CELLS if width >= _NARROW_BELOW else _LEAST_NAME_CELLS
    return max(min(names, width - words), min(names, least))
