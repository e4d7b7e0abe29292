"""The controller: one run at a time, the queue behind it, and an end that leaves nothing."""

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from caramelo_tui.agent.call_records import TurnOutcome
from caramelo_tui.agent.port import AgentPort
from caramelo_tui.domain.agent_events import (
    ApprovalRequested,
    BackgroundChanged,
    Ending,
    FilesChanged,
    NoticeRaised,
    PromptSteered,
    QueueChanged,
    RunEnded,
    RunStarted,
)
from caramelo_tui.domain.approvals import CommandAction, CommandAnswer, CommandRequest
from caramelo_tui.domain.decisions import ApprovalMode
from caramelo_tui.domain.errors import BadRequest, StreamBroken
from caramelo_tui.domain.files import ChangeKind, ChangeOrigin, FileChange
from caramelo_tui.domain.ids import ApprovalId, CallId, SessionId
from caramelo_tui.domain.messages import UserMessage
from caramelo_tui.domain.provider_events import TextDelta
from caramelo_tui.domain.tool_calls import CommandLine, ToolCall
from caramelo_tui.sessions.recorder import SessionRecorder
from caramelo_tui.sessions.store import SessionFile, SessionHeader, load_events
from tests.doubles.agent_worlds import (
    Act,
    AgentWorld,
    Hang,
    Step,
    agent_world,
    asks,
    next_event,
    results_for,
    says,
)
from tests.doubles.images import attachment

BASH = ("c1", "bash", '{"command": "ls"}')


@asynccontextmanager
async def running(world: AgentWorld) -> AsyncIterator[AgentWorld]:
    world.agent.start()
    try:
        yield world
    finally:
        await world.agent.close()


def command_request(call_id: CallId) -> CommandRequest:
    return CommandRequest(
        id=ApprovalId("a1"),
        call_id=call_id,
        fingerprint="f",
        tool="bash",
        command=CommandLine(command="ls", cwd=".", timeout_ms=1000),
        cwd_shown="/w",
        parts=(),
        reason="bash always asks",
    )


def asking(world: Callable[[], AgentWorld], answers: list[object]) -> Act:
    """A pipeline that asks about its first call and keeps the reply."""

    async def act(calls: Sequence[ToolCall]) -> TurnOutcome:
        answers.append(await world().broker.ask(command_request(calls[0].id)))
        return TurnOutcome(results=results_for(calls))

    return act


def endings(world: AgentWorld) -> list[Ending]:
    return [event.ending for event in world.events.events if isinstance(event, RunEnded)]


def prompts(world: AgentWorld) -> list[str]:
    return [event.prompt for event in world.events.events if isinstance(event, RunStarted)]


def facts_of(port: AgentPort) -> tuple[Path, bool]:
    return port.info.workspace, port.is_running


def test_it_is_the_agent_that_the_ui_knows(tmp_path: Path) -> None:
    assert facts_of(agent_world([says("x")], tmp_path).agent) == (tmp_path, False)


async def test_a_prompt_starts_a_run_at_once(tmp_path: Path) -> None:
    async with running(agent_world([says("done")], tmp_path)) as world:
        world.agent.submit("go")
        assert world.agent.is_running
        ended = await next_event(world.events, RunEnded)
        assert not world.agent.is_running
        assert ended.text == "done"
        assert world.watcher.activity == [True, False]


async def test_blank_prompts_do_nothing(tmp_path: Path) -> None:
    async with running(agent_world([says("done")], tmp_path)) as world:
        world.agent.submit(" \n")
        assert not world.agent.is_running


async def test_prompts_queue_behind_the_run_and_follow_when_it_completes(tmp_path: Path) -> None:
    async with running(agent_world([says("done")], tmp_path)) as world:
        for text in ("one", "two", "three"):
            world.agent.submit(text)
        assert world.agent.queued_prompts == ("two", "three")
        await next_event(world.events, RunEnded, skip=2)
        assert prompts(world) == ["one", "two", "three"]
        queues = [event.prompts for event in world.events.events if isinstance(event, QueueChanged)]
        assert queues == [("two",), ("two", "three"), ("three",), ()]


