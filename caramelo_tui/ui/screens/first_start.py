"""Say what can be done where no model can be reached.

Owns the choice between the demo and leaving with the line that sets a key. Proven by
tests/pilot/test_start.py.
"""

from collections.abc import Sequence
from typing import ClassVar

from textual.content import Content
from textual.widget import Widget
from textual.widgets._static import Static

from caramelo_tui.domain.ids import Clock
from caramelo_tui.ui.screens.choices import Choice
from caramelo_tui.ui.screens.trust import StartQuestion
from caramelo_tui.ui.start_plan import ProviderChoice

_QUIT = "quit"
_LOCAL_SERVER = "A server on this machine needs no key, only its address:"
_LOCAL_LINE = "caramelo --provider openai --model ID --base-url URL"


class FirstStartScreen(StartQuestion):
    """No key is set. Closes with a ``ProviderChoice`` value, or ``None`` to quit."""

    KEYS: ClassVar[dict[str, str]] = {"d": ProviderChoice.DEMO, "q": _QUIT, "escape": _QUIT}

    def __init__(self, key_lines: Sequence[str], *, clock: Clock) -> None:
        super().__init__(
            title="No model is set up yet",
            kind="first-start",
            clock=clock,
            choices=(
                Choice(name=ProviderChoice.DEMO, key="d", words="Start the demo"),
                Choice(name=_QUIT, key="q", words="Quit and set a key"),
            ),
        )
        self._key_lines = tuple(key_lines)

    def compose_texts(self) -> list[Widget]:
        """Show all ways."""
        return [
            Static(
                Content(
                    "The demo plays a real task on a sample project, with a scripted model: "
                    "no key and no network are needed."
                ),
                classes="dialog-text",
            ),
            Static(
                Content("To work with a model, quit, set a key in your shell and start again:"),
                classes="dialog-text -muted",
            ),
            Static(
                Content("\n".join(f"  {line}" for line in self._key_lines)), classes="dialog-text"
            ),
            Static(Content(_LOCAL_SERVER), classes="dialog-text -muted"),
            Static(Content(f"  {_LOCAL_LINE}"), classes="dialog-text"),
        ]
