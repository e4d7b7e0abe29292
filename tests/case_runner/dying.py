"""Play a case whose process dies at a step of a write: in a process of its own.

Owns that process, which is this module run as a program, and its exit.
"""

import asyncio
import json
import os
import subprocess
import sys
from pathlib import Path

from tests.case_runner.by_hand import play_by_hand
from tests.case_runner.outside import DIED
from tests.case_runner.played import Played
from tests.case_runner.world import Case, Spec, World

_TOP = Path(__file__).parents[2]
"""Where ``tests`` is found."""


async def play_dying(case: Case, setup: Spec, world: World) -> Played:
    """Let another process make the calls, and return when it is dead; it has no results."""
    told = {"case": case, "setup": setup, "world": [world.root, world.outside, world.home]}
    done = await asyncio.to_thread(
        subprocess.run,
        [sys.executable, "-m", "tests.case_runner.dying"],
        input=json.dumps(told, default=str).encode(),
        cwd=_TOP,
        env=world.environment,
        capture_output=True,
        check=False,
    )
    assert done.returncode == DIED, f"it did not die at that step: {done.stderr.decode()}"
    return Played()


def main() -> None:
    """Play the case that standard input tells of."""
    told = json.load(sys.stdin)
    root, outside, home = map(Path, told["world"])
    world = World(root=root, outside=outside, home=home, environment=dict(os.environ))
    asyncio.run(play_by_hand(told["case"], told["setup"], world))


if __name__ == "__main__":
    main()
