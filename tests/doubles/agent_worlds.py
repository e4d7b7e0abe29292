"""Doubles around the agent: a scripted provider, quick waiting, and a small agent of them."""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TypeVar

from caramelo_tui.agent.approval_broker import ApprovalBroker, PersonAtPrompt
from caramelo_tui.agent.call_records import TurnOutcome
from caramelo_tui.agent.command_activity import CommandActivity
from caramelo_tui.agent.context_builder import ContextBuilder
from caramelo_tui.agent.controller import AgentController
from caramelo_tui.agent.conversation import Conversation
from caramelo_tui.agent.current_mode import CurrentMode
from caramelo_tui.agent.disk_watch import DiskWatch, StaleQuestions
from caramelo_tui.agent.event_stream import EventStream
from caramelo_tui.agent.limits import RunLimits
from caramelo_tui.agent.outside_changes import OutsideChanges
from caramelo_tui.agent.port import AgentInfo
from caramelo_tui.agent.reply_stream import ReplyStream
from caramelo_tui.agent.run_frames import MainFrame, SessionFacts
from caramelo_tui.agent.run_loop import RunLoop, RunParts, RunRules
from caramelo_tui.agent.run_skills import NoSkills, RunSkills
from caramelo_tui.agent.session_parts import MainCalls, Recorder, SessionParts
from caramelo_tui.agent.session_rules import SessionRules
from caramelo_tui.agent.stream_assembler import CallIds
from caramelo_tui.agent.token_count import TokenCount
from caramelo_tui.agent.workspace_view import WorkspaceView
from caramelo_tui.domain.agent_events import BackgroundProcess, ToolCallFinished, ToolCallStarted
from caramelo_tui.domain.decisions import ApprovalMode, CommandPart
from caramelo_tui.domain.files import ChangeKind, FileChange, FileStamp
from caramelo_tui.domain.ids import CallId, CountingIds, SessionId
from caramelo_tui.domain.messages import (
    AssistantMessage,
    StopReason,
    ToolResultsMessage,
    UserMessage,
)
from caramelo_tui.domain.provider_events import (
    ProviderEvent,
    StreamStopped,
    TextDelta,
    ToolArgumentsDelta,
    ToolCallBegan,
    UsageSeen,
)
from caramelo_tui.domain.tool_calls import CallState, CommandLine, ToolCall, ToolResult
from caramelo_tui.domain.usage import Usage
from caramelo_tui.policy.grants import SessionGrants
from caramelo_tui.policy.ledger import DiffLedger
from caramelo_tui.providers.base import Capabilities, Provider, ProviderRequest
from caramelo_tui.workspace.file_io import FileStore
from caramelo_tui.workspace.sandbox import Sandbox

E = TypeVar("E")


async def next_event(events: EventStream, kind: type[E], *, skip: int = 0) -> E:
    """Return the first event of a kind, waiting for it; ``skip`` leaves out earlier ones.

    Raises:
        AssertionError: If the stream ends without it.
    """
    reader = events.reader()
    async for event in reader:
        if isinstance(event, kind):
            if not skip:
                reader.close()
                return event
            skip -= 1
    raise AssertionError(kind)


class FixedClock:
    """A clock that ticks once per look."""

    def __init__(self) -> None:
        self.ticks = 0

    def now(self) -> float:
        self.ticks += 1
        return 1000.0 + self.ticks

    def monotonic(self) -> float:
        return float(self.ticks)


@dataclass(frozen=True)
class Hang:
    """A point of the stream where nothing comes until somebody lets it go on."""

    reached: asyncio.Event = field(default_factory=asyncio.Event)
    goes_on: asyncio.Event = field(default_factory=asyncio.Event)


Step = ProviderEvent | Exception | Hang
"""What a scripted answer does next: yield, raise, or wait."""


def says(
    text: str = "", *, stop: StopReason = StopReason.END_TURN, usage: Usage | None = None
) -> list[Step]:
    """An answer of text."""
    steps: list[Step] = [TextDelta(text=word) for word in text.split(" ") if word]
    if usage is not None:
        steps.append(UsageSeen(usage=usage))
    return [*steps, StreamStopped(stop_reason=stop)]


