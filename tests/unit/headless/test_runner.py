"""The headless runner: what is printed where, and which exit code a shell gets."""

import asyncio
import json
import os
import signal
from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from io import StringIO
from pathlib import Path

import pytest

from caramelo_tui.agent.call_records import TurnOutcome
from caramelo_tui.agent.limits import RunLimits
from caramelo_tui.domain.agent_events import Ending, NoticeLevel, RunEnded
from caramelo_tui.domain.errors import AuthenticationFailed
from caramelo_tui.domain.messages import ImageAttachment
from caramelo_tui.domain.provider_events import TextDelta
from caramelo_tui.domain.tool_calls import ToolCall
from caramelo_tui.headless.runner import HeadlessOptions, run_prompt
from tests.doubles.agent_worlds import (
    AgentWorld,
    Hang,
    Step,
    agent_world,
    asks,
    results_for,
    says,
)
from tests.doubles.fake_agent import FakeAgent
from tests.doubles.images import FakeImages, attachment

READ = ("c1", "file_read", '{"path": "a"}')


class Shell:
    """Runs a prompt and keeps what a shell would see."""

    def __init__(self, world: AgentWorld) -> None:
        self.world = world
        self.out = StringIO()
        self.err = StringIO()

    async def run(self, **options: bool | float) -> int:
        self.world.agent.start()
        try:
            made = HeadlessOptions(**options)  # type: ignore[arg-type]  # mixed in one mapping
            return await run_prompt(self.world.agent, "do it", made, self.out, self.err)
        finally:
            await self.world.agent.close()

    @property
    def types(self) -> list[str]:
        return [json.loads(line)["type"] for line in self.out.getvalue().splitlines()]


async def test_text_mode_prints_only_the_last_text(tmp_path: Path) -> None:
    shell = Shell(agent_world([asks(READ, text="looking"), says("all-done")], tmp_path))
    assert await shell.run() == 0
    assert shell.out.getvalue() == "all-done\n"
    assert "file_read: ok (1 ms)" in shell.err.getvalue()
    assert "scripted model-1, mode review" in shell.err.getvalue()


async def test_json_mode_prints_from_run_started_to_run_ended(tmp_path: Path) -> None:
    world = agent_world([asks(READ), says("done")], tmp_path)
    world.events.raise_notice(NoticeLevel.WARNING, "before the run")
    shell = Shell(world)
    assert await shell.run(prints_json=True) == 0
    assert (shell.types[0], shell.types[-1]) == ("RunStarted", "RunEnded")
    assert "ToolCallFinished" in shell.types
    assert "warning: before the run" in shell.err.getvalue()
    assert all(line.isascii() for line in shell.out.getvalue().splitlines())


async def test_quiet_says_nothing_but_errors(tmp_path: Path) -> None:
    shell = Shell(agent_world([asks(READ), says("done")], tmp_path))
    assert await shell.run(is_quiet=True) == 0
    assert not shell.err.getvalue()
    failing = Shell(agent_world([[AuthenticationFailed("wrong key")]], tmp_path))
    assert await failing.run(is_quiet=True) == 1
    assert failing.err.getvalue() == "caramelo: error: wrong key\n"
    assert not failing.out.getvalue()


async def test_nothing_from_outside_reaches_the_terminal_raw(tmp_path: Path) -> None:
    evil = "\x1b]52;c;aGk=\x07\x9b2J\u202e"
    act_world = agent_world([asks(("c", f"x{evil}", "{}")), says(f"a{evil}")], tmp_path)
    shell = Shell(act_world)
    await shell.run()
    for text in (shell.out.getvalue(), shell.err.getvalue()):
        assert "<U+001B>" in text
        assert not set("\x1b\x07\x9b\u202e") & set(text)


@pytest.mark.parametrize(
    ("allows_refusals", "code"), [(False, 4), (True, 0)], ids=["strict", "allowed"]
)
async def test_a_refused_call_shows_in_the_exit_code(
    tmp_path: Path, *, allows_refusals: bool, code: int
) -> None:
    async def act(calls: Sequence[ToolCall]) -> TurnOutcome:
        await asyncio.sleep(0)
        return TurnOutcome(results=results_for(calls), refused_calls=1)

    shell = Shell(agent_world([asks(READ), says("done")], tmp_path, act=act))
    assert await shell.run(allows_refusals=allows_refusals) == code


async def test_used_up_turns_exit_with_3(tmp_path: Path) -> None:
    shell = Shell(agent_world([asks(READ)], tmp_path, limits=RunLimits(turns=3)))
    assert await shell.run() == 3
    assert "3 turns" in shell.err.getvalue()


