"""Measure everything: ``make bench``, or ``make bench ROUNDS=1`` to try it.

Writes ``artifacts/bench.json`` and ``artifacts/bench.md`` and prints the latter. Groups can be
named: ``python -m benchmarks.run --only keys,bursts``.
"""

import argparse
import asyncio
import sys
import time
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from subprocess import SubprocessError

from benchmarks import burst, conversation, diff_view
from benchmarks.figures import FIGURES, HOW, Samples
from benchmarks.headless_runs import headless
from benchmarks.machine import facts
from benchmarks.report import data, document, results
from benchmarks.resumed import resumed
from benchmarks.starts import rest, starts, versions
from benchmarks.streams import bursts, keys
from benchmarks.tool_floors import large_tools, small_tools
from benchmarks.watching import watching

FOLDER = Path("artifacts")
"""Where the figures of the last run are kept."""
ROUNDS = 5


def long_conversation(rounds: int) -> Samples:
    """Return the stalls of a burst, and key echoes, behind 5,000 messages."""
    lags = [burst.burst()[1] for _ in range(min(rounds, burst.ROUNDS))]
    return {"stall_ms": lags, "long_echo_ms": conversation.typed_slowly(conversation.LENGTHS[-1])}


def reviews(rounds: int) -> Samples:
    """Return the times until large diffs are painted, in milliseconds."""
    opened = partial(diff_view.opening, diff_view.new_file(), "value_3 = 3")
    hunks = partial(diff_view.opening, diff_view.scattered(), "value 5")
    measures = {"diff_open_ms": opened, "diff_hunks_ms": hunks}
    return {
        key: [asyncio.run(measure())[0] * 1000 for _ in range(rounds)]
        for key, measure in measures.items()
    }


GROUPS: Mapping[str, Callable[[int], Samples]] = {
    "versions": versions,
    "starts": starts,
    "rest": rest,
    "keys": keys,
    "bursts": bursts,
    "conversation": long_conversation,
    "resume": resumed,
    "headless": headless,
    "small tools": small_tools,
    "large tools": large_tools,
    "watcher": watching,
    "diff": reviews,
}


def main(arguments: list[str]) -> int:
    """Measure, print and keep; ends with 1 if something could not be measured."""
    asked = _asked(arguments)
    known = facts(asked.rounds)
    samples: dict[str, list[float]] = {}
    failures: dict[str, str] = {}
    for name in asked.only:
        began = time.perf_counter()
        try:
            found = GROUPS[name](asked.rounds)
        except (OSError, RuntimeError, SubprocessError, AssertionError) as error:
            # One that fails is told in the table; the others are measured all the same.
            failures[name] = str(error).splitlines()[0] if str(error) else repr(error)
        else:
            samples |= {key: [*values] for key, values in found.items()}
        print(f"{name}: {time.perf_counter() - began:.0f} s", file=sys.stderr, flush=True)
    lines = results([one for one in FIGURES if one.group in asked.only], samples)
    page = document(known, lines, failures, {name: HOW[name] for name in asked.only})
    FOLDER.mkdir(exist_ok=True)
    (FOLDER / "bench.json").write_text(data(known, lines, samples, failures), "utf-8")
    (FOLDER / "bench.md").write_text(page, "utf-8")
    print(page)
    return 1 if failures else 0


def _asked(arguments: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="benchmarks.run")
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--only", type=_groups, default=[*GROUPS])
    return parser.parse_args(arguments)


def _groups(text: str) -> list[str]:
    names = text.split(",")
    if unknown := set(names) - set(GROUPS):
        msg = f"unknown: {', '.join(sorted(unknown))}; there are {', '.join(GROUPS)}"
        raise argparse.ArgumentTypeError(msg)
    return names


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
