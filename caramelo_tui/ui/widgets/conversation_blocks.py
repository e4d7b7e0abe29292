"""Draw the blocks of a conversation.

Owns what a prompt, a piece of an answer, thinking, a call, a notice and an ending look like,
one class each. Blocks hold values and render on demand; they know no widget. Proven by
tests/unit/ui/test_conversation_blocks.py.
"""

from dataclasses import dataclass, field
from typing import Protocol
from weakref import WeakKeyDictionary

from caramelo_tui.domain.ids import CallId
from caramelo_tui.ui.formatting import count_text, duration_text, state_sign, state_words
from caramelo_tui.ui.widgets.cells import (
    Line,
    code_lines,
    cut_cells,
    one_line,
    safe_lines,
    width_of,
    wrap_line,
)
from caramelo_tui.ui.widgets.code_colors import CodeColors, lexer_for_language
from caramelo_tui.ui.widgets.markdown_lines import MarkdownLines
from caramelo_tui.ui.widgets.markdown_splitter import Fence, Piece, PieceKind
from caramelo_tui.ui.widgets.palette import Palette

_LABEL_CELLS = 5
"""Cells of ``you`` and the blanks after it."""

_TOOL_CELLS = 10
"""Tools in a row stand in columns up to this width."""

_THINKING_TAIL_LINES = 4
"""Lines of open thinking that are shown while it comes in."""

_THINKING_TAIL_CHARACTERS = 2_000

_QUIET_STATES = frozenset({"ok", "cached", "running", "streaming", "validating"})
"""States that the sign says well enough; the others are said in words too."""

_NOTICE_SIGNS = {"info": "i", "warning": "!", "error": "✗"}
_NOTICE_COLORS = {"info": "secondary", "warning": "warning", "error": "error"}


@dataclass(frozen=True, slots=True)
class Drawing:
    """What a block may use to draw itself."""

    palette: Palette
    width: int
    """Cells of a line."""
    deadline: float
    """On the monotonic clock; colours that are not ready by then come later."""


@dataclass(frozen=True, slots=True)
class Drawn:
    """A block as lines."""

    lines: list[Line]
    is_final: bool = True


class Block(Protocol):
    """One block of the conversation."""

    @property
    def has_gap(self) -> bool:
        """Whether a blank line stands above the block."""
        ...

    @property
    def is_continued(self) -> bool:
        """Whether it belongs to the block before it, for the cursor."""
        ...

    def estimate(self, width: int) -> int:
        """Return about how many lines it needs, without the gap."""
        ...

    def draw(self, on: Drawing) -> Drawn:
        """Return its lines, without the gap."""
        ...


