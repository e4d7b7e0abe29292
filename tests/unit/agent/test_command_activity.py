"""Command activity: whose change it may be, and what was left running."""

import asyncio

from caramelo_tui.agent.command_activity import CommandActivity
from caramelo_tui.agent.event_stream import EventStream
from caramelo_tui.domain.agent_events import (
    BackgroundChanged,
    ToolCallFinished,
    ToolCallStarted,
    ToolExecutionStarted,
)
from caramelo_tui.domain.ids import CallId
from caramelo_tui.domain.tool_calls import CallState, ToolResult
from tests.doubles.agent_worlds import FakeProcesses, FixedClock


class StillClock(FixedClock):
    """Time passes when the test says so."""

    def __init__(self) -> None:
        super().__init__()
        self.time_s = 100.0

    def monotonic(self) -> float:
        return self.time_s


class Bench:
    def __init__(self) -> None:
        self.events = EventStream(FixedClock())
        self.clock = StillClock()
        self.processes = FakeProcesses()
        self.activity = CommandActivity(
            events=self.events,
            processes=self.processes,
            command_tools=["bash"],
            clock=self.clock,
        )
        self._task = asyncio.create_task(self.activity.follow(self.events.reader()))

    async def start(self, tool: str) -> None:
        call_id = CallId(tool)
        self.events.emit(
            lambda head: ToolCallStarted(head=head, call_id=call_id, tool=tool, arguments_json="{}")
        )
        await asyncio.sleep(0)

    async def execute(self, tool: str) -> None:
        self.events.emit(lambda head: ToolExecutionStarted(head=head, call_id=CallId(tool)))
        await self.settle()

    async def finish(self, tool: str) -> None:
        result = ToolResult(call_id=CallId(tool), text="", is_error=False, state=CallState.OK)
        self.events.emit(
            lambda head: ToolCallFinished(
                head=head, call_id=CallId(tool), tool=tool, result=result, duration_ms=1
            )
        )
        await self.settle()

    async def settle(self) -> None:
        for _ in range(3):
            await asyncio.sleep(0)

    async def end(self) -> None:
        self.events.close()
        await self._task


async def test_a_change_may_be_a_commands_while_it_runs_and_shortly_after() -> None:
    bench = Bench()
    await bench.start("bash")
    await bench.settle()
    assert not bench.activity.may_have_changed_files
    await bench.execute("bash")
    assert bench.activity.may_have_changed_files
    await bench.finish("bash")
    assert bench.activity.may_have_changed_files
    bench.clock.time_s += 0.6
    assert not bench.activity.may_have_changed_files
    await bench.end()


async def test_other_tools_change_nothing_behind_our_back() -> None:
    bench = Bench()
    await bench.start("file_read")
    await bench.execute("file_read")
    assert not bench.activity.may_have_changed_files
    await bench.finish("file_read")
    assert not bench.activity.may_have_changed_files
    await bench.end()


async def test_what_is_left_running_is_reported_once_per_change() -> None:
    bench = Bench()
    bench.processes.leave(7)
    await bench.start("bash")
    await bench.finish("bash")
    bench.activity.report_background()
    bench.clock.time_s += 60
    assert bench.activity.may_have_changed_files
    assert bench.activity.end_background(7)
    assert not bench.activity.end_background(7)
    reported = [
        [process.pid for process in event.processes]
        for event in bench.events.events
        if isinstance(event, BackgroundChanged)
    ]
    assert reported == [[7], []]
    assert not bench.activity.may_have_changed_files
    await bench.end()
    bench.processes.leave(8)
    bench.activity.report_background()
