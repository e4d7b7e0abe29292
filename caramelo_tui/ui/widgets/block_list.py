"""Keep the blocks of a conversation in order.

Owns the list, the estimated heights and the search beside it, the way from a call to its line,
which blocks belong together, and what would make up for a run that failed. Knows no
widget. Proven by tests/unit/ui/test_block_list.py.
"""

from collections.abc import Iterator, Sequence

from caramelo_tui.domain.ids import CallId, RunId
from caramelo_tui.ui.widgets.block_answer import AnswerBlock, AnswerParts
from caramelo_tui.ui.widgets.block_drawing import Block
from caramelo_tui.ui.widgets.block_search import BlockSearch
from caramelo_tui.ui.widgets.block_transcript import text_of_group
from caramelo_tui.ui.widgets.conversation_blocks import (
    CallBlock,
    EndBlock,
    NoticeBlock,
    PromptBlock,
    ThinkingBlock,
)
from caramelo_tui.ui.widgets.heights import MeasuredHeights
from caramelo_tui.ui.widgets.markdown_splitter import Fence

GO_ON = "Go on."
"""Sent after a run that broke off on its way."""

_ENDED_WELL = "completed"

PROMPT_PIECE_CHARACTERS = 4_096
"""A long prompt is cut into blocks of about this size."""


