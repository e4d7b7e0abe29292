"""How the plan of an undo and the prompts to go back to look."""

from caramelo_tui.agent.undo_port import PlannedFile, RewindPoint, UndoPlan
from caramelo_tui.domain.files import FileKind
from caramelo_tui.domain.ids import CallId, RunId
from caramelo_tui.domain.undo import UndoScope
from caramelo_tui.ui.screens.pick import PickScreen
from caramelo_tui.ui.screens.undo_plan import UndoPlanScreen
from caramelo_tui.workspace.diffing import hunks_between
from tests.doubles.fake_agent import FakeAgent
from tests.pilot.driving import OpenedApp, entry
from tests.snapshot.scenes import Scene, look_at, scenes_of
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


POINTS = (
    RewindPoint(run_id=RunId("r1"), prompt="add a --json flag to the CLI", at=0, files=2),
    RewindPoint(run_id=RunId("r2"), prompt="now the docs", at=3_600, files=0),
)


def agent() -> FakeAgent:
    made = FakeAgent(folders={".": (entry("src", FileKind.FOLDER),)})
    made.undo.next_plan = UndoPlan(
        id="undo-1", scope=UndoScope.REST, files=FILES, prompt="add a --json flag to the CLI"
    )
    made.undo.points = POINTS
    return made


async def undo(running: OpenedApp) -> None:
    running.main.action_undo("turn")
    await running.until_screen(UndoPlanScreen)


async def rewind(running: OpenedApp) -> None:
    await running.press(*"/rewind", "enter")
    await running.until_screen(PickScreen)


SCENES = (
    Scene(name="undo-plan", play=undo, screen=UndoPlanScreen, agent=agent),
    Scene(name="rewind", play=rewind, screen=PickScreen, agent=agent),
)


@scenes_of(SCENES)
async def test_scene(scene: Scene) -> None:
    await look_at(scene)