async def test_stop_in_an_approval_exits_with_130(tmp_path: Path) -> None:
    async def act(calls: Sequence[ToolCall]) -> TurnOutcome:
        await asyncio.sleep(0)
        return TurnOutcome(results=results_for(calls), stops_run=True)

    assert await Shell(agent_world([asks(READ)], tmp_path, act=act)).run() == 130


@pytest.mark.parametrize(
    ("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129)]
)
async def test_a_signal_interrupts_the_run_and_its_record_is_whole(
    tmp_path: Path, number: signal.Signals, code: int
) -> None:
    hang = Hang()
    steps: list[Step] = [TextDelta(text="partly"), hang]
    shell = Shell(agent_world([steps], tmp_path))
    task = asyncio.create_task(shell.run(prints_json=True))
    await hang.reached.wait()
    os.kill(os.getpid(), number)
    assert await task == code
    last = json.loads(shell.out.getvalue().splitlines()[-1])
    assert (last["type"], last["ending"]) == ("RunEnded", "cancelled")


async def test_the_time_limit_interrupts_and_exits_with_1(tmp_path: Path) -> None:
    shell = Shell(agent_world([[Hang()]], tmp_path))
    assert await shell.run(timeout_s=0.01) == 1
    assert "stopped after 0.01 s (--timeout)" in shell.err.getvalue()
    ended = [event for event in shell.world.events.events if isinstance(event, RunEnded)]
    assert [event.ending for event in ended] == [Ending.CANCELLED]


async def test_a_run_within_its_time_is_left_alone(tmp_path: Path) -> None:
    assert await Shell(agent_world([says("done")], tmp_path)).run(timeout_s=60.0) == 0


async def test_a_closed_pipe_ends_the_run(tmp_path: Path) -> None:
    class ClosedPipe(StringIO):
        def write(self, text: str, /) -> int:
            raise BrokenPipeError(len(text), "Broken pipe")

    shell = Shell(agent_world([[TextDelta(text="x"), Hang()]], tmp_path))
    shell.out = ClosedPipe()
    assert await shell.run(prints_json=True) == 1
    assert "cannot be written: Broken pipe" in shell.err.getvalue()
    assert not shell.world.agent.is_running


async def test_an_agent_that_is_closed_before_the_end_exits_with_1(tmp_path: Path) -> None:
    hang = Hang()
    world = agent_world([[hang]], tmp_path)
    shell = Shell(world)
    task = asyncio.create_task(shell.run())
    await hang.reached.wait()
    await world.agent.close()
    assert await task in {1, 130}


class EndingAgent(FakeAgent):
    """Ends each run at once."""

    def submit(self, text: str, images: tuple[ImageAttachment, ...] = ()) -> None:
        super().submit(text, images)
        self.end_run(text="seen")


async def sent_with(paths: tuple[str, ...], images: FakeImages) -> tuple[int, str, EndingAgent]:
    agent, err = EndingAgent(images=images), StringIO()
    code = await run_prompt(agent, "look", HeadlessOptions(images=paths), StringIO(), err)
    return code, err.getvalue(), agent


async def test_images_go_with_the_prompt() -> None:
    one, two = attachment("a.png"), attachment("b.png")
    images = FakeImages(files={"a.png": one, "/tmp/b.png": two})
    code, _, agent = await sent_with(("/tmp/b.png", "a.png"), images)
    assert code == 0
    assert agent.sent_images == [(two, one)]


async def test_nothing_is_asked_when_an_image_cannot_be_sent() -> None:
    code, said, agent = await sent_with(("no\x1b.png",), FakeImages())
    assert (code, agent.submitted) == (2, [])
    assert said.startswith("caramelo: error: no<U+001B>.png cannot be read")
    code, said, agent = await sent_with(("a.png",), FakeImages(can_send=False))
    assert (code, agent.submitted) == (2, [])
    assert "error: claude-test takes no images (--image)" in said


class CountingExecutor(ThreadPoolExecutor):
    """Counts what is handed to a thread."""

    def __init__(self) -> None:
        super().__init__(max_workers=1)
        self.handed = 0

    def submit(self, *args: object, **kwargs: object) -> Future[object]:  # type: ignore[override]  # passed on as it is
        self.handed += 1
        return super().submit(*args, **kwargs)  # type: ignore[arg-type]  # passed on as it is


async def test_pieces_of_a_long_answer_take_no_thread_each(tmp_path: Path) -> None:
    counted: list[int] = []
    for words in (2, 300):
        executor = CountingExecutor()
        asyncio.get_running_loop().set_default_executor(executor)
        shell = Shell(agent_world([says("word " * words)], tmp_path))
        assert await shell.run() == 0
        counted.append(executor.handed)
    assert counted[0] == counted[1]
