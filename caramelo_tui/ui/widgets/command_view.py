"""Show a command literally, and know whether its end was seen.

Owns the drawing of every character of a command: nothing is dropped at a wrap, blanks at a
line's end and hidden characters are drawn as marks. The end counts as seen only when its line
stood in the visible part of the widget. Proven by tests/pilot/test_command_view.py.
"""

import re
from collections.abc import Callable, Sequence

from rich.segment import Segment
from textual.geometry import Size
from textual.message import Message
from textual.strip import Strip

from caramelo_tui.domain.screen_text import visible
from caramelo_tui.ui.widgets.block_view import BlockView, Rendered
from caramelo_tui.ui.widgets.cells import HIDDEN_MARK, Line, chop_line, divided, strip_of
from caramelo_tui.ui.widgets.code_colors import CodeColors, Span, lexer_for_language
from caramelo_tui.ui.widgets.heights import MeasuredHeights

_TAB_MARK = "→"
_BLANK_MARK = "·"
_MARKS = re.compile(rf"{HIDDEN_MARK.pattern}|{_TAB_MARK}|{_BLANK_MARK}+$")


class CommandView(BlockView):
    """A command, wrapped anywhere, scrolled by its screen."""

    class EndShown(Message):
        """The end of the command was on the screen for the first time."""

    def __init__(
        self,
        command: str,
        *,
        id: str | None = None,  # noqa: A002 - Textual's own name for it
        monotonic: Callable[[], float] | None = None,
    ) -> None:
        self._measured = MeasuredHeights()
        super().__init__(self._measured, id=id, monotonic=monotonic)
        self.can_focus = False
        self._is_end_shown = False
        self._command = ""
        self._lines: list[str] = []
        self._colors = CodeColors((), None)
        self._take(command)

    @property
    def command(self) -> str:
        """The literal command."""
        return self._command

    @property
    def is_end_shown(self) -> bool:
        """Whether the end of this command was on the screen."""
        return self._is_end_shown

    @property
    def line_count(self) -> int:
        """Lines of the command."""
        return len(self._lines)

    @property
    def character_count(self) -> int:
        """Characters of the literal command."""
        return len(self._command)

    def show_command(self, command: str) -> None:
        """Show another command from its start; its end was not seen yet."""
        if command == self._command:
            self.repaint()
            return
        self._take(command)
        self.forget_rendering()
        self.refresh(layout=True)
        self.go_home()

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """Return the lines that the whole command needs at ``width``."""
        del container, viewport
        content = max(width - self.GUTTER_CELLS - 1, 1)
        return sum(len(chop_line([(line, self.palette.text)], content)) for line in self._lines)

    def compose_frame(self, width: int, height: int) -> list[Strip]:
        """Compose, and look afterwards whether the end is on the screen."""
        frame = super().compose_frame(width, height)
        if not self._is_end_shown and self.is_at_end:
            self.call_after_refresh(self._check_end)
        return frame

    def render_block(self, index: int, width: int) -> Rendered:
        """Draw one line of the command, cut where the width ends."""
        spans = self._colors.spans(index, deadline=self.work_deadline)
        is_final = spans is not None
        runs = self._with_marks(spans or [(self._lines[index], "syntax-name")])
        fill = self.palette.text
        strips = [strip_of(part, width, fill) for part in chop_line(runs, width)]
        return Rendered(strips, is_final)

    def gutter_of(self, block: int, line: int) -> Segment:
        """Tell a line of the command from the rest of a wrapped one."""
        if line:
            return Segment("↪ ", self.palette.muted)
        return Segment("$ " if block == 0 else "  ", self.palette.accent)

    def _take(self, command: str) -> None:
        self._command = command
        self._is_end_shown = False
        shown = visible(command, marks_look_alikes=True)
        self._lines = [_with_blanks_shown(line) for line in shown.split("\n")]
        lexer = lexer_for_language("bash")
        self._colors = CodeColors(self._lines, lexer, chunk_lines=len(self._lines))
        self._measured.truncate(0)
        width = max(self.size.width - self.GUTTER_CELLS - 1, 1)
        self._measured.extend([max(1, -(-len(line) // width)) for line in self._lines])

    def _with_marks(self, spans: Sequence[Span]) -> Line:
        """Set marks of hidden characters off from the text; lexers cut through them."""
        mark_style = self.palette.style("background", "warning", "bold")
        ranges = [found.span() for found in _MARKS.finditer("".join(text for text, _ in spans))]
        line: Line = []
        at = 0
        for text, variable in spans:
            style = self.palette.style(variable)
            line += [
                (part, mark_style if is_mark else style)
                for part, is_mark in divided(text, at, ranges)
            ]
            at += len(text)
        return line

    def _check_end(self) -> None:
        """Note that the end was seen, if its line is inside the visible part of the widget."""
        if self._is_end_shown or not self.is_attached or not self.is_at_end:
            return
        found = self.screen.find_widget(self)
        last_row = found.region.y + len(self._placed) - 1
        if self.display and found.visible_region.y <= last_row < found.visible_region.bottom:
            self._is_end_shown = True
            self.post_message(self.EndShown())


def _with_blanks_shown(line: str) -> str:
    """Draw tabs as arrows and blanks at the end of a line as dots."""
    line = line.replace("\t", _TAB_MARK)
    kept = line.rstrip(" ")
    return kept + _BLANK_MARK * (len(line) - len(kept))
