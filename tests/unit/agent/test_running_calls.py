"""The interrupt of a run and the cancelling of one call, told apart and neither lost."""

import asyncio
from pathlib import Path

import pytest

from caramelo_tui.domain.agent_events import (
    ToolCallFinished,
)
from caramelo_tui.domain.approvals import ApprovalOutcome
from caramelo_tui.domain.ids import CallId
from caramelo_tui.domain.tool_calls import CallState
from tests.doubles.pipeline_worlds import (
    World,
    asked_and_settled,
    bash,
    cancelled,
    edit,
    edits_to,
    ends_cancelled,
    look,
    runs,
    write,
)


@pytest.fixture
def world(tmp_path: Path) -> World:
    return World(tmp_path)


async def test_an_interrupt_at_a_question_answers_every_call(world: World) -> None:
    task = asyncio.create_task(
        world.run(look("1", "a"), bash("2", "ls"), write("3", "a.txt", "x\n"), look("4", "b"))
    )
    await world.wait_for_question()
    assert await cancelled(task)
    finished = world.finished
    assert finished["1"].result.state is CallState.OK
    assert finished["2"].result.text == "interrupted, not run"
    assert [finished[call_id].result.state for call_id in "234"] == [CallState.CANCELLED] * 3
    assert len(world.of(ToolCallFinished)) == 4
    assert world.outcomes == [ApprovalOutcome.WITHDRAWN]
    assert world.broker.pending == ()


async def test_an_interrupt_at_a_review_applies_nothing(world: World) -> None:
    task = asyncio.create_task(world.run(write("1", "a.txt", "x\n"), write("2", "b.txt", "y\n")))
    await world.wait_for_question()
    assert await cancelled(task)
    assert [event.result.text for event in world.of(ToolCallFinished)] == [
        "interrupted, not applied",
        "interrupted, not applied",
    ]
    assert world.text("a.txt") is None
    assert asked_and_settled(world.events.events) == (["approval-1"], ["approval-1"])


async def test_an_interrupt_while_a_command_runs_says_so(world: World) -> None:
    world.bash.waits["make"] = asyncio.Event()
    world.answer(runs, runs)
    task = asyncio.create_task(world.run(bash("1", "make"), bash("2", "ls")))
    await world.bash.begun.wait()
    assert await cancelled(task)
    assert "interrupted while it ran" in world.finished["1"].result.text
    assert world.finished["2"].result.text == "interrupted, not run"
    assert world.bash.executed == ["make"]


async def test_an_interrupt_that_a_tool_swallows_still_ends_the_turn(world: World) -> None:
    world.bash.waits["make"] = asyncio.Event()
    world.bash.swallows_cancel = True
    world.answer(runs, runs)
    task = asyncio.create_task(world.run(bash("1", "make"), bash("2", "ls")))
    await world.bash.begun.wait()
    assert await cancelled(task)
    assert world.finished["1"].result.text == "ran make"
    assert world.finished["2"].result.state is CallState.CANCELLED


async def test_an_interrupt_of_reads_side_by_side_ends_them_all(world: World) -> None:
    world.look.waits["a"] = asyncio.Event()
    world.look.waits["b"] = asyncio.Event()
    task = asyncio.create_task(world.run(look("1", "a"), look("2", "b"), look("3", "c")))
    await world.look.begun.wait()
    assert await cancelled(task)
    assert len(world.of(ToolCallFinished)) == 3


async def test_a_turn_after_an_interrupt_starts_from_the_disk(world: World) -> None:
    world.write("a.txt", "one\n")
    task = asyncio.create_task(world.run(edit("1", "a.txt", "one", "two")))
    await world.wait_for_question()
    await cancelled(task)
    outcome = await world.run(edit("2", "a.txt", "two", "x"))
    assert "did not match" in outcome.results[0].text


async def test_one_running_command_can_be_cancelled_and_the_run_goes_on(world: World) -> None:
    world.bash.waits["make"] = asyncio.Event()
    world.answer(runs, runs)
    task = asyncio.create_task(world.run(bash("1", "make"), bash("2", "ls")))
    await world.bash.begun.wait()
    assert not world.pipeline.cancel_call(CallId("2"))
    assert world.pipeline.cancel_call(CallId("1"))
    outcome = await task
    assert outcome.results[0].state is CallState.CANCELLED
    assert outcome.results[0].text.startswith("cancelled by the user")
    assert outcome.results[1].state is CallState.OK
    assert not outcome.stops_run
    assert not world.pipeline.cancel_call(CallId("1"))


async def test_a_cancelled_command_that_still_answers_keeps_its_text(world: World) -> None:
    world.bash.waits["make"] = asyncio.Event()
    world.bash.swallows_cancel = True
    world.answer(edits_to("make"))
    task = asyncio.create_task(world.run(bash("1", "make all")))
    await world.bash.begun.wait()
    world.pipeline.cancel_call(CallId("1"))
    outcome = await task
    assert outcome.results[0].state is CallState.CANCELLED
    assert outcome.results[0].is_error
    assert "What ran:\nmake" in outcome.results[0].text
    assert outcome.results[0].text.endswith("ran make")


async def test_an_interrupt_wins_over_the_cancelling_of_one_call(world: World) -> None:
    world.bash.waits["make"] = asyncio.Event()
    world.answer(runs)
    task = asyncio.create_task(world.run(bash("1", "make")))
    await world.bash.begun.wait()
    world.pipeline.cancel_call(CallId("1"))
    task.cancel()
    assert await ends_cancelled(task)
    assert len(world.of(ToolCallFinished)) == 1