async def test_after_any_other_ending_the_queue_waits(tmp_path: Path) -> None:
    answers: list[list[Step]] = [[TextDelta(text="x"), StreamBroken("lost")], says("done")]
    async with running(agent_world(answers, tmp_path)) as world:
        world.agent.submit("one")
        world.agent.submit("two")
        await next_event(world.events, RunEnded)
        await asyncio.sleep(0)
        assert not world.agent.is_running
        assert world.agent.queued_prompts == ("two",)
        assert world.agent.send_next_queued()
        await next_event(world.events, RunEnded, skip=1)
        assert not world.agent.send_next_queued()
        assert prompts(world) == ["one", "two"]


async def test_the_queue_can_be_taken_back(tmp_path: Path) -> None:
    hang = Hang()
    async with running(agent_world([[hang]], tmp_path)) as world:
        for text in ("one", "two", "three"):
            world.agent.submit(text)
        assert world.agent.take_back_queue() == ("two", "three")
        assert world.agent.queued_prompts == ()
        assert world.agent.take_back_queue() == ()
        assert not world.agent.send_next_queued()


async def test_the_run_is_steered_and_the_queue_told(tmp_path: Path) -> None:
    async def steer(calls: Sequence[ToolCall]) -> TurnOutcome:
        assert world.agent.steer("use tabs")
        return TurnOutcome(results=results_for(calls))

    world = agent_world([asks(BASH), says("done")], tmp_path, act=steer)
    async with running(world):
        assert not world.agent.steer("nothing runs")
        world.agent.submit("go")
        assert not world.agent.steer(" ")
        await next_event(world.events, RunEnded)
        await next_event(world.events, PromptSteered)
        waiting = [e.steering for e in world.events.events if isinstance(e, QueueChanged)]
        assert waiting == [("use tabs",), ()]
        assert prompts(world) == ["go"]


async def test_images_go_with_their_prompt_whichever_way_it_takes(tmp_path: Path) -> None:
    sent, steered, queued = (attachment(f"{name}.png") for name in ("a", "b", "c"))

    async def act(calls: Sequence[ToolCall]) -> TurnOutcome:
        world.agent.steer("steered", (steered,))
        world.agent.submit("queued", (queued,))
        return TurnOutcome(results=results_for(calls))

    world = agent_world([asks(BASH), says("done"), says("done")], tmp_path, act=act)
    async with running(world):
        world.agent.submit("sent", (sent,))
        await next_event(world.events, RunEnded, skip=1)
        runs = [(e.prompt, e.images) for e in world.events.events if isinstance(e, RunStarted)]
        assert runs == [("sent", (sent,)), ("queued", (queued,))]
        turns = [e.images for e in world.events.events if isinstance(e, PromptSteered)]
        assert turns == [(steered,)]
        told = [
            m.images for m in world.provider.requests[-1].messages if isinstance(m, UserMessage)
        ]
        assert told == [(sent,), (steered,), (queued,)]


async def test_what_came_too_late_to_steer_is_first_in_the_queue(tmp_path: Path) -> None:
    hang = Hang()
    answers: list[list[Step]] = [[hang, StreamBroken("lost")]]
    async with running(agent_world(answers, tmp_path)) as world:
        world.agent.submit("one")
        world.agent.submit("two")
        await hang.reached.wait()
        world.agent.steer("use tabs")
        assert world.agent.queued_prompts == ("use tabs", "two")
        hang.goes_on.set()
        await next_event(world.events, RunEnded)
        queues = [e for e in world.events.events if isinstance(e, QueueChanged)]
        assert (queues[-1].prompts, queues[-1].steering) == (("use tabs", "two"), ())


async def test_an_interrupted_run_is_not_steered_and_gives_back_what_waits(tmp_path: Path) -> None:
    hang = Hang()
    async with running(agent_world([[hang]], tmp_path)) as world:
        world.agent.submit("one")
        world.agent.submit("two")
        await hang.reached.wait()
        world.agent.steer("use tabs")
        world.agent.interrupt()
        assert not world.agent.steer("too late")
        assert world.agent.take_back_queue() == ("use tabs", "two")
        await next_event(world.events, RunEnded)
        assert world.agent.queued_prompts == ()


