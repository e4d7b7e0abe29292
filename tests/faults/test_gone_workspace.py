"""A workspace that goes while nothing runs, or while a question is open, is named in the app."""

from pathlib import Path

from caramelo_tui.domain.agent_events import NoticeRaised
from caramelo_tui.domain.decisions import ApprovalMode
from caramelo_tui.ui.screens.command_approval import CommandApproval
from tests.faults.worlds import Way, World, at_work
from tests.pilot.driving import GUARD_S
from tests.pilot.real_agent import RealSitting


def sitting_of(world: World) -> RealSitting:
    assert world.sitting is not None
    return world.sitting


def folders(tmp_path: Path) -> tuple[Path, Path]:
    root = tmp_path / "project"
    root.mkdir()
    return root, tmp_path / "home"


async def test_it_is_said_while_nothing_runs(tmp_path: Path) -> None:
    root, home = folders(tmp_path)
    async with at_work(Way.APP, root, home) as world:
        sitting = sitting_of(world)
        await sitting.until(lambda: world.agent.info.is_watching)
        root.rename(tmp_path / "aside")
        await sitting.until(lambda: sitting.of_kind(NoticeRaised))
        await sitting.until(lambda: "moved or replaced" in sitting.shown().replace("\n", " "))
        assert await world.shows(f"The workspace folder {root} was deleted, moved or replaced")
        assert not world.agent.info.is_watching
        # What is typed now is answered: nothing hangs, and the prompt takes keys.
        await sitting.press("h", "i")
        assert sitting.main.prompt.whole_draft == "hi"


async def test_it_is_said_when_the_question_that_was_open_is_answered(tmp_path: Path) -> None:
    root, home = folders(tmp_path)
    async with at_work(Way.APP, root, home, mode=ApprovalMode.REVIEW) as world:
        sitting = sitting_of(world)
        world.gate.goes_on.set()
        sitting.agent.submit("first")
        await sitting.until(lambda: isinstance(sitting.top, CommandApproval))
        root.rename(tmp_path / "aside")
        await sitting.settle()
        sitting.clock.move(GUARD_S)
        await sitting.press("n")
        await sitting.until(lambda: sitting.bench.changes.has_waiting)
        assert await world.shows(f"the workspace folder {root} is not there any more")
        # The new file is still asked about: the folder may be back by then. Here it is not.
        sitting.clock.move(GUARD_S)
        await sitting.press("ctrl+o", "Y", "s")
        await sitting.until(lambda: not world.agent.is_running)
        assert not root.exists()
