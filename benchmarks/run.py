"""Measure, print a table, and keep the figures: ``make bench``.

Each row is a median over fresh starts with its spread (smallest and largest). The figures
move with the machine: compare rows of one run only.
"""

import json
import platform
import re
import statistics
import sys
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path

import psutil

from benchmarks.program import ProgramInTerminal, time_to_end
from caramelo_tui import __version__

RESULTS = Path("artifacts/bench.json")
"""Where the figures of the last run are kept."""
IDLE_S = 10.0
"""How long the idle program is watched."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One measured figure."""

    what: str
    unit: str
    median: float
    smallest: float
    largest: float
    rounds: int


def measured(what: str, unit: str, rounds: int, measure: Callable[[], float]) -> Row:
    """Measure ``rounds`` times, after one round that warms the disk."""
    measure()
    values = [measure() for _ in range(rounds)]
    return Row(
        what=what,
        unit=unit,
        median=round(statistics.median(values), 2),
        smallest=round(min(values), 2),
        largest=round(max(values), 2),
        rounds=rounds,
    )


def version_ms() -> float:
    """Return the time of ``caramelo --version``."""
    return time_to_end(["--version"]) * 1000


def first_paint_ms() -> float:
    """Return the time until anything but blanks is on the screen."""
    with ProgramInTerminal(["demo"]) as program:
        return program.wait_for(lambda screen: bool(screen.strip())) * 1000


def first_echo_ms() -> float:
    """Return the time until a key that was typed at once is on the screen."""
    with ProgramInTerminal(["demo"]) as program:
        program.press(b"\x15ZQ")
        # Before the program takes the terminal, that echoes what is typed by itself.
        return program.wait_for(lambda screen: re.search(r"┃.*ZQ", screen) is not None) * 1000


def panes_ms() -> float:
    """Return the time until all panes are there."""
    with ProgramInTerminal(["demo"]) as program:
        return program.wait_for(lambda screen: "Tools" in screen and "Changes" in screen) * 1000


def idle_rows() -> list[Row]:
    """Return CPU, bytes to the terminal and memory of the idle program."""
    with ProgramInTerminal(["demo"]) as program:
        program.wait_for(lambda screen: "Tools" in screen)
        settle = time.perf_counter() + 4
        while time.perf_counter() < settle:
            program.read(0.1)
        process = psutil.Process(program.pid)
        before, seen = sum(process.cpu_times()[:2]), program.bytes_seen
        end = time.perf_counter() + IDLE_S
        while time.perf_counter() < end:
            program.read(0.5)
        cpu = (sum(process.cpu_times()[:2]) - before) / IDLE_S * 100
        memory = process.memory_full_info().pss / 1_000_000
        printed = program.bytes_seen - seen

    def row(what: str, unit: str, value: float) -> Row:
        return Row(
            what=what,
            unit=unit,
            median=round(value, 2),
            smallest=round(value, 2),
            largest=round(value, 2),
            rounds=1,
        )

    return [
        row(f"idle, CPU over {IDLE_S:.0f} s", "%", cpu),
        row(f"idle, to the terminal in {IDLE_S:.0f} s", "bytes", printed),
        row("idle, memory (PSS)", "MB", memory),
    ]


def table(rows: list[Row]) -> str:
    """Return the rows as a Markdown table."""
    lines = ["| what | median | spread | rounds |", "| --- | --- | --- | --- |"]
    lines += [
        f"| {row.what} | {row.median} {row.unit} | {row.smallest} to {row.largest} | {row.rounds} |"
        for row in rows
    ]
    return "\n".join(lines)


def main() -> int:
    """Measure all rows, print and keep them."""
    rows = [
        measured("`--version`", "ms", 11, version_ms),
        measured("start to first paint", "ms", 5, first_paint_ms),
        measured("start to first key echoed (typed at once)", "ms", 5, first_echo_ms),
        measured("start to all panes", "ms", 5, panes_ms),
        *idle_rows(),
    ]
    facts = {
        "caramelo": __version__,
        "python": platform.python_version(),
        "system": f"{platform.system()} {platform.machine()}, {psutil.cpu_count()} cores",
    }
    RESULTS.parent.mkdir(exist_ok=True)
    RESULTS.write_text(
        json.dumps({"facts": facts, "rows": [asdict(row) for row in rows]}, indent=2)
    )
    print(", ".join(f"{name} {text}" for name, text in facts.items()))
    print()
    print(table(rows))
    return 0


if __name__ == "__main__":
    sys.exit(main())
