"""Let the person type or paste a line that is nobody's business, or a name.

Owns the line, masked where it is a key: it goes to who takes it and nowhere else, into no
history, no toast and no log. Proven by tests/pilot/test_login.py.
"""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.content import Content
from textual.widget import Widget
from textual.widgets import Input
from textual.widgets._static import Static

from caramelo_tui.agent.login_port import KeyringOffer
from caramelo_tui.domain.screen_text import visible
from caramelo_tui.ui.screens.dialog import Dialog

_KEEPING = "ctrl+k"


class EntryLine(Input):
    """The line; what was typed is never copied out of it."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "screen.take", "Take it", show=False),
        Binding("escape", "screen.close", "Close", show=False),
        Binding(_KEEPING, "screen.switch_keeping", "Keep it in the keyring", show=False),
        Binding("ctrl+c", "app.interrupt", "Quit", show=False),
        Binding("ctrl+x", "screen.wipe", "Empty the line", show=False),
    ]


@dataclass(frozen=True, slots=True, kw_only=True)
class EntryWords:
    """What is asked for."""

    title: str
    """Safe text for the upper edge."""
    intro: str
    """Safe text above the line."""
    placeholder: str


class EntryScreen(Dialog[str | None]):
    """A line to type; closes with what ``take`` accepted, or ``None``."""

    BINDINGS: ClassVar[list[BindingType]] = []

    def __init__(self, words: EntryWords, *, is_secret: bool) -> None:
        super().__init__(title=words.title, kind="entry")
        self._words = words
        self._line = EntryLine(
            placeholder=words.placeholder, password=is_secret, compact=True, id="entry-line"
        )
        self._line.cursor_blink = False
        self._state = Static(id="entry-state", markup=False)
        self.box.show_hint("enter takes it · esc closes")

    def compose_parts(self) -> list[Widget]:
        """Show what is asked for, the line, and what came of it."""
        intro = Static(Content(self._words.intro), classes="dialog-text")
        return [intro, self._line, self._state]

    def on_mount(self) -> None:
        """Type at once."""
        self._line.focus()

    def action_take(self) -> None:
        """Close with the line, unless it is empty."""
        text = self._line.value.strip()
        if text:
            self.dismiss(text)

    def action_wipe(self) -> None:
        """Empty the line."""
        self._line.value = ""

    def action_switch_keeping(self) -> None:
        """Change nothing: a line as such is not kept."""

    def action_close(self) -> None:
        """Give nothing."""
        self.dismiss(None)

    def say(self, text: str) -> None:
        """Show a line below what is typed."""
        self._state.update(Content(visible(text)))


TakeKey = Callable[[str, bool], Awaitable[str]]
"""Takes a key, and whether it is kept; returns why not."""


class KeyScreen(EntryScreen):
    """A key to type; closes with an empty text once it is taken, or ``None``."""

    def __init__(
        self,
        words: EntryWords,
        *,
        take: TakeKey,
        find_keyring: Callable[[], Awaitable[KeyringOffer]],
    ) -> None:
        """Ask for a key.

        Args:
            words: What is asked for.
            take: Takes what was typed.
            find_keyring: Says whether it could be kept.
        """
        super().__init__(words, is_secret=True)
        self._take = take
        self._find_keyring = find_keyring
        self._keyring: KeyringOffer | None = None
        self._is_kept = False
        self._is_taking = False

    def on_mount(self) -> None:
        """Type at once; the keyring is looked for meanwhile."""
        super().on_mount()
        self._say_keeping()
        self.run_worker(self._look_for_keyring(), name="keyring")

    def action_take(self) -> None:
        """Hand the key over; the screen stays while it is looked at."""
        if not self._is_taking:
            self._is_taking = True
            self.run_worker(self._hand_over(self._line.value), name="key")

    def action_switch_keeping(self) -> None:
        """Keep the key in the keyring, or do not."""
        if self._keyring is not None and self._keyring.is_usable:
            self._is_kept = not self._is_kept
            self._say_keeping()

    async def _hand_over(self, key: str) -> None:
        problem = await self._take(key, self._is_kept)
        self._is_taking = False
        if problem:
            self.say(problem)
            return
        self._line.value = ""
        self.dismiss("")

    async def _look_for_keyring(self) -> None:
        self._keyring = await self._find_keyring()
        self._say_keeping()

    def _say_keeping(self) -> None:
        self.say(keeping_words(self._keyring, key=_KEEPING, is_kept=self._is_kept))


def keeping_words(offer: KeyringOffer | None, *, key: str, is_kept: bool) -> str:
    """Say for how long a secret is kept, and what changes it where something does."""
    if offer is None or not offer.is_usable:
        return "It is used in this session only."
    backend = visible(offer.words, keeps_newlines=False)
    if is_kept:
        return f"It is kept in the keyring ({backend}); {key} does not keep it."
    return f"It is used in this session only; {key} keeps it in the keyring ({backend})."
