"""Scroll through lines of text with a cursor.

Owns the drawing of prepared lines, plain or as code. Proven by tests/pilot/test_file_tree.py and
tests/pilot/test_tool_log.py.
"""

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace

from caramelo_tui.ui.panes.row_list import RowList
from caramelo_tui.ui.widgets.cells import Line, line_breaks
from caramelo_tui.ui.widgets.code_colors import CodeColors, lexer_for_path
from caramelo_tui.ui.widgets.frame_view import BAR_CELLS, WORK_BUDGET_S


@dataclass(frozen=True, slots=True, kw_only=True)
class TextLine:
    """One safe line."""

    text: str
    color: str = "foreground"
    """Theme variable."""
    attributes: str = ""
    """Such as ``bold``."""


class TextLines(RowList):
    """Lines that the screen prepared; long ones go on in the next row."""

    def __init__(self, lines: Sequence[TextLine], *, id: str | None = None) -> None:  # noqa: A002 - Textual's own name
        super().__init__(id=id)
        self._lines = tuple(lines)
        self._wrapped: tuple[int, tuple[TextLine, ...]] | None = None

    @property
    def row_count(self) -> int:
        """Number of rows at the present width."""
        return len(self._rows)

    @property
    def lines(self) -> tuple[TextLine, ...]:
        """What is shown, not wrapped."""
        return self._lines

    def show_lines(self, lines: Sequence[TextLine]) -> None:
        """Show other lines; the end is followed if the cursor was there."""
        was_at_end = self.row_count > 0 and self.is_at_end
        self._lines = tuple(lines)
        self._wrapped = None
        if was_at_end:
            self.move_to(self.row_count - 1)
        else:
            self.repaint()

    def row_line(self, index: int, width: int, ground: str) -> Line:
        """Return one row."""
        del width
        row = self._rows[index]
        return [(row.text, self.palette.style(row.color, ground, row.attributes))]

    @property
    def _rows(self) -> tuple[TextLine, ...]:
        width = self.size.width - BAR_CELLS - 1
        if width < 1:
            return self._lines
        if self._wrapped is None or self._wrapped[0] != width:
            rows = tuple(row for line in self._lines for row in _wrapped_rows(line, width))
            self._wrapped = (width, rows)
        return self._wrapped[1]


def _wrapped_rows(line: TextLine, width: int) -> list[TextLine]:
    if len(line.text) <= width and line.text.isascii():
        return [line]
    return [
        replace(line, text=line.text[start:end]) for start, end in line_breaks(line.text, width)
    ] or [line]


class CodeLines(RowList):
    """Lines of a file with numbers and colours."""

    def __init__(self, lines: Sequence[str], path: str, *, id: str | None = None) -> None:  # noqa: A002 - Textual's own name
        super().__init__(id=id)
        self._lines = lines
        self._colors = CodeColors(lines, lexer_for_path(path))
        self._digits = len(str(max(len(lines), 1)))

    @property
    def row_count(self) -> int:
        """Number of lines."""
        return len(self._lines)

    @property
    def empty_text(self) -> tuple[str, ...]:
        """Say that there is nothing in the file."""
        return ("The file is empty.",)

    def row_line(self, index: int, width: int, ground: str) -> Line:
        """Return number and code of one line."""
        del width
        palette = self.palette
        line: Line = [(f"{index + 1:>{self._digits}}  ", palette.style("muted", ground))]
        spans = self._colors.spans(index, deadline=time.monotonic() + WORK_BUDGET_S)
        if spans is None:
            return [*line, (self._lines[index], palette.style("foreground", ground))]
        return line + [(text, palette.style(color, ground)) for text, color in spans]