@dataclass(slots=True, kw_only=True)
class PromptBlock:
    """What the user wrote, on a band of its own."""

    text: str
    is_queued: bool = False
    has_gap: bool = True
    is_continued: bool = False

    def estimate(self, width: int) -> int:
        """Count wrapped lines."""
        return _wrapped_count(self.text, width - _LABEL_CELLS)

    def draw(self, on: Drawing) -> Drawn:
        """Label the first line, wrap the rest beside it."""
        palette = on.palette
        text_style = palette.style("foreground", "panel")
        label = "" if self.is_continued else "queued" if self.is_queued else "you"
        label_style = palette.style("primary", "panel", "bold")
        if self.is_queued:
            text_style = palette.style("muted", "panel")
        left = max(_LABEL_CELLS, len(label) + 1 if label else 0)
        room = max(on.width - left - 1, 1)
        lines: list[Line] = []
        for text in safe_lines(self.text):
            for part in wrap_line([(text, text_style)], room):
                start = (label.ljust(left) if not lines else " " * left, label_style)
                fill = (" " * (on.width - left - width_of(part)), text_style)
                lines.append([start, *part, fill])
        return Drawn(lines)


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

    def estimate(self, width: int) -> int:
        """Count wrapped lines, by line or by paragraph."""
        if self.piece.fence is not None:
            return max(1, self.piece.line_count)
        if self.piece.kind is PieceKind.TEXT:
            return max(1, -(-len(self.piece.source) // max(width, 1)))
        return _wrapped_count(self.piece.source, width)

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


@dataclass(slots=True, kw_only=True)
class ThinkingBlock:
    """The model's thinking: its tail while it comes, one line afterwards."""

    text: str = ""
    started_at: float = 0.0
    """On the monotonic clock."""
    duration_ms: int | None = None
    """``None`` while it comes in."""
    is_open: bool = False
    """Whether the user unfolded it."""
    has_gap: bool = True
    is_continued: bool = False

    def estimate(self, width: int) -> int:
        """Count the head and what is unfolded."""
        if self.is_open:
            return 1 + _wrapped_count(self.text, width - 2)
        return 1 if self.duration_ms is not None else 1 + _THINKING_TAIL_LINES

    def draw(self, on: Drawing) -> Drawn:
        """Say how long it took; show the tail or, unfolded, all."""
        palette = on.palette
        muted = palette.style("muted", attributes="italic")
        is_running = self.duration_ms is None
        sign = "▾" if self.is_open or is_running else "▸"
        size = count_text(len(self.text), "character")
        took = "thinking" if is_running else f"thought for {duration_text(self.duration_ms or 0)}"
        lines: list[Line] = [[(f"{sign} {took}", muted), (f" · {size}", palette.muted)]]
        if self.is_open:
            lines += self._body(on, self.text)
        elif is_running:
            tail = self._body(on, self.text[-_THINKING_TAIL_CHARACTERS:])
            lines += tail[-_THINKING_TAIL_LINES:]
        return Drawn(lines)

    def _body(self, on: Drawing, text: str) -> list[Line]:
        style = on.palette.style("muted", attributes="italic")
        start = ("  ", on.palette.text)
        return [
            [start, *part]
            for line in safe_lines(text.strip())
            for part in wrap_line([(line, style)], max(on.width - 2, 1))
        ]


@dataclass(slots=True, kw_only=True)
class CallBlock:
    """One line for one tool call."""

    call_id: CallId
    tool: str
    summary: str
    state: str
    duration_ms: int | None = None
    is_cached: bool = False
    detail: str = ""
    has_gap: bool = True
    is_continued: bool = False

    def estimate(self, width: int) -> int:
        """Return one line, whatever the width."""
        del width
        return 1

    def draw(self, on: Drawing) -> Drawn:
        """Sign and tool at the left, the outcome at the right, the summary between."""
        palette = on.palette
        state = "cached" if self.is_cached and self.state == "ok" else self.state
        right = self._right(state)
        right_style = palette.muted if state in _QUIET_STATES else palette.state(state)
        tool = one_line(self.tool)
        left: Line = [
            (f"{state_sign(state)} ", palette.state(state)),
            (cut_cells(tool, max(on.width - 2, 1)).ljust(_TOOL_CELLS), palette.strong),
        ]
        room = on.width - width_of(left) - 2
        right = cut_cells(right, max(room - 1, 0))
        summary_room = room - len(right) - (1 if right else 0)
        summary = cut_cells(one_line(self.summary), max(summary_room, 0))
        line: Line = [*left, ("  ", palette.text), (summary, palette.text)]
        gap = max(on.width - width_of(line) - width_of([(right, right_style)]), 0)
        return Drawn([[*line, (" " * gap, palette.text), (right, right_style)]])

    def _right(self, state: str) -> str:
        parts = [one_line(self.detail)] if self.detail else []
        is_quiet = state in _QUIET_STATES
        if self.is_cached:
            parts.append("cached")
        elif not is_quiet and not (state == "error" and self.detail):
            parts.append(state_words(state))
        # Nothing ran for 0 ms: what was refused or cancelled took no time.
        if not self.is_cached and self.duration_ms is not None and (self.duration_ms or is_quiet):
            parts.append(duration_text(self.duration_ms))
        return "  ".join(parts)


@dataclass(slots=True, kw_only=True)
class NoticeBlock:
    """Something the user should know."""

    level: str
    text: str
    has_gap: bool = True
    is_continued: bool = False

    def estimate(self, width: int) -> int:
        """Count wrapped lines."""
        return _wrapped_count(self.text, width - 2)

    def draw(self, on: Drawing) -> Drawn:
        """Put the level's sign before the wrapped text."""
        color = _NOTICE_COLORS.get(self.level, "secondary")
        sign_style = on.palette.style(color, attributes="bold")
        text_style = on.palette.style(color if self.level == "error" else "foreground")
        sign = _NOTICE_SIGNS.get(self.level, "i")
        lines: list[Line] = []
        for text in safe_lines(self.text):
            for part in wrap_line([(text, text_style)], max(on.width - 2, 1)):
                lines.append([(f"{sign} " if not lines else "  ", sign_style), *part])
        return Drawn(lines)


@dataclass(slots=True, kw_only=True)
class EndBlock:
    """How a run ended, as a rule across the pane."""

    ending: str
    detail: str = ""
    has_gap: bool = True
    is_continued: bool = False

    def estimate(self, width: int) -> int:
        """Return one line, or those of a long detail."""
        return 1 if len(self.detail) + 20 < width else 1 + _wrapped_count(self.detail, width)

    def draw(self, on: Drawing) -> Drawn:
        """Name the ending in a rule; a detail that does not fit goes below it."""
        palette = on.palette
        color = {"completed": "success", "error": "error"}.get(self.ending, "warning")
        words = one_line(state_words(self.ending))
        line: Line = [("── ", palette.line), (words, palette.style(color, attributes="bold"))]
        detail = one_line(self.detail)
        is_beside = bool(detail) and width_of(line) + len(detail) + 8 <= on.width
        if is_beside:
            line.append((f" · {detail}", palette.muted))
        line.append((" ", palette.text))
        line.append(("─" * max(on.width - width_of(line), 0), palette.line))
        if not detail or is_beside:
            return Drawn([line])
        style = palette.style(color if self.ending == "error" else "muted")
        below = [
            part
            for text in safe_lines(self.detail)
            for part in wrap_line([(text, style)], on.width)
        ]
        return Drawn([line, *below])


def _wrapped_count(text: str, width: int) -> int:
    width = max(width, 1)
    return sum(max(1, -(-len(line) // width)) for line in text.rstrip("\n").split("\n"))
