"""Give a session that was cut off the ends that it lacks.

Owns what is still open when a program stops in the middle of a run: an answer, calls, questions,
sub-agents, the turn, the run. Each gets its one end as a new event, so that the record is whole
(I1, I6) and everybody sees the same: what waited is withdrawn, what did not run is said not to
have run. Proven by tests/unit/agent/test_resume_ends.py and tests/property/test_resume.py.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field

from caramelo_tui.agent.event_stream import EventStream
from caramelo_tui.domain.agent_events import (
    AgentEvent,
    ApprovalRequested,
    ApprovalSettled,
    AssistantReplied,
    BackgroundChanged,
    Ending,
    QueueChanged,
    RunEnded,
    RunStarted,
    SubagentEnded,
    SubagentStarted,
    TextStreamed,
    ToolCallFinished,
    ToolCallStarted,
    ToolExecutionStarted,
    TurnEnded,
    TurnStarted,
)
from caramelo_tui.domain.approvals import ApprovalOutcome
from caramelo_tui.domain.ids import ApprovalId, CallId, TurnId
from caramelo_tui.domain.messages import AssistantMessage, TextBlock
from caramelo_tui.domain.tool_calls import CallState, ToolCall, ToolResult
from caramelo_tui.domain.usage import Usage

STOPPED = "Caramelo stopped in the middle of this run."
"""What a run that was cut off ended with."""
NOT_RUN = "not run: Caramelo stopped before this call was carried out. Nothing was done."
CUT_OFF = (
    "interrupted: Caramelo stopped while this call ran. What it had done by then stays done, and "
    "is not known; look before you make the call again."
)


@dataclass(frozen=True, slots=True)
class _Place:
    """Whose events, and in which turn."""

    agent: str
    turn_id: TurnId | None


@dataclass(slots=True)
class _Work:
    """What is open of one agent."""

    turn: TurnStarted | None = None
    text: list[str] = field(default_factory=list[str])
    """Answer text that no whole answer followed."""
    asked: tuple[ToolCall, ...] = ()
    """Calls of the last answer."""
    started: dict[CallId, str] = field(default_factory=dict[CallId, str])
    """Tools of calls without an end."""
    executing: set[CallId] = field(default_factory=set[CallId])
    finished: set[CallId] = field(default_factory=set[CallId])

    def with_turn(self, turn: TurnStarted | None) -> "_Work":
        """Return what is open when a turn begins or ends: commands of the user's own may run on."""
        return _Work(turn=turn, started=self.started, executing=self.executing)


