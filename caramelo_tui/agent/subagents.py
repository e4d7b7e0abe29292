"""Start sub-agents, and see to it that only one of them changes something at a time.

Owns the running sub-agents of a session: their titles, their number, their order of writing,
and what is reported of each. A sub-agent shares policy, approvals, line count, cache and
cancellation with its parent; it cannot start another one. How it is put together is the
composition's business. Proven by tests/unit/agent/test_subagents.py.
"""

import asyncio
import unicodedata
from collections.abc import Awaitable, Callable, Collection, Iterable
from dataclasses import dataclass, field
from typing import Protocol

from caramelo_tui.agent.event_stream import EventStream
from caramelo_tui.agent.outside_changes import OutsideChanges
from caramelo_tui.agent.run_frames import RunReport
from caramelo_tui.agent.subagent_events import SubagentEvents
from caramelo_tui.domain.agent_events import (
    AgentEvent,
    Ending,
    SubagentEnded,
    SubagentStarted,
    ToolCallFinished,
    ToolExecutionStarted,
)
from caramelo_tui.domain.decisions import ApprovalMode
from caramelo_tui.domain.errors import ConfigError, ToolFailure
from caramelo_tui.domain.files import ChangeKind, FileChange
from caramelo_tui.domain.ids import CallId, RunId
from caramelo_tui.domain.messages import ImageAttachment
from caramelo_tui.domain.roles import DEFAULT_ROLE
from caramelo_tui.tools.delegation.spawn_subagent import (
    ChangedLines,
    DelegatedTask,
    DelegationReport,
)

SIDE_BY_SIDE = 4
"""Sub-agents that run at once; further ones wait."""
MOST_IN_A_RUN = 16
"""Sub-agents that one run may start."""
_FAILED_ENDINGS = frozenset({Ending.ERROR, Ending.ABORTED, Ending.CANCELLED})


class ChildRuns(Protocol):
    """The runs of one sub-agent; a run loop."""

    async def run(self, prompt: str, mode: ApprovalMode) -> Ending:
        """Take one run to its end."""
        ...


class ChildCalls(Protocol):
    """The calls of one sub-agent; a call pipeline."""

    def cancel_call(self, call_id: CallId) -> bool:
        """Cancel one executing call; ``False`` when it is not executing."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class ChildAgent:
    """One sub-agent, put together and not yet started."""

    runs: ChildRuns
    calls: ChildCalls
    outside: OutsideChanges
    """What it knows of files; told of changes on disk while it runs."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChildModel:
    """The model that a role comes to."""

    name: str
    note: str = ""
    """Why it is this one, when the role names none."""


@dataclass(slots=True, kw_only=True)
class SubagentFrame:
    """Reports a sub-agent's begin and end, and keeps the report."""

    events: SubagentEvents
    call_id: CallId
    title: str
    role: str
    model: ChildModel
    began_at: int = 0
    """Number of the event with which it began."""
    report: RunReport | None = None

    def begin(
        self,
        prompt: str,  # noqa: ARG002 - the frame's parameters; the call says the first two
        mode: ApprovalMode,  # noqa: ARG002 - as above
        *,
        images: tuple[ImageAttachment, ...] = (),  # noqa: ARG002 - no model hands over images
        is_retry: bool = False,  # noqa: ARG002 - nobody retries a sub-agent
    ) -> None:
        """Emit ``SubagentStarted``."""
        event = self.events.emit(
            lambda head: SubagentStarted(
                head=head,
                call_id=self.call_id,
                title=self.title,
                role=self.role,
                model=self.model.name,
            )
        )
        self.began_at = event.head.seq

    def end(self, report: RunReport) -> None:
        """Keep the report and emit ``SubagentEnded``."""
        self.report = report
        self.events.emit(
            lambda head: SubagentEnded(
                head=head,
                call_id=self.call_id,
                title=self.title,
                ending=report.ending,
                usage=report.usage,
                turns=report.turns,
            )
        )


