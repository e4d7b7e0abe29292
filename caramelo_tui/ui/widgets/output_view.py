"""Look through a program's output of any size.

Owns the bytes, the index of their lines, and the keys to scroll. A line is decoded and
coloured when it is first in view, so that 10 MB open at once. Proven by
tests/pilot/test_output_view.py.
"""

from array import array
from collections.abc import Callable
from itertools import accumulate
from typing import ClassVar

from rich.segment import Segment
from textual.binding import Binding, BindingType
from textual.strip import Strip

from caramelo_tui.ui.widgets.ansi_text import output_line
from caramelo_tui.ui.widgets.block_frame import Rendered
from caramelo_tui.ui.widgets.block_view import BlockView
from caramelo_tui.ui.widgets.cells import Line, crop_line, strip_of, wrap_line
from caramelo_tui.ui.widgets.heights import MeasuredHeights, UniformHeights

_SIDEWAYS_CELLS = 8

_INDEXED_BYTES = 1 << 20
"""Bytes that are split at once for the index; bounds what that needs for a moment."""


class OutputView(BlockView):
    """Lines of output with numbers, scrolled by keys; growing output is followed."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("k", "scroll_by(-1)", "Scroll up", show=False, id="output.up"),
        Binding("j", "scroll_by(1)", "Scroll down", show=False, id="output.down"),
        Binding("left,h", "sideways(-1)", "Scroll left", show=False, id="output.left"),
        Binding("right,l", "sideways(1)", "Scroll right", show=False, id="output.right"),
        Binding("space", "page(1)", "Page down", show=False, id="output.page_down"),
        Binding("g", "edge(-1)", "Go to the start", show=False, id="output.first"),
        Binding("G", "edge(1)", "Go to the end, and follow", show=False, id="output.last"),
        Binding("w", "wrap", "Wrap long lines", show=False, id="output.wrap"),
    ]

    def __init__(
        self,
        *,
        id: str | None = None,  # noqa: A002 - Textual's own name for it
        monotonic: Callable[[], float] | None = None,
    ) -> None:
        super().__init__(UniformHeights(), id=id, monotonic=monotonic)
        self.can_follow = True
        self._data = bytearray()
        self._starts: array[int] = array("Q")
        self._is_line_open = False
        self._wraps = False
        self._offset = 0

    # --- what is shown -----------------------------------------------------------------

    @property
    def line_count(self) -> int:
        """Lines so far; what follows the last line end counts only if there is something."""
        return len(self._starts)

    @property
    def size_bytes(self) -> int:
        """Bytes so far."""
        return len(self._data)

    def show_bytes(self, data: bytes) -> None:
        """Show a whole output from its start."""
        self._data = bytearray()
        self._starts = array("Q")
        self._is_line_open = False
        self.follows = False
        self._take(data)
        self._fit_gutter()
        self._count_heights()
        self.go_home()

    def append(self, text: str) -> None:
        """Add output that just came; the end is followed if it was in view."""
        was_at_end = self.follows or self.is_at_end
        had_open_line = self._is_line_open
        self._take(text.encode("utf-8", "replace"))
        self._fit_gutter()
        if had_open_line and self._starts:
            self.forget_block(self._last_drawn)
        self._count_heights()
        self.follows = was_at_end
        self.schedule_tick()

    def line(self, index: int) -> Line:
        """Return one line as runs, not wrapped."""
        start = self._starts[index]
        end = self._starts[index + 1] if index + 1 < len(self._starts) else len(self._data)
        return output_line(bytes(self._data[start:end]).rstrip(b"\n"), self.palette)

    # --- index -------------------------------------------------------------------------

    def _take(self, data: bytes) -> None:
        """Extend bytes and index; an open last line goes on."""
        self._last_drawn = max(len(self._starts) - 1, 0)
        if not data:
            return
        base = len(self._data)
        self._data += data
        if not self._is_line_open:
            self._starts.append(base)
        for start in range(0, len(data), _INDEXED_BYTES):
            lengths = map(len, data[start : start + _INDEXED_BYTES].split(b"\n"))
            # Each part but the last is followed by a line end, which counts one byte more.
            ends = accumulate(map((1).__add__, lengths), initial=base + start)
            self._starts.extend(list(ends)[1:-1])
        self._is_line_open = not data.endswith(b"\n")
        if not self._is_line_open:
            self._starts.pop()

    def _fit_gutter(self) -> None:
        cells = len(str(max(self.line_count, 1))) + 2
        if cells != self.GUTTER_CELLS:
            self.GUTTER_CELLS = cells
            self.forget_rendering()

    def _count_heights(self) -> None:
        if not self._wraps:
            self.heights = UniformHeights(self.line_count)
            return
        width = max(self._content_width(), 1)
        ends = [*self._starts[1:], len(self._data)]
        measured = MeasuredHeights()
        measured.extend(
            [
                max(1, -(-(end - start) // width))
                for start, end in zip(self._starts, ends, strict=True)
            ]
        )
        self.heights = measured

    def _content_width(self) -> int:
        return self.size.width - self.GUTTER_CELLS - 1

    # --- drawing -----------------------------------------------------------------------

    def render_block(self, index: int, width: int) -> Rendered:
        """Draw one line."""
        runs = self.line(index)
        parts = (
            wrap_line(runs, width)
            if self._wraps
            else [crop_line(runs, self._offset, self._offset + width)]
        )
        return Rendered([strip_of(part, width, self.palette.text) for part in parts])

    def gutter_of(self, block: int, line: int) -> Segment:
        """Number the lines."""
        number = str(block + 1) if line == 0 else ""
        return Segment(f"{number:>{self.GUTTER_CELLS - 2}}  ", self.palette.muted)

    def empty_strips(self) -> list[Strip]:
        """Say that there is nothing."""
        line: Line = [("  No output.", self.palette.muted)]
        return [strip_of(line, self.size.width, self.palette.text)]

    # --- keys --------------------------------------------------------------------------

    def action_sideways(self, step: int) -> None:
        """Scroll sideways where lines do not wrap."""
        if not self._wraps:
            self._offset = max(self._offset + step * _SIDEWAYS_CELLS, 0)
            self.forget_rendering()
            self.repaint()

    def action_wrap(self) -> None:
        """Wrap long lines, or scroll sideways."""
        top = self.top[0]
        self._wraps = not self._wraps
        self._offset = 0
        self._count_heights()
        self.forget_rendering()
        self.scroll_to_block(top)
