"""One call is found in a session file, whatever stands around it."""

from pathlib import Path

from caramelo_tui.domain.agent_events import ToolCallFinished, ToolCallStarted
from caramelo_tui.domain.ids import CallId
from caramelo_tui.domain.tool_calls import CallState, ToolResult
from caramelo_tui.sessions.calls import find_call
from tests.doubles.stored_sessions import Told, write_session

CALL = CallId('c"1\u00e9')


def told(call_id: CallId, text: str) -> Told:
    session = Told().exchange("go", "done")
    result = ToolResult(call_id=call_id, text=text, is_error=False, state=CallState.OK)
    session.add(
        ToolCallStarted(
            head=session.head(), call_id=call_id, tool="bash", arguments_json='{"a": 1}'
        )
    )
    return session.add(
        ToolCallFinished(
            head=session.head(), call_id=call_id, tool="bash", result=result, duration_ms=1
        )
    )


def test_a_call_is_found_with_its_arguments(tmp_path: Path) -> None:
    path = write_session(tmp_path, told(CALL, "what it gave"))
    found = find_call(path, CALL)
    assert found is not None
    assert (found.arguments_json, found.result.text) == ('{"a": 1}', "what it gave")


def test_a_call_that_only_speaks_of_another_is_not_that_one(tmp_path: Path) -> None:
    path = write_session(tmp_path, told(CALL, 'it said "other"'))
    assert find_call(path, CallId("other")) is None


def test_a_damaged_line_is_passed_over(tmp_path: Path) -> None:
    broken = (
        '{"type":"ToolCallFinished","call_id":"lost',
        '{"type":"ToolCallFinished","x":"lost"}',
    )
    path = write_session(tmp_path, told(CALL, "fine"), more=broken)
    assert find_call(path, CallId("lost")) is None
    assert find_call(path, CALL) is not None
