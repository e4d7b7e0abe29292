"""Show a command literally.

Owns its colours and its prompt sign; that every character is drawn, and whether the end was
seen, is the literal view's. Proven by tests/pilot/test_command_view.py.
"""

from collections.abc import Callable, Sequence

from rich.segment import Segment

from caramelo_tui.domain.screen_text import visible
from caramelo_tui.ui.widgets.code_colors import CodeColors, Span, lexer_for_language
from caramelo_tui.ui.widgets.literal_view import LiteralView, with_blanks_shown


class CommandView(LiteralView):
    """A command, coloured as shell text."""

    def __init__(
        self,
        command: str,
        *,
        id: str | None = None,  # noqa: A002 - Textual's own name for it
        monotonic: Callable[[], float] | None = None,
    ) -> None:
        super().__init__(id=id, monotonic=monotonic)
        self._command = ""
        self._colors = CodeColors((), None)
        self._take(command)

    @property
    def command(self) -> str:
        """The literal command."""
        return self._command

    def show_command(self, command: str) -> None:
        """Show another command from its start; its end was not seen yet."""
        if command == self._command:
            self.repaint()
            return
        self._take(command)
        self.show_again()

    def line_spans(self, index: int) -> Sequence[Span] | None:
        """Return the colours of a line of shell text."""
        return self._colors.spans(index, deadline=self.work_deadline)

    def gutter_of(self, block: int, line: int) -> Segment:
        """Tell a line of the command from the rest of a wrapped one."""
        if line:
            return Segment("↪ ", self.palette.muted)
        return Segment("$ " if block == 0 else "  ", self.palette.accent)

    def _take(self, command: str) -> None:
        self._command = command
        shown = visible(command, marks_look_alikes=True)
        lines = [with_blanks_shown(line) for line in shown.split("\n")]
        self._colors = CodeColors(lines, lexer_for_language("bash"), chunk_lines=len(lines))
        self.take_lines(lines)
