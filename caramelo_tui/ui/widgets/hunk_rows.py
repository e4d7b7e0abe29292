"""Draw the rows of one hunk, each when it is looked at.

Owns line numbers, signs, syntax colours and word marks of a row, unified and side by side.
Which line stands where is the plan's matter. Proven by tests/unit/ui/test_hunk_rows.py.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cached_property
from itertools import zip_longest

from rich.style import Style

from caramelo_tui.domain.diffs import Hunk
from caramelo_tui.ui.formatting import MINUS
from caramelo_tui.ui.widgets.cells import Line, crop_line, divided, width_of, wrap_code
from caramelo_tui.ui.widgets.code_colors import CodeColors, Span, lexer_for_path
from caramelo_tui.ui.widgets.hunk_plan import Cell, HunkPlan
from caramelo_tui.ui.widgets.hunk_whitespace import tab_cells, with_signs
from caramelo_tui.ui.widgets.palette import Palette
from caramelo_tui.ui.widgets.word_marks import Range, changed_ranges

BOTH_NUMBERS_FROM = 72
"""Cells of a row from which the numbers of both sides are shown."""

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
    UNDONE = "undone"
    WRITING = "being written"
    DIFFERS = "differs"
    """Stands against git HEAD, whoever changed it."""


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
    shows_whitespace: bool = False


@dataclass(frozen=True, slots=True)
class DrawnRow:
    """One row as one or more lines."""

    lines: list[Line]
    is_final: bool = True


class HunkRows:
    """The drawn rows of one hunk."""

    def __init__(self, hunk: Hunk, path: str) -> None:
        self.plan = HunkPlan(hunk)
        self._path = path
        self._estimated: tuple[tuple[int, bool], list[int]] | None = None

    def estimates(self, look: DiffLook) -> list[int]:
        """Return about how many lines each row needs."""
        if not look.wraps:
            return [1] * self.plan.count(is_side_by_side=look.is_side_by_side)
        # Every decision asks again, for all hunks of a review.
        key = max(self._room(look), 1), look.is_side_by_side
        if self._estimated is None or self._estimated[0] != key:
            room, wide = key
            lengths = self.plan.lengths(is_side_by_side=wide)
            if max(lengths, default=0) <= room:
                self._estimated = key, [1] * len(lengths)
            else:
                self._estimated = key, [max(1, -(-(length - 1) // room)) for length in lengths]
        return self._estimated[1]

    def draw(self, row: int, look: DiffLook, fate: Fate) -> DrawnRow:
        """Return one row as lines of the look's width."""
        left, right = self.plan.row(row, is_side_by_side=look.is_side_by_side)
        if not look.is_side_by_side:
            cell = right or left
            # A plan's row is never empty on both sides.
            return self._draw_cell(cell, (left, right), look, fate) if cell else DrawnRow([[]])
        left_width = (look.width - 1) // 2
        right_width = look.width - 1 - left_width
        left_row = self._draw_half(left, replace(look, width=left_width), fate)
        right_row = self._draw_half(right, replace(look, width=right_width), fate)
        blank_left: Line = [(" " * left_width, look.palette.text)]
        blank_right: Line = [(" " * right_width, look.palette.text)]
        lines: list[Line] = []
        for first, second in zip_longest(left_row.lines, right_row.lines):
            between = ("│", look.palette.line)
            lines.append([*(first or blank_left), between, *(second or blank_right)])
        return DrawnRow(lines, left_row.is_final and right_row.is_final)

    def _draw_half(self, cell: Cell | None, look: DiffLook, fate: Fate) -> DrawnRow:
        if cell is None:
            return DrawnRow([[(" " * look.width, look.palette.text)]])
        return self._draw_cell(cell, (cell,), look, fate)

    def _draw_cell(
        self, cell: Cell, numbered: Sequence[Cell | None], look: DiffLook, fate: Fate
    ) -> DrawnRow:
        """Draw one line with its numbers and sign."""
        paint = _paint_of(cell.sign, fate, look.palette)
        spans, is_final = self._spans(cell, look)
        runs = _styled(spans, self._marks(cell) if paint.has_marks else [], paint, look.palette)
        if look.shows_whitespace:
            runs = self._with_whitespace(runs, cell, paint)
        if not self.plan.sides[cell.side].ends_with_newline(cell.index):
            runs.append((" (no line end)", look.palette.style("muted", paint.background, "italic")))
        number = self._numbers(numbered, look)
        sign = MINUS if cell.sign == "-" else cell.sign
        lines: list[Line] = []
        for part in self._fit(runs, max(look.width - len(number) - 2, 1), look):
            start: Line = [
                (number if not lines else " " * len(number), paint.number),
                (f"{sign} " if not lines else "  ", paint.sign),
            ]
            gap = max(look.width - width_of(start) - width_of(part), 0)
            lines.append([*start, *part, (" " * gap, paint.fill)])
        return DrawnRow(lines, is_final)

    def _with_whitespace(self, runs: Line, cell: Cell, paint: "_Paint") -> Line:
        """Put signs in place of blanks and tabs, and one for a carriage return."""
        raw = self.plan.sides[cell.side].raw[cell.index].removesuffix("\n")
        tabs = tab_cells(raw.removesuffix("\r"))
        # The ground stays, so that a marked word is marked in its blanks too.
        sign = Style(color=paint.number.color)
        line: Line = []
        at = 0
        for text, style in runs:
            for piece, is_sign in with_signs(text, at, tabs):
                line.append((piece, style + sign if is_sign else style))
            at += len(text)
        if raw.endswith("\r") and not (line and line[-1][0].endswith("␍")):
            line.append(("␍", paint.number))
        return line

    def _numbers(self, cells: Sequence[Cell | None], look: DiffLook) -> str:
        """Return both line numbers where there is room, else the one that counts."""
        size = self._number_cells
        if len(cells) == 1 or look.width < BOTH_NUMBERS_FROM:
            cell = next((cell for cell in reversed(cells) if cell), None)
            return f"{cell.number:>{size}} " if cell else ""
        return "".join(f"{cell.number:>{size}} " if cell else " " * (size + 1) for cell in cells)

    def _fit(self, runs: Line, room: int, look: DiffLook) -> list[Line]:
        if look.wraps:
            return wrap_code(runs, room)
        return [crop_line(runs, look.offset, look.offset + room)]

    def _room(self, look: DiffLook) -> int:
        if look.is_side_by_side:
            return (look.width - 1) // 2 - self._number_cells - 3
        columns = 2 if look.width >= BOTH_NUMBERS_FROM else 1
        return look.width - columns * (self._number_cells + 1) - 2

    @cached_property
    def _number_cells(self) -> int:
        hunk = self.plan.hunk
        below = len(hunk.context_after)
        last = max(
            hunk.old_start + len(hunk.old_lines) + below,
            hunk.new_start + len(hunk.new_lines) + below,
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
            for side in self.plan.sides
        )
        return old, new

    def _spans(self, cell: Cell, look: DiffLook) -> tuple[list[Span], bool]:
        spans = self._colors[cell.side].spans(cell.index, deadline=look.deadline)
        if spans is None:
            return [(self.plan.sides[cell.side].line(cell.index), "syntax-name")], False
        return spans, True

    def _marks(self, cell: Cell) -> list[Range]:
        other = self.plan.partner(cell)
        if other is None:
            return []
        here = self.plan.sides[cell.side].line(cell.index)
        there = self.plan.sides[1 - cell.side].line(other)
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
    if fate in {Fate.REJECTED, Fate.NOT_APPLIED, Fate.UNDONE}:
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
        for piece, is_marked in divided(text, at, marks):
            background = paint.word_background if is_marked else paint.background
            attributes = "bold" if is_marked else paint.attributes
            # A comment's quiet colour would drown in the ground of a changed word.
            is_drowned = is_marked and color == "syntax-comment"
            shown = "syntax-name" if is_drowned else color
            line.append((piece, palette.style(shown, background, attributes)))
        at += len(text)
    return line
