"""Drive the app in tests of its screens.

Owns the opened app with its double of the agent, and waiting on conditions.
"""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass

from textual.content import Content
from textual.pilot import Pilot
from textual.screen import Screen
from textual.widgets._static import Static

from caramelo_tui.domain.approvals import ActionRequest, CommandRequest
from caramelo_tui.domain.decisions import CommandPart
from caramelo_tui.domain.files import FileKind, FolderEntry
from caramelo_tui.domain.ids import ApprovalId, CallId
from caramelo_tui.domain.tool_calls import Action, ActionFact, ActionKind, CommandLine
from caramelo_tui.ui.app import CarameloApp
from caramelo_tui.ui.main_screen import MainScreen
from caramelo_tui.ui.workbench import Workbench
from tests.doubles.clocks import ManualClock
from tests.doubles.fake_agent import FakeAgent

WIDE = (160, 45)
NARROW = (80, 24)
GUARD_S = 0.6
"""Longer than the guard of a question."""

_PATIENCE_S = 8.0


@dataclass(slots=True, kw_only=True)
class Sitting:
    """A running app and its clock."""

    app: CarameloApp
    pilot: Pilot[None]
    clock: ManualClock

    @property
    def main(self) -> MainScreen:
        """The screen behind all others."""
        return self.app.main

    @property
    def bench(self) -> Workbench:
        """The panes."""
        assert self.main.workbench is not None
        return self.main.workbench

    @property
    def top(self) -> Screen[object]:
        """The screen in front."""
        return self.app.screen

    async def press(self, *keys: str) -> None:
        """Press keys one after the other and let the app take them."""
        await self.pilot.press(*keys)
        await self.pilot.pause()

    async def until(self, condition: Callable[[], object]) -> None:
        """Wait until a condition holds.

        Raises:
            AssertionError: If it does not within some seconds.
        """
        async with asyncio.timeout(_PATIENCE_S):
            while not condition():
                await self.pilot.pause(0.01)

    async def until_screen(self, kind: type[Screen[object]] | type[object]) -> None:
        """Wait until a screen of a kind is in front."""
        await self.until(lambda: isinstance(self.app.screen, kind))

    async def settle(self) -> None:
        """Let everything that was posted be taken and painted."""
        for _ in range(3):
            await self.pilot.pause()

    def shown(self) -> str:
        """Return what is on the screen as text, line by line."""
        return screen_text(self.app)


@dataclass(slots=True, kw_only=True)
class OpenedApp(Sitting):
    """A running app on a double of the agent."""

    agent: FakeAgent


def screen_text(app: CarameloApp) -> str:
    """Return the drawn screen as lines of text."""
    screen = app.screen
    compositor = screen._compositor
    strips = compositor.render_strips()
    return "\n".join(strip.text.rstrip() for strip in strips)


def text_of(widget: Static) -> str:
    """Return what a static text shows."""
    content = widget.content
    return content.plain if isinstance(content, Content) else str(content)


def entry(
    name: str, kind: FileKind = FileKind.FILE, *, leads_to_folder: bool = False
) -> FolderEntry:
    """Return a folder entry."""
    return FolderEntry(name=name, kind=kind, size=10, leads_to_folder=leads_to_folder)


def command_request(
    command: str = "pytest -q",
    *,
    approval_id: str = "ask-1",
    cwd: str = "/home/project",
    parts: tuple[CommandPart, ...] = (),
    note: str = "",
    agent_title: str = "",
) -> CommandRequest:
    """Return a question about a command."""
    return CommandRequest(
        id=ApprovalId(approval_id),
        call_id=CallId(f"call-{approval_id}"),
        fingerprint=f"print-{approval_id}",
        tool="bash",
        command=CommandLine(command=command, cwd=".", timeout_ms=30_000),
        cwd_shown=cwd,
        parts=parts,
        reason="bash always asks.",
        note=note,
        agent_title=agent_title,
    )


COMMIT = Action(
    kind=ActionKind.COMMIT,
    title="Commit all changes",
    facts=(ActionFact(label="files", value="src/cli.py\nsrc/render.py"),),
    body="Add a --json flag\n\nOne object a line.",
)


def action_request(
    action: Action = COMMIT,
    *,
    approval_id: str = "ask-1",
    tool: str = "git_commit",
    reason: str = "git_commit always asks.",
    note: str = "",
    agent_title: str = "",
) -> ActionRequest:
    """Return a question about an action."""
    return ActionRequest(
        id=ApprovalId(approval_id),
        call_id=CallId(f"call-{approval_id}"),
        fingerprint=f"print-{approval_id}",
        tool=tool,
        action=action,
        reason=reason,
        note=note,
        agent_title=agent_title,
    )
