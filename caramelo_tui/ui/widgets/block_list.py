"""Keep the blocks of a conversation in order.

Owns the list, the estimated heights beside it, the way from a call to its line, and which
blocks belong together. Knows no widget. Proven by tests/unit/ui/test_block_list.py.
"""

from collections.abc import Iterator, Sequence

from caramelo_tui.domain.ids import CallId
from caramelo_tui.ui.widgets.block_answer import AnswerBlock
from caramelo_tui.ui.widgets.block_drawing import Block
from caramelo_tui.ui.widgets.conversation_blocks import (
    CallBlock,
    NoticeBlock,
    PromptBlock,
    ThinkingBlock,
)
from caramelo_tui.ui.widgets.heights import MeasuredHeights
from caramelo_tui.ui.widgets.markdown_splitter import Fence

PROMPT_PIECE_CHARACTERS = 4_096
"""A long prompt is cut into blocks of about this size."""


class BlockList:
    """Blocks, from the first to the last."""

    def __init__(self) -> None:
        self.heights = MeasuredHeights()
        self._blocks: list[Block] = []
        self._calls: dict[CallId, int] = {}

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
        self.heights.truncate(len(self._blocks))
        return len(self._blocks)

    def clear(self) -> None:
        """Remove all blocks."""
        self._blocks.clear()
        self._calls.clear()
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

    def next_start(self, index: int, step: int) -> int:
        """Return the next start above (-1) or below (+1); may lie before or after all."""
        index += step
        while 0 < index < len(self._blocks) and self._blocks[index].is_continued:
            index += step
        return index

    def pieces_of(self, fence: Fence) -> list[int]:
        """Return the blocks that show a part of a fence."""
        return [
            index
            for index, block in enumerate(self._blocks)
            if isinstance(block, AnswerBlock) and block.piece.fence is fence
        ]

    def with_references(self) -> list[int]:
        """Return the answers' blocks that may refer to a definition."""
        return [
            index
            for index, block in enumerate(self._blocks)
            if isinstance(block, AnswerBlock) and "[" in block.piece.source
        ]


def prompt_blocks(text: str, *, is_queued: bool) -> Sequence[PromptBlock]:
    """Return the blocks of one prompt, cut at line ends, or anywhere in a very long line."""
    parts: list[str] = []
    rest = text.strip("\n")
    while len(rest) > PROMPT_PIECE_CHARACTERS:
        cut = rest.rfind("\n", 1, PROMPT_PIECE_CHARACTERS)
        cut = cut if cut > 0 else PROMPT_PIECE_CHARACTERS
        parts.append(rest[:cut])
        rest = rest[cut:].removeprefix("\n")
    return [
        PromptBlock(text=part, is_queued=is_queued, has_gap=not number, is_continued=number > 0)
        for number, part in enumerate([*parts, rest])
    ]
