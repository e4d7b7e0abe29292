"""Show what an action will do.

Owns the gutter of its lines; the lines are the screen's, their drawing the literal view's.
Proven by tests/pilot/test_action_view.py.
"""

from collections.abc import Sequence

from rich.segment import Segment

from caramelo_tui.ui.widgets.code_colors import Span
from caramelo_tui.ui.widgets.literal_view import LiteralView


class ActionView(LiteralView):
    """Title, facts and body of an action, each line in its own colours."""

    def __init__(
        self,
        lines: Sequence[Sequence[Span]],
        *,
        id: str | None = None,  # noqa: A002 - Textual's own name for it
    ) -> None:
        """Take safe lines; they never change."""
        super().__init__(id=id)
        self._spans = [list(spans) for spans in lines]
        self.take_lines(["".join(text for text, _ in spans) for spans in self._spans])

    def line_spans(self, index: int) -> Sequence[Span]:
        """Return the colours of a line."""
        return self._spans[index]

    def gutter_of(self, block: int, line: int) -> Segment:
        """Tell a line from the rest of a wrapped one."""
        if line:
            return Segment("↪ ", self.palette.muted)
        return Segment("» " if block == 0 else "  ", self.palette.accent)
