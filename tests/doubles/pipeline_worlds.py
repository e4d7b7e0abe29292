"""A small workspace with the real pipeline, real file tools, and scripted everything else."""

import asyncio
import json
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from caramelo_tui.agent.approval_broker import ApprovalBroker, Refused
from caramelo_tui.agent.call_pipeline import CallPipeline
from caramelo_tui.agent.call_records import TurnOutcome
from caramelo_tui.agent.current_mode import CurrentMode
from caramelo_tui.agent.event_stream import EventStream
from caramelo_tui.agent.pipeline_parts import PipelineParts
from caramelo_tui.cache.store import CallCache
from caramelo_tui.domain.agent_events import (
    AgentEvent,
    ApprovalRequested,
    ApprovalSettled,
    OutputStream,
    ToolCallFinished,
    ToolExecutionStarted,
)
from caramelo_tui.domain.approvals import (
    ActionRequest,
    ApprovalAnswer,
    ApprovalOutcome,
    ApprovalRequest,
    CommandAction,
    CommandAnswer,
    CommandRequest,
    Remark,
    ReviewAnswer,
    ReviewRequest,
)
from caramelo_tui.domain.decisions import ApprovalMode, CommandPart, Decision, Verdict
from caramelo_tui.domain.ids import CallId, CountingIds, RunId, TurnId
from caramelo_tui.domain.tool_calls import (
    Action,
    ActionKind,
    CommandLine,
    Effect,
    JsonValue,
    PreparedCall,
    ToolCall,
    ToolResult,
    ToolSpec,
)
from caramelo_tui.tools.base import OutputSink, Tool, ToolContext, ToolOutput
from caramelo_tui.tools.child_environment import ChildEnvironment
from caramelo_tui.tools.files.file_edit import file_edit
from caramelo_tui.tools.files.file_read import FileRead
from caramelo_tui.tools.files.file_write import file_write
from caramelo_tui.tools.registry import ToolRegistry
from caramelo_tui.tools.subprocesses import CommandRunner
from caramelo_tui.workspace.file_io import FileStore, WriteStep
from caramelo_tui.workspace.journal import Journal
from caramelo_tui.workspace.overlay import Overlay
from caramelo_tui.workspace.sandbox import Sandbox

if TYPE_CHECKING:
    from caramelo_tui.domain.files import FileStamp

E = TypeVar("E")

Answering = Callable[[ApprovalRequest], ApprovalAnswer | Refused | None]
"""What a scripted person answers to one question; ``None``: nothing for now."""
Act = Callable[[], None]


class SteppingClock:
    """Time goes on by a second with each look at the monotonic clock."""

    def __init__(self) -> None:
        self.seconds = 0.0

    def now(self) -> float:
        return 1_000.0 + self.seconds

    def monotonic(self) -> float:
        self.seconds += 1.0
        return self.seconds


_FREE = frozenset({ActionKind.DELEGATE, ActionKind.FINISH})


class TablePolicy:
    """The approval modes, and rules by text for single calls."""

    def __init__(self) -> None:
        self.asked_paths: set[str] = set()
        self.denied: set[str] = set()
        """Paths, or commands, that are denied."""
        self.decided: list[PreparedCall] = []
        self.mode_origins: list[str] = []
        self.pending_lines: list[int] = []
        """What was said to be pending at each decision."""

    def decide(
        self,
        prepared: PreparedCall,
        *,
        mode: ApprovalMode,
        pending_lines: int = 0,
        mode_origin: str = "built in",
    ) -> Decision:
        self.mode_origins.append(mode_origin)
        self.decided.append(prepared)
        self.pending_lines.append(pending_lines)
        subject = prepared.command.command if prepared.command else "".join(prepared.paths)
        if subject in self.denied:
            return Decision(
                verdict=Verdict.DENY, reason=f"{subject} is forbidden", rule="test", code="test"
            )
        match prepared.effect:
            case Effect.READ:
                return _decision(Verdict.ALLOW, "read")
            case Effect.WRITE:
                is_free = mode is ApprovalMode.AUTO and subject not in self.asked_paths
                code = "protected_path" if subject in self.asked_paths else "mode"
                return _decision(Verdict.ALLOW if is_free else Verdict.ASK, code)
            case Effect.OTHER if prepared.action is not None and prepared.action.kind in _FREE:
                return _decision(Verdict.ALLOW, "action")
            case Effect.COMMAND | Effect.OTHER:
                return _decision(Verdict.ASK, "bash")

    def explain(self, command: str, *, cwd: str = ".") -> tuple[CommandPart, ...]:
        return (CommandPart(text=command, risks=(f"starts in {cwd}",)),)


