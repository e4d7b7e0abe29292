"""Draw the rows of one hunk, each when it is looked at.

Owns row numbers, signs, syntax colours and word marks of a hunk, unified and side by side.
Rows are worked out by number, so that a hunk of 20,000 lines costs nothing before it is seen.
Proven by tests/unit/ui/test_hunk_rows.py.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from typing import overload

from rich.style import Style

from caramelo_tui.domain.diffs import Hunk
from caramelo_tui.domain.screen_text import visible
from caramelo_tui.ui.formatting import MINUS
from caramelo_tui.ui.widgets.cells import (
    MAX_LINE_CELLS,
    Line,
    crop_line,
    expand_tabs,
    width_of,
    wrap_line,
)
from caramelo_tui.ui.widgets.code_colors import CodeColors, Span, lexer_for_path
from caramelo_tui.ui.widgets.palette import Palette
from caramelo_tui.ui.widgets.word_marks import Range, changed_ranges, pairs_of

_WHOLE_LEXED_LINES = 1_000
"""Hunks up to this size are lexed as one, so that strings over several lines are right."""

_CHUNK_LINES = 100

_MIN_NUMBER_CELLS = 3


class Fate(StrEnum):
    """What the user decided about a hunk, or what became of it."""

    UNDECIDED = "undecided"
    ACCEPTED = "accepted"
    REJECTED = "rejected"
    APPLIED = "applied"
    NOT_APPLIED = "not applied"


@dataclass(frozen=True, slots=True, kw_only=True)
class DiffLook:
    """How rows are laid out now."""

    palette: Palette
    width: int
    """Cells of a row without gutter and bar."""
    deadline: float
    """On the monotonic clock; rows that are not coloured by then are drawn plain."""
    wraps: bool = True
    is_side_by_side: bool = False
    offset: int = 0
    """Cells that are scrolled off at the left; only without wrapping."""


@dataclass(frozen=True, slots=True)
class DrawnRow:
    """One row as one or more lines."""

    lines: list[Line]
    is_final: bool = True


@dataclass(frozen=True, slots=True)
class _Cell:
    """One line of one side."""

    sign: str
    number: int
    side: int
    """0 for before, 1 for after."""
    index: int
    """Line in that side's texts."""


class SideTexts(Sequence[str]):
    """The lines of one side as they are shown, worked out when they are asked for."""

    def __init__(self, lines: Sequence[str], *, shows_returns: bool) -> None:
        self._lines = lines
        self._shows_returns = shows_returns

    def __len__(self) -> int:
        """Return the number of lines."""
        return len(self._lines)

    @overload
    def __getitem__(self, index: int) -> str: ...

    @overload
    def __getitem__(self, index: slice) -> list[str]: ...

    def __getitem__(self, index: int | slice) -> str | list[str]:
        """Return a line without its line end, or several."""
        if isinstance(index, slice):
            return [self.line(number) for number in range(*index.indices(len(self)))]
        return self.line(index)

    def line(self, index: int) -> str:
        """Return one line, safe, tabs expanded, cut, without its line end."""
        text = self._lines[index].removesuffix("\n")
        has_return = text.endswith("\r")
        shown = expand_tabs(visible(text.removesuffix("\r")[:MAX_LINE_CELLS]))
        if len(text) > MAX_LINE_CELLS:
            shown = f"{shown} … {len(text) - MAX_LINE_CELLS:,} more characters"
        return f"{shown}␍" if has_return and self._shows_returns else shown

    def ends_with_newline(self, index: int) -> bool:
        """Return whether the line has a line end."""
        return self._lines[index].endswith("\n")


