"""Run what the user types for themselves.

Owns the commands behind a ``!`` in the prompt: through the same runner and with the same
environment as the model's, shown by the same events, and asked about by nobody: the user wrote
them. Only the port leads here; the model has no tool for it and is told nothing. Proven by
tests/unit/agent/test_own_commands.py.
"""

import asyncio
import json
from collections.abc import Callable

from caramelo_tui.agent.command_captures import NO_CAPTURES, Captures
from caramelo_tui.agent.event_stream import EventStream
from caramelo_tui.domain.agent_events import (
    OutputStream,
    ToolCallFinished,
    ToolCallStarted,
    ToolExecutionStarted,
    ToolOutputStreamed,
)
from caramelo_tui.domain.errors import ToolFailure
from caramelo_tui.domain.ids import CallId, Clock, IdSource, TurnId
from caramelo_tui.domain.tool_calls import CallState, CommandLine, ToolResult
from caramelo_tui.tools.base import OutputSink, ToolContext
from caramelo_tui.tools.shell.command_report import STREAM_BYTES, command_report, is_cut
from caramelo_tui.tools.shell.shell_run import Keeping, check_command, first_line, run_in_shell

OWN_TOOL = "!"
"""Stands for the user in the place of a tool's name; no tool can be named so."""
TIMEOUT_MS = 3_600_000
"""An hour: the user can end a command at any time."""
_GRACE_S = 2.0
"""Seconds that a command at its limit gets to end by itself."""


class OwnCommands:
    """The user's commands of one session; several may run at once."""

    def __init__(
        self,
        *,
        context: Callable[[OutputSink], ToolContext],
        events: EventStream,
        ids: IdSource,
        clock: Clock,
        captures: Captures = NO_CAPTURES,
    ) -> None:
        """Wire it; nothing runs before ``run``.

        Args:
            context: What a command works with, by where its output goes.
            events: Where it is shown.
            ids: Names the commands.
            clock: Measures them.
            captures: Keeps what they change.
        """
        self._context = context
        self._captures = captures
        self._events = events
        self._ids = ids
        self._clock = clock
        self._running: dict[CallId, asyncio.Task[ToolResult]] = {}

    async def run(self, command: str) -> ToolResult:
        """Run a command to its end; what goes wrong is in the result.

        A caller that is cancelled leaves the command running; ``end`` ends it.
        """
        call_id = CallId(self._ids.new("own"))
        task = asyncio.create_task(self._take(call_id, command), name=f"own command {call_id}")
        self._running[call_id] = task
        task.add_done_callback(lambda _task: self._running.pop(call_id, None))
        return await asyncio.shield(task)

    def cancel_call(self, call_id: CallId) -> bool:
        """End one command; ``False`` when it is none of ours or over."""
        task = self._running.get(call_id)
        return task is not None and task.cancel()

    def cancel_newest(self) -> bool:
        """End the command that was started last; ``False`` when none runs."""
        return bool(self._running) and self.cancel_call(next(reversed(self._running)))

    async def end(self) -> None:
        """End all commands and wait until each is told as finished."""
        tasks = tuple(self._running.values())
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks)

    async def _take(self, call_id: CallId, command: str) -> ToolResult:
        began_at = self._clock.monotonic()
        self._report_start(call_id, command)
        try:
            result = await self._execute(call_id, command)
        except ToolFailure as failure:
            result = ToolResult(
                call_id=call_id, text=str(failure), is_error=True, state=CallState.ERROR
            )
        except asyncio.CancelledError:
            # Only this command was meant: its end is told like any other.
            text = "You ended the command."
            result = ToolResult(
                call_id=call_id, text=text, is_error=True, state=CallState.CANCELLED
            )
        duration_ms = round((self._clock.monotonic() - began_at) * 1000)
        self._report_end(result, duration_ms)
        return result

    async def _execute(self, call_id: CallId, command: str) -> ToolResult:
        """Run the command; raises ``ToolFailure`` when it could not be started."""
        check_command(command, write_tool="an editor")
        line = CommandLine(command=command, cwd=".", timeout_ms=TIMEOUT_MS)

        def emit_output(stream: OutputStream, text: str) -> None:
            self._events.emit(
                lambda head: ToolOutputStreamed(
                    head=head, call_id=call_id, stream=stream, text=text
                )
            )

        keeping = Keeping(head_bytes=STREAM_BYTES, grace_s=_GRACE_S)
        await self._captures.begin()
        try:
            ended = await run_in_shell(line, self._context(emit_output), call_id, keeping)
        finally:
            # A turn of its own: it is taken back by itself, and not with the model's.
            await self._captures.end(call_id, TurnId(call_id), None)
        is_error = ended.is_timed_out or ended.exit_code != 0
        return ToolResult(
            call_id=call_id,
            text=command_report(ended, timeout_ms=TIMEOUT_MS),
            is_error=is_error,
            state=CallState.ERROR if is_error else CallState.OK,
            is_truncated=is_cut(ended.stdout) or is_cut(ended.stderr),
            artifact=ended.stdout.artifact,
            exit_code=ended.exit_code,
        )

    def _report_start(self, call_id: CallId, command: str) -> None:
        arguments, summary = json.dumps({"command": command}), first_line(command)
        self._events.emit(
            lambda head: ToolCallStarted(
                head=head,
                call_id=call_id,
                tool=OWN_TOOL,
                arguments_json=arguments,
                summary=summary,
            )
        )
        self._events.emit(lambda head: ToolExecutionStarted(head=head, call_id=call_id))

    def _report_end(self, result: ToolResult, duration_ms: int) -> None:
        if self._events.is_closed:
            return
        self._events.emit(
            lambda head: ToolCallFinished(
                head=head,
                call_id=result.call_id,
                tool=OWN_TOOL,
                result=result,
                duration_ms=duration_ms,
            )
        )
