"""The details of a call whose texts were set aside come from the session file."""

from caramelo_tui.domain.agent_events import ToolCallFinished, ToolCallStarted
from caramelo_tui.domain.ids import CallId
from caramelo_tui.domain.sessions import StoredCall
from caramelo_tui.domain.tool_calls import CallState, ToolResult
from caramelo_tui.ui.call_records import HELD_CHARACTERS
from caramelo_tui.ui.screens.call_details import CallDetailsScreen
from tests.doubles.fake_agent import FakeAgent
from tests.pilot.conftest import OpenApp
from tests.pilot.driving import OpenedApp


def result_of(call_id: CallId, text: str) -> ToolResult:
    return ToolResult(call_id=call_id, text=text, is_error=False, state=CallState.OK)


def call(agent: FakeAgent, name: str, text: str) -> None:
    call_id = CallId(name)
    agent.emit(
        lambda head: ToolCallStarted(head=head, call_id=call_id, tool="grep", arguments_json="{}")
    )
    agent.emit(
        lambda head: ToolCallFinished(
            head=head,
            call_id=call_id,
            tool="grep",
            result=result_of(call_id, text),
            duration_ms=1,
        )
    )


async def open_first_of_many(running: OpenedApp) -> None:
    call(running.agent, "old", "what the old call gave")
    for number in range(3):
        call(running.agent, f"new-{number}", "x" * (HELD_CHARACTERS // 2))
    await running.press("f5", "home", "enter")
    await running.until_screen(CallDetailsScreen)
    await running.settle()


async def test_an_old_call_is_shown_whole(open_app: OpenApp) -> None:
    async with open_app() as running:
        old = CallId("old")
        stored = StoredCall(
            arguments_json='{"pattern": "needle"}', result=result_of(old, "what the old call gave")
        )
        running.agent.sessions.calls[old] = stored
        await open_first_of_many(running)
        shown = running.shown()
        assert "needle" in shown
        assert "what the old call gave" in shown


async def test_what_the_file_has_lost_is_said(open_app: OpenApp) -> None:
    async with open_app() as running:
        await open_first_of_many(running)
        await running.until(lambda: "not in the session file any more" in running.shown())
