"""Say what can be done where no model can be reached.

Owns the choice among what works on this machine: the demo, a login, a key for this session, a
server that was found, or leaving with the line that sets a key. Proven by
tests/pilot/test_start.py and tests/pilot/test_login.py.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from textual.content import Content
from textual.widget import Widget
from textual.widgets._static import Static

from caramelo_tui.domain.ids import Clock
from caramelo_tui.domain.screen_text import visible
from caramelo_tui.ui.screens.choices import Choice
from caramelo_tui.ui.screens.trust import StartQuestion
from caramelo_tui.ui.start_plan import ProviderChoice

_QUIT = "quit"
_DEMO = (
    "The demo plays a real task on a sample project, with a scripted model: "
    "no key and no network are needed."
)
_LOGIN = (
    "GitHub Copilot logs in with a code in your browser. A key that you type here holds "
    "for this session."
)
_SET_A_KEY = "To have a key at every start, quit and set it in your shell:"
_LOCAL_SERVER = "A server on this machine needs no key, only its address:"
_LOCAL_LINE = "caramelo --provider openai --model ID --base-url URL"


@dataclass(frozen=True, slots=True, kw_only=True)
class FirstStartWords:
    """What works on this machine."""

    key_lines: tuple[str, ...] = ()
    """Shell lines that set a key."""
    note: str = ""
    """Why it is asked although a provider is set."""
    offers_login: bool = False
    """Whether a key or a login can be given here."""
    servers: tuple[str, ...] = ()
    """Titles of model servers that answer on this machine."""


class FirstStartScreen(StartQuestion):
    """No key is set. Closes with a ``ProviderChoice`` value, or ``None`` to quit."""

    KEYS: ClassVar[dict[str, str]] = {
        "d": ProviderChoice.DEMO,
        "c": ProviderChoice.COPILOT,
        "k": ProviderChoice.KEY,
        "s": ProviderChoice.SERVER,
        "q": _QUIT,
        "escape": _QUIT,
    }

    def __init__(self, words: FirstStartWords, *, clock: Clock) -> None:
        super().__init__(
            title="No model is set up yet",
            kind="first-start",
            clock=clock,
            choices=tuple(_choices(words)),
        )
        self._words = words

    def compose_texts(self) -> list[Widget]:
        """Show all ways."""
        words = self._words
        lines = "\n".join(f"  {line}" for line in words.key_lines)
        texts = [(_SET_A_KEY, " -muted"), (lines, "")]
        if words.offers_login:
            texts.insert(0, (_LOGIN, ""))
        texts.insert(0, (_DEMO, ""))
        if words.note:
            texts.insert(0, (visible(words.note), ""))
        if words.servers:
            found = ", ".join(visible(title, keeps_newlines=False) for title in words.servers)
            texts.append((f"Found on this machine, without a key: {found}", " -muted"))
        else:
            texts += [(_LOCAL_SERVER, " -muted"), (f"  {_LOCAL_LINE}", "")]
        return [Static(Content(text), classes=f"dialog-text{kind}") for text, kind in texts]


def _choices(words: FirstStartWords) -> Iterator[Choice]:
    yield Choice(name=ProviderChoice.DEMO, key="d", words="Start the demo")
    if words.offers_login:
        yield Choice(name=ProviderChoice.COPILOT, key="c", words="GitHub Copilot", short="Copilot")
        yield Choice(name=ProviderChoice.KEY, key="k", words="Type a key", short="Key")
    if words.servers:
        yield Choice(name=ProviderChoice.SERVER, key="s", words="This machine", short="Server")
    short = "Quit" if words.offers_login else ""
    yield Choice(name=_QUIT, key="q", words="Quit and set a key", short=short)
