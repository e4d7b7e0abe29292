"""How the plan of an undo looks, wide, at 80 by 24 and at 40 by 12."""

import pytest

from caramelo_tui.agent.undo_port import PlannedFile, UndoPlan
from caramelo_tui.domain.files import FileKind
from caramelo_tui.domain.ids import CallId
from caramelo_tui.domain.undo import UndoScope
from caramelo_tui.ui.screens.undo_plan import UndoPlanScreen
from caramelo_tui.workspace.diffing import hunks_between
from tests.doubles.fake_agent import FakeAgent
from tests.pilot.conftest import opened
from tests.pilot.driving import entry
from tests.snapshot.snapshots import assert_snapshot
from tests.unit.ui.drawing import numbered


def planned(path: str, before: str, after: str, *, conflicts: int = 0) -> PlannedFile:
    hunks = hunks_between(before, after, call_id=CallId(f"plan:{path}"))
    return PlannedFile(path=path, hunks=hunks, conflicts=conflicts)


FILES = (
    planned("src/cli.py", numbered(20, line_3="mine"), numbered(20), conflicts=1),
    PlannedFile(path="src/lost.py", problem="stored content 12ab cannot be read"),
    planned("src/report.py", numbered(20, line_5="x", line_9="y"), numbered(20)),
    planned("src/a long name of a file that is cut.py", "made\nlines\n", ""),
)


@pytest.mark.parametrize("size", [(160, 45), (80, 24), (40, 12)])
async def test_undo_plan(size: tuple[int, int]) -> None:
    agent = FakeAgent(folders={".": (entry("src", FileKind.FOLDER),)})
    agent.undo.next_plan = UndoPlan(
        id="undo-1", scope=UndoScope.REST, files=FILES, prompt="add a --json flag to the CLI"
    )
    async with opened(size=size, agent=agent) as running:
        running.main.action_undo("turn")
        await running.until_screen(UndoPlanScreen)
        await running.settle()
        assert_snapshot(running.app, f"undo-plan-{size[0]}x{size[1]}")
