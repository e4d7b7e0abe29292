"""The tool log: rows, filter, details, cancelling, whole output."""

import json

from caramelo_tui.domain.agent_events import (
    BackgroundChanged,
    BackgroundProcess,
    OutputStream,
    ToolCallDecided,
    ToolCallFinished,
    ToolCallStarted,
    ToolExecutionStarted,
    ToolOutputStreamed,
)
from caramelo_tui.domain.decisions import Decision, Verdict
from caramelo_tui.domain.ids import CallId
from caramelo_tui.domain.tool_calls import CallState, ToolResult
from caramelo_tui.ui.main_screen import MainScreen
from caramelo_tui.ui.screens.call_details import CallDetailsScreen
from caramelo_tui.ui.screens.output import OutputScreen
from tests.doubles.fake_agent import FakeAgent
from tests.pilot.conftest import OpenApp
from tests.pilot.driving import NARROW, WIDE


def start(agent: FakeAgent, name: str, *, tool: str = "bash", summary: str = "make test") -> CallId:
    call = CallId(name)
    agent.emit(
        lambda head: ToolCallStarted(
            head=head,
            call_id=call,
            tool=tool,
            arguments_json='{"command": "make test"}',
            summary=summary,
        )
    )
    decision = Decision(verdict=Verdict.ALLOW, reason="Reads are free.", rule="mode review")
    agent.emit(lambda head: ToolCallDecided(head=head, call_id=call, decision=decision))
    agent.emit(lambda head: ToolExecutionStarted(head=head, call_id=call))
    return call


def output(agent: FakeAgent, call: CallId, text: str) -> None:
    agent.emit(
        lambda head: ToolOutputStreamed(
            head=head, call_id=call, stream=OutputStream.STDOUT, text=text
        )
    )


def finish(
    agent: FakeAgent,
    call: CallId,
    *,
    text: str = "exit_code: 0",
    exit_code: int | None = None,
    artifact: str | None = None,
    is_cached: bool = False,
) -> None:
    state = CallState.ERROR if exit_code else CallState.OK
    result = ToolResult(
        call_id=call,
        text=text,
        is_error=bool(exit_code),
        state=state,
        exit_code=exit_code,
        artifact=artifact,
    )
    agent.emit(
        lambda head: ToolCallFinished(
            head=head,
            call_id=call,
            tool="bash",
            result=result,
            duration_ms=3200,
            is_cached=is_cached,
            cache_age_s=12.0,
        )
    )


async def test_a_row_says_time_state_tool_arguments_and_duration(open_app: OpenApp) -> None:
    async with open_app(size=NARROW) as running:
        finish(running.agent, start(running.agent, "c1"), exit_code=1)
        await running.press("f5")
        await running.until(lambda: "✗ error" in running.shown())
        (row,) = [line for line in running.shown().splitlines() if "✗ error" in line]
        assert "08:53:20" in row
        assert row.index("bash") < row.index("make test") < row.index("exit 1")
        assert "3.2 s" in row


async def test_the_longest_state_keeps_its_distance(open_app: OpenApp) -> None:
    async with open_app(size=NARROW) as running:
        running.agent.start_run()
        running.agent.emit(
            lambda head: ToolCallStarted(
                head=head, call_id=CallId("c1"), tool="file_write", arguments_json="{}"
            )
        )
        await running.press("f5")
        await running.until(lambda: "· validating file_write" in running.shown())


async def test_cached_and_running_rows_say_so_in_words(open_app: OpenApp) -> None:
    async with open_app(size=NARROW) as running:
        finish(running.agent, start(running.agent, "c1"), is_cached=True)
        start(running.agent, "c2")
        await running.press("f5")
        await running.until(lambda: "= cached" in running.shown())
        assert "12 s old" in running.shown()
        assert "● running" in running.shown()
        assert "4 Tools ●1" in running.shown()


async def test_details_show_arguments_decision_and_live_output(open_app: OpenApp) -> None:
    async with open_app(size=NARROW) as running:
        call = start(running.agent, "c1")
        await running.press("f5", "enter")
        await running.until_screen(CallDetailsScreen)
        output(running.agent, call, "building [bold]…\n\x1b[31mred\n")
        await running.until(lambda: "building [bold]…" in running.shown())
        shown = running.shown()
        assert '"command": "make test"' in shown
        assert "allow: Reads are free." in shown
        assert "rule: mode review · built in" in shown
        assert "\x1b" not in shown
        finish(running.agent, call, text="all is well")
        await running.until(lambda: "Result for the model" in running.shown())
        await running.press("escape")
        await running.until_screen(MainScreen)


