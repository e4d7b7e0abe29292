"""Notice on the event loop that a child has ended.

Owns the two means for it: a process descriptor where the kernel has them, else a thread that
waits. Neither reaps the child where the system can leave it: until it is reaped, no other process
gets its number. Proven by tests/unit/tools/test_exit_watching.py and
tests/unit/tools/test_subprocesses.py.
"""

import asyncio
import os
import subprocess
import threading
from collections.abc import Callable
from contextlib import suppress

StopWatching = Callable[[], None]
ExitWatcher = Callable[[subprocess.Popen[bytes], Callable[[], None]], StopWatching]
"""Calls back on the loop when a child has ended; returns how to stop."""


def watch_exit_by_pidfd(
    process: subprocess.Popen[bytes], on_exit: Callable[[], None]
) -> StopWatching:
    """Watch through a process descriptor (Linux 5.3 and newer); the child is not reaped.

    Raises:
        OSError: If the kernel gives no descriptor.
    """
    loop = asyncio.get_running_loop()
    descriptor = os.pidfd_open(process.pid)

    def stop() -> None:
        nonlocal descriptor
        if descriptor >= 0:
            loop.remove_reader(descriptor)
            os.close(descriptor)
            descriptor = -1

    def fire() -> None:
        stop()
        on_exit()

    loop.add_reader(descriptor, fire)
    return stop


def watch_exit_by_thread(
    process: subprocess.Popen[bytes], on_exit: Callable[[], None]
) -> StopWatching:
    """Watch with a thread that waits, where there are no process descriptors (macOS)."""
    loop = asyncio.get_running_loop()
    is_stopped = threading.Event()

    def wait() -> None:
        # Reaped by somebody else meanwhile: it has ended all the same.
        with suppress(ChildProcessError):
            _wait_for(process)
        if not is_stopped.is_set():
            # A loop that is closed by now has nobody left to tell.
            with suppress(RuntimeError):
                loop.call_soon_threadsafe(on_exit)

    threading.Thread(target=wait, name=f"wait-{process.pid}", daemon=True).start()
    return is_stopped.set


def watch_exit(process: subprocess.Popen[bytes], on_exit: Callable[[], None]) -> StopWatching:
    """Watch by the best means that this system has."""
    if hasattr(os, "pidfd_open"):
        try:
            return watch_exit_by_pidfd(process, on_exit)
        except OSError:  # An older kernel, or a sandbox that forbids the call.
            pass
    return watch_exit_by_thread(process, on_exit)


def _wait_for(process: subprocess.Popen[bytes]) -> None:
    # Left unreaped where the system can: until then no other process can get its number, so
    # that the search for what it left behind cannot hit a stranger.
    if hasattr(os, "waitid"):
        os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)
    else:
        process.wait()
