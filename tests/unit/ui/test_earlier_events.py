"""Which stored events are shown again, and from where."""

from caramelo_tui.agent.event_stream import EventStream
from caramelo_tui.domain.agent_events import (
    AgentEvent,
    ApprovalRequested,
    ApprovalSettled,
    NoticeLevel,
    NoticeRaised,
    QueueChanged,
    RunStarted,
    TextStreamed,
    ToolCallStreamed,
)
from caramelo_tui.domain.approvals import (
    ApprovalOutcome,
    ApprovalRequest,
    CommandRequest,
    ReviewRequest,
)
from caramelo_tui.domain.decisions import ApprovalMode
from caramelo_tui.domain.ids import ApprovalId, CallId
from caramelo_tui.domain.tool_calls import CommandLine
from caramelo_tui.ui.earlier_events import outcome_of, play, shown_events, tail_of
from caramelo_tui.ui.panes.status_bar import StatusView
from tests.doubles.clocks import ManualClock
from tests.doubles.stored_sessions import Told


def asked(told: Told, request: ApprovalRequest) -> None:
    told.add(ApprovalRequested(head=told.head(), request=request))


def command(name: str) -> CommandRequest:
    return CommandRequest(
        id=ApprovalId(name),
        call_id=CallId("c1"),
        fingerprint="f",
        tool="bash",
        command=CommandLine(command="ls", cwd=".", timeout_ms=1),
        cwd_shown=".",
        parts=(),
        reason="",
    )


def test_pieces_are_merged_and_passing_things_left_out() -> None:
    told = Told()
    told.add(NoticeRaised(head=told.head(), level=NoticeLevel.INFO, text="of that start"))
    told.begin("go").turn().stream("one ").stream("two")
    told.add(ToolCallStreamed(head=told.head(), call_id=CallId("c"), tool="t", fragment="{"))
    told.stream(" three")
    told.add(NoticeRaised(head=told.head(), level=NoticeLevel.WARNING, text="of the run"))
    told.add(QueueChanged(head=told.head(), prompts=("x",)))
    shown = shown_events(told.events)
    assert [e.text for e in shown if isinstance(e, TextStreamed)] == ["one two three"]
    assert [e.text for e in shown if isinstance(e, NoticeRaised)] == ["of the run"]
    assert not any(isinstance(event, QueueChanged | ToolCallStreamed) for event in shown)


def test_no_question_is_asked_again_but_hunks_that_waited_are_shown() -> None:
    told = Told().begin("go").turn()
    asked(told, command("a1"))
    asked(told, ReviewRequest(id=ApprovalId("a2"), writes=()))
    told.add(
        ApprovalSettled(
            head=told.head(), approval_id=ApprovalId("a2"), outcome=ApprovalOutcome.APPROVED
        )
    )
    asked(told, ReviewRequest(id=ApprovalId("a3"), writes=()))
    shown = [e for e in shown_events(told.events) if isinstance(e, ApprovalRequested)]
    assert [event.request.id for event in shown] == ["a3"]


def test_the_tail_begins_with_a_run() -> None:
    told = Told()
    for number in range(10):
        told.exchange(f"p{number}", "a")
    events = shown_events(told.events)
    begin, hidden = tail_of(events, most=20)
    first = events[begin]
    assert isinstance(first, RunStarted)
    assert first.prompt == f"p{hidden}"
    assert len(events) - begin <= 20
    assert tail_of(events, most=1000) == (0, 0)
    # One run that is longer than the tail is shown whole.
    assert tail_of(events, most=2)[1] == 9


async def test_playing_keeps_the_order() -> None:
    stream = EventStream(ManualClock())
    for number in range(250):
        stream.raise_notice(NoticeLevel.INFO, str(number))
    seen: list[AgentEvent] = []
    await play(stream.events, seen.append)
    assert tuple(seen) == stream.events


def test_the_status_bar_shows_the_outcome_and_the_mode_of_now() -> None:
    view = outcome_of(
        [lambda view: StatusView(is_running=True, turn=view.turn + 3, mode=ApprovalMode.AUTO)],
        StatusView(),
        ApprovalMode.PLAN,
    )
    assert (view.is_running, view.turn, view.mode) == (False, 0, ApprovalMode.PLAN)
