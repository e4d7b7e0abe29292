"""What is measured: name, unit, target and way of each figure, in one place.

Owns the registry; knows nothing of how a figure is taken. The targets are those that the product
was set on a quiet machine of two cores. Proven by tests/architecture/test_benchmarks.py.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

Samples = Mapping[str, Sequence[float]]
"""Values by name, in the order they were taken; a figure is drawn from one of them."""
HALF, MOST, ALL = 0.5, 0.95, 1.0
"""The median, p95, and the largest value."""


class Direction(StrEnum):
    """On which side of its target a figure should be."""

    AT_MOST = "≤"
    AT_LEAST = "≥"


@dataclass(frozen=True, slots=True, kw_only=True)
class Floor:
    """The same work without the product, measured in the same round; bounds the figure."""

    samples: str
    """Its values, in the unit of the figure."""
    times: float
    plus: float = 0.0

    def target(self, median: float) -> float:
        """Return the bound, from the floor's median."""
        return median * self.times + self.plus

    @property
    def words(self) -> str:
        """How the bound comes about."""
        plus = f" + {self.plus:g}" if self.plus else ""
        return f"{self.times:g} x floor{plus}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """One line of the table."""

    key: str
    """Its name in the JSON."""
    what: str
    unit: str
    group: str
    """The measurement that gives its values; see ``run.py``."""
    samples: str
    """Which of them."""
    share: float = HALF
    """Below which value so much of all of them lies; 1: the largest."""
    target: float | None = None
    direction: Direction = Direction.AT_MOST
    floor: Floor | None = None


_SHARES = {HALF: "p50", MOST: "p95", ALL: "max"}


def _one(
    group: str, samples: str, what: str, unit: str, target: float | None = None
) -> tuple[Figure, ...]:
    return (Figure(key=samples, what=what, unit=unit, group=group, samples=samples, target=target),)


def _spread(
    group: str, samples: str, what: str, targets: Mapping[float, float | None]
) -> tuple[Figure, ...]:
    return tuple(
        Figure(
            key=f"{samples}_{_SHARES[share]}",
            what=f"{what}, {_SHARES[share]}",
            unit="ms",
            group=group,
            samples=samples,
            share=share,
            target=target,
        )
        for share, target in targets.items()
    )


def _tool(
    group: str, tool: str, what: str, *, times: float | None = 2.0, plus: float = 1.0
) -> tuple[Figure, ...]:
    floor = None if times is None else Floor(samples=f"{tool}_floor_ms", times=times, plus=plus)
    return (
        Figure(
            key=f"{tool}_ms",
            what=f"{tool}, whole call",
            unit="ms",
            group=group,
            samples=f"{tool}_ms",
            floor=floor,
        ),
        *_one(group, f"{tool}_floor_ms", f"its floor: {what}", "ms"),
    )


_LONG = "with 5,000 messages"
FIGURES: tuple[Figure, ...] = (
    *_one("versions", "version_ms", "`--version`", "ms", 45),
    *_one("starts", "first_paint_ms", "start to the first frame, warm", "ms", 60),
    *_one("starts", "first_key_ms", "start to the first key echoed, warm", "ms", 340),
    *_one("starts", "ready_ms", "start to all panes, warm", "ms"),
    *_one("starts", "first_request_ms", "start to the first request, typed at once", "ms", 800),
    *_one("rest", "idle_cpu", "idle: CPU over 10 s", "%", 0.1),
    *_one("rest", "idle_bytes", "idle: to the terminal in 10 s", "bytes", 0),
    *_one("rest", "idle_mb", "idle: memory (PSS)", "MB", 75),
    *_one("rest", "asked_mb", "memory (PSS) once the model was asked", "MB", 120),
    *_one("rest", "waiting_cpu", "a question waits: CPU over 10 s", "%", 0.1),
    *_one("rest", "waiting_bytes", "a question waits: to the terminal in 10 s", "bytes", 0),
    *_spread("keys", "echo_idle_ms", "key echo, idle", {HALF: 6, MOST: 10}),
    *_spread("keys", "echo_stream_ms", "key echo at 2 KB/s", {HALF: 6, MOST: 12}),
    *_spread("keys", "echo_first_ms", "key echo in the first 2.5 s", {MOST: 16, ALL: 20}),
    *_one("keys", "keys_lost", "keys lost in all of that", "keys", 0),
    *_one("keys", "stream_cpu", "CPU at 2 KB/s", "%", 15),
    *_one("bursts", "burst_50_s", "50 KB at once, painted", "s", 0.2),
    *_one("bursts", "burst_200_s", "200 KB at once, painted", "s", 0.3),
    *_one("bursts", "burst_1000_s", "1 MB at once, painted", "s", 0.8),
    *_one("bursts", "burst_growth_mb", "1 MB at once: growth of memory (PSS)", "MB", 15),
    *_one("conversation", "stall_ms", f"1 MB {_LONG}: longest stall of the loop", "ms", 20),
    *_spread("conversation", "long_echo_ms", f"key echo at 2 KB/s {_LONG}", {HALF: 6, MOST: 12}),
    *_one("resume", "resume_s", "a session of 5,000 messages resumed: its end painted", "s"),
    *_one("headless", "hello_ms", "headless hello, whole process", "ms", 300),
    *_one("headless", "hello_request_ms", "headless: start to the first request", "ms"),
    *_one("headless", "calls_s", "20 calls headless, whole process less the model", "s", 0.5),
    *_one("headless", "calls_turn_ms", "20 calls headless, per turn", "ms", 8),
    *_one("headless", "calls_peak_mb", "20 calls headless, peak memory", "MB", 80),
    *_one("headless", "stream_50_ms", "50 KB headless, first byte to exit", "ms"),
    *_one("headless", "stream_200_ms", "200 KB headless, first byte to exit", "ms"),
    *_one("headless", "stream_1000_ms", "1 MB headless, first byte to exit", "ms", 800),
    *_one("headless", "long_first_ms", "300 turns, per turn, the first 30", "ms", 12),
    *_one("headless", "long_last_ms", "300 turns, per turn, the last 30", "ms", 12),
    *_one("headless", "long_growth_ms", "300 turns, growth per turn", "ms", 3),
    *_tool("small tools", "file_read", "read and split"),
    *_tool("small tools", "file_edit", "read, replace, write beside, sync, rename"),
    *_tool("small tools", "list_dir", "scandir and sizes of 200 entries"),
    *_tool("small tools", "bash", "`sh -c true`", times=None),
    *_one("small tools", "read_hit_ms", "file_read, answered by the cache", "ms"),
    *_tool("large tools", "grep", "bare `rg` on 50,000 files", times=1.3, plus=0.0),
    *_tool("large tools", "glob", "bare `rg --files` on 50,000 files"),
    *_one("large tools", "grep_hit_ms", "grep on 50,000 files, answered by the cache", "ms"),
    *_one("watcher", "watch_start_ms", "watch of 50,000 files, until it is at work", "ms"),
    *_one("watcher", "watch_latency_ms", "a change by another program, until it is told", "ms"),
    *_one("watcher", "watch_cpu", "watch of 50,000 files at rest: CPU", "%"),
    *_one("diff", "diff_open_ms", "review of a new file of 20,000 lines, to its first frame", "ms"),
    *_one("diff", "diff_hunks_ms", "review of 2,000 hunks, to its first frame", "ms"),
)

HOW: Mapping[str, str] = {
    "versions": "the installed program, from its start to its end, without a terminal",
    "starts": "in a pseudo terminal of 120 x 40, home and disk used before; from the start of the "
    "process to what the screen shows, or to the request as the scripted model saw it",
    "rest": "4 s after the last thing that happened, the scheduler's clock of the process and the "
    "bytes in the terminal over 10 s; memory is the process's share (PSS)",
    "keys": "from a key's byte to its character in what the program prints, a key each 0.12 s "
    "(0.06 s in the first seconds), each another one; the model sends 20 characters each 10 ms",
    "bursts": "from the first byte of an answer in pieces of 20 characters to its end mark on the "
    "screen; memory before and 1 s after",
    "conversation": "the app on a double of the agent that played 5,000 messages; the loop's lag "
    "is noted inside it each millisecond",
    "resume": "from the start with --continue to the last prompt of a stored session",
    "headless": "whole runs against the scripted model; a turn is the time from the last byte of "
    "an answer to the next request; 300 turns are one session gone on with in 6 runs",
    "small tools": "whole calls through the pipeline in this process, in turn with their floors",
    "large tools": "the same, over 50,000 files in 500 folders",
    "watcher": "the watcher alone on those files; changes while a run is active",
    "diff": "the pane alone in this process, without a terminal",
}
"""How the figures of each measurement are taken."""
