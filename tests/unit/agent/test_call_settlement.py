"""Settling calls at the border of a run gives each exactly one start, finish and result (I1)."""

from caramelo_tui.agent.call_settlement import settle_calls
from caramelo_tui.agent.event_stream import EventStream
from caramelo_tui.domain.agent_events import NoticeLevel, ToolCallFinished, ToolCallStarted
from caramelo_tui.domain.ids import CallId
from caramelo_tui.domain.tool_calls import CallState, ToolCall
from tests.doubles.agent_worlds import FakeCalls, FixedClock


def call(name: str) -> ToolCall:
    return ToolCall(id=CallId(name), name="bash", arguments_json="{}")


async def test_only_what_is_missing_is_added() -> None:
    events = EventStream(FixedClock())
    events.raise_notice(NoticeLevel.INFO, "before the turn")
    await FakeCalls(events).run_turn([call("done")])
    events.emit(
        lambda head: ToolCallStarted(
            head=head, call_id=CallId("open"), tool="bash", arguments_json="{}"
        )
    )
    calls = [call("done"), call("open"), call("new")]
    results = settle_calls(events, calls, since=2, text="interrupted", state=CallState.CANCELLED)
    assert [result.text for result in results] == ["fine", "interrupted", "interrupted"]
    started = [event.call_id for event in events.events if isinstance(event, ToolCallStarted)]
    finished = [event.call_id for event in events.events if isinstance(event, ToolCallFinished)]
    assert started == ["done", "open", "new"]
    assert finished == ["done", "open", "new"]