def asks(
    *calls: tuple[str, str, str], text: str = "", stop: StopReason = StopReason.TOOL_USE
) -> list[Step]:
    """An answer with calls, each ``(id, tool, arguments as JSON)``."""
    steps: list[Step] = [TextDelta(text=text)] if text else []
    for slot, (call_id, name, arguments) in enumerate(calls):
        steps.append(ToolCallBegan(slot=slot, call_id=call_id, name=name))
        middle = len(arguments) // 2
        steps.extend(
            ToolArgumentsDelta(slot=slot, fragment=part)
            for part in (arguments[:middle], arguments[middle:])
        )
    return [*steps, StreamStopped(stop_reason=stop)]


class ScriptedAnswers:
    """A provider that plays a list of answers, the last one again and again."""

    def __init__(self, answers: Sequence[Sequence[Step]]) -> None:
        self._answers = list(answers)
        self.requests: list[ProviderRequest] = []
        self.open_streams = 0
        self.is_closed = False
        self.is_warm = asyncio.Event()
        self.warm_failure: Exception | None = None

    @property
    def name(self) -> str:
        return "scripted"

    @property
    def capabilities(self) -> Capabilities:
        return Capabilities()

    async def warm(self) -> None:
        await asyncio.sleep(0)
        self.is_warm.set()
        if self.warm_failure is not None:
            raise self.warm_failure

    async def stream(self, request: ProviderRequest) -> AsyncGenerator[ProviderEvent, None]:
        assert_valid_for_provider(request)
        self.requests.append(request)
        steps = self._answers.pop(0) if len(self._answers) > 1 else self._answers[0]
        self.open_streams += 1
        try:
            for step in steps:
                await asyncio.sleep(0)
                if isinstance(step, Exception):
                    raise step
                if isinstance(step, Hang):
                    step.reached.set()
                    await step.goes_on.wait()
                    continue
                yield step
        finally:
            self.open_streams -= 1

    async def count_tokens(self, request: ProviderRequest) -> int | None:  # noqa: ARG002 - the protocol's form
        return None

    async def close(self) -> None:
        self.is_closed = True


def assert_valid_for_provider(request: ProviderRequest) -> None:
    """Check I4 as a strict vendor would."""
    messages = request.messages
    assert isinstance(messages[0], UserMessage)
    assert not isinstance(messages[-1], AssistantMessage) or (
        messages[-1].stop_reason is StopReason.PAUSE_TURN
    )
    seen: set[str] = set()
    for message, following in zip(messages, [*messages[1:], None], strict=True):
        if not isinstance(message, AssistantMessage):
            continue
        assert message.blocks
        ids = [call.id for call in message.calls]
        assert len(set(ids)) == len(ids)
        assert not seen & set(ids)
        seen.update(ids)
        if ids:
            assert isinstance(following, ToolResultsMessage)
            assert [result.call_id for result in following.results] == ids
        else:
            assert not isinstance(following, ToolResultsMessage)


class QuickWaiting:
    """Waits no time and remembers how long it should have been."""

    def __init__(self) -> None:
        self.waits: list[float] = []

    async def sleep(self, seconds: float) -> None:
        self.waits.append(seconds)
        await asyncio.sleep(0)

    def jitter(self) -> float:
        return 0.5


Act = Callable[[Sequence[ToolCall]], Awaitable[TurnOutcome]]


def results_for(calls: Sequence[ToolCall]) -> tuple[ToolResult, ...]:
    """A good result for each call."""
    return tuple(
        ToolResult(call_id=call.id, text="fine", is_error=False, state=CallState.OK)
        for call in calls
    )


class FakeCalls:
    """A pipeline that reports each call and answers it, one loop step apart."""

    def __init__(self, events: EventStream, act: Act | None = None) -> None:
        self._events = events
        self._act = act
        self.turns: list[tuple[ToolCall, ...]] = []
        self.cancellable: set[CallId] = set()
        self.repeatable: set[CallId] = set()

    def cancel_call(self, call_id: CallId) -> bool:
        return call_id in self.cancellable

    async def run_again(self, call_id: CallId) -> ToolResult | None:
        if call_id not in self.repeatable:
            return None
        return ToolResult(call_id=call_id, text="again", is_error=False, state=CallState.OK)

    async def explain_command(self, command: CommandLine) -> tuple[CommandPart, ...]:
        return (CommandPart(text=command.command, risks=(f"starts in {command.cwd}",)),)

    async def run_turn(self, calls: Sequence[ToolCall]) -> TurnOutcome:
        self.turns.append(tuple(calls))
        if self._act is not None:
            return await self._act(calls)
        for call in calls:
            self._start(call)
        results = results_for(calls)
        for call, result in zip(calls, results, strict=True):
            await asyncio.sleep(0)
            self._finish(call, result)
        return TurnOutcome(results=results)

    def _start(self, call: ToolCall) -> None:
        self._events.emit(
            lambda head: ToolCallStarted(
                head=head, call_id=call.id, tool=call.name, arguments_json=call.arguments_json
            )
        )

    def _finish(self, call: ToolCall, result: ToolResult) -> None:
        self._events.emit(
            lambda head: ToolCallFinished(
                head=head, call_id=call.id, tool=call.name, result=result, duration_ms=1
            )
        )


