"""One agent on real files, run without a screen and in the app, while its world gives way.

Owns the script that all faults are tried on: two runs that write a file, run a command that does,
edit a file and say a word. The first one waits in front of its calls until the test lets it go on.
"""

import asyncio
import json
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from enum import Enum
from io import StringIO
from pathlib import Path

from caramelo_tui.agent.approvers import HeadlessApprover
from caramelo_tui.agent.controller import AgentController
from caramelo_tui.composition import AgentOptions, build_agent
from caramelo_tui.config.settings import Settings
from caramelo_tui.domain.agent_events import (
    AgentEvent,
    Ending,
    NoticeRaised,
    RunEnded,
    ToolCallFinished,
)
from caramelo_tui.domain.decisions import ApprovalMode
from caramelo_tui.headless.runner import HeadlessOptions, run_prompt
from caramelo_tui.sessions.codec import UnknownEvent
from caramelo_tui.sessions.store import load_events
from tests.doubles.agent_worlds import Hang, Step, asks, says
from tests.pilot.driving import WIDE
from tests.pilot.real_agent import RealSitting, ScriptedModels, agent_options, opened_for_real

COMMAND = "seq 1 3000; echo made > made.txt"
LAST_WORD = "That-is-all"


class Way(Enum):
    """How the program is run."""

    HEADLESS = "headless"
    APP = "app"


@dataclass(slots=True, kw_only=True)
class World:
    """An agent at work."""

    way: Way
    agent: AgentController
    root: Path
    home: Path
    gate: Hang
    """In front of the first run's calls."""
    sitting: RealSitting | None
    events: list[AgentEvent] = field(default_factory=list[AgentEvent])
    """All that was shown so far."""
    err: StringIO = field(default_factory=StringIO)
    """What the program without a screen says."""

    async def begin(self) -> "asyncio.Task[RunEnded]":
        """Start the first run, up to its gate."""
        run = asyncio.create_task(self.run("first"))
        await self.gate.reached.wait()
        return run

    async def run(self, prompt: str) -> RunEnded:
        """Take a run to its end, as its way does it.

        Raises:
            AssertionError: If the session ends before.
        """
        reader = self.agent.read_events()
        before = sum(isinstance(event, RunEnded) for event in self.events)
        if self.way is Way.HEADLESS:
            await run_prompt(self.agent, prompt, HeadlessOptions(), StringIO(), self.err)
        else:
            self.agent.submit(prompt)
        ends, seen = 0, 0
        async for event in reader:
            seen += 1
            if seen > len(self.events):
                self.events.append(event)
            ends += isinstance(event, RunEnded)
            if isinstance(event, RunEnded) and ends > before:
                reader.close()
                return event
        raise AssertionError("the session ended before its run")

    async def shows(self, words: str) -> bool:
        """Whether the user was told: on the stream of errors, or in the conversation on screen."""
        if self.sitting is None:
            return words in self.err.getvalue()
        await self.sitting.settle()
        at = self.sitting.bench.conversation.region
        lines = self.sitting.shown().split("\n")[at.y + 1 : at.bottom - 1]
        # Lines are broken at the pane's width, long paths within.
        shown = "".join(line[at.x + 1 : at.right - 1] for line in lines)
        return "".join(words.split()) in "".join(shown.split())

    def results(self) -> str:
        """Return the results of all calls and all notices."""
        return "\n".join(
            event.text if isinstance(event, NoticeRaised) else event.result.text
            for event in self.events
            if isinstance(event, NoticeRaised | ToolCallFinished)
        )

    def session_file(self) -> Path:
        """Return the file of the one session."""
        (path,) = self.home.glob("sessions/*/*.jsonl")
        return path

    async def kept(self) -> None:
        """Wait until what happened so far is in the session's file."""
        while not list(self.home.glob("sessions/*/*.jsonl")):  # noqa: ASYNC110 - no event tells of a file
            await asyncio.sleep(0.01)

    def stored(self) -> list[int]:
        """Return the numbers of the events that the session's file holds."""
        stored = load_events(self.session_file())
        assert stored.problems == ()
        assert stored.header is not None
        return [event.head.seq for event in stored.events if not isinstance(event, UnknownEvent)]


def call(name: str, **arguments: object) -> tuple[str, str, str]:
    """Return a call; its tool names it."""
    return f"{name}-{arguments.get('path', '')}", name, json.dumps(arguments)


def calls(name: str) -> list[Step]:
    """Return an answer that writes a file, runs the command, and edits another file."""
    return asks(
        call("file_write", path=name, content="text\n" * 200),
        call("bash", command=COMMAND),
        call("file_edit", path="old.txt", search=f"{name} is to come", replace=f"{name} is here"),
    )


@asynccontextmanager
async def at_work(
    way: Way,
    root: Path,
    home: Path,
    *,
    mode: ApprovalMode = ApprovalMode.AUTO,
) -> AsyncGenerator[World]:
    """Open the agent on a folder with ``old.txt``; at the end it is closed."""
    (root / "old.txt").write_text("one.txt is to come\ntwo.txt is to come\n")
    gate = Hang()
    script = [
        [gate, *calls("one.txt")],
        says(LAST_WORD),
        calls("two.txt"),
        says(LAST_WORD),
    ]
    models = ScriptedModels(script, [says("done")])
    options = agent_options(root, home, Settings(mode=mode))
    approver = HeadlessApprover(auto_approves=True, allowed_commands=[f"{COMMAND}=9"])
    if mode is ApprovalMode.AUTO:
        options = replace(options, core=replace(options.core, approver=approver))
    if way is Way.APP:
        async with opened_for_real(options, models, size=WIDE) as sitting:
            yield World(
                way=way, agent=sitting.agent, root=root, home=home, gate=gate, sitting=sitting
            )
        return
    async with _headless(options, models) as agent:
        yield World(way=way, agent=agent, root=root, home=home, gate=gate, sitting=None)


@asynccontextmanager
async def _headless(
    options: AgentOptions, models: ScriptedModels
) -> AsyncGenerator[AgentController]:
    agent = build_agent(replace(options, is_watched=True), models=models)
    agent.start()
    try:
        yield agent
    finally:
        await agent.close()


def completed(ended: RunEnded) -> bool:
    """Whether the run came to its last word."""
    return ended.ending is Ending.COMPLETED and ended.text == LAST_WORD
