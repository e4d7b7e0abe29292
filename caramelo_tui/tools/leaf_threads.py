"""Run blocking work in a thread that ends when its call is cancelled.

Owns the stop flag between a cancelled call and the thread that works for it: a tool's
``execute`` returns only when its thread has returned, so nothing is left running. Proven by
tests/unit/tools/test_leaf_threads.py.
"""

import asyncio
import threading
from collections.abc import Callable
from typing import TypeVar

_T = TypeVar("_T")

StopFlag = threading.Event
"""Set when the work should end soon; the work looks at it at least every 50 ms or so."""


class Stopped(Exception):
    """The work saw its stop flag; never leaves the call that was cancelled."""


def raise_if_stopped(stop: StopFlag) -> None:
    """End the work of a thread whose call was cancelled.

    Raises:
        Stopped: If ``stop`` is set.
    """
    if stop.is_set():
        raise Stopped


async def run_stoppable(work: Callable[[StopFlag], _T]) -> _T:
    """Run ``work`` in a thread and return what it returns; its exceptions come through.

    Cancellation sets the flag, waits for the thread, then goes on upwards. A second
    cancellation does not wait.

    Raises:
        asyncio.CancelledError: When the call was cancelled.
    """
    stop = StopFlag()
    running = asyncio.create_task(asyncio.to_thread(work, stop))
    try:
        return await asyncio.shield(running)
    except asyncio.CancelledError:
        stop.set()
        await asyncio.wait({running})
        if not running.cancelled():
            # Looked at, so that asyncio does not report it as never retrieved.
            running.exception()
        raise
