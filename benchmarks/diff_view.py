"""Measure big diffs in the changes: opening, scrolling, deciding, and growing ones.

Runs the pane alone, in this process, without a terminal: what is measured is the work of the
program. "Stall" is the longest time for which the event loop took nothing else in. The figures
move with the machine: compare rows of one run only.
"""

import asyncio
import json
import statistics
import sys
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass

from caramelo_tui.domain.agent_events import EventHead, ToolCallStreamed
from caramelo_tui.domain.approvals import ReviewRequest
from caramelo_tui.domain.ids import CallId
from caramelo_tui.ui.panes.changes import ChangesPane
from caramelo_tui.ui.turns import Turn
from caramelo_tui.ui.widgets.code_colors import warm_up
from tests.pilot.pane_app import opened
from tests.unit.ui.drawing import numbered, review, write

LINES = 20_000
FILES = 200
ROUNDS = 5
SIZE = (100, 40)
_BEAT_S = 0.001


@dataclass(slots=True)
class Stalls:
    """Watches the event loop."""

    longest_s: float = 0.0
    _is_watching: bool = True

    async def watch(self) -> None:
        """Note how late each beat comes."""
        while self._is_watching:
            started = time.perf_counter()
            await asyncio.sleep(_BEAT_S)
            self.longest_s = max(self.longest_s, time.perf_counter() - started - _BEAT_S)

    def stop(self) -> None:
        """End at the next beat."""
        self._is_watching = False


@asynccontextmanager
async def stalls() -> AsyncIterator[Stalls]:
    """Watch the loop for the time of the block."""
    watcher = Stalls()
    task = asyncio.create_task(watcher.watch())
    await asyncio.sleep(_BEAT_S * 5)
    try:
        yield watcher
    finally:
        watcher.stop()
        await task


def new_file() -> ReviewRequest:
    """Return a review of one new file."""
    return review(write(None, "".join(f"value_{n} = {n}\n" for n in range(LINES)), path="big.py"))


def scattered() -> ReviewRequest:
    """Return a review of one file with a hunk for each ten lines."""
    changed = {f"line_{number}": f"value {number}" for number in range(5, LINES, 10)}
    return review(write(numbered(LINES), numbered(LINES, **changed), path="big.py"))


def many_files() -> ReviewRequest:
    """Return a review of many files with some hunks each."""
    after = numbered(100, line_5="five", line_40="forty", line_90="ninety")
    return review(
        *(
            write(numbered(100), after, path=f"src/part_{number}.py", call_id=f"c{number}")
            for number in range(FILES)
        )
    )


async def opening(request: ReviewRequest, visible: str) -> tuple[float, float]:
    """Return the time to the first paint of a review and the longest stall, in seconds.

    Raises:
        RuntimeError: If the diff is not on the screen then.
    """
    pane = ChangesPane()
    async with opened(pane, size=SIZE) as running:
        pane.focus()
        await running.settle()
        async with stalls() as watcher:
            started = time.perf_counter()
            pane.show_review(request, turn=Turn(run=1, number=1))
            shown = running.shown()
            took = time.perf_counter() - started
            await running.settle()
        if visible not in shown:
            msg = f"the diff is not on the screen: {shown}"
            raise RuntimeError(msg)
        return took, watcher.longest_s


async def acting(request: ReviewRequest, *actions: str) -> tuple[float, float]:
    """Return the median and the longest time of a key's action with its new frame, in seconds."""
    pane = ChangesPane()
    async with opened(pane, size=SIZE) as running:
        pane.show_review(request, turn=Turn(run=1, number=1))
        pane.focus()
        await running.settle()
        times: list[float] = []
        for action in actions:
            target = pane if action.startswith("decide") else pane.view
            started = time.perf_counter()
            await target.run_action(action)
            times.append(time.perf_counter() - started)
            await running.pilot.pause(0)
        return statistics.median(times), max(times)


async def growing() -> tuple[float, float]:
    """Return the loop's share and longest stall of a big file being written, in seconds."""
    pane = ChangesPane()
    content = json.dumps({"path": "big.py", "content": numbered(LINES)})
    async with opened(pane, size=SIZE) as running:
        await running.settle()
        before = time.process_time()
        async with stalls() as watcher:
            for at in range(0, len(content) - 2, 200):
                fragment = content[at : min(at + 200, len(content) - 2)]
                pane.take_live(
                    ToolCallStreamed(
                        head=EventHead(seq=1, at=0),
                        call_id=CallId("c"),
                        tool="file_write",
                        fragment=fragment,
                    )
                )
                await asyncio.sleep(0.002)
            await running.until(lambda: not pane.live.has_news)
        return time.process_time() - before, watcher.longest_s


def ms(values: list[float]) -> str:
    """Return a median and its spread in milliseconds."""
    scaled = [value * 1000 for value in values]
    return f"{statistics.median(scaled):.0f} ms ({min(scaled):.0f} to {max(scaled):.0f})"


async def rows() -> list[tuple[str, str, str]]:
    """Measure everything."""
    measures: list[tuple[str, Callable[[], Awaitable[tuple[float, float]]]]] = [
        (f"open a new file of {LINES:,} lines", lambda: opening(new_file(), "value_3 = 3")),
        (f"open {LINES // 10:,} hunks in {LINES:,} lines", lambda: opening(scattered(), "value 5")),
        (f"open {FILES} files with 3 hunks each", lambda: opening(many_files(), "five")),
        ("page down through the new file", lambda: acting(new_file(), *["page(1)"] * 40)),
        (
            "go to the end and back",
            lambda: acting(new_file(), *["edge(1)", "edge(-1)"] * 10),
        ),
        (f"next of {LINES // 10:,} hunks", lambda: acting(scattered(), *["hunk(1)"] * 40)),
        (f"next of {FILES} files", lambda: acting(many_files(), *["file(1)"] * 40)),
        (
            f"accept a hunk of {FILES} files",
            lambda: acting(many_files(), *["decide_hunk(True)"] * 40),
        ),
        (
            f"accept all of {LINES // 10:,} hunks",
            lambda: acting(scattered(), "decide_all(True)"),
        ),
        (f"a new file of {LINES:,} lines being written: CPU, stall", growing),
    ]
    out: list[tuple[str, str, str]] = []
    for what, measure in measures:
        values = [await measure() for _ in range(ROUNDS)]
        out.append((what, ms([first for first, _ in values]), ms([last for _, last in values])))
    return out


def main() -> int:
    """Print a table."""
    # As the program does after its first paint.
    warm_up()
    print("| what | time (first paint, or median of keys) | longest (stall, or key) |")
    print("| --- | --- | --- |")
    for what, first, second in asyncio.run(rows()):
        print(f"| {what} | {first} | {second} |")
    return 0


if __name__ == "__main__":
    sys.exit(main())
