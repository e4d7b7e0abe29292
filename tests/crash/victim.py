"""Play a scenario with a real agent, telling the parent what was shown; made to be killed."""

import asyncio
import os
import zlib
from dataclasses import replace
from pathlib import Path

from caramelo_tui.agent.controller import AgentController
from caramelo_tui.agent.port import EventReader
from caramelo_tui.agent.undo_port import Redo, UndoLastRun
from caramelo_tui.composition import AgentOptions, build_agent
from caramelo_tui.domain.agent_events import AgentEvent, NoticeRaised, RunEnded, ToolCallFinished
from caramelo_tui.domain.decisions import ApprovalMode
from caramelo_tui.sessions.codec import encode_line
from tests.crash.disk_hook import DiskHook, Fault
from tests.crash.scenarios import Run, Scenario
from tests.doubles.cores import core_options
from tests.doubles.session_worlds import NO_MODEL, ScriptedModels


def mark_of(event: AgentEvent) -> int:
    """Return what tells this event from others, in 32 bits."""
    return zlib.crc32(encode_line(event).encode())


class Telling:
    """The screen of a victim: what is shown goes to the parent, a line each."""

    def __init__(self, pipe: int) -> None:
        self._pipe = pipe

    def show(self, event: AgentEvent) -> None:
        """Tell of an event; lines are short enough to be whole."""
        os.write(self._pipe, f"seen {event.head.seq} {mark_of(event)}\n".encode())
        if isinstance(event, NoticeRaised):
            self.say(event.text)
        if isinstance(event, ToolCallFinished) and event.result.is_error:
            self.say(event.result.text)

    def say(self, text: str) -> None:
        """Tell of a sentence for the user."""
        os.write(self._pipe, f"said {text!r}\n".encode())


async def play(scenario: Scenario, folder: Path, fault: Fault, pipe: int) -> None:
    """Play a whole scenario; the parent kills it, or the fault does."""
    telling = Telling(pipe)
    agent = build_agent(
        AgentOptions(core=replace(core_options(folder), is_trusted=True), connection=NO_MODEL),
        models=ScriptedModels(scenario.answers),
    )
    hook = DiskHook(fault)
    hook.install()
    agent.start()
    reader = agent.read_events()
    try:
        for act in scenario.acts:
            await _act(agent, act, reader, telling)
    finally:
        await agent.close()
    async for event in reader:
        telling.show(event)
    os.write(pipe, f"steps {len(hook.steps)}\nend\n".encode())
    if fault.step and fault.step <= len(hook.steps):
        telling.say(f"the fault was at: {hook.steps[fault.step - 1]}")


async def _act(
    agent: AgentController, act: Run | object, reader: EventReader, telling: Telling
) -> None:
    if isinstance(act, Run):
        agent.set_mode(ApprovalMode.AUTO if len(act.turns) == 1 else ApprovalMode.REVIEW)
        agent.submit("Please change it.")
        async for event in reader:
            telling.show(event)
            if isinstance(event, RunEnded):
                break
        return
    wish = Redo() if getattr(act, "is_redo", False) else UndoLastRun()
    plan = await agent.undo.plan(wish)
    problem = plan.problem or await agent.undo.carry_out(plan.id, {})
    if problem:
        telling.say(problem)


def run_victim(scenario: Scenario, folder: Path, fault: Fault, pipe: int) -> None:
    """Play in this process, to its end."""
    asyncio.run(play(scenario, folder, fault, pipe))