class BlockList:
    """Blocks, from the first to the last."""

    def __init__(self) -> None:
        self.heights = MeasuredHeights()
        self._blocks: list[Block] = []
        self._calls: dict[CallId, int] = {}
        self._search: BlockSearch | None = None

    @property
    def search(self) -> BlockSearch | None:
        """The search that goes on, its counts beside the blocks."""
        return self._search

    def begin_search(self, words: str) -> BlockSearch:
        """Search all blocks, and those that come; a search before it ends."""
        self._search = BlockSearch(words, (block.source for block in self._blocks))
        return self._search

    def end_search(self) -> None:
        """Search no more."""
        self._search = None

    def __len__(self) -> int:
        """Return the number of blocks."""
        return len(self._blocks)

    def __getitem__(self, index: int) -> Block:
        """Return one block."""
        return self._blocks[index]

    def __iter__(self) -> Iterator[Block]:
        """Yield all blocks in order."""
        return iter(self._blocks)

    def append(self, block: Block, *, width: int) -> None:
        """Add a block; calls in a row, and notices in a row, stand without a blank line.

        Args:
            block: Comes last.
            width: Cells of a line, for the estimate.
        """
        before = self._blocks[-1] if self._blocks else None
        if self._search is not None:
            self._search.append(block.source)
        if isinstance(block, CallBlock | NoticeBlock) and type(before) is type(block):
            block.has_gap = False
        gap = before is not None and block.has_gap
        self.heights.append(block.estimate(width) + gap)
        if isinstance(block, CallBlock):
            self._calls[block.call_id] = len(self._blocks)
        self._blocks.append(block)

    def drop_last(self) -> int:
        """Remove the last block and return the index that it had."""
        self._blocks.pop()
        if self._search is not None:
            self._search.drop_last()
        self.heights.truncate(len(self._blocks))
        return len(self._blocks)

    def clear(self) -> None:
        """Remove all blocks."""
        self._blocks.clear()
        self._calls.clear()
        self._search = None
        self.heights.truncate(0)

    def has_gap(self, index: int) -> bool:
        """Return whether a blank line stands above a block."""
        return index > 0 and self._blocks[index].has_gap

    def call(self, call_id: CallId) -> CallBlock | None:
        """Return the line of a call, if it was shown."""
        index = self._calls.get(call_id)
        block = self._blocks[index] if index is not None else None
        return block if isinstance(block, CallBlock) else None

    def running_thinking(self) -> ThinkingBlock | None:
        """Return the thinking that still comes in, if it is the last block."""
        block = self._blocks[-1] if self._blocks else None
        if isinstance(block, ThinkingBlock) and block.duration_ms is None:
            return block
        return None

    def index_of(self, block: Block) -> int:
        """Return where a block stands; changed blocks are calls, or near the end."""
        if isinstance(block, CallBlock):
            return self._calls[block.call_id]
        return next(i for i in range(len(self._blocks) - 1, -1, -1) if self._blocks[i] is block)

    def start_of(self, index: int) -> int:
        """Return the first of the blocks that belong together with one."""
        while index > 0 and self._blocks[index].is_continued:
            index -= 1
        return index

    def group_at(self, index: int) -> Sequence[Block]:
        """Return the blocks that belong together, given the first of them."""
        end = index + 1
        while end < len(self._blocks) and self._blocks[end].is_continued:
            end += 1
        return self._blocks[index:end]

    def answer_at(self, index: int) -> Sequence[Block]:
        """Return all blocks of the answer that a block is in; the block's group elsewhere."""
        block = self._blocks[index]
        if not isinstance(block, AnswerBlock):
            return self.group_at(index)
        start = end = index
        while start > 0 and self._is_of(start - 1, block.parts):
            start -= 1
        while end < len(self._blocks) and self._is_of(end, block.parts):
            end += 1
        return self._blocks[start:end]

    def last_answer(self) -> int | None:
        """Return a block of the last answer, ``None`` when there is none."""
        for index in range(len(self._blocks) - 1, -1, -1):
            if isinstance(self._blocks[index], AnswerBlock):
                return index
        return None

    def _is_of(self, index: int, parts: AnswerParts) -> bool:
        block = self._blocks[index]
        return isinstance(block, AnswerBlock) and block.parts is parts

    def note_change(self, index: int) -> None:
        """Count anew what a search finds in a block that changed."""
        if self._search is not None:
            self._search.put(index, self._blocks[index].source)

    def retry_text(self) -> str:
        """Return what would make up for the last run; empty when it runs, or ended well.

        A run that got nowhere is asked for once more; after answers or calls, it is to go on.
        """
        has_begun = has_ended = False
        for index in range(len(self._blocks) - 1, -1, -1):
            block = self._blocks[index]
            if isinstance(block, EndBlock):
                if has_ended or block.ending == _ENDED_WELL:
                    break
                has_ended = True
            elif isinstance(block, PromptBlock) and not block.is_continued:
                if not has_ended:
                    break
                return GO_ON if has_begun else text_of_group(self.group_at(index))
            has_begun = has_begun or isinstance(block, AnswerBlock | CallBlock)
        return ""

    def next_start(self, index: int, step: int) -> int:
        """Return the next start above (-1) or below (+1); may lie before or after all."""
        index += step
        while 0 < index < len(self._blocks) and self._blocks[index].is_continued:
            index += step
        return index

    def pieces_of(self, fence: Fence) -> list[int]:
        """Return the blocks that show a part of a fence, the last one first."""
        found: list[int] = []
        for index in range(len(self._blocks) - 1, -1, -1):
            block = self._blocks[index]
            if isinstance(block, AnswerBlock) and block.piece.fence is fence:
                found.append(index)
            elif found:
                # Pieces stand in a row: a long conversation is not walked through for them.
                break
        return found

    def with_references(self, parts: AnswerParts) -> list[int]:
        """Return the blocks of the last answer that may refer to a definition in it."""
        found: list[int] = []
        for index in range(len(self._blocks) - 1, -1, -1):
            block = self._blocks[index]
            if not isinstance(block, AnswerBlock) or block.parts is not parts:
                break
            if "[" in block.piece.source:
                found.append(index)
        return found

    def run_at(self, index: int) -> RunId | None:
        """Return the run of the prompt at or above a block; ``None``: there is none."""
        for number in range(index, -1, -1):
            block = self[number]
            if isinstance(block, PromptBlock) and block.run_id is not None:
                return block.run_id
        return None


def prompt_blocks(
    text: str, *, is_queued: bool, run_id: RunId | None = None
) -> Sequence[PromptBlock]:
    """Return the blocks of one prompt, cut at line ends, or anywhere in a very long line."""
    parts: list[str] = []
    rest = text.strip("\n")
    while len(rest) > PROMPT_PIECE_CHARACTERS:
        cut = rest.rfind("\n", 1, PROMPT_PIECE_CHARACTERS)
        cut = cut if cut > 0 else PROMPT_PIECE_CHARACTERS
        parts.append(rest[:cut])
        rest = rest[cut:].removeprefix("\n")
    return [
        PromptBlock(
            text=part,
            is_queued=is_queued,
            has_gap=not number,
            is_continued=number > 0,
            run_id=run_id,
        )
        for number, part in enumerate([*parts, rest])
    ]
