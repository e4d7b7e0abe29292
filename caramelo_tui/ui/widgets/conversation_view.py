"""Show a conversation as a stream of blocks.

Owns the list of blocks, the order in which streamed text and calls are taken in, the block
cursor, and the mark of what came while the view was scrolled up. A tick takes in for 10 ms at
most; a flood is taken in over several ticks. Proven by tests/pilot/test_conversation.py.
"""

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass

from rich.segment import Segment
from textual import events
from textual.message import Message
from textual.strip import Strip

from caramelo_tui.domain.ids import CallId
from caramelo_tui.ui.formatting import count_text
from caramelo_tui.ui.widgets.answer_stream import AnswerStream
from caramelo_tui.ui.widgets.block_view import BlockView, Rendered
from caramelo_tui.ui.widgets.cells import cut_cells, strip_of
from caramelo_tui.ui.widgets.conversation_blocks import (
    AnswerBlock,
    Block,
    CallBlock,
    Drawing,
    NoticeBlock,
    PromptBlock,
    ThinkingBlock,
)
from caramelo_tui.ui.widgets.frame_view import WORK_BUDGET_S
from caramelo_tui.ui.widgets.heights import MeasuredHeights
from caramelo_tui.ui.widgets.markdown_splitter import Fence

FEED_CHARACTERS = 16_384
"""Text that is taken in between two looks at the clock; about 1.5 ms."""

PROMPT_PIECE_CHARACTERS = 4_096
"""A long prompt is cut into blocks of about this size."""

_HINTS = (
    "Say below what should be done in this folder.",
    "Reads run by themselves. Writes wait for you in Changes, commands in a question.",
)


@dataclass(slots=True)
class _Text:
    """Streamed text that waits to be taken in."""

    text: str


