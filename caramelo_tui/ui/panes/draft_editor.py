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
    FILES = "files"
    """Read the list of files, because one is being mentioned."""


def _passes(_key: str) -> bool:
    return False


class DraftEditor(PromptEditor):
    """The editor of a prompt."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+t", "ask('steer')", "Steer", show=False, id="screen.steer"),
        Binding("ctrl+g", "ask('edit')", "Edit in your editor", show=False, id="screen.editor"),
        Binding("ctrl+r", "ask('search')", "Search", show=False, id="screen.search_prompts"),
        Binding("ctrl+l", "ask('queue')", "Waiting prompts", show=False, id="screen.queue"),
    ]

    class Asked(Message):
        """A key asked for more than an edit."""

        def __init__(self, wish: PromptWish, text: str) -> None:
            super().__init__()
            self.wish = wish
            self.text = text
            """What stood in the editor at the key; taken out of it only to steer."""

    def __init__(self, *, placeholder: str, id: str | None = None) -> None:  # noqa: A002 - Textual's own name
        super().__init__(placeholder=placeholder, id=id)
        self.takes_first: Callable[[str], bool] = _passes
        """Asked about each key before the editor takes it; ``True``: it is done with."""
        self._given: str | None = None

    @property
    def is_given(self) -> bool:
        """Whether the text was put here as it is, and nobody has typed since."""
        return self.text == self._given

    def show_text(self, text: str, *, is_walk: bool = False) -> None:
        """Replace all text and put the cursor at its end."""
        self._given = text
        super().show_text(text, is_walk=is_walk)

    async def _on_key(self, event: events.Key) -> None:
        """Let the one beside the editor have the key first; Textual asks the base class next."""
        if self.takes_first(event.key):
            event.stop()
            event.prevent_default()

    def action_ask(self, wish: str) -> None:
        """Ask for more than an edit, with the text as it stands at this key."""
        text = self.text
        if wish == PromptWish.STEER:
            # Emptied in the same step, as when it is sent.
            self.show_text("")
        self.post_message(self.Asked(PromptWish(wish), text))
