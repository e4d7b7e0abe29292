"""Measure time, memory and stalls while a case is played."""

import asyncio
import os
import threading
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager

import psutil

from tests.case_runner.played import Played


@asynccontextmanager
async def measured(played: Played) -> AsyncIterator[None]:
    """Note wall time, growth of memory and the longest stall of the block."""
    start = time.perf_counter()
    with _memory_watch(played):
        async with _lag_watch(played):
            yield
    played.seconds = time.perf_counter() - start


@contextmanager
def umask_of(text: str | None) -> Iterator[None]:
    """Set the process's umask for the time of the block."""
    if text is None:
        yield
        return
    old = os.umask(int(text, 8))
    try:
        yield
    finally:
        os.umask(old)


@contextmanager
def _memory_watch(played: Played) -> Iterator[None]:
    """Note how far the process grew at most."""
    process, done = psutil.Process(), threading.Event()
    start = process.memory_info().rss
    peak = start

    def watch() -> None:
        nonlocal peak
        while not done.wait(0.005):
            peak = max(peak, process.memory_info().rss)

    thread = threading.Thread(target=watch, daemon=True)
    thread.start()
    try:
        yield
    finally:
        done.set()
        thread.join()
        played.rss_growth_mb = (max(peak, process.memory_info().rss) - start) / 1_000_000


@asynccontextmanager
async def _lag_watch(played: Played) -> AsyncIterator[None]:
    """Note the longest stall of the event loop."""

    async def watch() -> None:
        while True:
            before = time.perf_counter()
            await asyncio.sleep(0.01)
            played.worst_lag_s = max(played.worst_lag_s, time.perf_counter() - before - 0.01)

    watching = asyncio.create_task(watch())
    try:
        yield
    finally:
        watching.cancel()
