"""Run one pane or widget alone, with the themes and its style sheets."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

from textual.app import App, ComposeResult
from textual.message import Message
from textual.pilot import Pilot
from textual.widget import Widget

from caramelo_tui.ui import themes
from tests.snapshot.snapshots import screen_lines

STYLES = Path(themes.__file__).parent / "styles"
_PATIENCE_S = 8.0

MessageT = TypeVar("MessageT", bound=Message)


class PaneApp(App[None]):
    """An app of one widget, which keeps the messages that reach it."""

    CSS_PATH = [  # noqa: RUF012 - Textual's own form
        STYLES / "conversation.tcss",
        STYLES / "changes.tcss",
        STYLES / "dialogs.tcss",
        STYLES / "pages.tcss",
        STYLES / "questions.tcss",
    ]
    CSS = "OutputView, CommandView { width: 1fr; } OutputView { height: 1fr; }"
    ENABLE_COMMAND_PALETTE = False
    AUTO_FOCUS = None

    def __init__(self, widgets: tuple[Widget, ...], theme: str) -> None:
        super().__init__()
        for loaded in themes.load_themes().themes:
            self.register_theme(loaded)
        self.theme = theme
        self._widgets = widgets

    def get_theme_variable_defaults(self) -> dict[str, str]:
        """Know our variables."""
        return dict(themes.FALLBACK_VARIABLES)

    def compose(self) -> ComposeResult:
        """Mount the widgets."""
        yield from self._widgets


@dataclass(slots=True)
class Opened:
    """A running app of one pane."""

    app: PaneApp
    pilot: Pilot[None]
    messages: list[Message] = field(default_factory=list[Message])

    async def press(self, *keys: str) -> None:
        """Press keys and let the app take them."""
        await self.pilot.press(*keys)
        await self.pilot.pause()

    async def until(self, condition: Callable[[], object]) -> None:
        """Wait until a condition holds, for some seconds at most."""
        async with asyncio.timeout(_PATIENCE_S):
            while not condition():
                await self.pilot.pause(0.01)

    async def settle(self) -> None:
        """Let everything that was posted be taken and painted."""
        for _ in range(3):
            await self.pilot.pause()

    def shown(self) -> str:
        """Return the screen as text."""
        return "\n".join(screen_lines(self.app))

    def of_kind(self, kind: type[MessageT]) -> list[MessageT]:
        """Return the messages of one kind that were posted, each once though it bubbled."""
        once = {id(message): message for message in self.messages}
        return [message for message in once.values() if isinstance(message, kind)]


@asynccontextmanager
async def opened(
    *widgets: Widget, size: tuple[int, int] = (80, 24), theme: str = themes.DEFAULT_THEME
) -> AsyncIterator[Opened]:
    """Run the widgets for the time of the block."""
    app = PaneApp(widgets, theme)
    messages: list[Message] = []
    async with app.run_test(size=size, message_hook=messages.append) as pilot:
        yield Opened(app=app, pilot=pilot, messages=messages)
