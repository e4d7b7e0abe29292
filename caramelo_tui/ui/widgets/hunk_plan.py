"""Say which line of which side stands in which row of a hunk.

Owns the order of rows, unified and side by side, and the texts of both sides as they are
shown. Lines that stayed the same inside a hunk are rows of context again. Pure; rows are
found by number, so that a hunk of 20,000 lines costs nothing before it is seen. Proven by
tests/unit/ui/test_hunk_plan.py.
"""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from typing import overload

from caramelo_tui.domain.diffs import Hunk
from caramelo_tui.domain.screen_text import visible
from caramelo_tui.ui.widgets.cells import MAX_LINE_CELLS, expand_tabs
from caramelo_tui.ui.widgets.word_marks import pairs_of


@dataclass(frozen=True, slots=True)
class Cell:
    """One line of one side in a row."""

    sign: str
    """``-``, ``+`` or a blank for context."""
    side: int
    """0 for before, 1 for after."""
    index: int
    """Line in that side's texts, from 0."""
    number: int
    """Line in the file, 1-based."""


Row = tuple[Cell | None, Cell | None]
"""Line before and line after; a removed line has no after, an added one no before."""


@dataclass(frozen=True, slots=True)
class _Stretch:
    """Neighbouring rows that are all context or all changed; indices into the side texts."""

    old_start: int
    old_end: int
    new_start: int
    new_end: int
    is_context: bool

    def rows(self, *, is_side_by_side: bool) -> int:
        old, new = self.old_end - self.old_start, self.new_end - self.new_start
        if self.is_context:
            return old
        return max(old, new) if is_side_by_side else old + new


class SideTexts(Sequence[str]):
    """The lines of one side as they are shown, worked out when they are asked for."""

    def __init__(self, lines: Sequence[str], *, shows_returns: bool) -> None:
        self.raw = lines
        self._shows_returns = shows_returns

    def __len__(self) -> int:
        """Return the number of lines."""
        return len(self.raw)

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
        text = self.raw[index].removesuffix("\n")
        has_return = text.endswith("\r")
        shown = expand_tabs(visible(text.removesuffix("\r")[:MAX_LINE_CELLS]))
        if len(text) > MAX_LINE_CELLS:
            shown = f"{shown} … {len(text) - MAX_LINE_CELLS:,} more characters"
        return f"{shown}␍" if has_return and self._shows_returns else shown

    def ends_with_newline(self, index: int) -> bool:
        """Return whether the line has a line end."""
        return self.raw[index].endswith("\n")


