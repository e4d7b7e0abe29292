"""Work for 1,500 turns, and print what the process holds after each hundred: ``make soak``.

Two hours of a person's work with 20 MB of tool output, without a screen and in the whole app. A
program of its own changes the workspace all the time.
"""

import asyncio
import sys
import tempfile
from pathlib import Path

from tests.soak.counts import Counts, counts_now
from tests.soak.session import long_session

TURNS, EACH = 1_500, 100
_MEDDLER = """
import itertools, pathlib, sys, time
place = pathlib.Path(sys.argv[1]) / "other"
place.mkdir(exist_ok=True)
for number in itertools.count():
    (place / f"o{number % 20}.txt").write_text("x" * (number % 5000))
    time.sleep(0.05)
"""
"""Another program at work, twenty changes a second, until it is ended."""


async def soak(*, has_screen: bool, turns: int, each: int) -> None:
    """Work, and print a row after each part of it."""
    before, rows = counts_now(), list[Counts]()

    async def look(done: int) -> None:
        now = counts_now()
        cpu_ms = (now.cpu_s - (rows[-1] if rows else before).cpu_s) / each * 1_000
        rows.append(now)
        write(f"| {done} | {now.memory_mb:.1f} | {_held(now)} | {cpu_ms:.0f} |")

    write(f"\n{'In the app' if has_screen else 'Without a screen'}\n")
    write("| turns | PSS, MB | files | tasks | threads | children | CPU a turn, ms |")
    write("| --- | --- | --- | --- | --- | --- | --- |")
    with tempfile.TemporaryDirectory() as folder:
        async with long_session(Path(folder), has_screen=has_screen) as session:
            command = [sys.executable, "-c", _MEDDLER, str(Path(folder) / "project")]
            meddler = await asyncio.create_subprocess_exec(*command)
            try:
                await session.work(turns, look, each=each)
            finally:
                meddler.kill()
                await meddler.wait()
            output = session.output_characters
    after = counts_now()
    write(f"| ended | {after.memory_mb:.1f} | {_held(after)} | |")
    write(f"\n{output / 1_000_000:.1f} MB of tool output; runs ended: {set(session.endings)}")


def _held(counts: Counts) -> str:
    return f"{counts.files} | {counts.tasks} | {counts.threads} | {counts.children}"


def write(line: str) -> None:
    """Print a line at once: each hundred turns take their time."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def main() -> int:
    """Soak in both ways; another number of turns may be given."""
    turns = int(sys.argv[1]) if len(sys.argv) > 1 else TURNS
    for has_screen in (False, True):
        asyncio.run(soak(has_screen=has_screen, turns=turns, each=min(EACH, turns // 2)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
