"""Turn an answer's text into blocks while it comes in.

Owns the splitter of the open answer, its shared parts, and the colouring of long fences once
more as a whole after they closed. Knows no widget. Proven by
tests/unit/ui/test_answer_stream.py.
"""

import re
from collections import deque

from caramelo_tui.ui.widgets.block_answer import AnswerBlock, AnswerParts
from caramelo_tui.ui.widgets.cells import code_lines
from caramelo_tui.ui.widgets.code_colors import CodeColors, lexer_for_language
from caramelo_tui.ui.widgets.markdown_lines import parse
from caramelo_tui.ui.widgets.markdown_splitter import Fence, MarkdownSplitter, Piece

MAX_RECOLOURED_CHARACTERS = 200_000
"""Longer fences keep the colours of their pieces."""

_DEFINITION = re.compile(r"^ {0,3}\[[^\]]+\]:", re.MULTILINE)


class AnswerStream:
    """One answer, from its first text to its end."""

    def __init__(self) -> None:
        self.parts = AnswerParts()
        self._splitter = MarkdownSplitter()
        self._to_recolour: deque[tuple[Fence, CodeColors, int]] = deque()
        self.has_new_references = False
        """Set when a definition came that earlier blocks may refer to; the view resets it."""

    def feed(self, text: str) -> list[AnswerBlock]:
        """Take more text and return the blocks that it finished."""
        return self._blocks(self._splitter.feed(text))

    def finish(self) -> list[AnswerBlock]:
        """End the answer and return the last blocks."""
        return self._blocks(self._splitter.finish())

    def open_block(self) -> AnswerBlock | None:
        """Return the block that is still coming in, if any."""
        piece = self._splitter.open_piece()
        return AnswerBlock(piece=piece, parts=self.parts) if piece is not None else None

    @property
    def has_work(self) -> bool:
        """Whether a closed fence waits to be coloured as a whole."""
        return bool(self._to_recolour)

    def work(self, deadline: float) -> Fence | None:
        """Colour on until the deadline; return a fence that is done, to be drawn again."""
        if not self._to_recolour:
            return None
        fence, colors, last_line = self._to_recolour[0]
        if colors.spans(last_line, deadline=deadline) is None:
            return None
        self._to_recolour.popleft()
        self.parts.fences[fence] = colors
        return fence

    def _blocks(self, pieces: list[Piece]) -> list[AnswerBlock]:
        for piece in pieces:
            self._note(piece)
        return [AnswerBlock(piece=piece, parts=self.parts) for piece in pieces]

    def _note(self, piece: Piece) -> None:
        fence = piece.fence
        if fence is None:
            if _DEFINITION.search(piece.source):
                parse(piece.source, self.parts.references)
                self.has_new_references = True
            return
        if fence.is_closed and piece.continues:
            self._recolour(fence)

    def _recolour(self, fence: Fence) -> None:
        words = fence.info.split()
        lexer = lexer_for_language(words[0]) if words else None
        text = "\n".join(fence.lines)
        if lexer is None or len(text) > MAX_RECOLOURED_CHARACTERS or not fence.lines:
            return
        lines = code_lines(text)
        colors = CodeColors(lines, lexer, chunk_lines=len(lines))
        self._to_recolour.append((fence, colors, len(lines) - 1))
