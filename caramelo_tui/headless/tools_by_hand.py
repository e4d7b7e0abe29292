"""Run tools by hand: one call, or one JSON line after the other.

Owns the line form of ``caramelo tool --stdin``; every call goes the same way as a model's.
Knows no provider. Proven by tests/unit/headless/test_tools_by_hand.py.
"""

import json
from collections.abc import Sequence
from contextlib import aclosing
from dataclasses import dataclass
from typing import Protocol, TextIO, cast

from caramelo_tui.agent.call_records import TurnOutcome
from caramelo_tui.agent.event_stream import EventStream
from caramelo_tui.domain.agent_events import ToolCallFinished
from caramelo_tui.domain.ids import CallId, IdSource, RunId, TurnId
from caramelo_tui.domain.screen_text import visible
from caramelo_tui.domain.strict_json import load_json
from caramelo_tui.domain.tool_calls import ToolCall, ToolResult
from caramelo_tui.headless.line_channel import LineChannel

EXIT_TOOL_ERROR = 1
"""The one call came to an error result."""


class TurnRunner(Protocol):
    """Who takes the calls of a turn; the call pipeline."""

    async def run_turn(self, calls: Sequence[ToolCall]) -> TurnOutcome:
        """Decide and do all calls of one turn; each gets one result, in order."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Answered:
    """One call by hand and what came of it."""

    result: ToolResult
    is_cached: bool
    duration_ms: int


class ToolsByHand:
    """Tools of one workspace, one call at a time, with one cache."""

    def __init__(self, *, calls: TurnRunner, events: EventStream, ids: IdSource) -> None:
        self._calls = calls
        self._events = events
        self._reader = events.reader()
        self._ids = ids

    async def call(self, name: str, arguments_json: str) -> Answered:
        """Take one call through the whole path; refusals and faults are in the result.

        Raises:
            asyncio.CancelledError: When interrupted; nothing is left running.
        """
        return (await self.call_together([(name, arguments_json)]))[0]

    async def call_together(self, calls: Sequence[tuple[str, str]]) -> list[Answered]:
        """Take several calls as one turn of a model would make them; answers in their order."""
        turn = [
            ToolCall(id=CallId(self._ids.new("call")), name=name, arguments_json=arguments)
            for name, arguments in calls
        ]
        self._reader.take()
        self._events.begin_run(RunId(self._ids.new("run")))
        self._events.begin_turn(TurnId(self._ids.new("turn")))
        try:
            await self._calls.run_turn(turn)
        finally:
            self._events.end_turn()
            self._events.end_run()
        finished = {
            event.call_id: event
            for event in self._reader.take()
            if isinstance(event, ToolCallFinished)
        }
        return [_answered(finished[call.id]) for call in turn]


def _answered(event: ToolCallFinished) -> Answered:
    return Answered(result=event.result, is_cached=event.is_cached, duration_ms=event.duration_ms)


async def run_one(tools: ToolsByHand, name: str, arguments_json: str, out: TextIO) -> int:
    """Run one call, print its text, and return the exit code."""
    answered = await tools.call(name, arguments_json)
    text = visible(answered.result.text)
    out.write(text if text.endswith("\n") else f"{text}\n")
    out.flush()
    return EXIT_TOOL_ERROR if answered.result.is_error else 0


async def serve_lines(tools: ToolsByHand, channel: LineChannel) -> int:
    """Answer each line until the input ends; return 0.

    A line that is no call is answered with an error of the same form, its ``id`` where it can
    be read, so that the other side can count answers. Blank lines are passed over.

    Raises:
        OSError: If the input cannot be read or the answers cannot be written.
        asyncio.CancelledError: When interrupted; nothing is left running.
    """
    async with aclosing(channel.lines()) as lines:
        async for line in lines:
            if line.strip():
                answer = await _answer_line(tools, line, channel.limit_bytes)
                await channel.answer(json.dumps(answer))
    return 0


async def _answer_line(tools: ToolsByHand, line: bytes, limit_bytes: int) -> dict[str, object]:
    if len(line) > limit_bytes:
        return _refused(None, f"the line is longer than {limit_bytes:,} bytes")
    try:
        loaded, repeated = load_json(line.decode("utf-8"))
        if not isinstance(loaded, dict):
            return _refused(None, 'the line must be an object: {"id", "name", "arguments"}')
        request = cast("dict[str, object]", loaded)
        arguments = request.get("arguments", {})
        # A text is taken as the model's raw argument text, so that broken ones can be tried.
        text = arguments if isinstance(arguments, str) else json.dumps(arguments)
    except (ValueError, RecursionError) as error:
        return _refused(None, f"the line is not JSON: {error}")
    call_id, name = request.get("id"), request.get("name")
    if repeated:
        return _refused(call_id, f"a key stands twice in one object: {', '.join(repeated)}")
    if not isinstance(name, str):
        return _refused(call_id, '"name" must be the name of a tool')
    answered = await tools.call(name, text)
    return {
        "id": call_id,
        "content": answered.result.text,
        "is_error": answered.result.is_error,
        "cached": answered.is_cached,
        "duration_ms": answered.duration_ms,
    }


def _refused(call_id: object, problem: str) -> dict[str, object]:
    return {
        "id": call_id,
        "content": problem,
        "is_error": True,
        "cached": False,
        "duration_ms": 0,
    }
