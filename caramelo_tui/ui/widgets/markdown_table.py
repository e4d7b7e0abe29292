"""Lay out a table of styled cells.

Owns column widths and the wrapping of cells. Natural widths are kept outside, so that all
pieces of a long table stand in the same columns. Proven by
tests/unit/ui/test_markdown_lines.py.
"""

from collections.abc import Sequence

from caramelo_tui.ui.widgets.cells import Line, width_of, wrap_line
from caramelo_tui.ui.widgets.palette import Palette

_GAP = " │ "
_MIN_COLUMN = 3
"""Cells below which a column is not squeezed while there is another way."""


def grow_widths(widths: list[int], rows: Sequence[Sequence[Line]]) -> bool:
    """Widen natural column widths in place for ``rows``; return whether any grew."""
    before = list(widths)
    for row in rows:
        for index, cell in enumerate(row):
            if index == len(widths):
                widths.append(1)
            widths[index] = max(widths[index], width_of(cell))
    return widths != before


def fitted_widths(natural: Sequence[int], width: int) -> list[int]:
    """Return column widths that fit into ``width`` cells; the widest give way first."""
    widths = list(natural)
    room = width - len(_GAP) * (len(widths) - 1)
    while sum(widths) > room:
        widest = max(range(len(widths)), key=widths.__getitem__)
        if widths[widest] <= _MIN_COLUMN:
            break
        others = sorted(widths, reverse=True)
        next_widest = others[1] if len(others) > 1 else _MIN_COLUMN
        excess = sum(widths) - room
        cut = max(1, min(excess, widths[widest] - max(next_widest, _MIN_COLUMN)))
        widths[widest] -= cut
    return widths


def table_lines(
    head: Sequence[Line],
    rows: Sequence[Sequence[Line]],
    *,
    widths: Sequence[int],
    aligns: Sequence[str],
    palette: Palette,
) -> list[Line]:
    """Return the lines of a table; without ``head`` only its rows.

    Args:
        head: Cells of the header row, or none for a later piece.
        rows: Cells of the body; short rows are filled up.
        widths: Fitted widths in cells.
        aligns: ``left``, ``right`` or ``center`` for each column.
        palette: Styles for gaps and padding.
    """
    lines: list[Line] = []
    if head:
        lines += _row_lines(head, widths, aligns, palette)
        rule = "─┼─".join("─" * width for width in widths)
        lines.append([(rule, palette.line)])
    for row in rows:
        lines += _row_lines(row, widths, aligns, palette)
    return lines


def _row_lines(
    row: Sequence[Line], widths: Sequence[int], aligns: Sequence[str], palette: Palette
) -> list[Line]:
    cells: list[list[Line]] = [
        wrap_line(row[index], width) if index < len(row) else [[]]
        for index, width in enumerate(widths)
    ]
    lines: list[Line] = []
    for number in range(max((len(cell) for cell in cells), default=1)):
        line: Line = []
        for index, width in enumerate(widths):
            if index:
                line.append((_GAP, palette.line))
            part = cells[index][number] if number < len(cells[index]) else []
            line += _aligned(part, width, aligns[index] if index < len(aligns) else "", palette)
        lines.append(line)
    return lines


def _aligned(part: Line, width: int, align: str, palette: Palette) -> Line:
    gap = max(width - width_of(part), 0)
    left = {"right": gap, "center": gap // 2}.get(align, 0)
    return [(" " * left, palette.text), *part, (" " * (gap - left), palette.text)]
