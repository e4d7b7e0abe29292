"""Measure a whole output of 10 MB: opening it, going through it, and searching it.

Runs the view alone, in this process, without a terminal: what is measured is the work of the
program from the bytes, or the key, to the new frame. The figures move with the machine: compare
rows of one run only.
"""

import asyncio
import sys
import time

from benchmarks.file_tree import ms
from caramelo_tui.ui.widgets.output_search import SearchedOutput
from tests.pilot.pane_app import opened

SIZE_BYTES = 10_000_000
ROUNDS = 5
SIZE = (100, 40)
LAST = "the last line of all"


def output() -> bytes:
    """Return lines with a colour in each, and one that stands once."""
    line = (
        b"\x1b[32mok\x1b[0m   tests/unit/test_parser.py::test_a_row_of_a_table passed in 0.012 s\n"
    )
    return line * (SIZE_BYTES // len(line)) + LAST.encode() + b"\n"


async def round_of(data: bytes) -> list[float]:
    """Return the seconds of opening, the end, the start, a page, and a search."""
    view = SearchedOutput(data)
    async with opened(view, size=SIZE) as running:
        view.focus()
        await running.settle()
        times: list[float] = []
        started = time.perf_counter()
        view.show_bytes(data)
        assert "test_parser" in running.shown()
        times.append(time.perf_counter() - started)
        for action in ("edge(1)", "edge(-1)", "page(1)"):
            started = time.perf_counter()
            await view.run_action(action)
            running.shown()
            times.append(time.perf_counter() - started)
        started = time.perf_counter()
        view.search(LAST)
        assert LAST in running.shown()
        times.append(time.perf_counter() - started)
        return times


async def rows() -> list[tuple[str, str]]:
    """Measure everything."""
    data = output()
    rounds = [await round_of(data) for _ in range(ROUNDS)]
    names = (
        f"open an output of {SIZE_BYTES // 1_000_000} MB",
        "go to its end",
        "go to its start",
        "page down",
        "find what its last line says",
    )
    return [(name, ms([times[place] for times in rounds])) for place, name in enumerate(names)]


def main() -> int:
    """Print a table."""
    print("| what | time to the frame |")
    print("| --- | --- |")
    for what, took in asyncio.run(rows()):
        print(f"| {what} | {took} |")
    return 0


if __name__ == "__main__":
    sys.exit(main())
