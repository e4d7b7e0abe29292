"""Choose lines of one hunk.

Owns which rows of which hunk are chosen, how the choice moves and grows, and what it says: the
lines' numbers and their text. Pure: drawing the choice is the view's matter. Proven by
tests/unit/ui/test_diff_lines.py.
"""

from dataclasses import dataclass

from caramelo_tui.ui.widgets.diff_sections import HunkSection, Section
from caramelo_tui.ui.widgets.hunk_plan import Cell, HunkPlan

EXCERPT_LINES = 12
"""Lines of a choice that are quoted; more are counted."""

EXCERPT_CHARACTERS = 200
"""Characters of a line that are quoted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChosenLines:
    """The chosen lines of a hunk."""

    line: int
    """The first of them after the edit, 1-based; where all go away, the line that follows."""
    line_before: int
    """The first of them before the edit, 1-based."""
    count: int
    excerpt: str
    """The lines as shown, without line ends; removed ones begin with ``- ``."""

    @property
    def words(self) -> str:
        """Where they stand, such as ``lines 41-43``."""
        if self.count == 1:
            return f"line {self.line}"
        return f"{self.count} lines at {self.line}"


class LineChoice:
    """The chosen rows, none at first; rows are numbered within their section."""

    def __init__(self) -> None:
        self._section: HunkSection | None = None
        self._anchor = 0
        self._row = 0

    @property
    def section(self) -> HunkSection | None:
        """The hunk whose lines are chosen."""
        return self._section

    @property
    def row(self) -> int:
        """The row that moves."""
        return self._row

    def clear(self) -> None:
        """Choose nothing."""
        self._section = None

    def holds(self, section: Section, row: int) -> bool:
        """Return whether a row is chosen."""
        if section is not self._section:
            return False
        return min(self._anchor, self._row) <= row <= max(self._anchor, self._row)

    def move(
        self, section: HunkSection, step: int, *, extends: bool, is_side_by_side: bool
    ) -> None:
        """Choose the next (+1) or previous (-1) row, at first the first or last changed one.

        Args:
            section: The hunk; a choice in another one is given up.
            step: Rows to go.
            extends: Whether the rows chosen so far stay chosen.
            is_side_by_side: How the rows are laid out.
        """
        plan = section.rows.plan
        last = plan.count(is_side_by_side=is_side_by_side)
        if not last:
            return
        if section is not self._section:
            self._section = section
            self._row = _first_row(plan, step, is_side_by_side=is_side_by_side)
            self._anchor = self._row
            return
        self._row = min(max(self._row + step, 1), last)
        if not extends:
            self._anchor = self._row

    def lines(self, *, is_side_by_side: bool) -> ChosenLines | None:
        """Return what is chosen."""
        if self._section is None:
            return None
        plan = self._section.rows.plan
        first, last = sorted((self._anchor, self._row))
        rows = [
            plan.row(row - 1, is_side_by_side=is_side_by_side) for row in range(first, last + 1)
        ]
        cells = [cell for left, right in rows if (cell := right or left) is not None]
        hunk = self._section.hunk
        return ChosenLines(
            line=next((right.number for _left, right in rows if right), hunk.new_start),
            line_before=next((left.number for left, _right in rows if left), hunk.old_start),
            count=len(cells),
            excerpt=_excerpt(plan, cells),
        )


def _first_row(plan: HunkPlan, step: int, *, is_side_by_side: bool) -> int:
    count = plan.count(is_side_by_side=is_side_by_side)
    rows = range(count) if step > 0 else range(count - 1, -1, -1)
    changed = (row for row in rows if plan.is_changed(row, is_side_by_side=is_side_by_side))
    return next(changed, rows[0]) + 1


def _excerpt(plan: HunkPlan, cells: list[Cell]) -> str:
    lines = [
        f"{'- ' if cell.sign == '-' else ''}{_start_of(plan, cell)}"
        for cell in cells[:EXCERPT_LINES]
    ]
    if len(cells) > EXCERPT_LINES:
        lines.append(f"… {len(cells) - EXCERPT_LINES} more lines")
    return "\n".join(lines)


def _start_of(plan: HunkPlan, cell: Cell) -> str:
    text = plan.sides[cell.side].line(cell.index)
    return text if len(text) <= EXCERPT_CHARACTERS else f"{text[:EXCERPT_CHARACTERS]}…"
