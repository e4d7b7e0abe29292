"""The box that all questions stand in.

Owns the dimmed screen, the framed box and its title, and that it is answered once. Proven by
tests/pilot/test_dialog.py, tests/pilot/test_approval_screen.py and tests/pilot/test_start.py.
"""

from typing import ClassVar, TypeVar

from textual.app import ComposeResult
from textual.await_complete import AwaitComplete
from textual.binding import BindingType
from textual.content import Content
from textual.screen import ModalScreen
from textual.widget import Widget

from caramelo_tui.ui.host import host_of
from caramelo_tui.ui.screens.dialog_box import DialogBox

ResultT = TypeVar("ResultT")
LOW_BELOW = 18
"""Screen rows below which nothing is set apart by blank rows."""


class Dialog(ModalScreen[ResultT], inherit_bindings=False):
    """A modal screen with one framed box."""

    AUTO_FOCUS = ""
    BINDINGS: ClassVar[list[BindingType]] = []

    def __init__(self, *, title: str, kind: str) -> None:
        """Name the box.

        Args:
            title: Safe text for its upper edge.
            kind: Class for the style sheet. Not an id: two of a kind may overlap for a moment.
        """
        super().__init__(classes=f"dialog {kind}")
        self.box = DialogBox()
        self.box.border_title = Content(title)
        self._answer: tuple[ResultT | None] | None = None

    def on_resize(self) -> None:
        """Let the style sheet know a screen on which room is short."""
        self.set_class(self.size.height < LOW_BELOW, "-low")

    def compose(self) -> ComposeResult:
        """Put the parts into the box."""
        with self.box:
            yield from self.compose_parts()

    def dismiss(self, result: ResultT | None = None) -> AwaitComplete:
        """Close with an answer; the first one counts.

        Two keys may come before the first is carried out: the second must not close what lies
        below. A dialog that lies under another screen goes when it is in front again.
        """
        app = host_of(self)
        if self not in app.screen_stack:
            return AwaitComplete()
        self._answer = self._answer or (result,)
        if app.screen is not self:
            return AwaitComplete()
        return super().dismiss(self._answer[0])

    def on_screen_resume(self) -> None:
        """Go, if that was asked for while another screen lay over it."""
        if self._answer is not None:
            self.dismiss(self._answer[0])

    def compose_parts(self) -> list[Widget]:
        """Return the parts of the box, from top to bottom; subclasses implement it."""
        raise NotImplementedError
