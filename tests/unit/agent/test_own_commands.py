"""The user's own commands: run as typed, shown by events, ended with the session."""

import asyncio
import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from caramelo_tui.agent.event_stream import EventStream
from caramelo_tui.agent.own_commands import OWN_TOOL, OwnCommands
from caramelo_tui.agent.undo_port import UndoLastTurn
from caramelo_tui.composition import build_agent, build_core
from caramelo_tui.domain.agent_events import (
    ToolCallFinished,
    ToolCallStarted,
    ToolExecutionStarted,
    ToolOutputStreamed,
)
from caramelo_tui.domain.ids import CountingIds
from caramelo_tui.domain.tool_calls import CallState
from tests.doubles.agent_worlds import FixedClock, next_event
from tests.doubles.tool_worlds import ToolWorld, open_tool_world
from tests.unit.composition.test_agents import agent_options


@pytest.fixture
def tool_world(tmp_path: Path) -> Iterator[ToolWorld]:
    (tmp_path / "workspace").mkdir()
    with open_tool_world(tmp_path / "workspace", tmp_path / "artifacts") as world:
        yield world


@pytest.fixture
def events() -> EventStream:
    return EventStream(FixedClock())


@pytest.fixture
def own(tool_world: ToolWorld, events: EventStream) -> OwnCommands:
    return OwnCommands(
        context=lambda emit: replace(tool_world.context, emit_output=emit),
        events=events,
        ids=CountingIds(),
        clock=FixedClock(),
    )


async def test_a_command_runs_in_the_workspace_and_is_shown(
    own: OwnCommands, events: EventStream, tool_world: ToolWorld
) -> None:
    tool_world.write("seen.txt", "x")
    result = await own.run("ls; exit 3")
    assert (result.state, result.exit_code, result.is_error) == (CallState.ERROR, 3, True)
    assert "seen.txt" in result.text
    kinds = [type(event) for event in events.events]
    assert kinds == [ToolCallStarted, ToolExecutionStarted, ToolOutputStreamed, ToolCallFinished]
    started, *_, finished = events.events
    assert isinstance(started, ToolCallStarted)
    assert isinstance(finished, ToolCallFinished)
    assert (started.tool, json.loads(started.arguments_json)) == (
        OWN_TOOL,
        {"command": "ls; exit 3"},
    )
    assert finished.result == result


async def test_it_gets_the_environment_of_the_models_commands(own: OwnCommands) -> None:
    result = await own.run("env | cut -d= -f1 | sort | tr '\\n' ' '")
    assert "PATH" in result.text
    assert "HOME" not in result.text


async def test_what_cannot_be_run_is_said_and_told_as_finished(
    own: OwnCommands, events: EventStream
) -> None:
    result = await own.run("a\0b")
    assert (result.state, result.is_error) == (CallState.ERROR, True)
    assert "NUL" in result.text
    assert isinstance(events.events[-1], ToolCallFinished)


async def test_one_command_is_ended_alone(own: OwnCommands, events: EventStream) -> None:
    running = asyncio.create_task(own.run("echo here; sleep 100"))
    other = asyncio.create_task(own.run("echo done"))
    shown = await next_event(events, ToolOutputStreamed)
    started = [event for event in events.events if isinstance(event, ToolCallStarted)]
    long = next(event for event in started if "sleep" in event.arguments_json)
    assert (await other).state is CallState.OK
    assert own.cancel_call(long.call_id)
    result = await running
    assert (result.state, result.text) == (CallState.CANCELLED, "You ended the command.")
    assert not own.cancel_call(long.call_id)
    assert shown.text


async def test_an_interrupt_without_a_run_ends_the_newest_command(tmp_path: Path) -> None:
    agent = build_agent(agent_options(tmp_path))
    assert not agent.interrupt()
    first = asyncio.create_task(agent.run_own_command("echo first; sleep 100"))
    reader = agent.read_events()
    await anext(event async for event in reader if isinstance(event, ToolOutputStreamed))
    second = asyncio.create_task(agent.run_own_command("echo second; sleep 100"))
    await anext(event async for event in reader if isinstance(event, ToolOutputStreamed))
    for task in (second, first):
        assert agent.interrupt()
        result = await task
        assert result is not None
        assert result.state is CallState.CANCELLED
    assert not agent.interrupt()
    await agent.close()


async def test_the_end_of_the_session_ends_and_tells_all(
    own: OwnCommands, events: EventStream
) -> None:
    running = asyncio.create_task(own.run("sleep 100"))
    await next_event(events, ToolExecutionStarted)
    running.cancel()
    await asyncio.wait([running])
    assert not any(isinstance(event, ToolCallFinished) for event in events.events)
    await own.end()
    (finished,) = [event for event in events.events if isinstance(event, ToolCallFinished)]
    assert finished.result.state is CallState.CANCELLED
    await own.end()


async def test_a_command_of_the_session_is_no_tool_of_the_model(tmp_path: Path) -> None:
    options = agent_options(tmp_path)
    assert OWN_TOOL not in {tool.spec.name for tool in build_core(options.core).tools}
    agent = build_agent(options)
    result = await agent.run_own_command("echo mine")
    assert result is not None
    assert "mine" in result.text
    await agent.close()
    assert await agent.run_own_command("echo mine") is None


async def test_what_a_command_changes_goes_back_by_itself(tmp_path: Path) -> None:
    """In the whole program: the user's command is taken back like a turn of its own."""
    options = agent_options(tmp_path)
    agent = build_agent(options)
    agent.start()
    try:
        root = options.core.root
        (root / "kept.txt").write_text("before")
        assert await agent.run_own_command("echo after > kept.txt; echo new > made.txt")
        plan = await agent.undo.plan(UndoLastTurn())
        assert {file.path for file in plan.files} == {"kept.txt", "made.txt"}
        assert await agent.undo.carry_out(plan.id, {}) == ""
        assert (root / "kept.txt").read_text() == "before"
        assert not (root / "made.txt").exists()
    finally:
        await agent.close()
