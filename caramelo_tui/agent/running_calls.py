"""Execute a call so that it can be cancelled alone.

Owns the tasks of the calls that execute now. Tells the user's cancellation of one call from
the interrupt of the run, and loses neither. Knows no tool. Proven by
tests/unit/agent/test_running_calls.py.
"""

import asyncio
from collections.abc import Coroutine
from dataclasses import dataclass, replace

from caramelo_tui.agent import call_texts
from caramelo_tui.agent.call_records import CallRecord, Finish
from caramelo_tui.agent.turn_record import Turn
from caramelo_tui.domain.ids import CallId
from caramelo_tui.domain.tool_calls import CallState
from caramelo_tui.tools.base import ToolOutput


@dataclass(frozen=True, slots=True, kw_only=True)
class Execution:
    """How an execution ended."""

    output: ToolOutput | None
    """``None``: it was cancelled before it could say anything."""
    is_cancelled: bool
    """Whether the user cancelled this one call."""

    def finish(self, edited_command: str | None) -> Finish:
        """Return the call's end.

        Args:
            edited_command: What the user put in place of the model's command, to be told.
        """
        output = self.output or ToolOutput(text="")
        note = "" if edited_command is None else call_texts.edited_note(edited_command)
        if self.is_cancelled:
            text = f"{note}{call_texts.CANCELLED_BY_USER}\n{output.text}".rstrip()
            return Finish(
                output=replace(output, text=text, is_error=True), state=CallState.CANCELLED
            )
        state = CallState.ERROR if output.is_error else CallState.OK
        return Finish(output=replace(output, text=note + output.text), state=state)


class RunningCalls:
    """The calls that execute now."""

    def __init__(self) -> None:
        self._tasks: dict[CallId, asyncio.Task[ToolOutput]] = {}
        self._cancelled: set[CallId] = set()

    async def run(
        self, turn: Turn, record: CallRecord, work: Coroutine[None, None, ToolOutput]
    ) -> Execution:
        """Execute one call to its end.

        An interrupt that the tool swallowed is noted in the turn, to be raised once the call
        is finished.

        Raises:
            asyncio.CancelledError: When the run was interrupted.
            RuntimeError: If the tool gave up as if cancelled, though nobody asked for it.
            Exception: Whatever the tool raises.
        """
        call_id = record.call.id
        waiting = _Waiting.now()
        task = asyncio.create_task(work, name=f"call {call_id}")
        self._tasks[call_id] = task
        try:
            output = await task
        except asyncio.CancelledError:
            if waiting.is_interrupted:
                raise
            if call_id not in self._cancelled:
                raise RuntimeError("it gave up though nobody had cancelled it") from None
            return Execution(output=None, is_cancelled=True)
        finally:
            turn.is_interrupted = turn.is_interrupted or waiting.is_interrupted
            was_cancelled = call_id in self._cancelled
            del self._tasks[call_id]
            self._cancelled.discard(call_id)
        return Execution(output=output, is_cancelled=was_cancelled)

    def cancel(self, call_id: CallId) -> bool:
        """Cancel one call; ``False`` when it is not executing."""
        task = self._tasks.get(call_id)
        if task is None or task.done():
            return False
        self._cancelled.add(call_id)
        task.cancel()
        return True


@dataclass(frozen=True, slots=True)
class _Waiting:
    """Tells whether the waiting task itself was cancelled since it began to wait."""

    task: "asyncio.Task[object] | None"
    cancels: int

    @classmethod
    def now(cls) -> "_Waiting":
        task = asyncio.current_task()
        return cls(task, task.cancelling() if task is not None else 0)

    @property
    def is_interrupted(self) -> bool:
        return self.task is not None and self.task.cancelling() > self.cancels
