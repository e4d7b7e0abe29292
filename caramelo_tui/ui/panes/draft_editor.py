"""The editor of the prompt, with the keys that ask for more than an edit.

Owns that these keys count in the order in which they were pressed, and that somebody beside the
editor may take a key first. Proven by tests/pilot/test_completion.py and
tests/pilot/test_prompt_keys.py.
"""

import re
from enum import StrEnum
from typing import TYPE_CHECKING

from textual import events
from textual.message import Message

from caramelo_tui.ui.keymap import DEFAULT_KEYS, KEYS, KeyMap
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
    ATTACH = "attach"
    """Put an image in the place of the words that name it."""
    PASTE_IMAGE = "paste_image"
    """Put the clipboard's image into the draft."""


_WISH_ACTION = re.compile(r"prompt\('(\w+)'\)")
COMMAND_SIGN = "!"
"""Begins a command of the person's own."""


def is_command_text(text: str) -> bool:
    """Return whether a text reads like a command of the person's own; ``![`` is a picture."""
    return text.startswith(COMMAND_SIGN) and not text.startswith("![")


def wish_keys(keys: KeyMap) -> dict[str, PromptWish]:
    """Return which keys ask for what, among the keys in force."""
    found: dict[str, PromptWish] = {}
    for entry in KEYS:
        if match := _WISH_ACTION.fullmatch(entry.action):
            found.update(dict.fromkeys(keys.keys(entry.id, entry.keys), PromptWish(match[1])))
    return found


def _passes(_key: str) -> bool:
    return False


def _no_chip(_before: str) -> str:
    return ""


class DraftEditor(PromptEditor):
    """The editor of a prompt."""

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
        self.chip_at_end: Callable[[str], str] = _no_chip
        """Asked for the chip at the end of a text, which is deleted whole."""
        self._given: str | None = None
        self._is_command_typed = False
        self._wishes = wish_keys(DEFAULT_KEYS)

    def take_keys(self, keys: KeyMap) -> None:
        """Take the keys that are in force."""
        self._wishes = wish_keys(keys)

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
        wish = self._wishes.get(event.key)
        if wish is not None:
            # Here, and not by a binding: those come back behind what is typed after them.
            self._ask(wish)
        if wish is not None or self.takes_first(event.key):
            event.stop()
            event.prevent_default()
        elif not self.text:
            self._is_command_typed = event.character == COMMAND_SIGN

    def action_delete_left(self) -> None:
        """Delete the character before the cursor, or the whole chip that ends there."""
        row, column = self.cursor_location
        chip = self.chip_at_end(self.text_before_cursor) if self.selection.is_empty else ""
        if chip:
            self.delete((row, column - len(chip)), (row, column))
        else:
            super().action_delete_left()

    def action_undo(self) -> None:
        """Undo; what comes back may be somebody else's text."""
        self._is_command_typed = False
        super().action_undo()

    def action_redo(self) -> None:
        """Redo, as above."""
        self._is_command_typed = False
        super().action_redo()

    def action_ask(self, wish: str) -> None:
        """Ask for more than an edit, by its name."""
        self._ask(PromptWish(wish))

    def _ask(self, wish: PromptWish) -> None:
        """Ask with the text as it stands at this key."""
        text = self.text
        if wish == PromptWish.STEER and self.is_own_command:
            wish = PromptWish.RUN
        if wish in {PromptWish.STEER, PromptWish.RUN}:
            # Emptied in the same step, as when it is sent.
            self.show_text("")
        self.post_message(self.Asked(wish, text))
