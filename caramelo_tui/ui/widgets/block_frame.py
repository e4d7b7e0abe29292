"""Lay the blocks that are in view onto the lines of a widget.

Owns the position as (block, line in block), so that a corrected estimate never moves what is
seen; the rendered strips of the last blocks; following the end. Moves, keys and the mouse are
``BlockView``'s; subclasses of that say how many blocks there are and how one is drawn. Proven by
tests/unit/ui/test_block_view.py and tests/pilot/test_conversation.py.
"""

import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass

from rich.segment import Segment
from textual.strip import Strip

from caramelo_tui.ui.widgets.frame_view import BAR_CELLS, WORK_BUDGET_S, FrameView
from caramelo_tui.ui.widgets.heights import Heights

KEPT_BLOCKS = 300
"""Rendered blocks that are kept; a rendered line costs about 2 KB."""


@dataclass(frozen=True, slots=True)
class Rendered:
    """A block as strips of the content width."""

    strips: list[Strip]
    is_final: bool = True
    """``False``: some colours were left for the next tick; it is rendered again then."""


@dataclass(slots=True)
class _Placed:
    """One line of the frame before it gets its gutter and bar."""

    block: int
    line: int
    strip: Strip


class BlockFrame(FrameView):
    """A frame of numbered blocks; see the module for what subclasses implement."""

    GUTTER_CELLS = 2
    """Width of the gutter left of every line."""

    def __init__(
        self,
        heights: Heights,
        *,
        id: str | None = None,  # noqa: A002 - Textual's own name for it
        monotonic: Callable[[], float] | None = None,
        follows: bool = False,
    ) -> None:
        if monotonic is None:
            super().__init__(id=id)
        else:
            super().__init__(id=id, monotonic=monotonic)
        self.heights = heights
        self.follows = follows
        self.can_follow = follows
        self._top = (0, 0)
        self._rendered: OrderedDict[int, Rendered] = OrderedDict()
        self._rendered_width = 0
        self._dressed: dict[tuple[int, Segment, Segment], tuple[Strip, Strip]] = {}
        self._placed: list[_Placed] = []
        self.work_deadline = 0.0

    # --- what subclasses implement -----------------------------------------------------

    def render_block(self, index: int, width: int) -> Rendered:
        """Return the strips of one block, each exactly ``width`` cells."""
        raise NotImplementedError

    def gutter_of(self, block: int, line: int) -> Segment:
        """Return the gutter of a line: ``GUTTER_CELLS`` cells; a cached segment is best."""
        raise NotImplementedError

    def head_strips(self) -> list[Strip]:
        """Return lines that stay at the top of the view."""
        return []

    def overlay(self, strip: Strip) -> Strip:
        """Return the last line of the view, with a mark drawn over it if need be."""
        return strip

    def empty_strips(self) -> list[Strip]:
        """Return what is shown when there are no blocks."""
        return []

    # --- position ----------------------------------------------------------------------

    @property
    def top(self) -> tuple[int, int]:
        """The first shown block and the line in it."""
        return self._top

    @property
    def body_height(self) -> int:
        """Lines between the head and the lower edge, at least 1."""
        return max(1, self.size.height - len(self.head_strips()))

    @property
    def shown_blocks(self) -> tuple[int, int]:
        """First and last block on the screen; ``(0, -1)`` when there is none."""
        if not self._placed:
            return 0, -1
        return self._placed[0].block, self._placed[-1].block

    def is_line_shown(self, block: int, line: int) -> bool:
        """Return whether a line of a block is on the screen."""
        return any(placed.block == block and placed.line == line for placed in self._placed)

    def row_of(self, block: int) -> int:
        """Return the row of the body on which a block begins, 0 when it is not shown."""
        rows = (row for row, placed in enumerate(self._placed) if placed.block == block)
        return next(rows, 0)

    @property
    def is_at_end(self) -> bool:
        """Whether the last line of the last block is on the screen."""
        if not self._placed:
            return len(self.heights) == 0
        last = self._placed[-1]
        return (
            last.block == len(self.heights) - 1 and last.line == len(self._lines_of(last.block)) - 1
        )

    def block_at(self, y: int) -> int | None:
        """Return the block at a line of the widget, ``None`` in the head or below the end."""
        row = y - len(self.head_strips())
        return self._placed[row].block if 0 <= row < len(self._placed) else None

    # --- frame -------------------------------------------------------------------------

    def compose_frame(self, width: int, height: int) -> list[Strip]:
        """Lay head, blocks, gutter, bar and overlay together."""
        self.work_deadline = time.monotonic() + WORK_BUDGET_S
        content = max(1, width - self.GUTTER_CELLS - BAR_CELLS)
        if content != self._rendered_width:
            self._change_width(content)
        head = self.head_strips()[:height]
        body = height - len(head)
        if not len(self.heights):
            self._placed = []
            empty = self.empty_strips()[:body]
            blank = Strip.blank(width, self.palette.text)
            return [*head, *empty, *([blank] * (body - len(empty)))]
        self._placed = self._place(body)
        lines = self._dress(self._placed, width, body)
        if lines:
            lines[-1] = self.overlay(lines[-1])
        return [*head, *lines]

    def _change_width(self, content: int) -> None:
        if self._rendered_width:
            self.heights.scale(self._rendered_width / content)
        self._rendered_width = content
        self.forget_rendering()

    def _place(self, height: int) -> list[_Placed]:
        if self.follows:
            return self._place_from_end(height)
        block, line = self._top
        placed = self._place_down(block, line, height)
        if len(placed) < height:
            placed = self._place_from_end(height)
            self.follows = self.can_follow
        if placed:
            self._top = (placed[0].block, placed[0].line)
        return placed

    def _place_down(self, block: int, line: int, height: int) -> list[_Placed]:
        placed: list[_Placed] = []
        count = len(self.heights)
        while block < count and len(placed) < height:
            strips = self._lines_of(block)
            end = line + height - len(placed)
            placed += (
                _Placed(block, number, strip)
                for number, strip in enumerate(strips[line:end], start=line)
            )
            block, line = block + 1, 0
        return placed

    def _place_from_end(self, height: int) -> list[_Placed]:
        placed: list[_Placed] = []
        block = len(self.heights) - 1
        while block >= 0 and len(placed) < height:
            strips = self._lines_of(block)
            for number in range(len(strips) - 1, -1, -1):
                if len(placed) == height:
                    break
                placed.append(_Placed(block, number, strips[number]))
            block -= 1
        placed.reverse()
        if placed:
            self._top = (placed[0].block, placed[0].line)
        return placed

    def _dress(self, placed: list[_Placed], width: int, height: int) -> list[Strip]:
        """Add gutter and bar; a line that was dressed the same way before is taken again."""
        block, line = self._top
        top = self.heights.before(block) + line
        bar = self.bar_segments(height, total=self.heights.total, top=top)
        old, self._dressed = self._dressed, {}
        lines: list[Strip] = []
        for item, mark in zip(placed, bar, strict=False):
            gutter = self.gutter_of(item.block, item.line)
            key = (id(item.strip), gutter, mark)
            # The bare strip is kept beside the dressed one, so that its id stays its own.
            pair = old.get(key) or (item.strip, Strip([gutter, *item.strip, mark], width))
            self._dressed[key] = pair
            lines.append(pair[1])
        blank = Strip.blank(width, self.palette.text)
        return [*lines, *([blank] * (height - len(lines)))]

    def _lines_of(self, index: int) -> list[Strip]:
        found = self._rendered.get(index)
        if found is not None and found.is_final:
            self._rendered.move_to_end(index)
            return found.strips
        if found is not None and time.monotonic() >= self.work_deadline:
            self.schedule_tick()
            return found.strips
        made = self.render_block(index, self._rendered_width or max(1, self.size.width))
        if not made.is_final:
            self.schedule_tick()
        self._rendered[index] = made
        self._rendered.move_to_end(index)
        if len(self._rendered) > KEPT_BLOCKS:
            self._rendered.popitem(last=False)
        self.heights.put(index, len(made.strips))
        return made.strips

    def forget_rendering(self) -> None:
        """Drop all rendered blocks."""
        self._rendered.clear()
        self._dressed.clear()

    def forget_block(self, index: int) -> None:
        """Drop one rendered block, because it will look different."""
        self._rendered.pop(index, None)

    def on_focus(self) -> None:
        """Show the cursor, once the widget knows that it has the focus."""
        self.call_later(self.repaint)

    def on_blur(self) -> None:
        """Hide the cursor, once the widget knows that it lost the focus."""
        self.call_later(self.repaint)
