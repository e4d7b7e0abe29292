"""The text editor of the prompt.

Owns which keys edit and which ask for more: send, walk through the history, unfold a paste.
Proven by tests/pilot/test_prompt.py.
"""

from typing import ClassVar

from textual import events
from textual.binding import Binding, BindingType
from textual.message import Message
from textual.widgets import TextArea

from caramelo_tui.ui.host import host_of


class PromptEditor(TextArea):
    """A plain multi-line editor in which Enter sends."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+j,shift+enter", "new_line", "New line", show=False, id="prompt.new_line"),
        Binding(
            "ctrl+e",
            "unfold_or_line_end",
            "Unfold a paste, or line end",
            show=False,
            id="prompt.expand_pastes",
        ),
    ]

    class SendAsked(Message):
        """Enter was pressed on a finished text; the editor is empty by now."""

        def __init__(self, text: str, *, is_own_command: bool = False) -> None:
            super().__init__()
            self.text = text
            """What stood in the editor at the key, chips for pastes included."""
            self.is_own_command = is_own_command
            """Whether the person typed it as a command of their own."""

    class EarlierAsked(Message):
        """``up`` was pressed on the first line."""

    class LaterAsked(Message):
        """``down`` was pressed on the last line."""

    class Pasted(Message):
        """A text was pasted; what stands for it is inserted by the pane."""

        def __init__(self, text: str) -> None:
            super().__init__()
            self.text = text

    class UnfoldAsked(Message):
        """The folded pastes are wanted as text."""

    def __init__(self, *, placeholder: str, id: str | None = None) -> None:  # noqa: A002 - Textual's own name
        super().__init__(
            id=id,
            compact=True,
            highlight_cursor_line=False,
            placeholder=placeholder,
        )
        # A blinking cursor is a timer, and idle takes none.
        self.cursor_blink = False
        self._walk_text: str | None = None

    @property
    def is_walking(self) -> bool:
        """Whether the text comes from the history and nobody has changed it since."""
        return self._walk_text is not None and self.text == self._walk_text

    @property
    def is_own_command(self) -> bool:
        """Whether the person types a command of their own; never in a plain editor."""
        return False

    @property
    def text_rows(self) -> int:
        """Rows of the text at the present width, wrapped; at least 1."""
        return max(1, self.wrapped_document.height)

    @property
    def text_before_cursor(self) -> str:
        """The cursor's line up to the cursor."""
        row, column = self.cursor_location
        return self.document.get_line(row)[:column]

    def show_text(self, text: str, *, is_walk: bool = False) -> None:
        """Replace all text and put the cursor at its end; ``ctrl+z`` brings the old back."""
        self._walk_text = text if is_walk else None
        self.replace(text, (0, 0), self.document.end)
        self.move_cursor(self.document.end)

    def put_between(self, text: str, start: int, end: int) -> None:
        """Replace the characters from ``start`` to before ``end``; the cursor keeps its place."""
        before, until = self.text[:start], self.text[:end]
        self.replace(
            text,
            (before.count("\n"), start - before.rfind("\n") - 1),
            (until.count("\n"), end - until.rfind("\n") - 1),
        )

    async def _on_key(self, event: events.Key) -> None:
        """Take the keys that mean more than an edit before the editor does."""
        if event.key == "enter":
            self._take(event)
            self._send_or_break()
            return
        if event.key == "up" and self.cursor_at_first_line:
            self._take(event)
            self.post_message(self.EarlierAsked())
            return
        if event.key == "down" and self.cursor_at_last_line:
            self._take(event)
            self.post_message(self.LaterAsked())
            return
        await self._act_at_once(event)
        # What is not taken here goes on to the editor's own handler.

    async def _act_at_once(self, event: events.Key) -> None:
        """Run the editor's own action for a key now, in the order of the keys.

        Left alone, a key with an action bubbles up to the app first and comes back behind the
        printable keys that were typed after it: ``a``, backspace, ``b`` could give an empty text.
        """
        for binding in self._bindings.key_to_bindings.get(event.key, ()):
            if await host_of(self).run_action(binding.action, self):
                self._take(event)
                return

    async def _on_paste(self, event: events.Paste) -> None:
        """Hand the paste to the pane, which may fold it."""
        self._take(event)
        self.post_message(self.Pasted(event.text))

    def action_new_line(self) -> None:
        """Break the line at the cursor."""
        self.insert("\n")

    def action_unfold_or_line_end(self) -> None:
        """Unfold pastes if there are any in the cursor's line; also go to the line's end."""
        self.post_message(self.UnfoldAsked())
        self.action_cursor_line_end()

    def _send_or_break(self) -> None:
        """Send, unless the line ends in a backslash, which makes a new line instead."""
        if self.text_before_cursor.endswith("\\"):
            row, column = self.cursor_location
            self.replace("\n", (row, column - 1), (row, column))
            return
        text, is_own = self.text, self.is_own_command
        # Emptied in the same step: a key behind Enter belongs to the next text.
        self.show_text("")
        self.post_message(self.SendAsked(text, is_own_command=is_own))

    def _take(self, event: events.Event) -> None:
        event.stop()
        event.prevent_default()
