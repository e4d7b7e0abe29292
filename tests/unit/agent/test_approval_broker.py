"""Questions are settled exactly once, and nothing but an answer approves."""

import asyncio

import pytest

from caramelo_tui.agent.approval_broker import (
    ApprovalBroker,
    FilesMoved,
    PersonAtPrompt,
    Refused,
    Reply,
)
from caramelo_tui.agent.event_stream import EventStream
from caramelo_tui.domain.agent_events import ApprovalRequested, ApprovalSettled
from caramelo_tui.domain.approvals import (
    ApprovalAnswer,
    ApprovalOutcome,
    ApprovalRequest,
    CommandAction,
    CommandAnswer,
    CommandRequest,
    ProposedWrite,
    Remark,
    ReviewAnswer,
    ReviewRequest,
)
from caramelo_tui.domain.diffs import Hunk, WholeContent, WriteProposal
from caramelo_tui.domain.ids import ApprovalId, CallId, HunkId
from caramelo_tui.domain.tool_calls import CommandLine
from tests.doubles.pipeline_worlds import SteppingClock, ends_cancelled

RUN = CommandAnswer(action=CommandAction.RUN)


def command(number: int = 1) -> CommandRequest:
    return CommandRequest(
        id=ApprovalId(f"command-{number}"),
        call_id=CallId("1"),
        fingerprint="f",
        tool="bash",
        command=CommandLine(command="ls", cwd=".", timeout_ms=1000),
        cwd_shown="/w",
        parts=(),
        reason="bash always asks",
        agent_title="helper",
    )


def review(*paths: str) -> ReviewRequest:
    return ReviewRequest(id=ApprovalId("review"), writes=tuple(proposed(path) for path in paths))


def proposed(path: str) -> ProposedWrite:
    hunks = tuple(
        Hunk(
            id=HunkId(f"{path}:{index}"),
            old_start=index + 1,
            old_lines=(),
            new_start=index + 1,
            new_lines=("x\n",),
        )
        for index in range(2)
    )
    proposal = WriteProposal(
        call_id=CallId(path),
        path=path,
        shown_path=path,
        edit=WholeContent(content="x\nx\n", can_overwrite=False),
        before=None,
        after=b"x\nx\n",
        hunks=hunks,
        base_hash=None,
    )
    return ProposedWrite(
        call_id=CallId(path), fingerprint=path, tool="file_write", proposal=proposal, reason="mode"
    )


class Asking:
    """A broker with one question that waits."""

    def __init__(self, request: ApprovalRequest) -> None:
        self.events = EventStream(SteppingClock())
        self.broker = ApprovalBroker(self.events, PersonAtPrompt())
        self.request = request
        self.task: asyncio.Task[Reply] = asyncio.create_task(self.broker.ask(request))

    async def until_asked(self) -> "Asking":
        reader = self.events.reader()
        async for event in reader:
            if isinstance(event, ApprovalRequested):
                break
        # The approver has its say before anybody can answer.
        await asyncio.sleep(0)
        return self

    @property
    def settled(self) -> list[tuple[ApprovalOutcome, str]]:
        return [
            (event.outcome, event.detail)
            for event in self.events.events
            if isinstance(event, ApprovalSettled)
        ]


async def asking(request: ApprovalRequest) -> Asking:
    return await Asking(request).until_asked()


async def test_the_first_answer_wins_and_is_final() -> None:
    world = await asking(command())
    assert world.broker.pending == (world.request,)
    assert world.broker.answer(world.request.id, RUN)
    assert not world.broker.answer(world.request.id, CommandAnswer(action=CommandAction.DENY))
    assert not world.broker.withdraw(world.request.id)
    assert await world.task == RUN
    assert world.settled == [(ApprovalOutcome.APPROVED, "")]
    assert len(world.broker.pending) == 0


async def test_events_name_the_asking_agent() -> None:
    world = await asking(command())
    world.broker.answer(world.request.id, RUN)
    await world.task
    assert [event.head.agent for event in world.events.events] == ["helper", "helper"]


async def test_an_unknown_question_takes_no_answer() -> None:
    world = await asking(command())
    assert not world.broker.answer(ApprovalId("other"), RUN)
    world.broker.withdraw_all()
    assert await world.task is None


async def test_questions_can_be_answered_in_any_order() -> None:
    broker = ApprovalBroker(EventStream(SteppingClock()), PersonAtPrompt())
    tasks = [asyncio.create_task(broker.ask(command(number))) for number in (1, 2)]
    await asyncio.sleep(0)
    assert [request.id for request in broker.pending] == ["command-1", "command-2"]
    assert broker.answer(ApprovalId("command-2"), CommandAnswer(action=CommandAction.DENY))
    assert broker.answer(ApprovalId("command-1"), RUN)
    first, second = await asyncio.gather(*tasks)
    assert first == RUN
    assert isinstance(second, CommandAnswer)
    assert second.action is CommandAction.DENY


@pytest.mark.parametrize(
    ("request_", "answer"),
    [
        (command(), ReviewAnswer()),
        (review("a"), RUN),
        (command(), CommandAnswer(action=CommandAction.EDIT)),
    ],
    ids=["review answer to a command", "command answer to a review", "edit without a command"],
)
async def test_an_answer_that_does_not_fit_settles_nothing(
    request_: ApprovalRequest, answer: ApprovalAnswer
) -> None:
    world = await asking(request_)
    assert not world.broker.answer(request_.id, answer)
    assert world.settled == []
    assert world.broker.pending == (request_,)
    world.broker.withdraw_all()
    await world.task