class ConversationView(BlockView):
    """The lines of ``ConversationPane``; the pane is its only user."""

    class CallOpened(Message):
        """The user wants to see a call."""

        def __init__(self, call_id: CallId) -> None:
            super().__init__()
            self.call_id = call_id

    def __init__(self, *, monotonic: Callable[[], float] | None = None) -> None:
        self._measured = MeasuredHeights()
        super().__init__(self._measured, monotonic=monotonic, follows=True)
        self._blocks: list[Block] = []
        self._incoming: deque[_Text | Callable[[], None]] = deque()
        self._stream: AnswerStream | None = None
        self._recolouring: list[AnswerStream] = []
        self._has_open_block = False
        self._calls: dict[CallId, int] = {}
        self._cursor: int | None = None
        self._unseen_lines = 0

    # --- what the pane calls -----------------------------------------------------------

    @property
    def blocks(self) -> tuple[Block, ...]:
        """All blocks taken in so far."""
        return tuple(self._blocks)

    @property
    def is_settled(self) -> bool:
        """Whether everything that came was taken in."""
        return not self._incoming

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
        """Begin an answer; text that came without one begins its own."""
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
        if not self._blocks or _stands_close(self._blocks[-1], block):
            _without_gap(block)
        self._extend([block])
        if isinstance(block, CallBlock):
            self._calls[block.call_id] = len(self._blocks) - 1

    def add_prompt(self, text: str, *, is_queued: bool) -> None:
        """Add what the user said, in pieces when it is long."""
        for number, part in enumerate(_prompt_parts(text)):
            block = PromptBlock(text=part, is_queued=is_queued)
            block.has_gap = not number
            block.is_continued = bool(number)
            self.add_block(block)

    def call(self, call_id: CallId) -> CallBlock | None:
        """Return the block of a call, if it was shown."""
        index = self._calls.get(call_id)
        block = self._blocks[index] if index is not None else None
        return block if isinstance(block, CallBlock) else None

    def thinking(self) -> ThinkingBlock | None:
        """Return the thinking that is still coming in, if it is the last block."""
        block = self._blocks[-1] if self._blocks else None
        is_running = isinstance(block, ThinkingBlock) and block.duration_ms is None
        return block if is_running and isinstance(block, ThinkingBlock) else None

    def redraw(self, block: Block) -> None:
        """Draw a changed block again at the next paint."""
        index = self._index_of(block)
        self.forget_block(index)
        if index >= self.shown_blocks[0] and not isinstance(block, CallBlock):
            self._measured.put(index, block.estimate(self._width()) + block.has_gap)

    def clear(self) -> None:
        """Forget everything."""
        self._incoming.clear()
        self._stream = None
        self._recolouring.clear()
        self._has_open_block = False
        self._blocks.clear()
        self._calls.clear()
        self._measured.truncate(0)
        self._cursor = None
        self._unseen_lines = 0
        self.forget_rendering()
        self.go_end()

    # --- taking in ---------------------------------------------------------------------

    def take_in(self) -> None:
        """Take in what came, for 10 ms at most; the rest waits for a tick soon after."""
        deadline = self.monotonic() + WORK_BUDGET_S
        before = self._measured.total
        has_text = False
        while self._incoming and self.monotonic() < deadline:
            item = self._incoming[0]
            if not isinstance(item, _Text):
                self._incoming.popleft()
                item()
                continue
            self.open_answer()
            has_text = True
            part, item.text = item.text[:FEED_CHARACTERS], item.text[FEED_CHARACTERS:]
            if not item.text:
                self._incoming.popleft()
            self._feed(part)
        if has_text:
            self._show_open_block()
        if not self.follows:
            self._unseen_lines += max(self._measured.total - before, 0)
        self._work_on_colours(deadline)
        if self._incoming or self._recolouring:
            self.schedule_tick(is_soon=bool(self._incoming))

    def _feed(self, text: str) -> None:
        stream = self._stream
        if stream is None:
            return
        self._drop_open_block()
        self._extend(stream.feed(text))
        if stream.has_new_references:
            stream.has_new_references = False
            self._redraw_references()

    def _drop_open_block(self) -> None:
        if not self._has_open_block:
            return
        self._has_open_block = False
        self._blocks.pop()
        self._measured.truncate(len(self._blocks))
        self.forget_block(len(self._blocks))

    def _show_open_block(self) -> None:
        if self._stream is None or self._has_open_block:
            return
        block = self._stream.open_block()
        if block is not None:
            self._extend([block])
            self._has_open_block = True

    def _extend(self, blocks: list[AnswerBlock] | list[Block]) -> None:
        width = self._width()
        for block in blocks:
            gap = bool(self._blocks) and block.has_gap
            self._measured.append(block.estimate(width) + gap)
            self._blocks.append(block)

    def _redraw_references(self) -> None:
        for index, block in enumerate(self._blocks):
            if isinstance(block, AnswerBlock) and "[" in block.piece.source:
                self.forget_block(index)

    def _work_on_colours(self, deadline: float) -> None:
        streams = [*self._recolouring, *([self._stream] if self._stream else [])]
        for stream in streams:
            while (fence := stream.work(deadline)) is not None:
                self._redraw_fence(fence)
        self._recolouring = [stream for stream in self._recolouring if stream.has_work]

    def _redraw_fence(self, fence: Fence) -> None:
        for index, block in enumerate(self._blocks):
            if isinstance(block, AnswerBlock) and block.piece.fence is fence:
                self.forget_block(index)

    def _index_of(self, block: Block) -> int:
        if isinstance(block, CallBlock):
            return self._calls[block.call_id]
        return next(i for i in range(len(self._blocks) - 1, -1, -1) if self._blocks[i] is block)

    def _width(self) -> int:
        return max(self.size.width - self.GUTTER_CELLS - 1, 1)

    # --- drawing -----------------------------------------------------------------------

    def render_block(self, index: int, width: int) -> Rendered:
        """Draw one block as strips."""
        block = self._blocks[index]
        on = Drawing(palette=self.palette, width=width, deadline=self.work_deadline)
        drawn = block.draw(on)
        fill = self.palette.text
        strips = [strip_of(line, width, fill) for line in drawn.lines]
        if index and block.has_gap and strips:
            strips.insert(0, Strip.blank(width, fill))
        return Rendered(strips, drawn.is_final)

    def gutter_of(self, block: int, line: int) -> Segment:
        """Mark the block under the cursor, but not the blank line above it."""
        is_marked = self._cursor is not None and self.has_focus and self._is_marked(block)
        if is_marked and not (line == 0 and block and self._blocks[block].has_gap):
            return Segment("▌ ", self.palette.accent)
        return Segment("  ", self.palette.text)

    def _is_marked(self, index: int) -> bool:
        while index > 0 and self._blocks[index].is_continued:
            index -= 1
        return index == self._cursor

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
        pill = Segment(words, style)
        rest = strip.crop(self.size.width - 1, self.size.width)
        return Strip([*strip.crop(0, left), pill, *rest], self.size.width)

    def empty_strips(self) -> list[Strip]:
        """Say what to do first."""
        width = self.size.width
        lines = [strip_of([], width, self.palette.text)] * max((self.body_height - 4) // 2, 0)
        title = "caramelo"
        texts = [(title, self.palette.accent), ("", self.palette.text)]
        texts += [(hint, self.palette.muted) for hint in _HINTS]
        for text, style in texts:
            shown = cut_cells(text, max(width - 4, 1))
            left = " " * max((width - len(shown)) // 2, 0)
            lines.append(strip_of([(left, style), (shown, style)], width, self.palette.text))
        return lines

    # --- cursor ------------------------------------------------------------------------

    def move_cursor(self, step: int) -> None:
        """Move the block cursor up (-1) or down (+1) and bring its block on the screen."""
        if not self._blocks:
            return
        if self._cursor is None:
            first, last = self.shown_blocks
            index = last if step < 0 else first
        else:
            index = self._cursor + step
        while 0 < index < len(self._blocks) and self._blocks[index].is_continued:
            index += step
        if index >= len(self._blocks):
            self.go_end()
            return
        self._cursor = max(index, 0)
        self.show_block(self._cursor)

    def open_cursor(self) -> None:
        """Open the call, or fold or unfold the thinking, under the cursor."""
        if self._cursor is None:
            return
        block = self._blocks[self._cursor]
        if isinstance(block, CallBlock):
            self.post_message(self.CallOpened(block.call_id))
        elif isinstance(block, ThinkingBlock):
            block.is_open = not block.is_open
            self.redraw(block)
            self.show_block(self._cursor)

    def on_click(self, event: events.Click) -> None:
        """Put the cursor on a block; a second click opens it."""
        index = self.block_at(event.y)
        if index is None or event.x >= self.size.width - 1:
            return
        while index > 0 and self._blocks[index].is_continued:
            index -= 1
        was_there = self._cursor == index
        self._cursor = index
        self.repaint()
        if was_there:
            self.open_cursor()

    def on_focus(self) -> None:
        """Show the cursor."""
        self.repaint()

    def on_blur(self) -> None:
        """Hide the cursor."""
        self.repaint()


def _stands_close(before: Block, block: Block) -> bool:
    """Whether two blocks stand without a blank line: calls in a row, notices in a row."""
    return isinstance(block, CallBlock | NoticeBlock) and type(before) is type(block)


def _without_gap(block: Block) -> None:
    if isinstance(block, CallBlock | NoticeBlock | PromptBlock | ThinkingBlock):
        block.has_gap = False


def _prompt_parts(text: str) -> list[str]:
    """Cut a long prompt at line ends, and lines that are too long anywhere."""
    parts: list[str] = []
    rest = text.strip("\n")
    while len(rest) > PROMPT_PIECE_CHARACTERS:
        cut = rest.rfind("\n", 1, PROMPT_PIECE_CHARACTERS)
        cut = cut if cut > 0 else PROMPT_PIECE_CHARACTERS
        parts.append(rest[:cut])
        rest = rest[cut:].removeprefix("\n")
    return [*parts, rest]
