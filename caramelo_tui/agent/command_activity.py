"""Know which commands run and what they left running.

Owns the question whether a change on disk may come from a command, and the events about
background processes. Reads the event stream like any other reader; starts and ends no process
by itself. Proven by tests/unit/agent/test_command_activity.py.
"""

from collections.abc import Collection
from typing import Protocol

from caramelo_tui.agent.event_stream import EventStream, StreamReader
from caramelo_tui.domain.agent_events import (
    AgentEvent,
    BackgroundChanged,
    BackgroundProcess,
    RunEnded,
    ToolCallFinished,
    ToolCallStarted,
    ToolExecutionStarted,
)
from caramelo_tui.domain.ids import CallId, Clock

AFTERGLOW_S = 0.5
"""Changes seen so long after a command's end still count as its own: watchers report late,
and changes come in bundles."""


class BackgroundProcesses(Protocol):
    """Who knows the processes that commands left running; the command runner."""

    def background(self) -> tuple[BackgroundProcess, ...]:
        """Return those that still live."""
        ...

    def end_background(self, pid: int) -> bool:
        """Kill one with its descendants; ``False`` when it is none of ours or gone."""
        ...


class CommandActivity:
    """The commands of one session."""

    def __init__(
        self,
        *,
        events: EventStream,
        processes: BackgroundProcesses,
        command_tools: Collection[str],
        clock: Clock,
    ) -> None:
        """Wire it.

        Args:
            events: Read for commands, written for background processes.
            processes: Who knows what is left running.
            command_tools: Names of the tools that run commands.
            clock: Tells how long ago a command ended.
        """
        self._events = events
        self._processes = processes
        self._command_tools = frozenset(command_tools)
        self._clock = clock
        self._known_calls: set[CallId] = set()
        self._running: set[CallId] = set()
        self._ended_at: float | None = None
        self._reported: tuple[BackgroundProcess, ...] = ()

    @property
    def may_have_changed_files(self) -> bool:
        """Whether a command or what it left runs, or one ended a moment ago."""
        if self._running or self._reported:
            return True
        ended_at = self._ended_at
        return ended_at is not None and self._clock.monotonic() - ended_at < AFTERGLOW_S

    async def follow(self, reader: StreamReader) -> None:
        """Take note of every event until the stream ends."""
        async for event in reader:
            self._take(event)

    def end_background(self, pid: int) -> bool:
        """End a process that a command left running, and report what is left."""
        was_ended = self._processes.end_background(pid)
        self.report_background()
        return was_ended

    def report_background(self) -> None:
        """Emit the list of background processes, if it is another than last time."""
        processes = self._processes.background()
        if processes == self._reported or self._events.is_closed:
            return
        self._reported = processes
        self._events.emit(lambda head: BackgroundChanged(head=head, processes=processes))

    def _take(self, event: AgentEvent) -> None:
        match event:
            case ToolCallStarted() if event.tool in self._command_tools:
                self._known_calls.add(event.call_id)
            case ToolExecutionStarted() if event.call_id in self._known_calls:
                self._running.add(event.call_id)
            case ToolCallFinished() if event.call_id in self._known_calls:
                self._known_calls.discard(event.call_id)
                self._running.discard(event.call_id)
                self._ended_at = self._clock.monotonic()
                self.report_background()
            case RunEnded():
                self.report_background()
            case _:
                # Nothing else starts or ends a process.
                return