class HunkRows:
    """The rows of one hunk."""

    def __init__(self, hunk: Hunk, path: str) -> None:
        self.hunk = hunk
        self._path = path
        self._above = len(hunk.context_before)
        lines = (*hunk.context_before, *hunk.old_lines, *hunk.new_lines, *hunk.context_after)
        is_mixed = len({line.endswith("\r\n") for line in lines if line.endswith("\n")}) > 1
        self._sides = (
            SideTexts(
                (*hunk.context_before, *hunk.old_lines, *hunk.context_after),
                shows_returns=is_mixed,
            ),
            SideTexts(
                (*hunk.context_before, *hunk.new_lines, *hunk.context_after),
                shows_returns=is_mixed,
            ),
        )

    def count(self, *, is_side_by_side: bool) -> int:
        """Return the number of rows."""
        hunk = self.hunk
        changed = len(hunk.old_lines) + len(hunk.new_lines)
        if is_side_by_side:
            changed = max(len(hunk.old_lines), len(hunk.new_lines))
        return self._above + changed + len(hunk.context_after)

    def estimates(self, look: DiffLook) -> list[int]:
        """Return about how many lines each row needs."""
        count = self.count(is_side_by_side=look.is_side_by_side)
        if not look.wraps:
            return [1] * count
        hunk = self.hunk
        room = max(self._room(look), 1)
        if not look.is_side_by_side:
            lines = (*hunk.context_before, *hunk.old_lines, *hunk.new_lines, *hunk.context_after)
            return [max(1, -(-(len(line) - 1) // room)) for line in lines]
        return [1] * count

    def new_line_at(self, row: int, *, is_side_by_side: bool) -> int | None:
        """Return the line after the edit that a row shows, 1-based; ``None`` for a removed one."""
        for cell in self._cells(row, is_side_by_side=is_side_by_side):
            if cell is not None and (cell.side == 1 or cell.sign == " "):
                return self.hunk.new_start + cell.index - self._above
        return None

    def draw(self, row: int, look: DiffLook, fate: Fate) -> DrawnRow:
        """Return one row as lines of the look's width."""
        cells = self._cells(row, is_side_by_side=look.is_side_by_side)
        if not look.is_side_by_side:
            cell = next(cell for cell in cells if cell is not None)
            return self._draw_cell(cell, look, fate, look.width)
        left_width = (look.width - 1) // 2
        left, right = cells
        left_row = self._draw_half(left, look, fate, left_width)
        right_row = self._draw_half(right, look, fate, look.width - 1 - left_width)
        lines: list[Line] = []
        blank_left: Line = [(" " * left_width, look.palette.text)]
        blank_right: Line = [(" " * (look.width - 1 - left_width), look.palette.text)]
        for number in range(max(len(left_row.lines), len(right_row.lines))):
            first = left_row.lines[number] if number < len(left_row.lines) else blank_left
            second = right_row.lines[number] if number < len(right_row.lines) else blank_right
            lines.append([*first, ("│", look.palette.line), *second])
        return DrawnRow(lines, left_row.is_final and right_row.is_final)

    # --- rows and cells ----------------------------------------------------------------

    def _cells(self, row: int, *, is_side_by_side: bool) -> tuple[_Cell | None, _Cell | None]:
        hunk, above = self.hunk, self._above
        old, new = len(hunk.old_lines), len(hunk.new_lines)
        if row < above:
            return self._context(row, row)
        at = row - above
        if is_side_by_side:
            changed = max(old, new)
            if at < changed:
                return (
                    self._cell("-", 0, above + at) if at < old else None,
                    self._cell("+", 1, above + at) if at < new else None,
                )
            return self._context(above + old + at - changed, above + new + at - changed)
        if at < old:
            return self._cell("-", 0, above + at), None
        if at < old + new:
            return None, self._cell("+", 1, row - old)
        return self._context(row - new, row - old)

    def _context(self, old_index: int, new_index: int) -> tuple[_Cell, _Cell]:
        return self._cell(" ", 0, old_index), self._cell(" ", 1, new_index)

    def _cell(self, sign: str, side: int, index: int) -> _Cell:
        start = (self.hunk.old_start, self.hunk.new_start)[side]
        return _Cell(sign, start - self._above + index, side, index)

    def _draw_half(self, cell: _Cell | None, look: DiffLook, fate: Fate, width: int) -> DrawnRow:
        if cell is None:
            return DrawnRow([[(" " * width, look.palette.text)]])
        return self._draw_cell(cell, look, fate, width)

    def _draw_cell(self, cell: _Cell, look: DiffLook, fate: Fate, width: int) -> DrawnRow:
        paint = _paint_of(cell.sign, fate, look.palette)
        spans, is_final = self._spans(cell, look)
        runs = _styled(spans, self._marks(cell) if paint.has_marks else [], paint, look.palette)
        if not self._sides[cell.side].ends_with_newline(cell.index):
            runs.append((" (no line end)", look.palette.style("muted", paint.background, "italic")))
        number = f"{cell.number:>{self._number_cells}} "
        sign = MINUS if cell.sign == "-" else cell.sign
        lines: list[Line] = []
        for part in self._fit(runs, max(width - len(number) - 2, 1), look):
            start: Line = [
                (number if not lines else " " * len(number), paint.number),
                (f"{sign} " if not lines else "  ", paint.sign),
            ]
            gap = max(width - width_of(start) - width_of(part), 0)
            lines.append([*start, *part, (" " * gap, paint.fill)])
        return DrawnRow(lines, is_final)

    def _fit(self, runs: Line, room: int, look: DiffLook) -> list[Line]:
        if look.wraps:
            return wrap_line(runs, room)
        return [crop_line(runs, look.offset, look.offset + room)]

    def _room(self, look: DiffLook) -> int:
        width = (look.width - 1) // 2 if look.is_side_by_side else look.width
        return width - self._number_cells - 3

    @cached_property
    def _number_cells(self) -> int:
        last = max(
            self.hunk.old_start + len(self.hunk.old_lines) + len(self.hunk.context_after),
            self.hunk.new_start + len(self.hunk.new_lines) + len(self.hunk.context_after),
        )
        return max(len(str(last)), _MIN_NUMBER_CELLS)

    # --- colours and marks -------------------------------------------------------------

    @cached_property
    def _colors(self) -> tuple[CodeColors, CodeColors]:
        lexer = lexer_for_path(self._path)
        old, new = (
            CodeColors(
                side,
                lexer,
                chunk_lines=max(len(side), 1) if len(side) <= _WHOLE_LEXED_LINES else _CHUNK_LINES,
            )
            for side in self._sides
        )
        return old, new

    @cached_property
    def _pairs(self) -> tuple[dict[int, int], dict[int, int]]:
        pairs = pairs_of(self.hunk.old_lines, self.hunk.new_lines)
        return pairs, {new: old for old, new in pairs.items()}

    def _spans(self, cell: _Cell, look: DiffLook) -> tuple[list[Span], bool]:
        spans = self._colors[cell.side].spans(cell.index, deadline=look.deadline)
        if spans is None:
            return [(self._sides[cell.side].line(cell.index), "syntax-name")], False
        return spans, True

    def _marks(self, cell: _Cell) -> list[Range]:
        if cell.sign == " ":
            return []
        other = self._pairs[cell.side].get(cell.index - self._above)
        if other is None:
            return []
        here = self._sides[cell.side].line(cell.index)
        there = self._sides[1 - cell.side].line(other + self._above)
        if cell.side == 0:
            return changed_ranges(here, there)[0]
        return changed_ranges(there, here)[1]


@dataclass(frozen=True, slots=True)
class _Paint:
    """Styles of a row by its sign and the hunk's fate."""

    background: str
    word_background: str
    attributes: str
    has_syntax: bool
    number: Style
    sign: Style
    fill: Style
    color: str = "syntax-name"

    @property
    def has_marks(self) -> bool:
        """Whether changed words are marked."""
        return self.word_background != self.background


def _paint_of(sign: str, fate: Fate, palette: Palette) -> _Paint:
    if sign == " ":
        return _Paint(
            "background",
            "background",
            "",
            has_syntax=True,
            number=palette.muted,
            sign=palette.muted,
            fill=palette.text,
        )
    name = "added" if sign == "+" else "removed"
    if fate in {Fate.REJECTED, Fate.NOT_APPLIED}:
        # What will not happen steps back: no ground, and the new text struck out.
        return _Paint(
            "background",
            "background",
            "strike" if sign == "+" else "",
            has_syntax=False,
            number=palette.muted,
            sign=palette.muted,
            fill=palette.text,
            color="muted",
        )
    ground = f"diff-{name}-background"
    return _Paint(
        ground,
        f"diff-{name}-word",
        "",
        has_syntax=True,
        number=palette.style(f"diff-{name}", ground),
        sign=palette.style(f"diff-{name}", ground, "bold"),
        fill=palette.style("foreground", ground),
    )


def _styled(spans: Sequence[Span], marks: Sequence[Range], paint: _Paint, palette: Palette) -> Line:
    """Lay word marks over coloured spans."""
    line: Line = []
    at = 0
    for text, variable in spans:
        color = variable if paint.has_syntax else paint.color
        for piece, is_marked in _divided(text, at, marks):
            background = paint.word_background if is_marked else paint.background
            attributes = "bold" if is_marked else paint.attributes
            line.append((piece, palette.style(color, background, attributes)))
        at += len(text)
    return line


def _divided(text: str, start: int, marks: Sequence[Range]) -> list[tuple[str, bool]]:
    """Cut a span at the edges of the marks over it."""
    out: list[tuple[str, bool]] = []
    at = start
    end = start + len(text)
    for mark_start, mark_end in marks:
        if mark_end <= at or mark_start >= end:
            continue
        if mark_start > at:
            out.append((text[at - start : mark_start - start], False))
            at = mark_start
        stop = min(mark_end, end)
        out.append((text[at - start : stop - start], True))
        at = stop
    if at < end:
        out.append((text[at - start :], False))
    return out
