"""Draw the blocks of a conversation.

Owns what a prompt, thinking, a call, a notice and an ending look like, one class each; answers
are ``block_answer``'s. Blocks hold values and render on demand; they know no widget. Proven by
tests/unit/ui/test_conversation_blocks.py.
"""

from dataclasses import dataclass

from caramelo_tui.domain.ids import CallId, RunId
from caramelo_tui.ui.formatting import count_text, duration_text, state_sign, state_words
from caramelo_tui.ui.widgets.block_drawing import Drawing, Drawn, wrapped_count
from caramelo_tui.ui.widgets.cells import (
    Line,
    cut_cells,
    one_line,
    safe_lines,
    width_of,
    wrap_line,
)

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


@dataclass(slots=True, kw_only=True)
class PromptBlock:
    """What the user wrote, on a band of its own."""

    text: str
    is_queued: bool = False
    has_gap: bool = True
    is_continued: bool = False
    run_id: RunId | None = None
    """The run that it began; ``None`` for one that began none."""

    @property
    def source(self) -> str:
        """What was written."""
        return self.text

    def estimate(self, width: int) -> int:
        """Count wrapped lines."""
        return wrapped_count(self.text, width - _LABEL_CELLS)

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

    @property
    def source(self) -> str:
        """All of the thinking."""
        return self.text

    def estimate(self, width: int) -> int:
        """Count the head and what is unfolded."""
        if self.is_open:
            return 1 + wrapped_count(self.text, width - 2)
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

    @property
    def source(self) -> str:
        """The line without sign and times."""
        return "  ".join(part for part in (self.tool, self.summary, self.detail) if part)

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

    @property
    def source(self) -> str:
        """The notice without its sign."""
        return self.text

    def estimate(self, width: int) -> int:
        """Count wrapped lines."""
        return wrapped_count(self.text, width - 2)

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
    hint: str = ""
    """What a key does about it; empty when there is nothing to do any more."""
    has_gap: bool = True
    is_continued: bool = False

    @property
    def source(self) -> str:
        """The ending and its detail."""
        words = state_words(self.ending)
        return f"{words}: {self.detail}" if self.detail else words

    def estimate(self, width: int) -> int:
        """Return one line, or those of a long detail."""
        lines = 1 if len(self.detail) + 20 < width else 1 + wrapped_count(self.detail, width)
        return lines + bool(self.hint)

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
        lines: list[Line] = [line]
        if detail and not is_beside:
            style = palette.style(color if self.ending == "error" else "muted")
            for text in safe_lines(self.detail):
                lines += wrap_line([(text, style)], on.width)
        if self.hint:
            lines.append([(cut_cells(self.hint, on.width), palette.muted)])
        return Drawn(lines)
