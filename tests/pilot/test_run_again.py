"""A cached read is run again past the cache, for the person only."""

from caramelo_tui.domain.ids import CallId
from caramelo_tui.domain.tool_calls import CallState, ToolResult
from caramelo_tui.ui.screens.call_details import CallDetailsScreen
from caramelo_tui.ui.screens.fresh_answer import FreshAnswerScreen, fresh_lines
from tests.doubles.fake_agent import FakeAgent
from tests.pilot.conftest import OpenApp
from tests.pilot.driving import NARROW
from tests.pilot.test_tool_log import finish, start

CALL = CallId("c1")


def result(text: str, *, is_error: bool = False) -> ToolResult:
    state = CallState.ERROR if is_error else CallState.OK
    return ToolResult(call_id=CALL, text=text, is_error=is_error, state=state)


async def test_the_fresh_answer_is_shown_with_what_differs(open_app: OpenApp) -> None:
    agent = FakeAgent(fresh={CALL: result("one\ntwo\x1b[2J")})
    async with open_app(size=NARROW, agent=agent) as running:
        start(agent, "c1", tool="grep", summary="add_argument")
        finish(agent, CALL, text="one", is_cached=True)
        await running.press("f5")
        await running.until(lambda: "= cached" in running.shown())
        await running.press("ctrl+r")
        await running.until_screen(FreshAnswerScreen)
        await running.settle()
        shown = running.shown()
        assert "≠ differs from what the model was told, from line 2" in shown
        assert "for you only" in shown
        assert "+ two<U+001B>[2J" in shown
        assert agent.submitted == []


async def test_the_same_answer_is_said_to_be_the_same(open_app: OpenApp) -> None:
    agent = FakeAgent(fresh={CALL: result("one")})
    async with open_app(size=NARROW, agent=agent) as running:
        start(agent, "c1", tool="grep")
        finish(agent, CALL, text="one", is_cached=True)
        await running.press("f5", "enter")
        await running.until_screen(CallDetailsScreen)
        await running.until(lambda: "ctrl+r run again" in running.shown())
        await running.press("ctrl+r")
        await running.until_screen(FreshAnswerScreen)
        await running.until(lambda: "✓ the same" in running.shown())
        await running.press("escape")
        await running.until_screen(CallDetailsScreen)


async def test_a_command_is_not_run_again(open_app: OpenApp) -> None:
    async with open_app(size=NARROW) as running:
        start(running.agent, "c1")
        finish(running.agent, CALL)
        await running.press("f5", "ctrl+r")
        await running.until(lambda: "Only finished reads can be run again." in running.shown())


async def test_a_read_that_the_agent_cannot_repeat_is_said(open_app: OpenApp) -> None:
    async with open_app(size=NARROW) as running:
        start(running.agent, "c1", tool="grep")
        finish(running.agent, CALL)
        await running.press("f5", "ctrl+r")
        await running.until(lambda: "Only finished reads can be run again." in running.shown())


def test_an_answer_that_fails_now_says_so() -> None:
    first, *_rest = fresh_lines(result("one"), result("gone", is_error=True))
    assert first.text == "✗ it fails now"


def test_a_shorter_answer_differs_where_it_ends() -> None:
    first, *_rest = fresh_lines(result("one\ntwo"), result("one"))
    assert first.text.endswith("from line 2")
