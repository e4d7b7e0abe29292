"""Keep the garbage collector out of a start's way, and out of an end's.

Owns when it rests where no screen is: while what stays for the whole run is loaded and built, and
when all of that goes with the process anyway. Proven by tests/unit/test_launch_collector.py.
"""

import atexit
import gc
from collections.abc import Generator
from contextlib import contextmanager


@contextmanager
def collector_at_rest() -> Generator[None]:
    """Let it rest within the block, or until ``settle_collector`` is called there."""
    was_collecting = gc.isenabled()
    gc.disable()
    # Only at the interpreter's very end: its last collections would look at every module.
    atexit.unregister(gc.freeze)
    atexit.register(gc.freeze)
    try:
        yield
    finally:
        if was_collecting:
            gc.enable()


def settle_collector() -> None:
    """Let it work again, past what was loaded and built so far.

    Where it did not rest, nothing changes.
    """
    if not gc.isenabled():
        gc.freeze()
        gc.enable()