def _decision(verdict: Verdict, code: str) -> Decision:
    return Decision(verdict=verdict, reason=f"because of {code}", rule=code, code=code)


class CountedLines:
    """The changed lines that were booked, write by write."""

    def __init__(self) -> None:
        self.booked: list[int] = []

    def book(self, lines: int) -> None:
        self.booked.append(lines)


class ScriptedTool:
    """A tool that does what the test says for its ``command`` (or ``path``) argument."""

    def __init__(self, name: str, effect: Effect, kind: ActionKind | None = None) -> None:
        self._effect = effect
        self._kind = kind
        self.title = f"{name} it"
        """What a call says that it would do; may be changed between two looks."""
        key = "path" if effect is Effect.READ else "command"
        self._key = key
        self._spec = ToolSpec(
            name=name,
            description="For tests.",
            input_schema={
                "type": "object",
                "properties": {key: {"type": "string", "minLength": 1}, "cwd": {"type": "string"}},
                "required": [key],
                "additionalProperties": False,
            },
        )
        self.executed: list[str] = []
        self.acts: dict[str, Callable[[], None]] = {}
        """What happens while a command runs."""
        self.waits: dict[str, asyncio.Event] = {}
        """Commands that run until the event is set."""
        self.begun = asyncio.Event()
        self.failures: dict[str, BaseException] = {}
        self.prepare_failures: dict[str, Exception] = {}
        self.outputs: dict[str, ToolOutput] = {}
        self.swallows_cancel = False

    @property
    def spec(self) -> ToolSpec:
        return self._spec

    @property
    def effect(self) -> Effect:
        return self._effect

    async def prepare(
        self, call: ToolCall, arguments: Mapping[str, JsonValue], context: ToolContext
    ) -> PreparedCall:
        subject = str(arguments[self._key])
        if subject in self.prepare_failures:
            raise self.prepare_failures[subject]
        cwd = context.sandbox.resolve(str(arguments.get("cwd", ".")))
        command = CommandLine(command=subject, cwd=cwd.relative, timeout_ms=1000)
        return PreparedCall(
            call=call,
            arguments=arguments,
            effect=self._effect,
            summary=subject,
            paths=(subject,) if self._effect is Effect.READ else (),
            command=command if self._effect is Effect.COMMAND else None,
            action=None if self._kind is None else Action(kind=self._kind, title=self.title),
        )

    async def execute(self, prepared: PreparedCall, context: ToolContext) -> ToolOutput:
        subject = str(prepared.arguments[self._key])
        self.executed.append(subject)
        self.begun.set()
        context.emit_output(OutputStream.STDOUT, f"{subject} runs\n")
        if subject in self.waits:
            await self._wait(self.waits[subject])
        self.acts.get(subject, _nothing)()
        if subject in self.failures:
            raise self.failures[subject]
        return self.outputs.get(subject, ToolOutput(text=f"ran {subject}", exit_code=0))

    async def _wait(self, event: asyncio.Event) -> None:
        try:
            await event.wait()
        except asyncio.CancelledError:
            if not self.swallows_cancel:
                raise


def _nothing() -> None:
    return None


class ScriptedPerson:
    """Answers questions in order, and remembers them; then answers nothing by itself."""

    def __init__(self) -> None:
        self.answers: list[Answering] = []
        self.asked: list[ApprovalRequest] = []
        self.has_question = asyncio.Event()

    async def reply(self, request: ApprovalRequest) -> ApprovalAnswer | Refused | None:
        self.asked.append(request)
        self.has_question.set()
        return self.answers.pop(0)(request) if self.answers else None

    @property
    def reviews(self) -> list[ReviewRequest]:
        return [request for request in self.asked if isinstance(request, ReviewRequest)]

    @property
    def actions(self) -> list[ActionRequest]:
        return [request for request in self.asked if isinstance(request, ActionRequest)]

    @property
    def commands(self) -> list[CommandRequest]:
        return [request for request in self.asked if isinstance(request, CommandRequest)]


