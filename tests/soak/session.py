"""Two hours of work in a few minutes: turns, outputs, and another program that changes the tree.

Owns what the model does, turn by turn, and the sittings in which it does it: in the whole app and
without a screen. What is counted meanwhile stands in ``counts``; the clock of the questions is
moved by hand, and the model never waits. Used by tests/soak/test_soak.py and benchmarks/soak.py.
"""

import asyncio
import json
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

from textual.pilot import Pilot

from caramelo_tui.agent.approvers import ByHandApprover
from caramelo_tui.agent.controller import AgentController
from caramelo_tui.composition import build_agent
from caramelo_tui.composition.models import ModelInUse
from caramelo_tui.config.settings import Settings
from caramelo_tui.domain.agent_events import RunEnded, ToolCallFinished
from caramelo_tui.domain.decisions import ApprovalMode
from caramelo_tui.domain.messages import StopReason
from caramelo_tui.domain.provider_events import (
    ProviderEvent,
    StreamStopped,
    TextDelta,
    ToolArgumentsDelta,
    ToolCallBegan,
    UsageSeen,
)
from caramelo_tui.domain.usage import Usage
from caramelo_tui.providers.base import Capabilities, ProviderRequest
from caramelo_tui.ui.app import CarameloApp
from caramelo_tui.ui.start_plan import StartPlan
from tests.doubles.agent_worlds import assert_valid_for_provider
from tests.doubles.clocks import ManualClock
from tests.pilot.driving import WIDE
from tests.pilot.real_agent import ScriptedModels, agent_options

MODEL = "claude-haiku-4-5-20990101"
"""A name whose window is known: what the model gets is bounded by it."""
TURNS_A_RUN = 10
FILES = 40
"""Files that the model reads and changes; another program changes them too."""
LINES = 300
"""Of each file: some 20 KB, as much as one read answers with."""
_LINE = "def part_{number}(rows: list[str]) -> str: return ', '.join(rows)  # {stamp}\n"
_WORDS = "I read the file, then I change **one** line of it and look again.\n\n- a row\n- a row\n\n"


