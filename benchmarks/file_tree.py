"""Measure Files with 100,000 files: opening a flat folder, moving, and each key of a filter.

Runs the pane alone, in this process, without a terminal: what is measured is the work of the
program from the listing, or the key, to the new frame. The figures move with the machine: compare
rows of one run only.
"""

import asyncio
import statistics
import sys
import time

from caramelo_tui.domain.files import FileKind, FolderEntry
from caramelo_tui.ui.panes.file_tree import FileTree
from caramelo_tui.ui.touch_marks import TouchMarks
from tests.pilot.pane_app import opened

FILES = 100_000
ROUNDS = 5
SIZE = (40, 40)
TYPED = "module_999"
"""Typed letter by letter; the first letters leave every file."""


def entries() -> tuple[FolderEntry, ...]:
    """Return a flat folder."""
    return tuple(
        FolderEntry(name=f"module_{number:06}.py", kind=FileKind.FILE, size=100)
        for number in range(FILES)
    )


def paths() -> tuple[str, ...]:
    """Return the same number of files in a thousand folders."""
    found: list[str] = []
    for folder in range(1_000):
        found.append(f"package_{folder:04}/")
        found += [f"package_{folder:04}/module_{folder:03}{n:03}.py" for n in range(FILES // 1_000)]
    return tuple(found)


async def opening() -> list[float]:
    """Return the times of showing a flat folder, going to its end, and back, in seconds."""
    pane = FileTree(TouchMarks())
    async with opened(pane, size=SIZE) as running:
        pane.focus()
        await running.settle()
        folder = entries()
        times: list[float] = []
        started = time.perf_counter()
        pane.show_folder(".", folder)
        running.shown()
        times.append(time.perf_counter() - started)
        for action in ("edge(1)", "edge(-1)"):
            started = time.perf_counter()
            await pane.rows.run_action(action)
            running.shown()
            times.append(time.perf_counter() - started)
        return times


async def filtering() -> list[float]:
    """Return the time of each letter of a filter over all paths, in seconds."""
    pane = FileTree(TouchMarks())
    async with opened(pane, size=SIZE) as running:
        pane.show_folder(".", entries()[:50])
        pane.action_filter()
        pane.show_paths(paths(), is_whole=True)
        await running.settle()
        times: list[float] = []
        for count in range(1, len(TYPED) + 1):
            started = time.perf_counter()
            pane.filter_by(TYPED[:count])
            # Many paths are searched in a thread: what counts is the frame with the answer.
            await running.app.workers.wait_for_complete()
            running.shown()
            times.append(time.perf_counter() - started)
        return times


def ms(values: list[float]) -> str:
    """Return a median and its spread in milliseconds."""
    scaled = [value * 1000 for value in values]
    return f"{statistics.median(scaled):.0f} ms ({min(scaled):.0f} to {max(scaled):.0f})"


async def rows() -> list[tuple[str, str]]:
    """Measure everything."""
    opened_times = [await opening() for _ in range(ROUNDS)]
    filtered = [await filtering() for _ in range(ROUNDS)]
    return [
        (f"show a folder of {FILES:,} files", ms([times[0] for times in opened_times])),
        ("go to its last file", ms([times[1] for times in opened_times])),
        ("go to its first file", ms([times[2] for times in opened_times])),
        (f"first letter of a filter over {FILES:,}", ms([times[0] for times in filtered])),
        ("each further letter", ms([took for times in filtered for took in times[1:]])),
    ]


def main() -> int:
    """Print a table."""
    print("| what | time to the frame |")
    print("| --- | --- |")
    for what, took in asyncio.run(rows()):
        print(f"| {what} | {took} |")
    return 0


if __name__ == "__main__":
    sys.exit(main())