@dataclass
class Faults:
    """Makes steps of writes fail, or lets somebody act between them."""

    acts: list[tuple[WriteStep, Act]] = field(default_factory=list[tuple[WriteStep, Act]])

    def hook(self, step: WriteStep, _path: str) -> None:
        for index, (wanted, act) in enumerate(self.acts):
            if wanted is step:
                del self.acts[index]
                act()
                return


class World:
    """One workspace, one pipeline, one person."""

    def __init__(
        self,
        folder: Path,
        mode: ApprovalMode = ApprovalMode.REVIEW,
        *,
        person: ScriptedPerson | None = None,
    ) -> None:
        self.root = folder / "workspace"
        self.root.mkdir(parents=True)
        self.current_mode = CurrentMode(mode)
        self.clock = SteppingClock()
        self.events = EventStream(self.clock)
        self.events.begin_run(RunId("run-1"))
        self.events.begin_turn(TurnId("turn-1"))
        self.person = person or ScriptedPerson()
        self.broker = ApprovalBroker(self.events, self.person)
        self.policy = TablePolicy()
        self.lines = CountedLines()
        self.faults = Faults()
        sandbox = Sandbox(self.root)
        files = FileStore(sandbox, step_hook=self.faults.hook)
        self.overlay = Overlay(files)
        self.cache = CallCache(1_000_000, files=files, now_ns=_far_future_ns)
        self.journal = Journal(folder / "journal", self.clock, workspace=self.root)
        runner = CommandRunner(
            session_mark="mark", environment=ChildEnvironment({}), artifacts_folder=folder / "kept"
        )
        self.known: dict[str, FileStamp | None] = {}
        """What the model knows of files by now."""
        self.bash = ScriptedTool("bash", Effect.COMMAND)
        self.look = ScriptedTool("look", Effect.READ)
        self.fetch = ScriptedTool("fetch", Effect.OTHER)
        self.commit = ScriptedTool("commit", Effect.OTHER, ActionKind.COMMIT)
        self.post = ScriptedTool("post", Effect.OTHER, ActionKind.FETCH)
        self.delegate = ScriptedTool("delegate", Effect.OTHER, ActionKind.DELEGATE)
        self.finish = ScriptedTool("finish", Effect.OTHER, ActionKind.FINISH)
        tools: list[Tool] = [FileRead(), file_edit(), file_write()]
        tools += [self.bash, self.look, self.fetch, self.commit, self.post]
        tools += [self.delegate, self.finish]

        def context(sink: OutputSink) -> ToolContext:
            return ToolContext(
                sandbox=sandbox,
                files=files,
                overlay=self.overlay,
                commands=runner,
                emit_output=sink,
            )

        self.parts = PipelineParts(
            registry=ToolRegistry(tools),
            policy=self.policy,
            broker=self.broker,
            cache=self.cache,
            journal=self.journal,
            events=self.events,
            clock=self.clock,
            ids=CountingIds(),
            mode=self.current_mode,
            context=context,
            remember=self.known.update,
            lines=self.lines,
        )
        self.pipeline = CallPipeline(self.parts)

    @property
    def mode(self) -> ApprovalMode:
        return self.current_mode()

    @mode.setter
    def mode(self, mode: ApprovalMode) -> None:
        self.current_mode.change(mode)

    def write(self, path: str, text: str) -> None:
        """Write a file as another program would."""
        target = self.root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(text.encode())

    def text(self, path: str) -> str | None:
        target = self.root / path
        return target.read_bytes().decode() if target.exists() else None

    def answer(self, *answers: Answering) -> None:
        self.person.answers += answers

    async def run(self, *calls: ToolCall) -> TurnOutcome:
        return await self.pipeline.run_turn(calls)

    async def wait_for_question(self, number: int = 1) -> ApprovalRequest:
        """Return the question with this number, from 1, once it is asked."""
        while len(self.person.asked) < number:
            self.person.has_question.clear()
            await self.person.has_question.wait()
        return self.person.asked[number - 1]

    def of(self, kind: type[E]) -> list[E]:
        return [event for event in self.events.events if isinstance(event, kind)]

    def settle(self, request: ApprovalRequest, answering: Answering) -> bool:
        """Answer an open question as the person does, by its id."""
        answer = answering(request)
        assert isinstance(answer, CommandAnswer | ReviewAnswer)
        return self.broker.answer(request.id, answer)

    @property
    def executed(self) -> list[str]:
        """Ids of the calls that really began, in order."""
        return [event.call_id for event in self.of(ToolExecutionStarted)]

    @property
    def finished(self) -> dict[str, ToolCallFinished]:
        return {event.call_id: event for event in self.of(ToolCallFinished)}

    @property
    def outcomes(self) -> list[ApprovalOutcome]:
        """How the questions were settled, in the order in which that happened."""
        return [event.outcome for event in self.of(ApprovalSettled)]