class Worker:
    """A model at its daily work; it never waits, and the tree changes with each of its turns."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self.turns = 0
        """Requests so far, without those for summaries."""

    @property
    def name(self) -> str:
        """What it is called."""
        return "anthropic"

    @property
    def capabilities(self) -> Capabilities:
        """What it can do."""
        return Capabilities()

    async def warm(self) -> None:
        """Load nothing."""

    async def count_tokens(self, request: ProviderRequest) -> int | None:
        """Count nothing."""
        del request
        return None

    async def close(self) -> None:
        """Hold nothing."""

    async def stream(self, request: ProviderRequest) -> AsyncGenerator[ProviderEvent, None]:
        """Say a few words and call a tool; each tenth turn ends the run."""
        assert_valid_for_provider(request)
        await asyncio.sleep(0)
        for word in _WORDS.split(" "):
            yield TextDelta(text=f"{word} ")
        yield UsageSeen(usage=Usage(input_tokens=_tokens(request), output_tokens=60))
        if not request.tools:
            # A summary of what was said.
            yield StreamStopped(stop_reason=StopReason.END_TURN)
            return
        self.turns += 1
        self.change_outside()
        if self.turns % TURNS_A_RUN == 0:
            yield StreamStopped(stop_reason=StopReason.END_TURN)
            return
        name, arguments = self._call()
        yield ToolCallBegan(slot=0, call_id=f"call-{self.turns}", name=name)
        yield ToolArgumentsDelta(slot=0, fragment=json.dumps(arguments))
        yield StreamStopped(stop_reason=StopReason.TOOL_USE)

    def change_outside(self) -> None:
        """Change a file as another program would, and make one that goes with the next turn."""
        write_file(self._root, self.turns * 7 % FILES, stamp=f"outside {self.turns}")
        (self._root / f"made-{self.turns - 1}.tmp").unlink(missing_ok=True)
        (self._root / f"made-{self.turns}.tmp").write_text("x\n")

    def _call(self) -> tuple[str, dict[str, str]]:
        path = f"src/f{self.turns % FILES}.py"
        match self.turns % TURNS_A_RUN:
            case 3:
                content = f"# written in turn {self.turns}\n" * 20
                return "file_write", {"path": f"notes/n{self.turns % FILES}.md", "content": content}
            case 5:
                return "grep", {"pattern": "part_1", "path": "src"}
            case 7:
                return "bash", {"command": f"cat {path} {path} src/f1.py"}
            case 8:
                return "list_dir", {"path": "src"}
            case _:
                return "file_read", {"path": path}


def _tokens(request: ProviderRequest) -> int:
    return sum(len(str(message)) for message in request.messages) // 4


def write_file(root: Path, number: int, *, stamp: str) -> None:
    """Write one of the files that the model works on."""
    text = "".join(_LINE.format(number=line, stamp=stamp) for line in range(LINES))
    (root / "src" / f"f{number}.py").write_text(text)


@dataclass(slots=True, kw_only=True)
class LongSession:
    """An agent at work, and how its turns are made."""

    agent: AgentController
    worker: Worker
    pilot: Pilot[None] | None = None
    """Drives the app; ``None`` without a screen."""
    endings: list[str] = field(default_factory=list[str])
    output_characters: int = 0
    """Of all results, as the model got them."""

    @property
    def events_held(self) -> int:
        """Events that the session's stream holds in memory."""
        return len(self.agent._events.events)

    async def work(self, turns: int, look: Callable[[int], Awaitable[None]], *, each: int) -> None:
        """Make turns, and look after so many of them.

        Args:
            turns: How many; a multiple of ``TURNS_A_RUN``.
            look: Told the turns so far.
            each: Turns between two looks; a multiple of ``TURNS_A_RUN``.
        """
        reader = self.agent.read_events()
        for run in range(turns // TURNS_A_RUN):
            self.agent.submit(f"Do part {run} of the work.")
            async for event in reader:
                if isinstance(event, ToolCallFinished):
                    self.output_characters += len(event.result.text)
                elif isinstance(event, RunEnded):
                    self.endings.append(event.ending.value)
                    break
            if self.pilot is not None:
                await self.pilot.press("f4", "f5", "pageup", "end")
                await self.pilot.pause()
            if self.worker.turns % each == 0:
                await look(self.worker.turns)
        reader.close()


@asynccontextmanager
async def long_session(
    folder: Path, *, has_screen: bool, keeps_session: bool = True
) -> AsyncIterator[LongSession]:
    """Open a session on a workspace of its own, for the time of the block."""
    root = folder / "project"
    (root / "src").mkdir(parents=True)
    (folder / "home").mkdir()
    for number in range(FILES):
        write_file(root, number, stamp="first")
    worker = Worker(root)
    models = ScriptedModels([[]], [[]])
    in_use = ModelInUse(provider=worker, model=MODEL)
    models.change_main(in_use)
    models.change_role("", in_use)
    settings = Settings(mode=ApprovalMode.AUTO, compact_at=0.4)
    options = agent_options(root, folder / "home", settings)
    approver = ByHandApprover(approves_writes=True, approves_commands=True)
    options = replace(
        options,
        core=replace(options.core, approver=approver, keeps_command_changes=True),
        is_watched=has_screen,
        keeps_session=keeps_session,
    )
    agent = build_agent(options, models=models)
    if not has_screen:
        agent.start()
        try:
            yield LongSession(agent=agent, worker=worker)
        finally:
            await agent.close()
        return

    async def build() -> AgentController:
        agent.start()
        return agent

    app = CarameloApp(StartPlan(workspace=root, build_agent=build), clock=ManualClock())
    async with app.run_test(size=WIDE, notifications=True) as pilot:
        while app.main.status.view.is_starting:
            await pilot.pause(0.01)
        yield LongSession(agent=agent, worker=worker, pilot=pilot)
        await app.close_agent()
