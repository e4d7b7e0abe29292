"""A turn that writes thousands of files costs as much for each as a small one does.

Work is counted in calls of functions on the event loop, not in seconds. ``CARAMELO_MANY_FILES``
sets how many files the large turn writes.
"""

import json
import os
import sys
from collections.abc import Callable, Coroutine
from pathlib import Path
from types import FrameType

import pytest

from caramelo_tui.agent.undo_port import UndoLastRun
from caramelo_tui.config.settings import Settings
from caramelo_tui.domain.agent_events import Ending
from caramelo_tui.domain.decisions import ApprovalMode
from tests.doubles.agent_worlds import Step, asks, says
from tests.doubles.session_worlds import ScriptedModels, started_session

FEW = 20
MANY = int(os.environ.get("CARAMELO_MANY_FILES", "160"))
GROWTH = 1.2
"""What one file of the large turn may cost at most, in files of the small one."""


def turn_of(count: int) -> list[Step]:
    calls = [
        (f"c{n}", "file_write", json.dumps({"path": f"d{n % 50}/f{n}.txt", "content": f"{n}\n"}))
        for n in range(count)
    ]
    return asks(*calls)


class Counter:
    """Counts calls of functions of this thread."""

    def __init__(self) -> None:
        self.count = 0

    def __call__(self, frame: FrameType, event: str, argument: object) -> None:
        del frame, argument
        self.count += event == "call"


async def counted(work: Callable[[], Coroutine[None, None, None]]) -> int:
    counter = Counter()
    sys.setprofile(counter)
    try:
        await work()
    finally:
        sys.setprofile(None)
    return counter.count


async def cost_of(folder: Path, count: int, mode: ApprovalMode) -> float:
    """Return what each file of a turn cost; all of them are taken back then."""
    models = ScriptedModels([turn_of(count), says("done")])
    async with started_session(folder, models, settings=Settings(mode=mode)) as session:

        async def write() -> None:
            assert (await session.run()).ending is Ending.COMPLETED

        written = await counted(write)
        assert len(list(session.root.glob("*/*.txt"))) == count
        plan = await session.agent.undo.plan(UndoLastRun())
        assert len(plan.files) == count
        assert await session.agent.undo.carry_out(plan.id, {}) == ""
        assert not list(session.root.glob("*/*.txt"))
    return written / count


@pytest.mark.timeout(600)
@pytest.mark.parametrize("mode", [ApprovalMode.REVIEW], ids=str)
async def test_a_large_turn_costs_as_much_for_each_file_as_a_small_one(
    mode: ApprovalMode, tmp_path: Path
) -> None:
    for name in ("first", "small", "large"):
        (tmp_path / name).mkdir()
    # What is imported and made once is not the turn's.
    await cost_of(tmp_path / "first", 2, mode)
    small = await cost_of(tmp_path / "small", FEW, mode)
    large = await cost_of(tmp_path / "large", MANY, mode)
    assert large <= small * GROWTH


async def test_what_a_command_does_to_many_files_is_kept_and_taken_back(tmp_path: Path) -> None:
    command = f"mkdir many; for n in $(seq {MANY}); do echo $n > many/$n.txt; done"
    calls = asks(("c", "bash", json.dumps({"command": command})))
    models = ScriptedModels([calls, says("done")])
    async with started_session(tmp_path, models, settings=Settings(mode=ApprovalMode.AUTO)) as one:
        assert (await one.run()).ending is Ending.COMPLETED
        plan = await one.agent.undo.plan(UndoLastRun())
        assert len(plan.files) == MANY
        assert await one.agent.undo.carry_out(plan.id, {}) == ""
        assert not list(one.root.glob("many/*.txt"))
