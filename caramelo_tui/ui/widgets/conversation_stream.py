"""Show a conversation as a stream of blocks.

Owns the order in which streamed text and calls are taken in, what is folded, the marks of a
search, and the mark of what came while the view was scrolled up. A tick takes in for 10 ms at
most; a flood is taken in over several ticks. Keys are ``ConversationView``'s. Proven by
tests/pilot/test_conversation.py.
"""

import time
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from rich.segment import Segment
from textual.strip import Strip

from caramelo_tui.domain.decisions import ApprovalMode
from caramelo_tui.ui.formatting import count_text
from caramelo_tui.ui.welcome import welcome_lines
from caramelo_tui.ui.widgets.answer_stream import AnswerStream
from caramelo_tui.ui.widgets.block_drawing import Block, Drawing
from caramelo_tui.ui.widgets.block_frame import Rendered
from caramelo_tui.ui.widgets.block_list import BlockList
from caramelo_tui.ui.widgets.block_search import marked
from caramelo_tui.ui.widgets.block_view import BlockView
from caramelo_tui.ui.widgets.cells import cut_cells, one_line, strip_of
from caramelo_tui.ui.widgets.frame_view import WORK_BUDGET_S

FEED_CHARACTERS = 16_384
"""Text that is taken in between two looks at the clock; about 1.5 ms."""

FOLDED_LINES = 2
"""Lines of a folded block that are still shown."""


@dataclass(slots=True)
class _Text:
    """Streamed text that waits to be taken in."""

    text: str


class ConversationStream(BlockView):
    """Blocks that come in, and how they are shown."""

    def __init__(self, *, monotonic: Callable[[], float] | None = None) -> None:
        self.blocks = BlockList()
        super().__init__(self.blocks.heights, monotonic=monotonic, follows=True)
        self._incoming: deque[_Text | Callable[[], None]] = deque()
        self._stream: AnswerStream | None = None
        self._recolouring: list[AnswerStream] = []
        self._has_open_block = False
        self._cursor: int | None = None
        self._folded: set[int] = set()
        self._match_line: tuple[int, int] | None = None
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
        self.blocks.note_change(index)

    def clear(self) -> None:
        """Forget everything."""
        self._incoming.clear()
        self._stream = None
        self._recolouring.clear()
        self._has_open_block = False
        self.blocks.clear()
        self._cursor = None
        self._folded.clear()
        self._match_line = None
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
            for index in self.blocks.with_references(stream.parts):
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
        start = self.blocks.start_of(index) if self._folded else index
        if start in self._folded and index != start:
            return Rendered([])
        on = Drawing(palette=self.palette, width=width, deadline=self.work_deadline)
        drawn = self.blocks[index].draw(on)
        fill = self.palette.text
        lines = drawn.lines
        if start in self._folded:
            mark = (self._fold_words(start), self.palette.style("muted", attributes="italic"))
            lines = [*lines[:FOLDED_LINES], [mark]]
        strips = [strip_of(line, width, fill) for line in lines]
        if strips and self.blocks.has_gap(index):
            strips.insert(0, Strip.blank(width, fill))
        return Rendered(self._with_matches(index, strips), drawn.is_final)

    def _fold_words(self, start: int) -> str:
        sources = (block.source.removesuffix("\n") for block in self.blocks.group_at(start))
        count = sum(source.count("\n") + 1 for source in sources)
        return f"▸ folded, {count_text(count, 'line')} in all · space unfolds"

    def _with_matches(self, index: int, strips: list[Strip]) -> list[Strip]:
        """Mark what a search finds, and most of all the line that is looked at."""
        search = self.blocks.search
        if search is None or not search.count_at(index):
            return strips
        usual = self.palette.style("background", "secondary")
        current = self.palette.style("background", "primary", "bold underline")
        return [
            marked(strip, search.words, current if self._match_line == (index, line) else usual)
            for line, strip in enumerate(strips)
        ]

    def head_strips(self) -> list[Strip]:
        """Say what is searched for, and how much was found."""
        search = self.blocks.search
        if search is None:
            return []
        style = self.palette.style("foreground", "panel")
        found = "nothing found"
        if search.total:
            found = f"match {search.position:,} of {search.total:,} · n next · N before"
        words = f"  {found} · esc ends"
        room = max(self.size.width - len(words) - 2, 1)
        text = f" /{cut_cells(one_line(search.words.text), room)}{words}"
        return [strip_of([(text, style)], max(self.size.width, 1), style)]

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
