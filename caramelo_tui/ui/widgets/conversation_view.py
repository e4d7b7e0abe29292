"""Show a conversation as a stream of blocks.

Owns the order in which streamed text and calls are taken in, the block cursor, and the mark of
what came while the view was scrolled up. A tick takes in for 10 ms at most; a flood is taken
in over several ticks. Proven by tests/pilot/test_conversation.py.
"""

import time
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import ClassVar

from rich.segment import Segment
from textual import events
from textual.binding import Binding, BindingType
from textual.message import Message
from textual.strip import Strip

from caramelo_tui.domain.decisions import ApprovalMode
from caramelo_tui.domain.ids import CallId
from caramelo_tui.ui.formatting import count_text
from caramelo_tui.ui.welcome import welcome_lines
from caramelo_tui.ui.widgets.answer_stream import AnswerStream
from caramelo_tui.ui.widgets.block_list import BlockList
from caramelo_tui.ui.widgets.block_view import BlockView, Rendered
from caramelo_tui.ui.widgets.cells import cut_cells, strip_of
from caramelo_tui.ui.widgets.conversation_blocks import (
    Block,
    CallBlock,
    Drawing,
    ThinkingBlock,
)
from caramelo_tui.ui.widgets.frame_view import WORK_BUDGET_S

FEED_CHARACTERS = 16_384
"""Text that is taken in between two looks at the clock; about 1.5 ms."""


@dataclass(slots=True)
class _Text:
    """Streamed text that waits to be taken in."""

    text: str


