"""What a long session may not gather: descriptors, tasks, threads, children, memory.

Owns one look at the own process. Proven by tests/soak/test_soak.py.
"""

import asyncio
import gc
import threading
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import psutil

_OWN = "caramelo_tui"


@dataclass(frozen=True, slots=True, kw_only=True)
class Counts:
    """What the process holds at one moment."""

    files: int
    """Open descriptors."""
    tasks: int
    threads: int
    children: int
    """Processes, their own children included."""
    memory_mb: float
    """Proportional set size."""
    cpu_s: float
    """User and system time so far, without children."""


def counts_now() -> Counts:
    """Return what is held now, garbage collected first."""
    gc.collect()
    process = psutil.Process()
    times = process.cpu_times()
    return Counts(
        files=sum(1 for _ in Path("/proc/self/fd").iterdir()) - 1,
        tasks=len(asyncio.all_tasks()),
        threads=threading.active_count(),
        children=len(process.children(recursive=True)),
        memory_mb=process.memory_full_info().pss / 1_000_000,
        cpu_s=times.user + times.system,
    )


def own_objects() -> Counter[str]:
    """Return how many objects of each of the program's classes are alive, garbage collected."""
    gc.collect()
    kinds = (type(item) for item in gc.get_objects())
    return Counter(kind.__qualname__ for kind in kinds if str(kind.__module__).startswith(_OWN))
