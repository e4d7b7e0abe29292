"""Sessions that are killed, and disks that fail: see ``tests.crash.server``.

``CARAMELO_CRASH_RUNS`` says how many sessions are killed by chance, ``CARAMELO_CRASH_EVERY`` at
which of its steps one session is (1: at each); ``make crash`` sets both high.
"""

import os
import subprocess
import sys
from pathlib import Path

import pytest

RUNS = int(os.environ.get("CARAMELO_CRASH_RUNS", "100"))
EVERY = int(os.environ.get("CARAMELO_CRASH_EVERY", "25"))
SEED = os.environ.get("CARAMELO_CRASH_SEED", "1")
_ROOT = Path(__file__).parents[2]


def serve(*arguments: str) -> str:
    """Run the fork server and return what it printed; what failed stands in it."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.crash.server", *arguments],
        cwd=_ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr[-4000:]}"
    return done.stdout


@pytest.mark.timeout(120 + 5 * RUNS)
def test_sessions_killed_by_chance_lose_nothing() -> None:
    said = serve("--runs", str(RUNS), "--seed", SEED)
    assert f"{RUNS} sessions" in said


@pytest.mark.timeout(300 + 10_000 // EVERY)
def test_a_session_killed_at_its_steps_or_with_steps_that_fail_loses_nothing() -> None:
    serve("--each-step", str(EVERY), "--seed", SEED)


@pytest.mark.timeout(120)
@pytest.mark.parametrize(
    "case",
    [
        # A line of the session cut in two: the session was not offered any more.
        "1-0:4:6:0:0.680:1000000000",
        # Killed between the journal and the file: undo met a conflict with what never was.
        "1-1:4:49:0:0.293:1000000000",
        # The end of a run cut in two: it was taken for an end.
        "u-112:4:99:0:0.963:1000000000",
        # Killed within a second command: nobody looked at what it did, and undo asks.
        "v-122:4:101:0:0.793:1000000000",
        # Killed before the first prompt: a session that holds nothing is not listed.
        "night-351:4:0:0:0.500:0.0316",
        # Killed within the session's first line: nothing was shown, and nothing is taken up.
        "dawn-34:4:5:0:0.029:1000000000",
        # The disk failed while the tree was looked at: commands are not taken back, which is said.
        "1:3:26:5:0.500:1000000000",
    ],
)
def test_what_once_failed_stays_mended(case: str) -> None:
    serve("--only", case)
