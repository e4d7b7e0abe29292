"""Scroll through a diff, hunk by hunk.

Owns the sections on show, the hunk cursor, wrapping, side by side, and sideways scrolling.
Knows nothing of reviews: who uses it says what the sections are and what is in the head.
Proven by tests/pilot/test_changes.py.
"""

from collections.abc import Callable, Sequence
from typing import ClassVar

from rich.segment import Segment
from textual import events
from textual.binding import BindingType
from textual.message import Message
from textual.strip import Strip

from caramelo_tui.domain.ids import HunkId
from caramelo_tui.ui.widgets.block_frame import Rendered
from caramelo_tui.ui.widgets.block_view import BlockView
from caramelo_tui.ui.widgets.cells import Line, strip_of, width_of, wrap_line
from caramelo_tui.ui.widgets.diff_keys import DIFF_KEYS
from caramelo_tui.ui.widgets.diff_lines import ChosenLines, LineChoice
from caramelo_tui.ui.widgets.diff_sections import (
    FATE_COLORS,
    FATE_SIGNS,
    HunkSection,
    Section,
)
from caramelo_tui.ui.widgets.hunk_rows import DiffLook
from caramelo_tui.ui.widgets.section_list import SectionList

SIDE_BY_SIDE_FROM = 100
"""Cells of a row from which two sides have room."""

SIDES_UNASKED_FROM = 130
"""Cells of a row from which two sides are shown unless the person wants one: lines of 60
characters still have room."""

SIDEWAYS_CELLS = 8
"""Cells that one step sideways scrolls."""