async def test_long_arguments_are_wrapped_not_cut(open_app: OpenApp) -> None:
    async with open_app(size=NARROW) as running:
        running.agent.start_run()
        arguments = json.dumps({"command": " ".join(f"word{n:02}" for n in range(40))})
        running.agent.emit(
            lambda head: ToolCallStarted(
                head=head, call_id=CallId("c1"), tool="bash", arguments_json=arguments
            )
        )
        await running.press("f5", "enter")
        await running.until_screen(CallDetailsScreen)
        await running.settle()
        shown = running.shown()
        assert all(f"word{n:02}" in shown for n in range(40))


async def test_the_whole_output_opens_from_the_details(open_app: OpenApp) -> None:
    agent = FakeAgent(artifacts={"out-1": b"whole output\nline 2\n"})
    async with open_app(size=NARROW, agent=agent) as running:
        finish(agent, start(agent, "c1"), artifact="out-1")
        await running.press("f5", "enter")
        await running.until_screen(CallDetailsScreen)
        await running.press("o")
        await running.until_screen(OutputScreen)
        await running.until(lambda: "whole output" in running.shown())
        await running.press("escape", "escape")
        await running.until_screen(MainScreen)


async def test_an_output_that_is_gone_or_never_was_is_said(open_app: OpenApp) -> None:
    async with open_app(size=NARROW) as running:
        finish(running.agent, start(running.agent, "c1"), artifact="gone")
        await running.press("f5", "enter")
        await running.until_screen(CallDetailsScreen)
        await running.press("o")
        await running.until(lambda: "The whole output is gone." in running.shown())


async def test_x_cancels_a_running_call_only(open_app: OpenApp) -> None:
    async with open_app(size=NARROW) as running:
        done = start(running.agent, "c1")
        finish(running.agent, done)
        await running.press("f5", "x")
        assert running.agent.cancelled == []
        start(running.agent, "c2")
        await running.settle()
        await running.press("end", "x")
        assert running.agent.cancelled == ["c2"]


async def test_x_ends_what_a_command_left_running(open_app: OpenApp) -> None:
    async with open_app(size=NARROW) as running:
        call = start(running.agent, "c1")
        finish(running.agent, call)
        process = BackgroundProcess(pid=77, command="sleep 9", call_id=call)
        running.agent.emit(lambda head: BackgroundChanged(head=head, processes=(process,)))
        await running.press("f5")
        await running.until(lambda: "& background" in running.shown())
        await running.press("enter")
        await running.until(lambda: "still running: 77  sleep 9" in running.shown())
        await running.press("x")
        assert running.agent.ended_pids == [77]


async def test_typing_filters_the_rows(open_app: OpenApp) -> None:
    async with open_app(size=NARROW) as running:
        start(running.agent, "c1", tool="grep", summary="needle")
        start(running.agent, "c2", tool="bash", summary="other")
        await running.press("f5", "slash", *"needle")
        await running.until(lambda: "other" not in running.shown())
        await running.press("enter")
        assert running.bench.tools.rows.has_focus
        await running.press("slash", "escape")
        await running.until(lambda: "other" in running.shown())


async def test_new_rows_are_followed_only_from_the_last_one(open_app: OpenApp) -> None:
    async with open_app(size=NARROW) as running:
        for number in range(40):
            start(running.agent, f"c{number}", summary=f"call-{number:02}")
        await running.press("f5")
        await running.until(lambda: "call-39" in running.shown())
        await running.press("home")
        start(running.agent, "c40", summary="call-40")
        await running.settle()
        assert "call-00" in running.shown()
        await running.press("end")
        start(running.agent, "c41", summary="call-41")
        await running.until(lambda: "call-41" in running.shown())


async def test_enter_on_a_call_in_the_conversation_leads_to_its_row(open_app: OpenApp) -> None:
    async with open_app(size=WIDE) as running:
        start(running.agent, "c1", summary="first")
        start(running.agent, "c2", summary="second")
        await running.settle()
        running.bench.open_call(CallId("c1"))
        await running.settle()
        assert running.bench.tools.rows.has_focus
        current = running.bench.tools.rows.current
        assert current is not None
        assert current.call_id == "c1"


async def test_a_sub_agents_call_is_indented(open_app: OpenApp) -> None:
    async with open_app(size=NARROW) as running:
        running.agent.emit(
            lambda head: ToolCallStarted(
                head=head, call_id=CallId("s1"), tool="grep", arguments_json="{}", summary="x"
            ),
            agent="Tidy",
        )
        await running.press("f5")
        await running.until(lambda: "└ · validating" in running.shown())