class HunkPlan:
    """The rows of one hunk."""

    def __init__(self, hunk: Hunk) -> None:
        self.hunk = hunk
        self._above = len(hunk.context_before)
        self._pairs: dict[_Stretch, tuple[dict[int, int], dict[int, int]]] = {}

    @cached_property
    def sides(self) -> tuple[SideTexts, SideTexts]:
        """The lines before and after; not needed before a hunk is in view."""
        hunk = self.hunk
        old = (*hunk.context_before, *hunk.old_lines, *hunk.context_after)
        new = (*hunk.context_before, *hunk.new_lines, *hunk.context_after)
        ends = {line.endswith("\r\n") for line in (*old, *new) if line.endswith("\n")}
        # A carriage return is only worth a mark where some lines have it and some do not.
        return (
            SideTexts(old, shows_returns=len(ends) > 1),
            SideTexts(new, shows_returns=len(ends) > 1),
        )

    def count(self, *, is_side_by_side: bool) -> int:
        """Return the number of rows."""
        return self._starts[is_side_by_side][-1]

    def row(self, row: int, *, is_side_by_side: bool) -> Row:
        """Return the lines of one row."""
        stretch, at = self._find(row, is_side_by_side=is_side_by_side)
        old, new = stretch.old_start + at, stretch.new_start + at
        if stretch.is_context:
            return self._cell(" ", 0, old), self._cell(" ", 1, new)
        if is_side_by_side:
            return (
                self._cell("-", 0, old) if old < stretch.old_end else None,
                self._cell("+", 1, new) if new < stretch.new_end else None,
            )
        if old < stretch.old_end:
            return self._cell("-", 0, old), None
        return None, self._cell("+", 1, new - (stretch.old_end - stretch.old_start))

    def is_changed(self, row: int, *, is_side_by_side: bool) -> bool:
        """Return whether a row is no context."""
        return not self._find(row, is_side_by_side=is_side_by_side)[0].is_context

    def lengths(self, *, is_side_by_side: bool) -> list[int]:
        """Return the characters of each row's text, the longer side's where both are shown."""
        hunk = self.hunk
        if not is_side_by_side and not hunk.kept:
            # Asked of every hunk when a diff opens; most are of this kind.
            parts = (hunk.context_before, hunk.old_lines, hunk.new_lines, hunk.context_after)
            return [len(line) for part in parts for line in part]
        old, new = self.sides[0].raw, self.sides[1].raw
        lengths: list[int] = []
        for stretch in self._stretches:
            left = [len(line) for line in old[stretch.old_start : stretch.old_end]]
            right = [len(line) for line in new[stretch.new_start : stretch.new_end]]
            if stretch.is_context:
                lengths += left
            elif not is_side_by_side:
                lengths += [*left, *right]
            else:
                rows = max(len(left), len(right))
                left += [0] * (rows - len(left))
                right += [0] * (rows - len(right))
                lengths += map(max, left, right)
        return lengths

    def partner(self, cell: Cell) -> int | None:
        """Return the line of the other side that became this one, or that it became."""
        if cell.sign == " ":
            return None
        stretch = next(stretch for stretch in self._stretches if _holds(stretch, cell))
        pairs = self._pairs.get(stretch)
        if pairs is None:
            pairs = self._pairs[stretch] = self._paired(stretch)
        return pairs[cell.side].get(cell.index)

    def _paired(self, stretch: _Stretch) -> tuple[dict[int, int], dict[int, int]]:
        found = pairs_of(
            self.sides[0].raw[stretch.old_start : stretch.old_end],
            self.sides[1].raw[stretch.new_start : stretch.new_end],
        )
        forth = {old + stretch.old_start: new + stretch.new_start for old, new in found.items()}
        return forth, {new: old for old, new in forth.items()}

    def _cell(self, sign: str, side: int, index: int) -> Cell:
        start = (self.hunk.old_start, self.hunk.new_start)[side]
        return Cell(sign, side, index, start - self._above + index)

    def _find(self, row: int, *, is_side_by_side: bool) -> tuple[_Stretch, int]:
        starts = self._starts[is_side_by_side]
        index = min(bisect_right(starts, row) - 1, len(self._stretches) - 1)
        return self._stretches[index], row - starts[index]

    @cached_property
    def _starts(self) -> tuple[list[int], list[int]]:
        """First row of each stretch and the end, unified and side by side."""
        unified, sides = (
            [0, *accumulate(stretch.rows(is_side_by_side=wide) for stretch in self._stretches)]
            for wide in (False, True)
        )
        return unified, sides

    @cached_property
    def _stretches(self) -> list[_Stretch]:
        hunk, above = self.hunk, self._above
        old_end, new_end = above + len(hunk.old_lines), above + len(hunk.new_lines)
        below = len(hunk.context_after)
        stretches = [
            _Stretch(0, above, 0, above, is_context=True),
            *self._changed_stretches(),
            _Stretch(old_end, old_end + below, new_end, new_end + below, is_context=True),
        ]
        return [stretch for stretch in stretches if stretch.rows(is_side_by_side=False)]

    def _changed_stretches(self) -> list[_Stretch]:
        hunk, above = self.hunk, self._above
        stretches: list[_Stretch] = []
        old = new = above
        for kept in hunk.kept:
            old_from, new_from = above + kept.old, above + kept.new
            old_to, new_to = old_from + kept.count, new_from + kept.count
            stretches += [
                _Stretch(old, old_from, new, new_from, is_context=False),
                _Stretch(old_from, old_to, new_from, new_to, is_context=True),
            ]
            old, new = old_to, new_to
        old_end, new_end = above + len(hunk.old_lines), above + len(hunk.new_lines)
        return [*stretches, _Stretch(old, old_end, new, new_end, is_context=False)]


def _holds(stretch: _Stretch, cell: Cell) -> bool:
    if stretch.is_context:
        return False
    if cell.side == 0:
        return stretch.old_start <= cell.index < stretch.old_end
    return stretch.new_start <= cell.index < stretch.new_end
