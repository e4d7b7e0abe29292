"""Scroll through blocks that are rendered only when they are looked at.

Owns the ways to move: by lines, pages and blocks, to the edges, by keys, the mouse wheel and the
bar. Where the blocks stand on the screen is ``BlockFrame``'s. Proven by
tests/unit/ui/test_block_view.py and tests/pilot/test_conversation.py.
"""

import time
from collections.abc import Callable
from typing import ClassVar

from textual import events
from textual.binding import Binding, BindingType

from caramelo_tui.ui.widgets.block_frame import BlockFrame
from caramelo_tui.ui.widgets.frame_view import BAR_CELLS, WORK_BUDGET_S
from caramelo_tui.ui.widgets.heights import Heights

FAR_LINES = 500
"""Lines from which a move is made by estimates instead of rendering all that lies between."""

WHEEL_LINES = 3
"""Lines that one notch of the wheel scrolls."""


class BlockView(BlockFrame):
    """A scrolled view over numbered blocks; subclasses implement what ``BlockFrame`` names."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up", "scroll_by(-1)", "Scroll up", show=False, id="view.up"),
        Binding("down", "scroll_by(1)", "Scroll down", show=False, id="view.down"),
        Binding("pageup", "page(-1)", "Page up", show=False, id="view.page_up"),
        Binding("pagedown", "page(1)", "Page down", show=False, id="view.page_down"),
        Binding("home", "edge(-1)", "Go to the start", show=False, id="view.first"),
        Binding("end", "edge(1)", "Go to the end, and follow", show=False, id="view.last"),
    ]

    def __init__(
        self,
        heights: Heights,
        *,
        id: str | None = None,  # noqa: A002 - Textual's own name for it
        monotonic: Callable[[], float] | None = None,
        follows: bool = False,
    ) -> None:
        super().__init__(heights, id=id, monotonic=monotonic, follows=follows)
        self._drags_bar = False

    # --- moves -------------------------------------------------------------------------

    def scroll_lines(self, lines: int) -> None:
        """Move the view by lines, down when positive; reaching the end follows again."""
        if not len(self.heights):
            return
        self.follows = False
        self._top = self._moved(self._top, lines)
        self.repaint()

    def scroll_to_block(self, index: int, *, line: int = 0) -> None:
        """Bring a line of a block to the top of the view."""
        self.follows = False
        self._top = (min(max(index, 0), max(len(self.heights) - 1, 0)), line)
        self.repaint()

    def show_block(self, index: int) -> None:
        """Scroll as little as needed to bring a block on the screen, its start first."""
        first, last = self.shown_blocks
        if first < index < last:
            return
        if index >= last >= 0:
            self._scroll_end_to(index)
            return
        self.scroll_to_block(index)

    def show_last(self, index: int) -> None:
        """Bring the end of a block to the lower edge, or the first line to the upper one."""
        self.follows = False
        lines = len(self._lines_of(index))
        self._top = self._moved((index, lines), -self.body_height)
        self.repaint()

    def center_line(self, index: int, line: int) -> None:
        """Bring a line of a block near the middle of the view, and stop following."""
        self.place_line(index, line, row=self.body_height // 2)

    def place_line(self, index: int, line: int, *, row: int) -> None:
        """Put a line of a block on a row of the body, as near as can be, and stop following."""
        self.follows = False
        self._top = self._moved((index, line), -row)
        self.repaint()

    def go_home(self) -> None:
        """Show the first line."""
        self.scroll_to_block(0)

    def go_end(self) -> None:
        """Show the last line, and follow what comes where the view can."""
        self.follows = self.can_follow
        self._top = (max(len(self.heights) - 1, 0), 1 << 30)
        self.repaint()

    def action_scroll_by(self, lines: int) -> None:
        """Scroll by lines."""
        self.scroll_lines(lines)

    def action_page(self, pages: int) -> None:
        """Scroll by pages; one line stays for the eye."""
        self.scroll_lines(pages * max(self.body_height - 1, 1))

    def action_edge(self, step: int) -> None:
        """Go to the start or the end."""
        if step < 0:
            self.go_home()
        else:
            self.go_end()

    def _scroll_end_to(self, index: int) -> None:
        height = self.body_height
        lines = len(self._lines_of(index))
        if lines >= height:
            self.scroll_to_block(index)
            return
        self.follows = False
        self._top = self._moved((index, lines), -height)
        self.repaint()

    def _moved(self, position: tuple[int, int], lines: int) -> tuple[int, int]:
        self.work_deadline = time.monotonic() + WORK_BUDGET_S
        block, line = position
        if abs(lines) > FAR_LINES:
            # Nobody counts along on such a way: the estimates are good enough.
            return self.heights.find(self.heights.before(block) + line + lines)
        line += lines
        while line < 0 and block > 0:
            block -= 1
            line += len(self._lines_of(block))
        if line < 0:
            return 0, 0
        last = len(self.heights) - 1
        while block < last and line >= (size := len(self._lines_of(block))):
            line -= size
            block += 1
        return block, line

    # --- mouse -------------------------------------------------------------------------

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        """Scroll down."""
        event.stop()
        self.scroll_lines(WHEEL_LINES)

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        """Scroll up."""
        event.stop()
        self.scroll_lines(-WHEEL_LINES)

    def on_mouse_down(self, event: events.MouseDown) -> None:
        """Take hold of the bar."""
        if event.x >= self.size.width - BAR_CELLS and self.heights.total > self.body_height:
            event.stop()
            self._drags_bar = True
            self.capture_mouse()
            self._drag_to(event.y)

    def on_mouse_move(self, event: events.MouseMove) -> None:
        """Drag the bar."""
        if self._drags_bar:
            event.stop()
            self._drag_to(event.y)

    def on_mouse_up(self, event: events.MouseUp) -> None:
        """Let the bar go."""
        if self._drags_bar:
            event.stop()
            self._drags_bar = False
            self.release_mouse()

    def _drag_to(self, y: int) -> None:
        height = self.body_height
        row = y - (self.size.height - height)
        if row >= height - 1:
            self.go_end()
            return
        share = max(row, 0) / max(height - 1, 1)
        block, line = self.heights.find(round(share * (self.heights.total - height)))
        self.scroll_to_block(block, line=line)