class OpenEnds:
    """Takes events in their order; knows what has no end."""

    def __init__(self) -> None:
        self._run: RunStarted | None = None
        self._works: dict[str, _Work] = {"": _Work()}
        self._subagents: dict[str, SubagentStarted] = {}
        self._questions: dict[ApprovalId, str] = {}
        self._background: BackgroundChanged | None = None
        self._queue: QueueChanged | None = None

    @property
    def waiting(self) -> tuple[str, ...]:
        """Prompts that waited, those for the next turn first, each kind oldest first."""
        queue = self._queue
        return () if queue is None else (*queue.steering, *queue.prompts)

    def play(self, events: Iterable[AgentEvent]) -> None:
        """Take events."""
        for event in events:
            self._take_frame(event)
            self._take_words(event)
            self._take_call(event)

    def settle(self, stream: EventStream) -> None:
        """Emit the ends that are missing, innermost first; nothing for a session that has all."""
        run = self._run
        if run is not None and run.head.run_id is not None:
            stream.begin_run(run.head.run_id)
        for approval_id, agent in self._questions.items():
            _withdraw(stream, approval_id, agent)
        for title in (*self._subagents, ""):
            self._settle_work(stream, title)
        if run is not None:
            stream.end_turn()
            _end_run(stream)
        stream.end_run()
        self._settle_standing(stream)

    def _take_frame(self, event: AgentEvent) -> None:
        agent = event.head.agent
        match event:
            case RunStarted():
                self._run = event
            case RunEnded():
                self._run = None
            case TurnStarted():
                self._works[agent] = self._work(event).with_turn(event)
            case TurnEnded():
                self._works[agent] = self._work(event).with_turn(None)
            case SubagentStarted():
                self._subagents[event.title] = event
            case SubagentEnded():
                self._subagents.pop(event.title, None)
                self._works.pop(event.title, None)
            case _:
                pass

    def _take_words(self, event: AgentEvent) -> None:
        match event:
            case ApprovalRequested():
                self._questions[event.request.id] = event.head.agent
            case ApprovalSettled():
                self._questions.pop(event.approval_id, None)
            case TextStreamed():
                self._work(event).text.append(event.text)
            case AssistantReplied():
                work = self._work(event)
                work.text.clear()
                work.asked = () if event.message.is_incomplete else event.message.calls
            case QueueChanged():
                self._queue = event
            case BackgroundChanged():
                self._background = event
            case _:
                pass

    def _take_call(self, event: AgentEvent) -> None:
        match event:
            case ToolCallStarted():
                self._work(event).started[event.call_id] = event.tool
            case ToolExecutionStarted():
                self._work(event).executing.add(event.call_id)
            case ToolCallFinished():
                work = self._work(event)
                work.started.pop(event.call_id, None)
                work.finished.add(event.call_id)
            case _:
                pass

    def _work(self, event: AgentEvent) -> _Work:
        return self._works.setdefault(event.head.agent, _Work())

    def _settle_work(self, stream: EventStream, agent: str) -> None:
        """End what is open of one agent, and the agent where it is a sub-agent."""
        work = self._works.get(agent) or _Work()
        turn_id = None if work.turn is None else work.turn.head.turn_id
        if turn_id is not None and not agent:
            stream.begin_turn(turn_id)
        place = _Place(agent, turn_id)
        if text := "".join(work.text):
            _break_off(stream, text, place)
        for call in work.asked:
            if call.id not in work.started and call.id not in work.finished:
                work.started[call.id] = call.name
                _start(stream, call, place)
        for call_id, tool in work.started.items():
            result = _result(call_id, was_executing=call_id in work.executing)
            _finish(stream, tool, result, place)
        if work.turn is not None:
            _end_turn(stream, work.turn.number, place)
        if agent:
            turns = 0 if work.turn is None else work.turn.number
            _end_subagent(stream, self._subagents[agent], turns)

    def _settle_standing(self, stream: EventStream) -> None:
        """Let all prompts wait for the user, and say that no process is known any more."""
        if self.waiting:
            stream.emit(lambda head: QueueChanged(head=head, prompts=self.waiting))
        if self._background is not None and self._background.processes:
            stream.emit(lambda head: BackgroundChanged(head=head, processes=()))


def _withdraw(stream: EventStream, approval_id: ApprovalId, agent: str) -> None:
    stream.emit(
        lambda head: ApprovalSettled(
            head=head, approval_id=approval_id, outcome=ApprovalOutcome.WITHDRAWN
        ),
        agent=agent,
    )


def _break_off(stream: EventStream, text: str, place: _Place) -> None:
    reply = AssistantMessage(blocks=(TextBlock(text=text),), stop_reason=None)
    stream.emit(
        lambda head: AssistantReplied(head=head, message=reply),
        agent=place.agent,
        turn_id=place.turn_id,
    )


def _start(stream: EventStream, call: ToolCall, place: _Place) -> None:
    stream.emit(
        lambda head: ToolCallStarted(
            head=head, call_id=call.id, tool=call.name, arguments_json=call.arguments_json
        ),
        agent=place.agent,
        turn_id=place.turn_id,
    )


def _result(call_id: CallId, *, was_executing: bool) -> ToolResult:
    return ToolResult(
        call_id=call_id,
        text=CUT_OFF if was_executing else NOT_RUN,
        is_error=True,
        state=CallState.CANCELLED if was_executing else CallState.NOT_RUN,
    )


def _finish(stream: EventStream, tool: str, result: ToolResult, place: _Place) -> None:
    stream.emit(
        lambda head: ToolCallFinished(
            head=head, call_id=result.call_id, tool=tool, result=result, duration_ms=0
        ),
        agent=place.agent,
        turn_id=place.turn_id,
    )


def _end_turn(stream: EventStream, number: int, place: _Place) -> None:
    stream.emit(
        lambda head: TurnEnded(head=head, number=number),
        agent=place.agent,
        turn_id=place.turn_id,
    )


def _end_subagent(stream: EventStream, began: SubagentStarted, turns: int) -> None:
    # Its tokens are in the session's count, which the last report of usage has.
    stream.emit(
        lambda head: SubagentEnded(
            head=head,
            call_id=began.call_id,
            title=began.title,
            ending=Ending.CANCELLED,
            usage=Usage(),
            turns=turns,
        ),
        agent=began.head.agent,
    )


def _end_run(stream: EventStream) -> None:
    stream.emit(
        lambda head: RunEnded(head=head, ending=Ending.ERROR, refused_calls=0, error=STOPPED)
    )
