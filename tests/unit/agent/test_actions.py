"""Actions beside commands and writes: asked for what they do, at the place where it is true."""

import asyncio
from pathlib import Path

import pytest

from caramelo_tui.domain.agent_events import (
    ApprovalRequested,
    ToolCallFinished,
    ToolExecutionStarted,
)
from caramelo_tui.domain.approvals import (
    ApprovalAnswer,
    ApprovalRequest,
    CommandAction,
    CommandAnswer,
)
from caramelo_tui.domain.decisions import ApprovalMode
from caramelo_tui.domain.errors import ToolFailure
from caramelo_tui.domain.tool_calls import CallState
from caramelo_tui.tools.base import ToolOutput
from tests.doubles.pipeline_worlds import (
    World,
    accepts,
    act,
    bash,
    by_id,
    denies,
    first,
    look,
    nobody,
    runs,
    stops,
    write,
)


@pytest.fixture
def world(tmp_path: Path) -> World:
    return World(tmp_path)


async def test_the_user_sees_what_will_be_done_and_it_runs(world: World) -> None:
    world.answer(runs)
    outcome = await world.run(act("1", "post"))
    request = world.person.actions[0]
    assert (request.tool, request.action.title) == ("post", "post it")
    assert request.reason == "because of bash"
    assert outcome.results[0].state is CallState.OK
    assert world.post.executed == ["x"]


@pytest.mark.parametrize("stops_run", [False, True], ids=["deny", "stop"])
async def test_a_denied_action_is_not_done(world: World, *, stops_run: bool) -> None:
    world.answer(denies("not now") if not stops_run else stops)
    outcome = await world.run(act("1", "post"), look("2", "a"))
    assert world.post.executed == []
    assert outcome.results[0].state is CallState.DENIED
    assert outcome.stops_run is stops_run
    assert ("not now" in outcome.results[0].text) is not stops_run


async def test_an_action_cannot_be_edited(world: World) -> None:
    task = asyncio.create_task(world.run(act("1", "post")))
    request = await world.wait_for_question()

    def edits(_request: ApprovalRequest) -> ApprovalAnswer:
        return CommandAnswer(action=CommandAction.EDIT, command="other")

    assert not world.settle(request, edits)
    assert world.settle(request, runs)
    assert (await task).results[0].state is CallState.OK


async def test_nobody_is_there_to_approve_an_action(world: World) -> None:
    world.answer(nobody)
    outcome = await world.run(act("1", "post"))
    assert outcome.refused_calls == 1
    assert outcome.results[0].state is CallState.DENIED


async def test_a_commit_behind_a_write_is_asked_when_the_write_is_done(world: World) -> None:
    world.commit.title = "commit nothing"

    def written() -> None:
        world.commit.title = "commit a.txt"

    world.answer(first(written, accepts), runs)
    outcome = await world.run(write("1", "a.txt", "x\n"), act("2", "commit"))
    assert [result.state for result in outcome.results] == [CallState.OK, CallState.OK]
    assert [request.action.title for request in world.person.actions] == ["commit a.txt"]
    assert world.person.actions[0].note == ""


async def test_a_commit_that_only_the_write_before_it_makes_possible(world: World) -> None:
    world.commit.prepare_failures["x"] = ToolFailure("nothing to commit")

    def written() -> None:
        world.commit.prepare_failures.clear()

    world.answer(first(written, accepts), runs)
    outcome = await world.run(write("1", "a.txt", "x\n"), act("2", "commit"))
    assert outcome.results[1].state is CallState.OK


async def test_a_commit_in_front_is_asked_at_once(world: World) -> None:
    world.answer(runs, runs)
    await world.run(act("1", "commit"), bash("2", "ls"))
    asked = [type(event.request).__name__ for event in world.of(ApprovalRequested)]
    assert asked == ["ActionRequest", "CommandRequest"]


async def test_a_commit_is_not_asked_any_more_when_the_user_stops_behind_it(world: World) -> None:
    world.answer(runs, stops)
    outcome = await world.run(bash("1", "ls"), act("2", "commit"), bash("3", "pwd"))
    assert outcome.stops_run
    assert world.person.actions == []
    assert by_id(outcome)["2"].state is CallState.NOT_RUN


async def test_an_action_that_has_changed_since_it_was_allowed_is_asked_again(world: World) -> None:
    def meanwhile() -> None:
        world.post.title = "post something else"

    world.answer(first(meanwhile, runs), runs)
    await world.run(act("1", "post"))
    assert [request.action.title for request in world.person.actions] == [
        "post it",
        "post something else",
    ]
    assert "changed" in world.person.actions[1].note


async def test_the_end_of_the_run_leaves_out_what_stands_behind_it(world: World) -> None:
    world.mode = ApprovalMode.AUTO
    world.finish.outputs["x"] = ToolOutput(text="all is done")
    outcome = await world.run(write("1", "a.txt", "x\n"), act("2", "finish"), bash("3", "ls"))
    assert outcome.summary == "all is done"
    assert world.text("a.txt") == "x\n"
    assert world.person.asked == []
    assert [result.state for result in outcome.results] == [
        CallState.OK,
        CallState.OK,
        CallState.NOT_RUN,
    ]
    assert "task_done" in outcome.results[2].text


async def test_neighbouring_sub_agents_run_side_by_side_and_report_in_order(world: World) -> None:
    gates = {name: asyncio.Event() for name in ("a", "b")}
    world.delegate.waits = dict(gates)
    task = asyncio.create_task(
        world.run(act("1", "delegate", "a"), act("2", "delegate", "b"), bash("3", "ls"))
    )
    world.answer(runs)
    async with asyncio.timeout(5):
        await all_begun(world, 2)
    gates["b"].set()
    gates["a"].set()
    await task
    assert [event.call_id for event in world.of(ToolCallFinished)] == ["1", "2", "3"]


async def all_begun(world: World, count: int) -> None:
    """Wait until so many executions were reported."""
    reader = world.events.reader()
    begun = 0
    while begun < count:
        begun += isinstance(await anext(reader), ToolExecutionStarted)


async def test_one_failing_sub_agent_leaves_the_others_alone(world: World) -> None:
    world.delegate.failures["a"] = ToolFailure("no such role")
    outcome = await world.run(act("1", "delegate", "a"), act("2", "delegate", "b"))
    assert [result.state for result in outcome.results] == [CallState.ERROR, CallState.OK]


async def test_stop_inside_a_sub_agent_stops_everything_behind_it(world: World) -> None:
    world.delegate.outputs["a"] = ToolOutput(
        text="stopped", is_error=True, stops_run=True, refused_calls=2
    )
    outcome = await world.run(act("1", "delegate", "a"), look("2", "x"))
    assert outcome.stops_run
    assert outcome.refused_calls == 2
    assert outcome.results[1].state is CallState.NOT_RUN


async def test_booked_lines_are_those_really_written(world: World) -> None:
    world.write("b.txt", "one\ntwo\n")
    world.mode = ApprovalMode.AUTO
    await world.run(write("1", "a.txt", "x\ny\n"), write("2", "b.txt", "one\n", overwrite=True))
    assert world.lines.booked == [2, 1]
    assert world.policy.pending_lines[:2] == [0, 2]


async def test_a_decision_knows_where_the_mode_was_set(world: World) -> None:
    world.answer(accepts, accepts)
    await world.run(write("1", "a.txt", "x\n"))
    world.mode = ApprovalMode.EACH
    await world.run(write("2", "b.txt", "x\n"))
    assert world.policy.mode_origins[0] == "built in"
    assert world.policy.mode_origins[-1] == "this session"