@dataclass(frozen=True)
class LoopWorld:
    """A run loop on doubles."""

    provider: ScriptedAnswers
    events: EventStream
    conversation: Conversation
    stamps: "FakeStamps"
    waiting: QuickWaiting
    calls: FakeCalls
    loop: RunLoop


def main_frame(events: EventStream) -> MainFrame:
    facts = SessionFacts(
        session_id=SessionId("session-1"),
        provider="scripted",
        model="model-1",
        profile="caramelo",
        is_trusted=True,
    )
    return MainFrame(events=events, facts=facts)


def loop_world(
    answers: Sequence[Sequence[Step]],
    *,
    limits: RunLimits | None = None,
    act: Act | None = None,
    context_window: int | None = None,
    ends_by_call: bool = False,
    skills: RunSkills | None = None,
) -> LoopWorld:
    """Build a run loop whose provider plays ``answers``."""
    limits = limits or RunLimits()
    ids = CountingIds()
    events = EventStream(FixedClock())
    provider = ScriptedAnswers(answers)
    waiting = QuickWaiting()
    calls = FakeCalls(events, act)
    stamps, mode = FakeStamps(), CurrentMode(ApprovalMode.REVIEW)
    conversation = Conversation(
        outside=OutsideChanges(stamps),
        mode=mode,
        context=ContextBuilder(
            model="model-1",
            system="You are a test.",
            tools=tuple,
            answer_tokens=limits.answer_tokens,
            context_window=context_window,
        ),
    )
    loop = RunLoop(
        RunParts(
            rules=RunRules(limits=limits, ends_by_call=ends_by_call),
            frame=main_frame(events),
            conversation=conversation,
            replies=ReplyStream(
                provider=provider, events=events, call_ids=CallIds(ids), waiting=waiting
            ),
            calls=calls,
            events=events,
            ids=ids,
            tokens=TokenCount(),
            skills=skills or NoSkills(),
        )
    )
    return LoopWorld(
        provider=provider,
        events=events,
        conversation=conversation,
        stamps=stamps,
        waiting=waiting,
        calls=calls,
        loop=loop,
    )


class FakeWatcher:
    """A watcher that sees what the test says."""

    def __init__(self) -> None:
        self.callbacks: list[Callable[[tuple[FileChange, ...]], None]] = []
        self.is_running = False
        self.activity: list[bool] = []

    async def start(self) -> None:
        self.is_running = True

    async def stop(self) -> None:
        self.is_running = False

    def subscribe(self, callback: Callable[[tuple[FileChange, ...]], None]) -> None:
        self.callbacks.append(callback)

    def set_active(self, is_active: bool, /) -> None:  # noqa: FBT001 - the watcher's signature
        self.activity.append(is_active)

    def see(self, *changes: FileChange) -> None:
        for callback in self.callbacks:
            callback(changes)


class FakeCacheDrops:
    """Remembers what had to be forgotten."""

    def __init__(self) -> None:
        self.changes: list[FileChange] = []
        self.troubles = 0

    def on_changes(self, changes: Iterable[FileChange]) -> None:
        self.changes.extend(changes)

    def on_watcher_trouble(self) -> None:
        self.troubles += 1


class FakeProcesses:
    """Background processes as the test says."""

    def __init__(self) -> None:
        self.alive: dict[int, BackgroundProcess] = {}
        self.is_ended = False
        self.failure: Exception | None = None

    def leave(self, pid: int) -> None:
        process = BackgroundProcess(pid=pid, command="sleep 9", call_id=CallId("c"))
        self.alive[pid] = process

    def background(self) -> tuple[BackgroundProcess, ...]:
        return tuple(self.alive.values())

    def end_background(self, pid: int) -> bool:
        return self.alive.pop(pid, None) is not None

    async def end_all(self) -> None:
        await asyncio.sleep(0)
        if self.failure is not None:
            raise self.failure
        self.is_ended = True
        self.alive.clear()


