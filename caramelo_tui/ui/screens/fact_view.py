"""Show some wrapped lines that scroll when there is no room for all.

Owns the wrapping and the position. Proven by tests/pilot/test_approval_screen.py.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from textual.strip import Strip

from caramelo_tui.ui.widgets.cells import Line, one_line, strip_of, wrap_line
from caramelo_tui.ui.widgets.frame_view import BAR_CELLS, FrameView

_GROUND = "surface"


@dataclass(frozen=True, slots=True, kw_only=True)
class Words:
    """Safe text in one style."""

    text: str
    color: str = "foreground"
    """Theme variable."""
    attributes: str = ""
    """Such as ``bold``."""


Fact = tuple[Words, ...]
"""One line before wrapping."""


class FactView(FrameView):
    """Lines of facts; scrolled by its screen."""

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 - Textual's own name
        super().__init__(id=id)
        self.can_focus = False
        self._facts: tuple[Fact, ...] = ()
        self._top = 0

    def show(self, facts: Sequence[Fact]) -> None:
        """Show other facts from their start."""
        self._facts = tuple(facts)
        self._top = 0
        self.repaint()

    def rows_for(self, width: int) -> int:
        """Return the rows that all facts need at a width."""
        return len(self._lines(width - BAR_CELLS))

    def scroll_lines(self, rows: int) -> None:
        """Scroll by rows."""
        self._top += rows
        self.repaint()

    def compose_frame(self, width: int, height: int) -> list[Strip]:
        """Draw the rows in view, and the bar where they are more."""
        lines = self._lines(width - BAR_CELLS)
        self._top = min(max(self._top, 0), max(len(lines) - height, 0))
        shown = lines[self._top : self._top + height]
        shown += [[] for _ in range(height - len(shown))]
        fill = self.palette.style("foreground", _GROUND)
        if len(lines) <= height:
            return [strip_of(line, width, fill) for line in shown]
        bar = self.bar_segments(height, total=len(lines), top=self._top)
        return [
            Strip([*strip_of(line, width - BAR_CELLS, fill), bar[y]], width)
            for y, line in enumerate(shown)
        ]

    def _lines(self, width: int) -> list[Line]:
        lines: list[Line] = []
        for fact in self._facts:
            runs = [
                (one_line(word.text), self.palette.style(word.color, _GROUND, word.attributes))
                for word in fact
            ]
            lines += wrap_line(runs, max(width, 1))
        return lines
