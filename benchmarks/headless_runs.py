"""Measure the installed program without a screen, from its start to its end."""

import statistics

from benchmarks.figures import Samples
from benchmarks.scripted import Scripted, scripted, write_workspace

CALLS = 20
RUNS, READS = 6, 49
"""A long session: the same one gone on with, each run with so many reads and an answer."""
_EDGE = 30
"""Turns at both ends of a long session that are compared."""


def headless(rounds: int) -> Samples:
    """Return the figures of single runs and of a long session."""
    with scripted() as model:
        # A home that has been used, and a warm disk.
        model.run("bench:hello")
        found: dict[str, list[float]] = {}
        for _ in range(rounds):
            for key, values in _round(model).items():
                found.setdefault(key, []).extend(values)
        return {**found, **_long_session(model)}


def _round(model: Scripted) -> Samples:
    found: dict[str, list[float]] = {}
    hello = model.run("bench:hello")
    found["hello_ms"] = [(hello.ended - hello.started) * 1000]
    found["hello_request_ms"] = [(hello.requests[0].came - hello.started) * 1000]
    write_workspace(model.workspace)
    calls = model.run(f"bench:calls {CALLS}")
    assert len(calls.requests) == CALLS + 1
    served = sum(one.ended - one.came for one in calls.requests)
    found["calls_s"] = [calls.ended - calls.started - served]
    found["calls_turn_ms"] = calls.turns_ms
    found["calls_peak_mb"] = [calls.peak_mb]
    for kilobytes in (50, 200, 1_000):
        stream = model.run(f"bench:stream {kilobytes * 1000} 0")
        # Until the process is gone: what was read is also printed and kept then.
        found[f"stream_{kilobytes}_ms"] = [(stream.ended - stream.requests[0].began) * 1000]
    return found


def _long_session(model: Scripted) -> Samples:
    turns: list[float] = []
    for number in range(RUNS):
        words = ("--continue",) if number else ()
        turns += model.run(f"bench:reads {READS} {number * READS}", *words).turns_ms
    return {
        "long_first_ms": turns[:_EDGE],
        "long_last_ms": turns[-_EDGE:],
        "long_growth_ms": [statistics.median(turns[-_EDGE:]) - statistics.median(turns[:_EDGE])],
    }
