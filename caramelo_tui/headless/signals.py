"""Let a signal end the program in order.

Owns which signals end a headless program, with which exit code, and that nothing cuts off the
ending once it has begun. Proven by tests/unit/headless/test_signals.py and
tests/e2e/test_headless.py.
"""

import asyncio
import signal
from collections.abc import AsyncGenerator, Awaitable, Callable, Coroutine, Generator
from contextlib import asynccontextmanager, contextmanager
from weakref import WeakKeyDictionary

SIGNAL_BASE = 128
"""A program ended by a signal exits with this plus its number."""


def ending_signals() -> tuple[signal.Signals, ...]:
    """Return the signals that end the program.

    One that was ignored when the program started stays so: that is what ``nohup`` and a
    shell's background jobs ask for.
    """
    return tuple(
        number
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
        if signal.getsignal(number) is not signal.SIG_IGN
    )


Act = Callable[[signal.Signals], None]
"""What a signal does, on the event loop."""

_ACTS: WeakKeyDictionary[asyncio.AbstractEventLoop, list[Act]] = WeakKeyDictionary()
"""Of each loop what is in force, the innermost block's last."""


@contextmanager
def on_signals(act: Act) -> Generator[None]:
    """Call ``act`` on the event loop for each ending signal that comes within the block.

    Within another such block it stands in for that one's act, which is in force again behind it:
    at no moment in between does a signal end the program.
    """
    loop = asyncio.get_running_loop()
    acts = _ACTS.setdefault(loop, [])
    numbers = ending_signals()
    acts.append(act)
    for number in numbers:
        loop.add_signal_handler(number, act, number)
    try:
        yield
    finally:
        acts.pop()
        for number in numbers:
            if acts:
                loop.add_signal_handler(number, acts[-1], number)
            else:
                loop.remove_signal_handler(number)


@asynccontextmanager
async def ended_in_full(end: Callable[[], Awaitable[None]]) -> AsyncGenerator[None]:
    """Await ``end`` behind the block, whatever happens; signals no longer cut it off.

    One that comes in the block and is nobody's there cancels it; ``end`` done, the program dies of
    it as it would have without us.

    Raises:
        asyncio.CancelledError: If the caller was cancelled.
    """
    task = asyncio.current_task()
    came: list[signal.Signals] = []
    is_ending = False

    def stop(number: signal.Signals) -> None:
        if not is_ending and not came and task is not None:
            came.append(number)
            task.cancel()

    try:
        with on_signals(stop):
            try:
                yield
            finally:
                is_ending = True
                await end()
    except asyncio.CancelledError:
        if came:
            signal.raise_signal(came[0])
        raise


async def until_signal(work: Coroutine[object, object, int]) -> int:
    """Return what ``work`` returns, or the exit code of the signal that cancelled it.

    Raises:
        asyncio.CancelledError: If the caller was cancelled; ``work`` has ended then.
    """
    task = asyncio.ensure_future(work)
    stopped_by: list[signal.Signals] = []

    def stop(number: signal.Signals) -> None:
        stopped_by.append(number)
        task.cancel()

    with on_signals(stop):
        try:
            return await task
        except asyncio.CancelledError:
            if not stopped_by:
                raise
            return SIGNAL_BASE + stopped_by[0]
