"""Ends of a session that was cut off: each open thing gets one, and nothing else happens."""

from caramelo_tui.agent.event_stream import EventStream
from caramelo_tui.agent.resume_ends import CUT_OFF, NOT_RUN, STOPPED, OpenEnds
from caramelo_tui.domain.agent_events import (
    AgentEvent,
    ApprovalRequested,
    ApprovalSettled,
    AssistantReplied,
    BackgroundChanged,
    BackgroundProcess,
    Ending,
    QueueChanged,
    RunEnded,
    SubagentEnded,
    SubagentStarted,
    ToolCallFinished,
    ToolCallStarted,
    ToolExecutionStarted,
    TurnEnded,
    TurnStarted,
)
from caramelo_tui.domain.approvals import ApprovalOutcome, CommandRequest
from caramelo_tui.domain.ids import ApprovalId, CallId
from caramelo_tui.domain.tool_calls import CallState, CommandLine
from tests.doubles.clocks import ManualClock
from tests.doubles.stored_sessions import Told


def settled(told: Told) -> tuple[AgentEvent, ...]:
    ends = OpenEnds()
    ends.play(told.events)
    stream = EventStream(ManualClock(), last_seq=len(told.events))
    ends.settle(stream)
    return stream.events


def started(told: Told, call_id: str, tool: str = "bash", *, agent: str = "") -> Told:
    return told.add(
        ToolCallStarted(
            head=told.head(agent=agent), call_id=CallId(call_id), tool=tool, arguments_json="{}"
        )
    )


def test_a_whole_session_gets_nothing() -> None:
    assert settled(Told().exchange("a", "b")) == ()


def test_a_run_in_mid_answer_gets_its_words_and_its_ends() -> None:
    told = Told().begin("go").turn().stream("half ").stream("an answer")
    reply, turn, run = settled(told)
    assert isinstance(reply, AssistantReplied)
    assert reply.message.text == "half an answer"
    assert reply.message.is_incomplete
    assert isinstance(turn, TurnEnded)
    assert isinstance(run, RunEnded)
    assert (run.ending, run.error) == (Ending.ERROR, STOPPED)
    first = told.events[0].head
    assert [event.head.run_id for event in (reply, turn, run)] == [first.run_id] * 3
    assert reply.head.turn_id == told.events[1].head.turn_id
    assert run.head.turn_id is None
    assert [event.head.seq for event in (reply, turn, run)] == [5, 6, 7]


def test_calls_are_answered_by_how_far_they_came() -> None:
    told = Told().begin("go").turn().reply("", *((c, "bash", "{}") for c in ("c1", "c2", "c3")))
    started(started(told, "c1"), "c2")
    told.add(ToolExecutionStarted(head=told.head(), call_id=CallId("c2")))
    ends = settled(told)
    assert [e.call_id for e in ends if isinstance(e, ToolCallStarted)] == ["c3"]
    done = {e.call_id: e.result for e in ends if isinstance(e, ToolCallFinished)}
    assert {name: (r.text, r.state, r.is_error) for name, r in done.items()} == {
        "c1": (NOT_RUN, CallState.NOT_RUN, True),
        "c2": (CUT_OFF, CallState.CANCELLED, True),
        "c3": (NOT_RUN, CallState.NOT_RUN, True),
    }


def test_a_broken_answer_has_no_calls_to_answer() -> None:
    told = Told().begin("go").turn().reply("", ("c1", "bash", "{}"), is_whole=False)
    assert [type(event) for event in settled(told)] == [TurnEnded, RunEnded]


def test_a_question_is_withdrawn() -> None:
    told = Told().begin("go").turn().reply("", ("c1", "bash", "{}"))
    request = CommandRequest(
        id=ApprovalId("a1"),
        call_id=CallId("c1"),
        fingerprint="f",
        tool="bash",
        command=CommandLine(command="ls", cwd=".", timeout_ms=1),
        cwd_shown=".",
        parts=(),
        reason="",
    )
    started(told, "c1").add(ApprovalRequested(head=told.head(), request=request))
    first = settled(told)[0]
    assert isinstance(first, ApprovalSettled)
    assert (first.approval_id, first.outcome) == ("a1", ApprovalOutcome.WITHDRAWN)


def test_a_sub_agent_ends_before_the_call_that_started_it() -> None:
    told = Told().begin("go").turn().reply("", ("c1", "spawn_subagent", "{}"))
    started(told, "c1", "spawn_subagent")
    told.add(ToolExecutionStarted(head=told.head(), call_id=CallId("c1")))
    child = told.head(agent="child")
    told.add(
        SubagentStarted(head=child, call_id=CallId("c1"), title="child", role="fast", model="m")
    )
    told.add(TurnStarted(head=told.head(agent="child"), number=1))
    started(told, "c2", agent="child")
    shown = [(type(event), event.head.agent) for event in settled(told)]
    assert shown == [
        (ToolCallFinished, "child"),
        (TurnEnded, "child"),
        (SubagentEnded, "child"),
        (ToolCallFinished, ""),
        (TurnEnded, ""),
        (RunEnded, ""),
    ]


def test_a_command_of_the_users_own_ends_outside_of_runs() -> None:
    told = started(Told().exchange("a", "b"), "own", "!")
    [end] = settled(told)
    assert isinstance(end, ToolCallFinished)
    assert end.head.run_id is None


def test_prompts_go_on_waiting_and_processes_are_forgotten() -> None:
    told = Told().exchange("a", "b")
    told.add(QueueChanged(head=told.head(), prompts=("later",), steering=("now",)))
    process = BackgroundProcess(pid=1, command="sleep", call_id=CallId("c1"))
    told.add(BackgroundChanged(head=told.head(), processes=(process,)))
    queue, background = settled(told)
    assert isinstance(queue, QueueChanged)
    assert (queue.steering, queue.prompts) == ((), ("now", "later"))
    assert isinstance(background, BackgroundChanged)
    assert background.processes == ()
