"""A list of one-line rows with a cursor.

Owns the cursor, the scroll position and the keys of lists; draws only the rows in view.
Subclasses say what the rows are. Proven by tests/pilot/test_tool_log.py and
tests/pilot/test_file_tree.py.
"""

from typing import ClassVar

from rich.segment import Segment
from textual import events
from textual.binding import BindingType
from textual.message import Message
from textual.strip import Strip

from caramelo_tui.ui.keymap import KeyPlace, bindings_of
from caramelo_tui.ui.widgets.cells import Line, strip_of
from caramelo_tui.ui.widgets.frame_view import BAR_CELLS, FrameView

CURSOR_SIGN = "▌"
"""Stands before the row under the cursor while the list has the focus."""

_WHEEL_ROWS = 3


class RowList(FrameView):
    """Rows from ``row_line``; the cursor is an index into them."""

    BINDINGS: ClassVar[list[BindingType]] = [*bindings_of(KeyPlace.LIST)]

    class Opened(Message):
        """The person opened the row under the cursor."""

        def __init__(self, rows: "RowList", index: int) -> None:
            super().__init__()
            self.rows = rows
            self.index = index

        @property
        def control(self) -> "RowList":
            """The list that the row is in."""
            return self.rows

    class Moved(Message):
        """Another row may be under the cursor."""

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 - Textual's own name
        super().__init__(id=id)
        self._cursor = 0
        self._top = 0

    @property
    def row_count(self) -> int:
        """How many rows there are; subclasses implement it."""
        raise NotImplementedError

    def row_line(self, index: int, width: int, ground: str) -> Line:
        """Return one row's runs on the theme colour ``ground``; subclasses implement it."""
        raise NotImplementedError

    @property
    def empty_text(self) -> tuple[str, ...]:
        """Lines shown while there is no row."""
        return ()

    @property
    def cursor(self) -> int:
        """Index of the row under the cursor; 0 when there is none."""
        return self._cursor

    @property
    def is_at_end(self) -> bool:
        """Whether the cursor is on the last row, so that the list follows new ones."""
        return self._cursor >= self.row_count - 1

    def move_to(self, index: int) -> None:
        """Put the cursor on a row, or as near as there is one, and bring it into view."""
        self._cursor = min(max(index, 0), max(self.row_count - 1, 0))
        self._show_cursor(self.size.height)
        self.repaint()
        self.post_message(self.Moved())

    def action_move(self, rows: int) -> None:
        """Move the cursor by rows."""
        self.move_to(self._cursor + rows)

    def action_page(self, pages: int) -> None:
        """Move the cursor by nearly a view's height."""
        self.move_to(self._cursor + pages * max(self.size.height - 1, 1))

    def action_edge(self, direction: int) -> None:
        """Move the cursor to the first or last row."""
        self.move_to(0 if direction < 0 else self.row_count - 1)

    def action_open_row(self) -> None:
        """Tell the pane that the row was opened."""
        if self.row_count:
            self.post_message(self.Opened(self, self._cursor))

    def compose_frame(self, width: int, height: int) -> list[Strip]:
        """Draw the rows in view, and the bar."""
        self._cursor = min(self._cursor, max(self.row_count - 1, 0))
        self._top = min(self._top, max(self.row_count - height, 0))
        # The cursor may have moved while the list was hidden and had no height.
        self._show_cursor(height)
        text_width = width - BAR_CELLS
        if not self.row_count:
            return self._empty_strips(width, height)
        bar = self.bar_segments(height, total=self.row_count, top=self._top)
        return [
            Strip([*self._row_strip(self._top + y, text_width), bar[y]], width)
            for y in range(height)
        ]

    def watch_has_focus(self, has_focus: bool) -> None:  # noqa: FBT001 - Textual's signature
        """Show the cursor only while the keys go here."""
        super().watch_has_focus(has_focus)
        self.repaint()

    def on_click(self, event: events.Click) -> None:
        """Put the cursor on the row; a click on it again, or a double click, opens it."""
        index = self._top + event.y
        if index >= self.row_count:
            return
        was_there = index == self._cursor and event.chain > 1
        self.move_to(index)
        if was_there:
            self.action_open_row()

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        """Move on."""
        event.stop()
        self._scroll(_WHEEL_ROWS)

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        """Move back."""
        event.stop()
        self._scroll(-_WHEEL_ROWS)

    def _scroll(self, rows: int) -> None:
        """Move the view; the cursor comes along at its edges."""
        height = self.size.height
        self._top = min(max(self._top + rows, 0), max(self.row_count - height, 0))
        self._cursor = min(max(self._cursor, self._top), self._top + max(height - 1, 0))
        self.repaint()
        self.post_message(self.Moved())

    def _show_cursor(self, height: int) -> None:
        if self._cursor < self._top:
            self._top = self._cursor
        elif height > 0 and self._cursor >= self._top + height:
            self._top = self._cursor - height + 1

    def _row_strip(self, index: int, width: int) -> list[Segment]:
        palette = self.palette
        if index >= self.row_count:
            return list(strip_of([], width, palette.text))
        is_cursor = index == self._cursor and self.has_focus
        ground = "panel" if is_cursor else "background"
        sign = CURSOR_SIGN if is_cursor else " "
        line: Line = [(sign, palette.style("primary", ground, "bold"))]
        line += self.row_line(index, width - 1, ground)
        return list(strip_of(line, width, palette.style("foreground", ground)))

    def _empty_strips(self, width: int, height: int) -> list[Strip]:
        palette = self.palette
        lines: list[Line] = [[(f" {text}", palette.muted)] for text in self.empty_text]
        lines += [[]] * height
        return [strip_of(line, width, palette.text) for line in lines[:height]]