def _far_future_ns() -> int:
    # Stamps count as settled at once, so that tests need not wait for the kernel's tick.
    return 1 << 62


def call(call_id: str, tool: str, **arguments: JsonValue) -> ToolCall:
    return ToolCall(id=CallId(call_id), name=tool, arguments_json=json.dumps(arguments))


def bash(call_id: str, command: str, **more: JsonValue) -> ToolCall:
    return call(call_id, "bash", command=command, **more)


def act(call_id: str, tool: str, command: str = "x") -> ToolCall:
    return call(call_id, tool, command=command)


def edit(call_id: str, path: str, search: str, replace: str) -> ToolCall:
    return call(call_id, "file_edit", path=path, search=search, replace=replace)


def write(call_id: str, path: str, content: str, *, overwrite: bool = False) -> ToolCall:
    return call(call_id, "file_write", path=path, content=content, overwrite=overwrite)


def read(call_id: str, path: str) -> ToolCall:
    return call(call_id, "file_read", path=path)


def look(call_id: str, path: str) -> ToolCall:
    return call(call_id, "look", path=path)


def runs(_request: ApprovalRequest) -> ApprovalAnswer:
    return CommandAnswer(action=CommandAction.RUN)


def denies(remark: str = "") -> Answering:
    return lambda _request: CommandAnswer(action=CommandAction.DENY, remark=remark)


def stops(request: ApprovalRequest) -> ApprovalAnswer:
    if isinstance(request, ReviewRequest):
        return ReviewAnswer(stops_run=True)
    return CommandAnswer(action=CommandAction.STOP)


def edits_to(command: str) -> Answering:
    return lambda _request: CommandAnswer(action=CommandAction.EDIT, command=command)


def accepts(request: ApprovalRequest) -> ApprovalAnswer | Refused | None:
    return accepts_only()(request)


def accepts_only(verdicts: str = "", *, remarks: Sequence[Remark] = ()) -> Answering:
    """Answer the hunks in order: ``+`` accepts, ``-`` rejects; the rest is accepted."""

    def answer(request: ApprovalRequest) -> ApprovalAnswer:
        assert isinstance(request, ReviewRequest)
        hunks = [hunk for write in request.writes for hunk in write.proposal.hunks]
        given = verdicts.ljust(len(hunks), "+")
        accepted = {hunk.id: mark == "+" for hunk, mark in zip(hunks, given, strict=True)}
        return ReviewAnswer(accepted=accepted, remarks=tuple(remarks))

    return answer


def rejects(_request: ApprovalRequest) -> ApprovalAnswer:
    return ReviewAnswer()


def nobody(_request: ApprovalRequest) -> Refused:
    return Refused(reason="nobody is here")


def first(act: Act, answer: Answering) -> Answering:
    """Let somebody act while the question is open, then answer it."""

    def answering(request: ApprovalRequest) -> ApprovalAnswer | Refused | None:
        act()
        return answer(request)

    return answering


def by_id(outcome: TurnOutcome) -> dict[str, ToolResult]:
    return {result.call_id: result for result in outcome.results}


async def cancelled(task: "asyncio.Task[TurnOutcome]") -> bool:
    """Interrupt a turn; return whether it ended as cancelled."""
    task.cancel()
    return await ends_cancelled(task)


async def ends_cancelled(task: "Awaitable[object]") -> bool:
    try:
        await task
    except asyncio.CancelledError:
        return True
    return False


def asked_and_settled(events: Sequence[AgentEvent]) -> tuple[list[str], list[str]]:
    asked = [event.request.id for event in events if isinstance(event, ApprovalRequested)]
    settled = [event.approval_id for event in events if isinstance(event, ApprovalSettled)]
    return [str(item) for item in asked], [str(item) for item in settled]
