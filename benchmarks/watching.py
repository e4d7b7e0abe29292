"""Measure the watch of 50,000 files: its start, how soon it tells, and what it costs at rest."""

import asyncio
import resource
import time
from pathlib import Path

from benchmarks.figures import Samples
from benchmarks.tool_floors import large_tree
from caramelo_tui.domain.files import FileChange
from caramelo_tui.workspace.sandbox import Sandbox
from caramelo_tui.workspace.watcher import Watcher

CHANGES = 10
"""Of each round."""
REST_S = 5.0
_PACE_S = 0.3
"""A change of pace is taken up within 250 ms."""
_LIMIT_S = 10.0


class Told:
    """Waits for what a watcher tells."""

    def __init__(self) -> None:
        self._news = asyncio.Event()
        self._paths: set[str] = set()

    def take(self, changes: tuple[FileChange, ...]) -> None:
        """Note what was told."""
        self._paths |= {change.path for change in changes}
        self._news.set()

    async def of(self, path: str) -> None:
        """Wait until a path was told of."""
        while path not in self._paths:
            self._news.clear()
            await self._news.wait()


def watching(rounds: int) -> Samples:
    """Return the figures of the watcher."""
    return asyncio.run(_watched(Path(large_tree().name).resolve(), rounds))


async def _watched(root: Path, rounds: int) -> Samples:
    starts: list[float] = []
    latencies: list[float] = []
    costs: list[float] = []
    for number in range(rounds):
        watcher, told = Watcher(Sandbox(root)), Told()
        watcher.subscribe(told.take)
        began = time.perf_counter()
        await watcher.start()
        starts.append((time.perf_counter() - began) * 1000)
        before = _cpu_s()
        await asyncio.sleep(REST_S)
        costs.append((_cpu_s() - before) / REST_S * 100)
        watcher.set_active(True)
        await asyncio.sleep(_PACE_S)
        for change in range(CHANGES):
            path = f"part_00/package_{change:04}/new_{number}.py"
            began = time.perf_counter()
            (root / path).write_text("x = 1\n")
            async with asyncio.timeout(_LIMIT_S):
                await told.of(path)
            latencies.append((time.perf_counter() - began) * 1000)
        await watcher.stop()
    return {"watch_start_ms": starts, "watch_latency_ms": latencies, "watch_cpu": costs}


def _cpu_s() -> float:
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime
