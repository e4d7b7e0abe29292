"""Signals end a headless program in order."""

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import Iterator

import pytest

from caramelo_tui.headless.signals import ended_in_full, ending_signals, on_signals, until_signal


@pytest.fixture(autouse=True)
def handlers_as_before() -> Iterator[None]:
    """Undo what a handler of the loop leaves behind."""
    numbers = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
    before = {number: signal.getsignal(number) for number in numbers}
    yield
    for number, handler in before.items():
        signal.signal(number, handler)


async def test_work_that_ends_by_itself_gives_its_code() -> None:
    async def work() -> int:
        await asyncio.sleep(0)
        return 7

    assert await until_signal(work()) == 7


@pytest.mark.parametrize(
    ("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129)]
)
async def test_a_signal_cancels_the_work_and_gives_the_code(
    number: signal.Signals, code: int
) -> None:
    is_cleaned = asyncio.Event()

    async def work() -> int:
        os.kill(os.getpid(), number)
        try:
            await asyncio.Event().wait()
        finally:
            is_cleaned.set()
        return 0

    assert await until_signal(work()) == code
    assert is_cleaned.is_set()


async def test_a_cancelled_caller_stays_cancelled() -> None:
    is_running = asyncio.Event()

    async def work() -> int:
        is_running.set()
        await asyncio.Event().wait()
        return 0

    task = asyncio.create_task(until_signal(work()))
    await is_running.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task


async def test_a_second_signal_does_not_cut_the_ending_off() -> None:
    ended: list[str] = []

    async def end() -> None:
        ended.append("begun")
        os.kill(os.getpid(), signal.SIGTERM)
        os.kill(os.getpid(), signal.SIGINT)
        await asyncio.sleep(0)
        ended.append("done")

    with pytest.raises(ValueError, match="why"):
        async with ended_in_full(end):
            raise ValueError("why")
    assert ended == ["begun", "done"]


async def test_what_was_ignored_from_the_start_stays_ignored() -> None:
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    assert ending_signals() == (signal.SIGINT, signal.SIGTERM)
    seen: asyncio.Queue[int] = asyncio.Queue()
    with on_signals(seen.put_nowait):
        os.kill(os.getpid(), signal.SIGHUP)
        os.kill(os.getpid(), signal.SIGTERM)
        assert await seen.get() == signal.SIGTERM
    assert seen.empty()
    assert signal.getsignal(signal.SIGHUP) is signal.SIG_IGN


async def test_between_two_blocks_the_outer_one_is_in_force() -> None:
    seen: asyncio.Queue[str] = asyncio.Queue()
    with on_signals(lambda _number: seen.put_nowait("outer")):
        with on_signals(lambda _number: seen.put_nowait("inner")):
            os.kill(os.getpid(), signal.SIGHUP)
            assert await seen.get() == "inner"
        # Taken away instead, this would end the program, and nobody its children.
        os.kill(os.getpid(), signal.SIGHUP)
        assert await seen.get() == "outer"
    assert signal.getsignal(signal.SIGHUP) is signal.SIG_DFL


async def test_the_ending_is_guarded_from_the_begin_of_the_block_on() -> None:
    handlers: list[object] = []
    ending: list[str] = []

    async def end() -> None:
        ending.append("done")

    async with ended_in_full(end):
        with on_signals(lambda _number: None):
            pass
        handlers.append(signal.getsignal(signal.SIGHUP))
    assert signal.SIG_DFL not in handlers
    assert ending == ["done"]


DIES_OF_IT = """
import asyncio, os, signal
from caramelo_tui.headless.signals import ended_in_full

async def end():
    print("ended", flush=True)

async def work():
    async with ended_in_full(end):
        os.kill(os.getpid(), signal.SIGHUP)
        await asyncio.Event().wait()

asyncio.run(work())
"""


def test_a_signal_that_is_nobodys_ends_the_block_and_then_the_program() -> None:
    done = subprocess.run([sys.executable, "-c", DIES_OF_IT], capture_output=True, check=False)
    assert done.stdout == b"ended\n"
    assert done.returncode == -signal.SIGHUP