def deny(agent: FakeAgent, call: CallId) -> None:
    decision = Decision(
        verdict=Verdict.DENY,
        reason=".env is protected.",
        rule="protected path .env*",
        origin="config.toml:4",
        code="protected_path",
    )
    agent.emit(lambda head: ToolCallDecided(head=head, call_id=call, decision=decision))


async def test_the_rule_of_the_row_under_the_cursor_stands_below_the_rows(
    open_app: OpenApp,
) -> None:
    async with open_app(size=NARROW) as running:
        start(running.agent, "c1")
        deny(running.agent, start(running.agent, "c2"))
        await running.press("f5")
        await running.until(lambda: "deny: protected path .env* (config.toml:4)" in running.shown())
        await running.press("up")
        await running.until(lambda: "allow: mode review (built in)" in running.shown())


async def test_a_wide_row_says_its_rule_itself(open_app: OpenApp) -> None:
    async with open_app(size=WIDE) as running:
        deny(running.agent, start(running.agent, "c1"))
        start(running.agent, "c2")
        await running.press("f5", "f8")
        await running.until(
            lambda: "make test  deny: protected path .env* (config.toml:4)" in running.shown()
        )


async def test_details_name_rule_origin_and_code(open_app: OpenApp) -> None:
    async with open_app(size=NARROW) as running:
        deny(running.agent, start(running.agent, "c1"))
        await running.press("f5")
        await running.until(lambda: "make test" in running.shown())
        await running.press("enter")
        await running.until(lambda: "deny: .env is protected." in running.shown())
        assert "rule: protected path .env* · config.toml:4" in running.shown()
        assert "protected_path" in running.shown()


async def test_one_key_filters_by_state_and_one_by_tool(open_app: OpenApp) -> None:
    async with open_app(size=WIDE) as running:
        finish(running.agent, start(running.agent, "c1", summary="make one"))
        finish(running.agent, start(running.agent, "c2", tool="grep", summary="two"))
        start(running.agent, "c3", summary="make three")
        await running.until(lambda: "make three" in running.shown())
        tools = running.bench.tools
        await running.press("f5", "s")
        await running.until(lambda: tools.rows.row_count == 1)
        assert "is:running" in running.shown()
        await running.press("s")
        await running.until(lambda: tools.rows.row_count == 2)
        await running.press("t")
        await running.until(lambda: "is:ok tool:bash" in running.shown())
        assert tools.rows.row_count == 1
        await running.press("s", "t", "t")
        await running.until(lambda: tools.rows.row_count == 3)
        assert tools.rows.has_focus


async def test_the_line_below_the_rows_is_never_an_empty_band(open_app: OpenApp) -> None:
    async with open_app(size=WIDE) as running:
        line = running.main.query_one("#call-rule")
        assert not line.display
        running.agent.emit(
            lambda head: ToolCallStarted(
                head=head, call_id=CallId("c1"), tool="!", arguments_json="{}", summary="ls"
            )
        )
        await running.until(lambda: "your own command: nobody was asked" in running.shown())
        assert line.display
        await running.press("f5", "slash", *"nothing")
        await running.until(lambda: not line.display)


async def test_a_whole_output_is_copied_without_its_colours(open_app: OpenApp) -> None:
    async with open_app(size=WIDE) as running:
        data = b"a \x1b[31mred\x1b[0m word\r\nand more\n"
        await running.app.push_screen(OutputScreen(data, title="bash"))
        await running.until_screen(OutputScreen)
        await running.press("y")
        await running.until(lambda: "sent to the terminal" in running.shown())
        assert running.app.clipboard == "a red word\nand more\n"
        await running.press("e")
        await running.until(lambda: "No editor is set" in running.shown())


async def test_a_whole_output_is_searched(open_app: OpenApp) -> None:
    async with open_app(size=WIDE) as running:
        data = b"".join(b"line %d\r\n" % number for number in range(500))
        data += b"a \x1b[31mred\x1b[0m word\n" + b"more\n" * 500
        await running.app.push_screen(OutputScreen(data, title="bash"))
        await running.until_screen(OutputScreen)
        await running.press("slash", *"red word", "enter")
        await running.until(lambda: "1 of 1 line" in running.shown())
        assert "a red word" in running.shown()
        await running.press("slash", "ctrl+u", *"line 49", "enter")
        await running.until(lambda: "of 11 lines" in running.shown())
        await running.press("n")
        await running.press("escape")
        await running.until(lambda: "of 11 lines" not in running.shown())
        await running.press("escape")
        await running.until_screen(MainScreen)