async def test_a_withdrawn_question_is_answered_by_nobody() -> None:
    world = await asking(command())
    assert world.broker.withdraw(world.request.id)
    assert await world.task is None
    assert not world.broker.answer(world.request.id, RUN)
    assert world.settled == [(ApprovalOutcome.WITHDRAWN, "")]


async def test_a_cancelled_question_counts_as_withdrawn() -> None:
    world = await asking(command())
    world.task.cancel()
    assert await ends_cancelled(world.task)
    assert not world.broker.answer(world.request.id, RUN)
    assert world.settled == [(ApprovalOutcome.WITHDRAWN, "")]


async def test_an_interrupt_right_after_the_answer_still_settles_once() -> None:
    world = await asking(command())
    world.broker.answer(world.request.id, RUN)
    world.task.cancel()
    assert await ends_cancelled(world.task)
    assert world.settled == [(ApprovalOutcome.APPROVED, "")]


@pytest.mark.parametrize(
    ("answer", "outcome", "detail"),
    [
        (
            CommandAnswer(action=CommandAction.EDIT, command="pwd"),
            ApprovalOutcome.EDITED,
            "pwd",
        ),
        (
            CommandAnswer(action=CommandAction.DENY, remark="no"),
            ApprovalOutcome.DENIED,
            "no",
        ),
        (CommandAnswer(action=CommandAction.STOP), ApprovalOutcome.STOPPED, ""),
    ],
)
async def test_the_event_says_how_a_command_was_settled(
    answer: CommandAnswer, outcome: ApprovalOutcome, detail: str
) -> None:
    world = await asking(command())
    world.broker.answer(world.request.id, answer)
    await world.task
    assert world.settled == [(outcome, detail)]


@pytest.mark.parametrize(
    ("accepted", "outcome"),
    [
        ({"a:0": True, "a:1": True}, ApprovalOutcome.APPROVED),
        ({"a:0": True}, ApprovalOutcome.PARTLY),
        ({"a:0": False, "other:0": True}, ApprovalOutcome.DENIED),
        ({}, ApprovalOutcome.DENIED),
    ],
)
async def test_the_event_says_how_a_review_was_settled(
    accepted: dict[str, bool], outcome: ApprovalOutcome
) -> None:
    world = await asking(review("a"))
    answer = ReviewAnswer(
        accepted={HunkId(key): value for key, value in accepted.items()},
        remarks=(Remark(path="a", text="one"), Remark(path="a", text="two")),
    )
    world.broker.answer(world.request.id, answer)
    await world.task
    assert world.settled == [(outcome, "one; two")]


async def test_a_review_that_stops_the_run_says_so() -> None:
    world = await asking(review("a"))
    world.broker.answer(world.request.id, ReviewAnswer(stops_run=True))
    await world.task
    assert world.settled == [(ApprovalOutcome.STOPPED, "")]


async def test_a_review_of_a_moved_file_is_replaced() -> None:
    world = await asking(review("a", "b", "a"))
    assert world.broker.mark_stale({"c"}) == ()
    assert world.broker.mark_stale({"a", "c"}) == ("review",)
    assert await world.task == FilesMoved(paths=("a",))
    assert world.settled == [(ApprovalOutcome.REPLACED, "a")]


async def test_a_command_is_never_stale() -> None:
    world = await asking(command())
    assert world.broker.mark_stale({"a", "."}) == ()
    world.broker.withdraw_all()
    await world.task


class Beforehand:
    def __init__(self, reply: ApprovalAnswer | Refused) -> None:
        self._reply = reply

    async def reply(self, request: ApprovalRequest) -> ApprovalAnswer | Refused | None:
        del request
        return self._reply


async def test_an_approver_answers_before_anybody_is_asked() -> None:
    events = EventStream(SteppingClock())
    reply = await ApprovalBroker(events, Beforehand(RUN)).ask(command())
    assert reply == RUN
    assert [type(event).__name__ for event in events.events] == [
        "ApprovalRequested",
        "ApprovalSettled",
    ]


async def test_a_refusal_of_the_approver_is_a_denial_with_its_reason() -> None:
    events = EventStream(SteppingClock())
    refused = Refused(reason="nobody")
    assert await ApprovalBroker(events, Beforehand(refused)).ask(command()) == refused
    settled = events.events[-1]
    assert isinstance(settled, ApprovalSettled)
    assert (settled.outcome, settled.detail) == (ApprovalOutcome.DENIED, "nobody")


async def test_an_approver_whose_answer_does_not_fit_approves_nothing() -> None:
    events = EventStream(SteppingClock())
    broker = ApprovalBroker(events, Beforehand(RUN))
    with pytest.raises(ValueError, match="does not fit"):
        await broker.ask(review("a"))
    settled = events.events[-1]
    assert isinstance(settled, ApprovalSettled)
    assert settled.outcome is ApprovalOutcome.WITHDRAWN
    assert broker.pending == ()


async def test_it_tells_when_somebody_is_waited_for_and_when_not() -> None:
    told: list[bool] = []
    broker = ApprovalBroker(EventStream(SteppingClock()), PersonAtPrompt())
    broker.tell_waiting(told.append)
    tasks = [asyncio.create_task(broker.ask(command(number))) for number in (1, 2)]
    await asyncio.sleep(0)
    broker.withdraw(ApprovalId("command-1"))
    broker.answer(ApprovalId("command-2"), RUN)
    await asyncio.gather(*tasks)
    assert told == [True, True, True, False]