class ChildBuilder(Protocol):
    """Who puts sub-agents together; the composition."""

    @property
    def roles(self) -> Collection[str]:
        """The names that can be asked for, in the order in which they are listed."""
        ...

    def model_of(self, role: str) -> ChildModel:
        """Return the model of a known role.

        Raises:
            ConfigError: If the role is configured in a way that cannot be used.
        """
        ...

    def build(
        self, frame: SubagentFrame, before_effects: Callable[[], Awaitable[None]]
    ) -> ChildAgent:
        """Return a sub-agent for a frame.

        Args:
            frame: Reports its begin and end, and has its events.
            before_effects: Waited for before each of its turns that does more than read.

        Raises:
            ConfigError: If the role's provider cannot be used.
        """
        ...


@dataclass(slots=True)
class _Running:
    child: ChildAgent
    has_ended: asyncio.Event = field(default_factory=asyncio.Event)


class Subagents:
    """The sub-agents of one session."""

    def __init__(
        self,
        *,
        builder: ChildBuilder,
        events: EventStream,
        mode: Callable[[], ApprovalMode],
        parent_outside: OutsideChanges,
    ) -> None:
        """Wire it; nothing is started.

        Args:
            builder: Puts each sub-agent together.
            events: The session's events.
            mode: The approval mode in force now, which holds for sub-agents too.
            parent_outside: Told of the files that a sub-agent changed, since the parent may
                know them as they were.
        """
        self._builder = builder
        self._events = events
        self._mode = mode
        self._parent_outside = parent_outside
        self._places = asyncio.Semaphore(SIDE_BY_SIDE)
        self._running: list[_Running] = []
        self._titles: set[str] = set()
        self._counted_run: RunId | None = None
        self._started_in_run = 0

    def role_of(self, asked: str | None) -> str:
        """Return the role that is meant; the default one for ``None``.

        Raises:
            ToolFailure: If there is no such role.
        """
        role = DEFAULT_ROLE if asked is None else asked
        if role not in self._builder.roles:
            roles = ", ".join(self._builder.roles)
            msg = f"there is no role {role!r}; the roles are: {roles}"
            raise ToolFailure(msg)
        return role

    async def delegate(self, task: DelegatedTask) -> DelegationReport:
        """Run a sub-agent to its end.

        Raises:
            ToolFailure: If it cannot be started.
            asyncio.CancelledError: When interrupted, after its record is whole.
        """
        self._count()
        async with self._places:
            frame = self._frame(task)
            running = self._start(frame)
            try:
                await running.child.runs.run(f"{task.title}\n\n{task.description}", self._mode())
            finally:
                running.has_ended.set()
                self._running.remove(running)
                files = self._tell_parent(frame)
            return self._report(frame, files)

    def cancel_call(self, call_id: CallId) -> bool:
        """Cancel one executing call of a sub-agent; ``False`` when none executes it."""
        return any(running.child.calls.cancel_call(call_id) for running in tuple(self._running))

    def add(self, changes: Iterable[FileChange]) -> None:
        """Tell the running sub-agents of changes on disk."""
        told = tuple(changes)
        for running in self._running:
            running.child.outside.add(told)

    def _count(self) -> None:
        run_id = self._events.run_id
        if run_id != self._counted_run:
            self._counted_run, self._started_in_run = run_id, 0
        if self._started_in_run >= MOST_IN_A_RUN:
            msg = (
                f"this run has started {MOST_IN_A_RUN} sub-agents, which is the limit; do the "
                "rest yourself"
            )
            raise ToolFailure(msg)
        self._started_in_run += 1

    def _frame(self, task: DelegatedTask) -> SubagentFrame:
        title = self._unique_title(task.title)
        try:
            model = self._builder.model_of(task.role)
        except ConfigError as error:
            raise _unusable(task.role, error) from error
        return SubagentFrame(
            events=SubagentEvents(self._events, title),
            call_id=task.call_id,
            title=title,
            role=task.role,
            model=model,
        )

    def _start(self, frame: SubagentFrame) -> _Running:
        before = tuple(self._running)

        async def wait_for_those_before() -> None:
            # In the order of their calls: whoever comes later changes nothing before the
            # earlier ones have ended, so that each finds the files as the last one left them.
            for earlier in before:
                await earlier.has_ended.wait()

        try:
            child = self._builder.build(frame, wait_for_those_before)
        except ConfigError as error:
            raise _unusable(frame.role, error) from error
        running = _Running(child)
        self._running.append(running)
        return running

    def know_titles(self, titles: Iterable[str]) -> None:
        """Give no sub-agent one of these titles: earlier ones of the session had them."""
        self._titles.update(map(_compared, titles))

    def _unique_title(self, asked: str) -> str:
        # Titles that differ in letter case or form only are told apart by nobody.
        title, count = asked, 1
        while _compared(title) in self._titles:
            count += 1
            title = f"{asked} ({count})"
        self._titles.add(_compared(title))
        return title

    def _tell_parent(self, frame: SubagentFrame) -> tuple[ChangedLines, ...]:
        files = changed_files(frame.events.events_since(frame.began_at))
        changes = [FileChange(path=file.path, kind=ChangeKind.MODIFIED) for file in files]
        self._parent_outside.add(changes)
        self.add(changes)
        return files

    def _report(self, frame: SubagentFrame, files: tuple[ChangedLines, ...]) -> DelegationReport:
        report = frame.report
        if report is None:
            raise RuntimeError("a sub-agent ended without a report")
        events = frame.events.events_since(frame.began_at)
        return DelegationReport(
            summary=report.text,
            ending=report.ending,
            problem=report.error or report.notice,
            files=files,
            ran_commands=_ran_commands(events),
            usage=report.usage,
            turns=report.turns,
            model=frame.model.name,
            model_note=frame.model.note,
            refused_calls=report.refused_calls,
            is_error=report.ending in _FAILED_ENDINGS,
            stops_run=report.ending is Ending.ABORTED,
        )