async def test_one_waiting_prompt_is_taken_back(tmp_path: Path) -> None:
    hang = Hang()
    async with running(agent_world([[hang]], tmp_path)) as world:
        for text in ("one", "two", "three", "two"):
            world.agent.submit(text)
        world.agent.steer("use tabs")
        assert world.agent.take_back_prompt("two")
        assert list(world.agent.queued_prompts) == ["use tabs", "two", "three"]
        assert world.agent.take_back_prompt("use tabs")
        assert not world.agent.take_back_prompt("four")
        assert list(world.agent.queued_prompts) == ["two", "three"]


async def test_an_interrupt_in_the_very_moment_of_sending_still_leaves_a_record(
    tmp_path: Path,
) -> None:
    async with running(agent_world([says("done")], tmp_path)) as world:
        world.agent.submit("go")
        assert world.agent.interrupt()
        ended = await next_event(world.events, RunEnded)
        assert ended.ending is Ending.CANCELLED
        assert prompts(world) == ["go"]
        assert not world.agent.interrupt()


async def test_an_interrupt_sends_nothing_of_the_queue(tmp_path: Path) -> None:
    hang = Hang()
    async with running(agent_world([[hang], says("done")], tmp_path)) as world:
        world.agent.submit("one")
        world.agent.submit("two")
        await hang.reached.wait()
        world.agent.interrupt()
        world.agent.interrupt()
        await next_event(world.events, RunEnded)
        await asyncio.sleep(0)
        assert endings(world) == [Ending.CANCELLED]
        assert world.agent.take_back_queue() == ("two",)


async def test_an_answer_settles_a_question_once(tmp_path: Path) -> None:
    replies: list[object] = []
    world = agent_world([asks(BASH), says("done")], tmp_path, act=asking(lambda: world, replies))
    async with running(world):
        world.agent.submit("go")
        request = (await next_event(world.events, ApprovalRequested)).request
        yes = CommandAnswer(action=CommandAction.RUN)
        assert not world.agent.answer(ApprovalId("other"), yes)
        assert world.agent.answer(request.id, yes)
        assert not world.agent.answer(request.id, yes)
        await next_event(world.events, RunEnded)
    assert replies == [yes]


async def test_no_answer_counts_after_the_interrupt(tmp_path: Path) -> None:
    replies: list[object] = []
    world = agent_world([asks(BASH), says("done")], tmp_path, act=asking(lambda: world, replies))
    async with running(world):
        world.agent.submit("go")
        request = (await next_event(world.events, ApprovalRequested)).request
        world.agent.interrupt()
        assert not world.agent.answer(request.id, CommandAnswer(action=CommandAction.RUN))
        await next_event(world.events, RunEnded)
    assert replies == []
    assert world.broker.pending == ()


async def test_the_mode_is_changed_with_a_notice(tmp_path: Path) -> None:
    async with running(agent_world([says("done")], tmp_path)) as world:
        world.agent.set_mode(ApprovalMode.REVIEW)
        world.agent.set_mode(ApprovalMode.AUTO)
        assert world.agent.mode is ApprovalMode.AUTO
        notices = [event for event in world.events.events if isinstance(event, NoticeRaised)]
        assert [event.text for event in notices] == ["Approval mode: auto."]
        world.agent.submit("go")
        assert (await next_event(world.events, RunStarted)).mode is ApprovalMode.AUTO
        await next_event(world.events, RunEnded)


async def test_a_single_call_is_cancelled_where_it_runs(tmp_path: Path) -> None:
    async with running(agent_world([says("done")], tmp_path)) as world:
        world.calls.cancellable.add(CallId("c1"))
        assert world.agent.cancel_call(CallId("c1"))
        assert not world.agent.cancel_call(CallId("c2"))


async def test_background_processes_are_reported_and_can_be_ended(tmp_path: Path) -> None:
    async with running(agent_world([asks(BASH), says("done")], tmp_path)) as world:
        world.processes.leave(41)
        world.agent.submit("go")
        listed = await next_event(world.events, BackgroundChanged)
        assert [process.pid for process in listed.processes] == [41]
        assert world.agent.end_background(41)
        assert not world.agent.end_background(41)
        emptied = await next_event(world.events, BackgroundChanged, skip=1)
        assert emptied.processes == ()
        await next_event(world.events, RunEnded)