class ConversationView(BlockView):
    """The lines of ``ConversationPane``; the pane is its only user."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("alt+up", "block(-1)", "Block up", show=False, id="conversation.block_up"),
        Binding("alt+down", "block(1)", "Block down", show=False, id="conversation.block_down"),
        Binding(
            "enter", "open", "Open the call, fold thinking", show=False, id="conversation.open"
        ),
    ]

    class CallOpened(Message):
        """The user wants to see a call."""

        def __init__(self, call_id: CallId) -> None:
            super().__init__()
            self.call_id = call_id

    def __init__(self, *, monotonic: Callable[[], float] | None = None) -> None:
        self.blocks = BlockList()
        super().__init__(self.blocks.heights, monotonic=monotonic, follows=True)
        self._incoming: deque[_Text | Callable[[], None]] = deque()
        self._stream: AnswerStream | None = None
        self._recolouring: list[AnswerStream] = []
        self._has_open_block = False
        self._cursor: int | None = None
        self._unseen_lines = 0
        self._hints = welcome_lines(ApprovalMode.REVIEW)

    # --- what the pane calls -----------------------------------------------------------

    @property
    def is_settled(self) -> bool:
        """Whether everything that came was taken in and coloured."""
        return not self._incoming and not self._recolouring

    @property
    def unseen_lines(self) -> int:
        """Lines that came since the view was scrolled up."""
        return self._unseen_lines

    @property
    def cursor(self) -> int | None:
        """Index of the block under the cursor."""
        return self._cursor

    def add_text(self, text: str) -> None:
        """Take answer text in at the next tick."""
        if self._incoming and isinstance(last := self._incoming[-1], _Text):
            last.text += text
        else:
            self._incoming.append(_Text(text))
        self.schedule_tick()

    def after_text(self, act: Callable[[], None], *, is_urgent: bool = False) -> None:
        """Do ``act`` once all earlier text was taken in.

        Args:
            act: Changes blocks through the methods below.
            is_urgent: Paint at once where nothing is waiting, such as for the user's own words.
        """
        is_first = not self._incoming
        self._incoming.append(act)
        if is_urgent and is_first and self.is_attached:
            self.take_in()
            self.repaint()
        else:
            self.schedule_tick()

    def open_answer(self) -> None:
        """Begin an answer; text that comes without one begins its own."""
        if self._stream is None:
            self._stream = AnswerStream()

    def close_answer(self) -> None:
        """End the open answer, if any."""
        stream, self._stream = self._stream, None
        if stream is None:
            return
        self._drop_open_block()
        self._extend(stream.finish())
        if stream.has_work:
            self._recolouring.append(stream)

    def add_block(self, block: Block) -> None:
        """Add a finished block below everything else."""
        self.close_answer()
        self._extend([block])

    def redraw(self, block: Block) -> None:
        """Draw a changed block again at the next paint."""
        index = self.blocks.index_of(block)
        self.forget_block(index)
        lines = block.estimate(self._width()) + self.blocks.has_gap(index)
        self.blocks.heights.put(index, lines)

    def clear(self) -> None:
        """Forget everything."""
        self._incoming.clear()
        self._stream = None
        self._recolouring.clear()
        self._has_open_block = False
        self.blocks.clear()
        self._cursor = None
        self._unseen_lines = 0
        self.forget_rendering()
        self.go_end()

    # --- taking in ---------------------------------------------------------------------

    def take_in(self) -> None:
        """Take in what came, for 10 ms at most; the rest waits for a tick soon after."""
        deadline = time.monotonic() + WORK_BUDGET_S
        before = self.heights.total
        while self._incoming and time.monotonic() < deadline:
            item = self._incoming[0]
            if isinstance(item, _Text):
                self._take_text(item)
            else:
                self._incoming.popleft()
                item()
        self._show_open_block()
        if not self.follows:
            self._unseen_lines += max(self.heights.total - before, 0)
        self._work_on_colours(deadline)
        if not self.is_settled:
            self.schedule_tick(is_soon=bool(self._incoming))

    def _take_text(self, item: _Text) -> None:
        self.open_answer()
        part, item.text = item.text[:FEED_CHARACTERS], item.text[FEED_CHARACTERS:]
        if not item.text:
            self._incoming.popleft()
        stream = self._stream
        if stream is None:
            return
        self._drop_open_block()
        self._extend(stream.feed(part))
        if stream.has_new_references:
            stream.has_new_references = False
            for index in self.blocks.with_references():
                self.forget_block(index)

    def _drop_open_block(self) -> None:
        if self._has_open_block:
            self._has_open_block = False
            self.forget_block(self.blocks.drop_last())

    def _show_open_block(self) -> None:
        if self._stream is None or self._has_open_block:
            return
        block = self._stream.open_block()
        if block is not None:
            self._extend([block])
            self._has_open_block = True

    def _extend(self, blocks: Iterable[Block]) -> None:
        width = self._width()
        for block in blocks:
            self.blocks.append(block, width=width)

    def _work_on_colours(self, deadline: float) -> None:
        streams = [*self._recolouring, *([self._stream] if self._stream else [])]
        for stream in streams:
            while (fence := stream.work(deadline)) is not None:
                for index in self.blocks.pieces_of(fence):
                    self.forget_block(index)
        self._recolouring = [stream for stream in self._recolouring if stream.has_work]

    def _width(self) -> int:
        return max(self.size.width - self.GUTTER_CELLS - 1, 1)

    # --- drawing -----------------------------------------------------------------------

    def render_block(self, index: int, width: int) -> Rendered:
        """Draw one block as strips."""
        on = Drawing(palette=self.palette, width=width, deadline=self.work_deadline)
        drawn = self.blocks[index].draw(on)
        fill = self.palette.text
        strips = [strip_of(line, width, fill) for line in drawn.lines]
        if strips and self.blocks.has_gap(index):
            strips.insert(0, Strip.blank(width, fill))
        return Rendered(strips, drawn.is_final)

    def gutter_of(self, block: int, line: int) -> Segment:
        """Mark the block under the cursor, but not the blank line above it."""
        is_marked = (
            self._cursor is not None
            and self.has_focus
            and self.blocks.start_of(block) == self._cursor
            and not (line == 0 and self.blocks.has_gap(block))
        )
        return Segment("▌ ", self.palette.accent) if is_marked else Segment("  ", self.palette.text)

    def overlay(self, strip: Strip) -> Strip:
        """Say how much came while the view was scrolled up."""
        if self.follows:
            self._unseen_lines = 0
        if not self._unseen_lines:
            return strip
        words = f" ↓ {count_text(self._unseen_lines, 'new line')} · end to follow "
        words = cut_cells(words, max(self.size.width - 2, 1))
        style = self.palette.style("background", "primary", "bold")
        left = self.size.width - len(words) - 1
        rest = strip.crop(self.size.width - 1, self.size.width)
        return Strip([*strip.crop(0, left), Segment(words, style), *rest], self.size.width)

    def show_hints(self, hints: Sequence[str]) -> None:
        """Say these lines while there is nothing else."""
        self._hints = tuple(hints)
        self.repaint()

    def empty_strips(self) -> list[Strip]:
        """Say what to do first."""
        width = self.size.width
        lines = [strip_of([], width, self.palette.text)] * max((self.body_height - 6) // 2, 0)
        texts = [("caramelo", self.palette.accent), ("", self.palette.text)]
        texts += [(hint, self.palette.muted) for hint in self._hints]
        for text, style in texts:
            shown = cut_cells(text, max(width - 4, 1))
            left = " " * max((width - len(shown)) // 2, 0)
            lines.append(strip_of([(left, style), (shown, style)], width, self.palette.text))
        return lines

    # --- cursor ------------------------------------------------------------------------

    def action_block(self, step: int) -> None:
        """Move the block cursor up (-1) or down (+1) and bring its block on the screen."""
        if not len(self.blocks):
            return
        if self._cursor is None:
            first, last = self.shown_blocks
            index = self.blocks.start_of(last if step < 0 else first)
        else:
            index = self.blocks.next_start(self._cursor, step)
        if index >= len(self.blocks):
            self.go_end()
            return
        self._cursor = max(index, 0)
        self.show_block(self._cursor)
        self.repaint()

    def action_open(self) -> None:
        """Open the call, or fold or unfold the thinking, under the cursor."""
        if self._cursor is None:
            return
        block = self.blocks[self._cursor]
        if isinstance(block, CallBlock):
            self.post_message(self.CallOpened(block.call_id))
        elif isinstance(block, ThinkingBlock):
            block.is_open = not block.is_open
            self.redraw(block)
            self.show_block(self._cursor)
            self.repaint()

    def on_click(self, event: events.Click) -> None:
        """Put the cursor on a block; a second click opens it."""
        index = self.block_at(event.y)
        if index is None or event.x >= self.size.width - 1:
            return
        start = self.blocks.start_of(index)
        was_there = self._cursor == start
        self._cursor = start
        self.repaint()
        if was_there:
            self.action_open()