class NoSubagents:
    """Outside of a run there is no conversation that a sub-agent could be part of."""

    def role_of(self, asked: str | None) -> str:
        """Return the role as it was asked for."""
        return DEFAULT_ROLE if asked is None else asked

    async def delegate(self, task: DelegatedTask) -> DelegationReport:
        """Refuse.

        Raises:
            ToolFailure: Always.
        """
        msg = (
            f"the sub-agent {task.title} needs a run: start the app or `caramelo run`, a call "
            "by hand has no model"
        )
        raise ToolFailure(msg)


def _compared(title: str) -> str:
    return unicodedata.normalize("NFKC", title).casefold()


def _unusable(role: str, error: ConfigError) -> ToolFailure:
    return ToolFailure(f"the role {role} cannot be used: {error}")


def changed_files(events: tuple[AgentEvent, ...]) -> tuple[ChangedLines, ...]:
    """Return what the calls among events really wrote, by path, with the lines of all writes."""
    counts: dict[str, tuple[int, int]] = {}
    for event in events:
        if not isinstance(event, ToolCallFinished) or event.changes is None:
            continue
        for file in event.changes.files:
            added, removed = counts.get(file.path, (0, 0))
            added += sum(hunk.added_lines for hunk in file.applied)
            removed += sum(hunk.removed_lines for hunk in file.applied)
            counts[file.path] = (added, removed)
    return tuple(
        ChangedLines(path=path, added=added, removed=removed)
        for path, (added, removed) in sorted(counts.items())
    )


def _ran_commands(events: tuple[AgentEvent, ...]) -> bool:
    executed = {event.call_id for event in events if isinstance(event, ToolExecutionStarted)}
    return any(
        isinstance(event, ToolCallFinished)
        and event.call_id in executed
        and event.result.exit_code is not None
        for event in events
    )
