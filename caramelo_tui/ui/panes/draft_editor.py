"""The editor of the prompt, with the keys that ask for more than an edit.

Owns that these keys count in the order in which they were pressed, and that somebody beside the
editor may take a key first. Proven by tests/pilot/test_completion.py and
tests/pilot/test_prompt_keys.py.
"""

from enum import StrEnum
from typing import TYPE_CHECKING, ClassVar

from textual import events
from textual.binding import Binding, BindingType
from textual.message import Message

from caramelo_tui.ui.panes.prompt_editor import PromptEditor

if TYPE_CHECKING:
    from collections.abc import Callable


class PromptWish(StrEnum):
    """What the prompt may be asked for by key, palette or command."""

    EDIT = "edit"
    """Write on in the person's own editor."""
    STEER = "steer"
    """Give the draft to the run under way."""
    SEARCH = "search"
    """Find an earlier prompt."""
    QUEUE = "queue"
    """See to the prompts that wait."""
    RUN = "run"
    """Run a command of the person's own."""
    GIVE = "give"
    """Put what such a command said into the draft."""
    FILES = "files"
    """Read the list of files, because one is being mentioned."""


COMMAND_SIGN = "!"
"""Begins a command of the person's own."""


def is_command_text(text: str) -> bool:
    """Return whether a text reads like a command of the person's own; ``![`` is a picture."""
    return text.startswith(COMMAND_SIGN) and not text.startswith("![")


def _passes(_key: str) -> bool:
    return False


class DraftEditor(PromptEditor):
    """The editor of a prompt."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+t", "ask('steer')", "Steer", show=False, id="screen.steer"),
        Binding("ctrl+g", "ask('edit')", "Edit in your editor", show=False, id="screen.editor"),
        Binding("ctrl+r", "ask('search')", "Search", show=False, id="screen.search_prompts"),
        Binding("ctrl+n", "ask('give')", "Give an output", show=False, id="screen.give"),
        Binding("ctrl+l", "ask('queue')", "Waiting prompts", show=False, id="screen.queue"),
    ]

    class Asked(Message):
        """A key asked for more than an edit."""

        def __init__(self, wish: PromptWish, text: str) -> None:
            super().__init__()
            self.wish = wish
            self.text = text
            """What stood in the editor at the key; taken out of it to steer or run."""

    def __init__(self, *, placeholder: str, id: str | None = None) -> None:  # noqa: A002 - Textual's own name
        super().__init__(placeholder=placeholder, id=id)
        self.takes_first: Callable[[str], bool] = _passes
        """Asked about each key before the editor takes it; ``True``: it is done with."""
        self._given: str | None = None
        self._is_command_typed = False

    @property
    def is_given(self) -> bool:
        """Whether the text was put here as it is, and nobody has typed since."""
        return self.text == self._given

    @property
    def is_own_command(self) -> bool:
        """Whether the text is a command because its ``!`` was typed into an empty editor.

        A text that came from elsewhere, such as a plan or a paste, is none whatever it begins
        with: nobody but the person may write what is run unasked.
        """
        return self._is_command_typed and is_command_text(self.text)

    def show_text(self, text: str, *, is_walk: bool = False) -> None:
        """Replace all text and put the cursor at its end."""
        self._given = text
        self._is_command_typed = False
        super().show_text(text, is_walk=is_walk)

    async def _on_key(self, event: events.Key) -> None:
        """Let the one beside the editor have the key first; Textual asks the base class next."""
        if self.takes_first(event.key):
            event.stop()
            event.prevent_default()
        elif not self.text:
            self._is_command_typed = event.character == COMMAND_SIGN

    def action_undo(self) -> None:
        """Undo; what comes back may be somebody else's text."""
        self._is_command_typed = False
        super().action_undo()

    def action_redo(self) -> None:
        """Redo, as above."""
        self._is_command_typed = False
        super().action_redo()

    def action_ask(self, wish: str) -> None:
        """Ask for more than an edit, with the text as it stands at this key."""
        text = self.text
        if wish == PromptWish.STEER and self.is_own_command:
            wish = PromptWish.RUN
        if wish in {PromptWish.STEER, PromptWish.RUN}:
            # Emptied in the same step, as when it is sent.
            self.show_text("")
        self.post_message(self.Asked(PromptWish(wish), text))
