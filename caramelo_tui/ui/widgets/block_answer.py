"""Draw the pieces of an answer.

Owns how a piece of Markdown becomes lines, the colours of its code, and its text as Markdown
again. Knows no widget. Proven by tests/unit/ui/test_conversation_blocks.py.
"""

from dataclasses import dataclass, field
from weakref import WeakKeyDictionary

from caramelo_tui.ui.widgets.block_drawing import Drawing, Drawn, wrapped_count
from caramelo_tui.ui.widgets.cells import code_lines, one_line
from caramelo_tui.ui.widgets.code_colors import CodeColors, lexer_for_language
from caramelo_tui.ui.widgets.markdown_lines import MarkdownLines
from caramelo_tui.ui.widgets.markdown_splitter import Fence, Piece, PieceKind


@dataclass(slots=True)
class AnswerParts:
    """What all pieces of one answer share."""

    references: dict[str, object] = field(default_factory=dict[str, object])
    """Reference definitions, kept by the parser."""
    fences: WeakKeyDictionary[Fence, CodeColors] = field(
        default_factory=WeakKeyDictionary[Fence, CodeColors]
    )
    """Colours of whole fences; without an entry each piece is coloured alone."""


@dataclass(slots=True, kw_only=True)
class AnswerBlock:
    """One piece of the model's Markdown."""

    piece: Piece
    parts: AnswerParts
    _alone: CodeColors | None = None
    _code: list[str] | None = None

    @property
    def has_gap(self) -> bool:
        """Blank line between blocks, none within one."""
        return not self.piece.continues

    @property
    def is_continued(self) -> bool:
        """Whether it goes on with the piece before."""
        return self.piece.continues

    @property
    def source(self) -> str:
        """The piece's Markdown; of a fence only its lines."""
        return self.piece.source

    def estimate(self, width: int) -> int:
        """Count wrapped lines, by line or by paragraph."""
        if self.piece.fence is not None:
            return max(1, self.piece.line_count)
        if self.piece.kind is PieceKind.TEXT:
            return max(1, -(-len(self.piece.source) // max(width, 1)))
        return wrapped_count(self.piece.source, width)

    def draw(self, on: Drawing) -> Drawn:
        """Render the piece."""
        lines = MarkdownLines(
            on.palette, on.width, environment=self.parts.references, deadline=on.deadline
        )
        if self.piece.fence is None:
            lines.add_piece(self.piece)
        else:
            self._add_code(lines, self.piece.fence)
        return Drawn(lines.lines, lines.is_final)

    def _add_code(self, lines: MarkdownLines, fence: Fence) -> None:
        piece = self.piece
        words = fence.info.split()
        language = one_line(words[0]) if words else ""
        if self._code is None:
            self._code = code_lines(piece.source) if piece.line_count else []
        whole = self.parts.fences.get(fence)
        if whole is None and self._alone is None:
            lexer = lexer_for_language(language)
            self._alone = CodeColors(self._code, lexer, chunk_lines=max(piece.line_count, 1))
        label = "" if piece.continues else language
        first = piece.first_line if whole is not None else 0
        lines.add_code(self._code, whole or self._alone, first=first, language=label)