async def test_the_provider_is_warmed_before_the_first_request(tmp_path: Path) -> None:
    world = agent_world([says("done")], tmp_path)
    world.agent.start(warm_after_s=0.0)
    await world.provider.is_warm.wait()
    assert not world.provider.requests
    await world.agent.close()


async def test_a_failed_warm_up_says_nothing_before_the_first_request_does(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    world = agent_world([says("done")], tmp_path)
    world.provider.warm_failure = BadRequest("the proxy cannot be used")
    world.agent.start(warm_after_s=0.0)
    await world.provider.is_warm.wait()
    await asyncio.sleep(0)
    assert not world.events.events
    world.agent.submit("go")
    ended = await next_event(world.events, RunEnded)
    assert (ended.ending, ended.error) == (Ending.ERROR, "the proxy cannot be used")
    await world.agent.close()
    assert "warm-up of the provider" in caplog.text


@pytest.mark.parametrize("warm_after_s", [None, 3600.0], ids=["not asked for", "not yet due"])
async def test_a_session_that_ends_before_the_warm_up_waits_for_none(
    tmp_path: Path, warm_after_s: float | None
) -> None:
    world = agent_world([says("done")], tmp_path)
    world.agent.start(warm_after_s=warm_after_s)
    await world.agent.close()
    assert not world.provider.is_warm.is_set()
    assert len(asyncio.all_tasks()) == 1


async def test_changes_from_outside_are_passed_on(tmp_path: Path) -> None:
    async with running(agent_world([says("done")], tmp_path)) as world:
        await asyncio.sleep(0)
        world.watcher.see(FileChange(path="a", kind=ChangeKind.MODIFIED))
        seen = await next_event(world.events, FilesChanged)
        assert seen.origin is ChangeOrigin.EXTERNAL
        assert [change.path for change in world.cache.changes] == ["a"]


async def test_the_workspace_can_be_looked_at(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("hello")
    async with running(agent_world([says("done")], tmp_path)) as world:
        assert [entry.name for entry in await world.agent.list_folder(".")] == ["a.txt"]
        assert (await world.agent.preview_file("a.txt")).text == "hello"
        assert world.agent.read_artifact("a.txt") == b"hello"


async def test_closing_ends_everything_and_flushes_the_session(tmp_path: Path) -> None:
    path = tmp_path / "state" / "s.jsonl"
    header = SessionHeader(session_id=SessionId("s"), workspace=str(tmp_path), started_at=0.0)
    told: list[str] = []
    recorder = SessionRecorder(SessionFile(path, header), on_trouble=told.append)
    hang = Hang()
    steps: list[Step] = [TextDelta(text="partly"), hang]
    world = agent_world([steps], tmp_path, recorder=recorder)
    world.agent.start()
    world.agent.submit("go")
    world.agent.submit("later")
    await hang.reached.wait()
    closing = asyncio.create_task(world.agent.close())
    await asyncio.gather(closing, world.agent.close())
    assert endings(world) == [Ending.CANCELLED]
    assert (world.provider.open_streams, world.provider.is_closed) == (0, True)
    assert world.processes.is_ended
    assert not world.watcher.is_running
    assert load_events(path).events == world.events.events
    assert not told
    world.agent.submit("after the end")
    assert not world.agent.is_running
    assert world.agent.take_back_queue() == ("later",)
    await world.agent.close()
    assert {task.get_name() for task in asyncio.all_tasks()} == {
        current.get_name() for current in [asyncio.current_task()] if current is not None
    }


async def test_one_failing_end_does_not_keep_the_others(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    broken = agent_world([says("done")], tmp_path)
    broken.processes.failure = OSError("stuck")
    broken.agent.start()
    with pytest.raises(OSError, match="stuck"):
        await broken.agent.close()
    assert broken.provider.is_closed
    assert broken.events.is_closed
    assert "end of the session" in caplog.text
