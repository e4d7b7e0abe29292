"""The run loop: what each answer leads to, and that the record is whole however it ends."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from typing import TypeVar

import pytest

from caramelo_tui.agent.call_records import TurnOutcome
from caramelo_tui.agent.limits import RunLimits
from caramelo_tui.agent.request_care import RequestCare
from caramelo_tui.agent.run_loop import RunLoop
from caramelo_tui.domain.agent_events import (
    AgentEvent,
    AssistantReplied,
    Ending,
    NoticeRaised,
    PromptSteered,
    RetryScheduled,
    RunEnded,
    RunStarted,
    TextStreamed,
    ToolCallFinished,
    ToolCallStarted,
    TurnEnded,
    TurnStarted,
    UsageReported,
)
from caramelo_tui.domain.decisions import ApprovalMode
from caramelo_tui.domain.errors import (
    AuthenticationFailed,
    ContextTooLong,
    Overloaded,
    StreamBroken,
)
from caramelo_tui.domain.messages import (
    AssistantMessage,
    StopReason,
    ThinkingBlock,
    ToolResultsMessage,
    UserMessage,
)
from caramelo_tui.domain.provider_events import TextDelta, ThinkingDelta, ToolCallBegan
from caramelo_tui.domain.tool_calls import CallState, ToolCall
from caramelo_tui.domain.usage import Usage
from caramelo_tui.providers.base import ProviderRequest
from tests.doubles.agent_worlds import (
    STAMP,
    Hang,
    LoopWorld,
    Step,
    asks,
    loop_world,
    next_event,
    results_for,
    says,
)

READ = ("c1", "file_read", '{"path": "a"}')
T = TypeVar("T")


def of(world: LoopWorld, kind: type[T]) -> list[T]:
    return [event for event in world.events.events if isinstance(event, kind)]


async def run(world: LoopWorld, prompt: str = "do it") -> RunEnded:
    await world.loop.run(prompt, ApprovalMode.REVIEW)
    return of(world, RunEnded)[-1]


def assert_whole_record(events: Sequence[AgentEvent]) -> None:
    assert [event.head.seq for event in events] == list(range(1, len(events) + 1))
    for opened, closed in ((RunStarted, RunEnded), (TurnStarted, TurnEnded)):
        starts = [event for event in events if isinstance(event, opened)]
        ends = [event for event in events if isinstance(event, closed)]
        assert len(starts) == len(ends)
    started = [event.call_id for event in events if isinstance(event, ToolCallStarted)]
    finished = [event.call_id for event in events if isinstance(event, ToolCallFinished)]
    assert sorted(started) == sorted(finished)
    assert len(set(started)) == len(started)


async def test_a_plain_answer_completes_the_run() -> None:
    usage = Usage(input_tokens=10, output_tokens=2)
    world = loop_world([says("all done", usage=usage)])
    ended = await run(world)
    assert (ended.ending, ended.text, ended.usage) == (Ending.COMPLETED, "alldone", usage)
    assert [event.text for event in of(world, TextStreamed)] == ["all", "done"]
    assert of(world, UsageReported)[0].session_usage == usage
    kinds = [type(event).__name__ for event in world.events.events]
    assert kinds[0] == "RunStarted"
    assert kinds[-2:] == ["TurnEnded", "RunEnded"]
    assert_whole_record(world.events.events)


async def test_calls_run_and_their_results_go_out_with_the_next_request() -> None:
    world = loop_world([asks(READ, text="looking"), says("done")])
    ended = await run(world)
    assert ended.ending is Ending.COMPLETED
    last = world.provider.requests[1].messages
    assert isinstance(last[0], UserMessage)
    assert isinstance(last[1], AssistantMessage)
    assert isinstance(last[2], ToolResultsMessage)
    assert last[2].results[0].text == "fine"
    assert [event.number for event in of(world, TurnEnded)] == [1, 2]
    assert_whole_record(world.events.events)


async def test_calls_of_an_answer_that_says_it_ended_run_too() -> None:
    world = loop_world([asks(READ, stop=StopReason.END_TURN), says("done")])
    assert (await run(world)).ending is Ending.COMPLETED
    assert of(world, ToolCallFinished)[0].result.text == "fine"


async def test_repeated_call_ids_are_made_unique() -> None:
    world = loop_world([asks(READ, READ), asks(READ), says("done")])
    await run(world)
    ids = [event.call_id for event in of(world, ToolCallStarted)]
    assert ids == ["c1", "c1-2", "c1-3"]
    assert_whole_record(world.events.events)


async def test_the_turn_limit_ends_the_run_and_says_so() -> None:
    world = loop_world([asks(READ)], limits=RunLimits(turns=3))
    ended = await run(world)
    assert ended.ending is Ending.MAX_TURNS
    assert len(world.provider.requests) == 3
    assert "3 turns" in of(world, NoticeRaised)[0].text
    assert (await run(world, "go on")).ending is Ending.MAX_TURNS
    assert_whole_record(world.events.events)


async def test_a_failure_before_content_is_tried_again() -> None:
    world = loop_world([[Overloaded("busy", retry_after_s=2)], [StreamBroken("lost")], says("ok")])
    ended = await run(world)
    assert ended.ending is Ending.COMPLETED
    assert [event.attempt for event in of(world, RetryScheduled)] == [1, 2]
    assert world.waiting.waits[0] >= 2
    assert len(world.waiting.waits) == 2


async def test_a_stream_that_ends_without_a_word_is_tried_again() -> None:
    world = loop_world([[], says("ok")])
    assert (await run(world)).ending is Ending.COMPLETED
    assert len(of(world, RetryScheduled)) == 1


async def test_endless_failures_end_with_their_error() -> None:
    world = loop_world([[Overloaded("busy")]])
    ended = await run(world)
    assert (ended.ending, ended.error) == (Ending.ERROR, "busy")
    assert len(world.provider.requests) == 5


async def test_a_final_error_is_not_tried_again() -> None:
    world = loop_world([[AuthenticationFailed("wrong key")], says("never")])
    ended = await run(world)
    assert (ended.ending, ended.error) == (Ending.ERROR, "wrong key")
    assert len(world.provider.requests) == 1


async def test_a_break_after_content_keeps_the_text_and_runs_nothing() -> None:
    world = loop_world(
        [
            [
                ThinkingDelta(text="hm"),
                TextDelta(text="Looking at"),
                ToolCallBegan(slot=0, call_id="c1", name="glob"),
                StreamBroken("overloaded"),
            ],
            says("again"),
        ]
    )
    ended = await run(world)
    assert (ended.ending, ended.error, ended.text) == (Ending.ERROR, "overloaded", "Looking at")
    assert len(world.provider.requests) == 1
    assert not of(world, ToolCallStarted)
    assert of(world, AssistantReplied)[0].message.is_incomplete
    assert (await run(world, "go on")).ending is Ending.COMPLETED
    kept = world.provider.requests[1].messages[1]
    assert isinstance(kept, AssistantMessage)
    assert (kept.text, kept.calls, kept.is_incomplete) == ("Looking at", (), True)
    assert not any(isinstance(block, ThinkingBlock) for block in kept.blocks)


async def test_a_break_before_any_text_leaves_no_message() -> None:
    broken: list[Step] = [ToolCallBegan(slot=0, call_id="c1", name="glob"), StreamBroken("lost")]
    world = loop_world([broken, says("fine")])
    assert (await run(world)).ending is Ending.ERROR
    assert (await run(world, "again")).ending is Ending.COMPLETED
    assert len(world.provider.requests[1].messages) == 2


async def test_calls_of_a_cut_answer_do_not_run_and_the_model_is_told() -> None:
    world = loop_world([asks(READ, stop=StopReason.MAX_TOKENS), says("smaller")])
    assert (await run(world)).ending is Ending.COMPLETED
    finished = of(world, ToolCallFinished)[0].result
    assert (finished.is_error, finished.state) == (True, CallState.NOT_RUN)
    answered = world.provider.requests[1].messages[-1]
    assert isinstance(answered, ToolResultsMessage)
    assert "cut at the limit" in answered.results[0].text
    assert_whole_record(world.events.events)


async def test_a_cut_text_ends_with_a_clear_error() -> None:
    world = loop_world([says("half", stop=StopReason.MAX_TOKENS)])
    ended = await run(world)
    assert ended.ending is Ending.ERROR
    assert "cut at the limit" in ended.error
    assert ended.text == "half"


async def test_a_pause_goes_on_by_itself() -> None:
    world = loop_world([says("wait", stop=StopReason.PAUSE_TURN), says("done")])
    assert (await run(world)).ending is Ending.COMPLETED
    assert len(world.provider.requests[1].messages) == 2


async def test_a_stop_sequence_ends_the_answer_as_its_end_does_and_runs_no_call() -> None:
    stop = StopReason.STOP_SEQUENCE
    world = loop_world([says("so far", stop=stop)])
    ended = await run(world)
    assert (ended.ending, ended.text) == (Ending.COMPLETED, "sofar")
    called = loop_world([asks(READ, stop=stop), says("done")])
    assert (await run(called)).ending is Ending.COMPLETED
    results = called.provider.requests[1].messages[-1]
    assert isinstance(results, ToolResultsMessage)
    assert [result.state for result in results.results] == [CallState.NOT_RUN]


async def test_a_refusal_ends_with_its_text_and_is_not_sent_back() -> None:
    world = loop_world([says("no.", stop=StopReason.REFUSAL), says("hello")])
    ended = await run(world)
    assert ended.ending is Ending.ERROR
    assert "no." in ended.error
    await run(world, "something else")
    assert not any(
        isinstance(message, AssistantMessage) for message in world.provider.requests[1].messages
    )


async def test_an_empty_answer_is_asked_about_again() -> None:
    world = loop_world([says(""), says("done")])
    assert (await run(world)).ending is Ending.COMPLETED
    assert "empty answer" in of(world, NoticeRaised)[0].text
    told = world.provider.requests[1].messages[-1]
    assert isinstance(told, UserMessage)
    assert told.is_note


async def test_endless_empty_answers_end_the_run_and_say_so() -> None:
    world = loop_world([says("")])
    assert (await run(world)).ending is Ending.INCOMPLETE
    assert len(world.provider.requests) == 3
    assert "3 empty answers" in of(world, NoticeRaised)[-1].text
    assert_whole_record(world.events.events)


async def test_a_run_in_circles_is_told_then_ended_and_every_call_is_answered() -> None:
    world = loop_world([asks(READ)])
    assert (await run(world)).ending is Ending.INCOMPLETE
    assert len(of(world, ToolCallFinished)) == 5
    notes = [m for m in world.conversation.transcript.snapshot() if isinstance(m, UserMessage)]
    assert "the call file_read came 3 times" in notes[1].text
    assert "Stopped: the call file_read came 5 times" in of(world, NoticeRaised)[-1].text
    assert (await run(world, "go on")).ending is Ending.INCOMPLETE
    assert len(of(world, ToolCallFinished)) == 10
    assert_whole_record(world.events.events)


class RoomOnce:
    """Makes room once, and remembers what it was asked."""

    def __init__(self) -> None:
        self.firsts: list[bool] = []
        self.sent = 0
        self.usages: list[Usage] = []
        self.rooms = 1

    async def before_request(self, *, is_first: bool) -> None:
        self.firsts.append(is_first)

    def sends(self, request: ProviderRequest) -> None:
        del request
        self.sent += 1

    async def makes_room(self) -> bool:
        self.rooms -= 1
        return self.rooms >= 0

    def answered(self, usage: Usage) -> None:
        self.usages.append(usage)


def cared_for(world: LoopWorld, care: RequestCare) -> LoopWorld:
    return replace(world, loop=RunLoop(replace(world.loop._parts, care=care)))


async def test_a_request_that_the_vendor_finds_too_long_is_sent_again_once_there_is_room() -> None:
    care, usage = RoomOnce(), Usage(input_tokens=1)
    answers: list[list[Step]] = [
        [ContextTooLong("too long")],
        asks(READ),
        says("done", usage=usage),
    ]
    world = cared_for(loop_world(answers), care)
    assert (await run(world)).ending is Ending.COMPLETED
    # An answer whose tokens nobody counted is booked too: it was not free.
    assert (care.firsts, care.sent, care.usages) == ([True, False], 3, [Usage(), usage])
    assert [event.usage for event in of(world, UsageReported)] == [usage]
    full = cared_for(loop_world([[ContextTooLong("too long")]]), care)
    assert (await run(full)).error == "too long"


async def test_unusable_arguments_three_turns_in_a_row_end_the_run() -> None:
    async def act(calls: Sequence[ToolCall]) -> TurnOutcome:
        return TurnOutcome(results=results_for(calls), invalid_argument_calls=1)

    world = loop_world([asks(("x", "glob", "{"))], act=act)
    ended = await run(world)
    assert ended.ending is Ending.ERROR
    assert "3 times in a row" in ended.error
    assert len(world.provider.requests) == 3


async def test_stop_in_an_approval_aborts_the_run_with_all_calls_answered() -> None:
    async def act(calls: Sequence[ToolCall]) -> TurnOutcome:
        return TurnOutcome(results=results_for(calls), stops_run=True, refused_calls=2)

    world = loop_world([asks(READ)], act=act)
    ended = await run(world)
    assert (ended.ending, ended.refused_calls) == (Ending.ABORTED, 2)
    assert isinstance(world.conversation.transcript.snapshot()[-1], ToolResultsMessage)


async def test_a_fault_of_the_program_ends_the_run_alone(caplog: pytest.LogCaptureFixture) -> None:
    async def act(calls: Sequence[ToolCall]) -> TurnOutcome:
        raise KeyError(calls[0].name)

    world = loop_world([asks(READ), says("fine")], act=act)
    ended = await run(world)
    assert ended.ending is Ending.ERROR
    assert "KeyError" in ended.error
    assert "the run failed" in caplog.text
    assert of(world, ToolCallFinished)[0].result.state is CallState.ERROR
    assert_whole_record(world.events.events)
    assert (await run(world, "again")).ending is Ending.COMPLETED


async def test_an_interrupt_while_streaming_closes_the_stream_and_keeps_the_text() -> None:
    hang = Hang()
    world = loop_world([[TextDelta(text="partly"), hang], says("fine")])
    task = asyncio.create_task(world.loop.run("go", ApprovalMode.REVIEW))
    await hang.reached.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    ended = of(world, RunEnded)[0]
    assert (ended.ending, ended.text) == (Ending.CANCELLED, "partly")
    assert world.provider.open_streams == 0
    assert_whole_record(world.events.events)
    assert (await run(world, "again")).ending is Ending.COMPLETED


async def test_an_interrupt_while_calls_run_answers_every_call() -> None:
    running = asyncio.Event()

    async def act(calls: Sequence[ToolCall]) -> TurnOutcome:
        running.set()
        await asyncio.Event().wait()
        return TurnOutcome(results=results_for(calls))

    world = loop_world([asks(READ, ("c2", "bash", "{}")), says("fine")], act=act)
    task = asyncio.create_task(world.loop.run("go", ApprovalMode.REVIEW))
    await running.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert of(world, RunEnded)[0].ending is Ending.CANCELLED
    states = {event.result.state for event in of(world, ToolCallFinished)}
    assert states == {CallState.CANCELLED}
    assert_whole_record(world.events.events)
    assert (await run(world, "again")).ending is Ending.COMPLETED


async def test_an_interrupt_that_a_call_swallows_still_ends_the_run() -> None:
    running = asyncio.Event()

    async def act(calls: Sequence[ToolCall]) -> TurnOutcome:
        running.set()
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            return TurnOutcome(results=results_for(calls))
        raise AssertionError

    world = loop_world([asks(READ), says("never")], act=act)
    task = asyncio.create_task(world.loop.run("go", ApprovalMode.REVIEW))
    await running.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert of(world, RunEnded)[0].ending is Ending.CANCELLED
    assert len(world.provider.requests) == 1


async def test_an_interrupt_while_a_retry_waits_ends_the_run() -> None:
    world = loop_world([[Overloaded("busy")]])
    task = asyncio.create_task(world.loop.run("go", ApprovalMode.REVIEW))
    await next_event(world.events, RetryScheduled)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert of(world, RunEnded)[0].ending is Ending.CANCELLED


async def test_the_model_is_told_of_outside_changes_before_the_next_request() -> None:
    world = loop_world([asks(READ), says("done"), says("ok")])
    await run(world)
    world.conversation.outside.remember({"seen.txt": STAMP})
    world.conversation.outside.add([world.stamps.change("seen.txt"), world.stamps.change("other")])
    await run(world, "next")
    note = world.provider.requests[2].messages[-1]
    assert isinstance(note, UserMessage)
    assert note.is_note
    assert "seen.txt: changed" in note.text
    assert "other" not in note.text


async def test_a_request_that_does_not_fit_is_not_sent() -> None:
    world = loop_world([says("never")], context_window=100)
    ended = await run(world, "x" * 4000)
    assert ended.ending is Ending.ERROR
    assert "can hold 100" in ended.error
    assert not world.provider.requests
    assert_whole_record(world.events.events)


DONE = (("d", "task_done", "{}"),)


def ending_of(world: LoopWorld) -> RunEnded:
    return [event for event in world.events.events if isinstance(event, RunEnded)][-1]


async def test_a_run_that_ends_by_a_call_reminds_twice_and_is_then_incomplete() -> None:
    world = loop_world(
        [says("thinking"), says("still"), says("hm"), says("never")], ends_by_call=True
    )
    assert await world.loop.run("go", ApprovalMode.REVIEW) is Ending.INCOMPLETE
    assert len(world.provider.requests) == 3
    last = world.provider.requests[-1].messages[-1]
    assert isinstance(last, UserMessage)
    assert last.is_note
    assert "task_done" in last.text
    assert ending_of(world).text == "hm"


async def test_reminders_are_counted_anew_after_a_call() -> None:
    answers = [says("a"), says("b"), asks(("1", "look", "{}")), says("c"), says("d"), says("e")]
    world = loop_world(answers, ends_by_call=True)
    assert await world.loop.run("go", ApprovalMode.REVIEW) is Ending.INCOMPLETE
    assert len(world.provider.requests) == 6


async def test_the_summary_of_task_done_ends_the_run_and_is_its_text() -> None:
    async def finish(calls: Sequence[ToolCall]) -> TurnOutcome:
        return TurnOutcome(results=results_for(calls), summary="all is done")

    world = loop_world([asks(*DONE, text="words")], act=finish, ends_by_call=True)
    assert await world.loop.run("go", ApprovalMode.REVIEW) is Ending.COMPLETED
    assert ending_of(world).text == "all is done"


class OneSkill:
    def __init__(self) -> None:
        self.began: list[str] = []
        self.ended = 0

    def begin_run(self, prompt: str) -> tuple[str, ...]:
        self.began.append(prompt)
        return ("Skill deploy: be careful.",)

    def end_run(self) -> None:
        self.ended += 1


async def test_what_a_skill_says_stands_before_the_prompt() -> None:
    skill = OneSkill()
    world = loop_world([says("ok")], skills=skill)
    await world.loop.run("deploy it", ApprovalMode.REVIEW)
    assert world.provider.requests[0].messages == (
        UserMessage(text="Skill deploy: be careful.", is_note=True),
        UserMessage(text="deploy it"),
    )
    assert (skill.began, skill.ended) == (["deploy it"], 1)


async def test_a_steered_prompt_goes_out_with_the_next_turn() -> None:
    async def steer(calls: Sequence[ToolCall]) -> TurnOutcome:
        world.loop.steering.add("use tabs")
        return TurnOutcome(results=results_for(calls))

    world = loop_world([asks(READ), says("done")], act=steer)
    told: list[tuple[str, ...]] = []
    world.loop.steering.on_taken(lambda: told.append(world.loop.steering.waiting))
    ended = await run(world)
    assert ended.ending is Ending.COMPLETED
    results, steered = world.provider.requests[1].messages[-2:]
    assert isinstance(results, ToolResultsMessage)
    assert steered == UserMessage(text="use tabs")
    kinds = [type(event).__name__ for event in world.events.events]
    assert kinds[kinds.index("PromptSteered") - 1] == "TurnStarted"
    assert [event.text for event in of(world, PromptSteered)] == ["use tabs"]
    assert told == [()]


@pytest.mark.parametrize("ends_by_call", [False, True])
async def test_a_run_goes_on_when_something_was_said_during_its_last_answer(
    ends_by_call: bool,  # noqa: FBT001 - a parameter of the test
) -> None:
    hang = Hang()
    answers: list[list[Step]] = [[TextDelta(text="all "), hang, *says("done")], says("tabs now")]
    world = loop_world(answers, ends_by_call=ends_by_call)
    task = asyncio.create_task(run(world))
    await hang.reached.wait()
    world.loop.steering.add("use tabs")
    hang.goes_on.set()
    ended = await task
    assert world.provider.requests[1].messages[-1] == UserMessage(text="use tabs")
    if not ends_by_call:
        assert (ended.ending, ended.text, len(of(world, TurnEnded))) == (
            Ending.COMPLETED,
            "tabsnow",
            2,
        )


async def test_what_was_not_given_out_stays_when_the_run_breaks_off() -> None:
    hang = Hang()
    world = loop_world([[hang, StreamBroken("lost")]])
    task = asyncio.create_task(run(world))
    await hang.reached.wait()
    world.loop.steering.add("use tabs")
    hang.goes_on.set()
    ended = await task
    assert ended.ending is Ending.ERROR
    assert of(world, PromptSteered) == []
    assert world.loop.steering.waiting == ("use tabs",)
