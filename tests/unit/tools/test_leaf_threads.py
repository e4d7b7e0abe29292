"""A cancelled call leaves no thread behind."""

import asyncio
import threading

import pytest

from caramelo_tui.tools.leaf_threads import StopFlag, Stopped, raise_if_stopped, run_stoppable


async def test_result_and_exception_come_through() -> None:
    def fail(_: StopFlag) -> None:
        raise LookupError("gone")

    assert await run_stoppable(lambda _: 7) == 7
    with pytest.raises(LookupError, match="gone"):
        await run_stoppable(fail)


async def test_cancellation_stops_the_work_and_waits_for_it() -> None:
    has_begun = asyncio.Event()
    loop = asyncio.get_running_loop()
    has_ended = threading.Event()

    def work(stop: StopFlag) -> None:
        loop.call_soon_threadsafe(has_begun.set)
        stop.wait(10)
        has_ended.set()
        raise_if_stopped(stop)

    call = asyncio.create_task(run_stoppable(work))
    await has_begun.wait()
    call.cancel()

    with pytest.raises(asyncio.CancelledError):
        await call
    assert has_ended.is_set()


def test_raise_if_stopped_looks_at_the_flag() -> None:
    stop = StopFlag()
    raise_if_stopped(stop)
    stop.set()

    with pytest.raises(Stopped):
        raise_if_stopped(stop)