class DiffView(BlockView):
    """The lines of ``ChangesPane``; the pane is its only user."""

    BINDINGS: ClassVar[list[BindingType]] = [*DIFF_KEYS]

    class CursorMoved(Message):
        """The hunk cursor stands elsewhere, so that the head may say something else."""

    class TooNarrow(Message):
        """Both sides do not fit beside each other; they will when the view is wide enough."""

        def __init__(self, needed_cells: int) -> None:
            super().__init__()
            self.needed_cells = needed_cells

    def __init__(self, *, monotonic: Callable[[], float] | None = None) -> None:
        self._sections = SectionList()
        super().__init__(self._sections.heights, monotonic=monotonic)
        self._cursor: int | None = None
        self._wraps = True
        self._wants_sides: bool | None = None
        self._offset = 0
        self._shows_whitespace = False
        self._choice = LineChoice()
        self.head_lines: Callable[[int], Sequence[Line]] = lambda _width: ()
        self.empty_lines: Callable[[], Sequence[str]] = lambda: ()

    # --- what the pane calls -----------------------------------------------------------

    @property
    def current(self) -> Section | None:
        """The section under the cursor."""
        return self._sections[self._cursor] if self._cursor is not None else None

    @property
    def _index(self) -> int:
        """Where the cursor stands; -1: nowhere."""
        return self._cursor if self._cursor is not None else -1

    @property
    def has_sections(self) -> bool:
        """Whether there is anything to show."""
        return len(self._sections) > 0

    @property
    def current_path(self) -> str:
        """The file under the cursor."""
        current = self.current
        return current.path if current is not None else ""

    @property
    def chosen_lines(self) -> ChosenLines | None:
        """The chosen lines of the hunk under the cursor."""
        return self._choice.lines(is_side_by_side=self._look().is_side_by_side)

    def choose_no_lines(self) -> None:
        """Give the choice of lines up."""
        self._choice.clear()
        self.repaint()

    def show_sections(self, sections: Sequence[Section], *, keeps_place: bool) -> None:
        """Show other sections.

        Args:
            sections: Parts from top to bottom.
            keeps_place: Whether position and cursor stay where they are, by hunk; else the
                view starts at the top. Who does not use the view and has its top in sight
                sees the new top.
        """
        self._replace(sections, keeps_place=keeps_place and (self.has_focus or self.top != (0, 0)))

    def _replace(self, sections: Sequence[Section], *, keeps_place: bool) -> None:
        stop = self.current.stop if self.current is not None else None
        place = self._sections.place_of(self.top) if keeps_place else None
        self._put(sections, stop if keeps_place else None)
        if place is None:
            self.go_home()
        else:
            stop, rows, line = place
            self.scroll_to_block(self._sections.row_of(stop, rows), line=line)
        self.post_message(self.CursorMoved())

    def _put(self, sections: Sequence[Section], stop: HunkId | None) -> None:
        """Take other sections, with the cursor on a hunk or else on the first one."""
        self._sections.put(sections, self._look())
        self.forget_rendering()
        self._cursor = self._sections.stop_index(stop)
        if self._cursor is None:
            self._cursor = self._sections.next_stop(-1, 1)
        if self._choice.section is not self.current:
            self._choice.clear()

    def redraw(self) -> None:
        """Draw everything in view again, because decisions or remarks changed."""
        if not self._sections.is_counted(self._look()):
            self._lay_out_again()
            return
        self.forget_rendering()
        self.repaint()

    def go_to_hunk(self, hunk_id: HunkId) -> None:
        """Put the cursor on a hunk and bring it on the screen."""
        index = self._sections.stop_index(hunk_id)
        if index is not None:
            self._go_to(index)

    def go_to_file(self, path: str) -> bool:
        """Put the cursor on a file's first hunk; ``False`` when there is none."""
        found = (i for i, s in enumerate(self._sections) if s.path == path and s.stop is not None)
        index = next(found, None)
        if index is not None:
            self._go_to(index)
        return index is not None

    def follow(self, sections: Sequence[Section], growing: Section) -> None:
        """Show other sections, with the last row of one of them on the screen.

        Some times a second while a call is written: it is drawn once, not at a place first.
        """
        stop = self.current.stop if self.current is not None else None
        self._put(sections, stop)
        index = self._sections.index_of(growing)
        if index is not None:
            self.show_last(self._sections.last_row(index))

    # --- keys --------------------------------------------------------------------------

    def action_hunk(self, step: int) -> None:
        """Go to the next (+1) or previous (-1) hunk."""
        index = self._sections.next_stop(self._index, step)
        if index is not None:
            self._go_to(index)
        elif step > 0:
            self.scroll_lines(self.body_height)
        else:
            self.go_home()

    def action_file(self, step: int) -> None:
        """Go to the first hunk of the next (+1) or previous (-1) file."""
        index = self._sections.next_file(self._index, step)
        if index is not None:
            self._go_to(index)

    def action_line(self, step: int, extends: bool) -> None:  # noqa: FBT001 - from a key binding
        """Choose the line below (+1) or above (-1) in the hunk, alone or beside the chosen ones."""
        section = self.current
        if not isinstance(section, HunkSection):
            return
        wide = self._look().is_side_by_side
        self._choice.move(section, step, extends=extends, is_side_by_side=wide)
        self.show_block(self._sections.first_row(self._index) + self._choice.row)
        self.repaint()
        self.post_message(self.CursorMoved())

    def action_whitespace(self) -> None:
        """Show signs for blanks and tabs, or the blanks themselves."""
        self._shows_whitespace = not self._shows_whitespace
        self.forget_rendering()
        self.repaint()

    def action_wrap(self) -> None:
        """Wrap long lines, or let them run out of view and scroll sideways."""
        self._wraps = not self._wraps
        self._offset = 0
        self._lay_out_again()

    def action_sides(self) -> None:
        """Show both sides beside each other, or one below the other."""
        before = self._look().is_side_by_side if self._wants_sides is None else self._wants_sides
        self._wants_sides = not before
        # Rows are other ones now.
        self._choice.clear()
        self._lay_out_again()
        if self._wants_sides and not self._look().is_side_by_side:
            self.post_message(self.TooNarrow(SIDE_BY_SIDE_FROM))

    def action_sideways(self, step: int) -> None:
        """Scroll left (-1) or right (+1) where lines do not wrap."""
        if not self._wraps:
            self._offset = max(self._offset + step * SIDEWAYS_CELLS, 0)
            self.forget_rendering()
            self.repaint()

    # --- sections and rows -------------------------------------------------------------

    def _look(self) -> DiffLook:
        width = max(self.size.width - self.GUTTER_CELLS - 1, 1)
        return DiffLook(
            palette=self.palette,
            width=width,
            deadline=self.work_deadline,
            wraps=self._wraps,
            is_side_by_side=self._has_sides(width),
            offset=self._offset,
            shows_whitespace=self._shows_whitespace,
        )

    def _has_sides(self, width: int) -> bool:
        if self._wants_sides is None:
            return width >= SIDES_UNASKED_FROM
        return self._wants_sides and width >= SIDE_BY_SIDE_FROM

    def _count_rows(self) -> None:
        self._sections.count_rows(self._look())
        self.forget_rendering()

    def _lay_out_again(self) -> None:
        self._replace(tuple(self._sections), keeps_place=True)

    def _change_width(self, content: int) -> None:
        super()._change_width(content)
        # Both sides have other rows than one: the place is kept by section.
        if self._wants_sides is not False and self.has_sections:
            self._count_rows()

    def _go_to(self, index: int) -> None:
        self._move_cursor(index)
        first, last = self._sections.first_row(index), self._sections.last_row(index)
        # A hunk's file head comes along when it stands directly above.
        above = index - 1
        if above >= 0 and self._sections[above].stop is None:
            first = self._sections.first_row(above)
        shown_first, shown_last = self.shown_blocks
        if first < shown_first or last - first >= self.body_height:
            self.scroll_to_block(first)
        elif last > shown_last:
            self.show_block(last)
        self.repaint()
        self.post_message(self.CursorMoved())

    def _move_cursor(self, index: int) -> None:
        self._cursor = index
        if self._choice.section is not self.current:
            self._choice.clear()

    # --- drawing -----------------------------------------------------------------------

    def head_strips(self) -> list[Strip]:
        """Draw the head that the pane gives."""
        width = self.size.width
        fill = self.palette.style("foreground", "surface")
        return [strip_of(line, width, fill) for line in self.head_lines(width)]

    def empty_strips(self) -> list[Strip]:
        """Say why there is nothing, in the middle of the view."""
        width = self.size.width
        words = [
            "".join(text for text, _style in part).strip()
            for line in self.empty_lines()
            for part in wrap_line([(line, self.palette.muted)], max(width - 4, 1))
        ]
        blank = strip_of([], width, self.palette.text)
        strips = [blank] * max((self.body_height - len(words)) // 2, 0)
        for shown in words:
            left = " " * max((width - width_of([(shown, self.palette.muted)])) // 2, 0)
            line: Line = [(left, self.palette.text), (shown, self.palette.muted)]
            strips.append(strip_of(line, width, self.palette.text))
        return strips

    def render_block(self, index: int, width: int) -> Rendered:
        """Draw one row."""
        section, row = self._sections.at(index)
        drawn = self._sections[section].draw(row, self._look())
        fill = self.palette.text
        return Rendered([strip_of(line, width, fill) for line in drawn.lines], drawn.is_final)

    def gutter_of(self, block: int, line: int) -> Segment:
        """Mark the current hunk, and what was decided beside its changed rows."""
        index, row = self._sections.at(block)
        section = self._sections[index]
        fate = section.mark(row, self._look()) if line == 0 else None
        is_current = index == self._cursor
        cursor = "▌" if is_current and self.has_focus else "│" if is_current else " "
        if self._choice.holds(section, row):
            cursor = "►"
        sign = FATE_SIGNS[fate] if fate is not None else " "
        color = FATE_COLORS[fate] if fate is not None else "primary"
        return Segment(f"{cursor}{sign}", self.palette.style(color, attributes="bold"))

    def on_click(self, event: events.Click) -> None:
        """Put the cursor on the hunk that was clicked."""
        block = self.block_at(event.y)
        if block is None or event.x >= self.size.width - 1:
            return
        index, _row = self._sections.at(block)
        if self._sections[index].stop is not None:
            self._move_cursor(index)
            self.repaint()
            self.post_message(self.CursorMoved())