STAMP = FileStamp(device=1, inode=1, size=1, mtime_ns=1, ctime_ns=1)


class FakeStamps:
    """The disk as far as stamps tell of it."""

    def __init__(self) -> None:
        self.files: dict[str, FileStamp] = {}

    def __call__(self, path: str) -> FileStamp | None:
        return self.files.get(path)

    def change(self, path: str) -> FileChange:
        """Change a file as another program would; return what the watcher says of it."""
        before = self.files.get(path, STAMP)
        self.files[path] = replace(before, ctime_ns=before.ctime_ns + 1)
        return FileChange(path=path, kind=ChangeKind.MODIFIED)

    def delete(self, path: str) -> FileChange:
        """Delete a file as another program would; return what the watcher says of it."""
        self.files.pop(path, None)
        return FileChange(path=path, kind=ChangeKind.DELETED)


class FakeSubagents:
    """No sub-agent runs."""

    def cancel_call(self, call_id: CallId) -> bool:
        del call_id
        return False


class Surroundings:
    """What lives around the runs of a session, on doubles."""

    def __init__(
        self, events: EventStream, questions: StaleQuestions, outside: OutsideChanges
    ) -> None:
        self.events = events
        self.watcher = FakeWatcher()
        self.cache = FakeCacheDrops()
        self.processes = FakeProcesses()
        self.commands = CommandActivity(
            events=events, processes=self.processes, command_tools={"bash"}, clock=FixedClock()
        )
        self.disk = DiskWatch(
            watcher=self.watcher,
            cache=self.cache,
            questions=questions,
            outside=(outside,),
            commands=self.commands,
            events=events,
        )

    def parts(
        self,
        provider: Provider,
        calls: MainCalls,
        workspace: Path,
        recorder: Recorder | None = None,
    ) -> SessionParts:
        return SessionParts(
            provider=provider,
            calls=calls,
            subagents=FakeSubagents(),
            rules=SessionRules(
                grants=SessionGrants(root=workspace, home=workspace),
                ledger=DiffLedger(),
                events=self.events,
            ),
            commands=self.commands,
            disk=self.disk,
            view=WorkspaceView(FileStore(Sandbox(workspace)), workspace),
            end_commands=self.processes.end_all,
            recorder=recorder,
        )


@dataclass(frozen=True)
class AgentWorld:
    """A controller on doubles; the files are real."""

    provider: ScriptedAnswers
    events: EventStream
    conversation: Conversation
    calls: FakeCalls
    broker: ApprovalBroker
    surroundings: Surroundings
    agent: AgentController

    @property
    def watcher(self) -> FakeWatcher:
        return self.surroundings.watcher

    @property
    def cache(self) -> FakeCacheDrops:
        return self.surroundings.cache

    @property
    def processes(self) -> FakeProcesses:
        return self.surroundings.processes


def agent_world(
    answers: Sequence[Sequence[Step]],
    workspace: Path,
    *,
    act: Act | None = None,
    recorder: Recorder | None = None,
    limits: RunLimits | None = None,
    is_trusted: bool = True,
) -> AgentWorld:
    """Build a controller whose provider plays ``answers`` on real files in ``workspace``.

    ``act`` may use the broker by ``world.broker``. Call ``agent.start()`` on a running loop.
    """
    loop = loop_world(answers, act=act, limits=limits)
    broker = ApprovalBroker(loop.events, PersonAtPrompt())
    surroundings = Surroundings(loop.events, broker, loop.conversation.outside)
    agent = AgentController(
        info=agent_info(workspace, is_trusted=is_trusted),
        runs=loop.loop,
        events=loop.events,
        approvals=broker,
        mode=CurrentMode(ApprovalMode.REVIEW),
        parts=surroundings.parts(loop.provider, loop.calls, workspace, recorder),
    )
    return AgentWorld(
        provider=loop.provider,
        events=loop.events,
        conversation=loop.conversation,
        calls=loop.calls,
        broker=broker,
        surroundings=surroundings,
        agent=agent,
    )


def agent_info(workspace: Path, *, is_trusted: bool = True) -> AgentInfo:
    return AgentInfo(
        workspace=workspace,
        provider="scripted",
        model="model-1",
        profile="caramelo",
        is_trusted=is_trusted,
        is_demo=False,
    )
