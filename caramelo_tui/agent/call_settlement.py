"""Keep the record of calls whole when nobody else can.

Owns invariant I1 at the border of a run: after an interrupt or a fault every call of the turn
has one start, one finish and one result. Runs nothing. Proven by
tests/unit/agent/test_call_settlement.py and tests/property/test_event_invariants.py.
"""

from collections.abc import Sequence

from caramelo_tui.agent.run_frames import RunEvents
from caramelo_tui.domain.agent_events import ToolCallFinished, ToolCallStarted
from caramelo_tui.domain.tool_calls import CallState, ToolCall, ToolResult


def settle_calls(
    events: RunEvents, calls: Sequence[ToolCall], *, since: int, text: str, state: CallState
) -> tuple[ToolResult, ...]:
    """Return one result for each call, and emit the starts and finishes that are missing.

    Args:
        events: The record.
        calls: Calls of one turn, in the model's order.
        since: Number of the event with which the turn began.
        text: Result of a call that has none yet.
        state: State of such a call; its result is an error.
    """
    of_turn = events.events_since(since)
    started = {event.call_id for event in of_turn if isinstance(event, ToolCallStarted)}
    finished = {event.call_id: event for event in of_turn if isinstance(event, ToolCallFinished)}
    results: list[ToolResult] = []
    for call in calls:
        done = finished.get(call.id)
        if done is not None:
            results.append(done.result)
            continue
        if call.id not in started:
            _start(events, call)
        result = ToolResult(call_id=call.id, text=text, is_error=True, state=state)
        _finish(events, call, result)
        results.append(result)
    return tuple(results)


def _start(events: RunEvents, call: ToolCall) -> None:
    events.emit(
        lambda head: ToolCallStarted(
            head=head, call_id=call.id, tool=call.name, arguments_json=call.arguments_json
        )
    )


def _finish(events: RunEvents, call: ToolCall, result: ToolResult) -> None:
    events.emit(
        lambda head: ToolCallFinished(
            head=head, call_id=call.id, tool=call.name, result=result, duration_ms=0
        )
    )
