"""Show text that is approved, whole and literally, and know whether its end was seen.

Owns the drawing of every character: nothing is dropped at a wrap, blanks at a line's end and
hidden characters are drawn as marks. The end counts as seen only when its line stood in the
visible part of the widget. Subclasses say what the lines are. Proven by
tests/pilot/test_command_view.py and tests/pilot/test_action_view.py.
"""

import re
from collections.abc import Callable, Sequence

from textual.geometry import Size
from textual.message import Message
from textual.strip import Strip

from caramelo_tui.ui.widgets.block_frame import Rendered
from caramelo_tui.ui.widgets.block_view import BlockView
from caramelo_tui.ui.widgets.cells import HIDDEN_MARK, Line, chop_line, divided, strip_of
from caramelo_tui.ui.widgets.code_colors import Span
from caramelo_tui.ui.widgets.heights import MeasuredHeights

_TAB_MARK = "→"
_BLANK_MARK = "·"
_MARKS = re.compile(rf"{HIDDEN_MARK.pattern}|{_TAB_MARK}|{_BLANK_MARK}+$")


class LiteralView(BlockView):
    """Lines that are wrapped anywhere; scrolled by their screen."""

    class EndShown(Message):
        """The end of the text was on the screen for the first time."""

    def __init__(
        self,
        *,
        id: str | None = None,  # noqa: A002 - Textual's own name for it
        monotonic: Callable[[], float] | None = None,
    ) -> None:
        self._measured = MeasuredHeights()
        super().__init__(self._measured, id=id, monotonic=monotonic)
        self.can_focus = False
        self._is_end_shown = False
        self._lines: list[str] = []

    @property
    def is_end_shown(self) -> bool:
        """Whether the end of this text was on the screen."""
        return self._is_end_shown

    @property
    def line_count(self) -> int:
        """Lines before wrapping."""
        return len(self._lines)

    def line_spans(self, index: int) -> Sequence[Span] | None:
        """Return a line's colours, ``None`` when there was no time for them yet.

        Subclasses implement it; the texts of the spans make up the line.
        """
        raise NotImplementedError

    def take_lines(self, lines: Sequence[str]) -> None:
        """Take other safe lines, as ``with_blanks_shown`` draws them; their end was not seen."""
        self._is_end_shown = False
        self._lines = list(lines)
        self._measured.truncate(0)
        width = max(self.size.width - self.GUTTER_CELLS - 1, 1)
        self._measured.extend([max(1, -(-len(line) // width)) for line in self._lines])

    def show_again(self) -> None:
        """Draw lines that were just taken, from their start."""
        self.forget_rendering()
        self.refresh(layout=True)
        self.go_home()

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """Return the lines that the whole text needs at ``width``."""
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
        """Draw one line, cut where the width ends."""
        spans = self.line_spans(index)
        is_final = spans is not None
        runs = self._with_marks(spans or [(self._lines[index], "syntax-name")])
        fill = self.palette.text
        strips = [strip_of(part, width, fill) for part in chop_line(runs, width)]
        return Rendered(strips, is_final)

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


def with_blanks_shown(line: str) -> str:
    """Draw tabs as arrows and blanks at the end of a line as dots."""
    line = line.replace("\t", _TAB_MARK)
    kept = line.rstrip(" ")
    return kept + _BLANK_MARK * (len(line) - len(kept))
