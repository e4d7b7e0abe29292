"""Draw the pictures of the documentation: ``make screenshots``.

Plays the demo in the real app with the real agent, in the sizes and at the moments that the
README and docs show, and writes SVG files; what a demo never meets (a first start, other sessions)
comes from the scenes of the snapshots. The clock of the guards is moved by hand.
"""

import asyncio
import os
import re
import sys
import tempfile
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

from textual.pilot import Pilot
from textual.screen import Screen

from caramelo_tui.app_start import DEMO_CONNECTION, AppStart, StartFacts
from caramelo_tui.config.kept_keys import kept_keys
from caramelo_tui.config.loader import SettingsSources
from caramelo_tui.config.locations import Locations
from caramelo_tui.config.settings import Settings
from caramelo_tui.config.trust import TrustStore
from caramelo_tui.ui.app import CarameloApp
from caramelo_tui.ui.main_screen import MainScreen
from caramelo_tui.ui.screens.approval import ApprovalScreen
from caramelo_tui.ui.screens.compaction import CompactionScreen
from caramelo_tui.ui.screens.models import ModelScreen
from caramelo_tui.ui.screens.pick import PickScreen
from caramelo_tui.ui.screens.spending import SpendingScreen
from caramelo_tui.ui.screens.undo_plan import UndoPlanScreen
from tests.doubles.clocks import ManualClock
from tests.pilot.conftest import opened
from tests.snapshot import test_login, test_screens
from tests.snapshot.scenes import Scene, quiet
from tests.snapshot.snapshots import save_picture, screen_lines

WIDE, NARROW = (160, 45), (80, 24)
GUARD_S = 0.6
"""Longer than the guard of a question."""
PATIENCE_S = 30.0
REVIEW_KEYS = "aaraaa"
"""One decision per hunk of the demo's first review."""

PAGES = (
    ("/compact", "compaction", CompactionScreen),
    ("/spending", "spending", SpendingScreen),
    ("/model", "models", ModelScreen),
)
"""Commands, their pictures, and what they open."""

_RANDOM_FOLDER = re.compile(r"caramelo-demo-\w{8}")


class Sitting:
    """One play of the demo."""

    def __init__(self, app: CarameloApp, pilot: Pilot[None], clock: ManualClock) -> None:
        self.app = app
        self.pilot = pilot
        self.clock = clock

    async def until(self, holds: Callable[[str], bool]) -> None:
        """Wait until the screen's text holds."""
        async with asyncio.timeout(PATIENCE_S):
            while not holds("\n".join(screen_lines(self.app))):
                await self.pilot.pause(0.02)

    async def until_screen(self, kind: type[Screen[object]] | type[object]) -> None:
        """Wait until a screen of a kind is in front."""
        await self.until(lambda _: isinstance(self.app.screen, kind))

    async def answer(self, key: str) -> None:
        """Press a key after the guard of a question."""
        self.clock.move(GUARD_S)
        await self.pilot.pause(0.05)
        await self.pilot.press(key)
        await self.pilot.pause(0.05)

    async def draw(self, path: Path) -> None:
        """Write a picture of the screen as it is."""
        await self.pilot.pause(0.3)
        # The guard counts from when the question was painted, and draws itself again after it.
        self.clock.move(GUARD_S)
        await self.until(lambda screen: "ready in" not in screen)
        await self.pilot.pause(0.1)
        save_picture(self.app, path)
        _name_the_folder(path)


def _name_the_folder(path: Path) -> None:
    """Give the demo's folder the same name in every picture."""
    text = path.read_text(encoding="utf-8")
    path.write_text(_RANDOM_FOLDER.sub("caramelo-demo-playroom", text), encoding="utf-8")


@asynccontextmanager
async def demo(size: tuple[int, int], theme: str = "caramelo") -> AsyncIterator[Sitting]:
    """Open the demo in the real app."""
    with tempfile.TemporaryDirectory() as home:
        folder = Path(home)
        clock = ManualClock()
        start = AppStart(
            StartFacts(
                root=None,
                settings=Settings(theme=theme),
                sources=SettingsSources(
                    user_file=folder / "config.toml",
                    is_file_required=False,
                    environment={},
                    flags={"--theme": theme},
                ),
                reads_workspace_config=False,
                locations=Locations(config=folder, state=folder),
                environment=dict(os.environ),
                connection=DEMO_CONNECTION,
                trust=TrustStore(folder / "trust.json", home=folder),
                keys=kept_keys({}),
                is_trusted_by_flag=False,
                first_prompt="",
            )
        )
        app = CarameloApp(start.plan(), clock=clock)
        async with app.run_test(size=size) as pilot:
            sitting = Sitting(app, pilot, clock)
            await sitting.until(lambda screen: "--json flag" in screen)
            try:
                yield sitting
            finally:
                await app.close_agent()


async def to_the_review(sitting: Sitting) -> None:
    """Play until the first review waits and has the focus."""
    await sitting.pilot.pause(0.3)
    await sitting.pilot.press("enter")
    await sitting.until(lambda screen: "2 waiting" in screen)
    await sitting.pilot.press("ctrl+o")
    await sitting.until(lambda screen: "undecided" in screen)


async def to_the_command(sitting: Sitting) -> None:
    """Decide the review and play until the first command is asked."""
    for key in REVIEW_KEYS:
        await sitting.answer(key)
    await sitting.answer("s")
    await sitting.until(lambda _: isinstance(sitting.app.screen, ApprovalScreen))


async def to_the_end(sitting: Sitting) -> None:
    """Accept and allow whatever the demo still asks for."""
    while "completed" not in "\n".join(screen_lines(sitting.app)):
        if isinstance(sitting.app.screen, ApprovalScreen):
            await sitting.answer("y")
        elif sitting.app.main.undecided_hunks:
            await sitting.pilot.press("f4")
            await sitting.answer("Y")
            await sitting.answer("s")
            await sitting.pilot.press("f3")
        await sitting.pilot.pause(0.05)


async def typed(sitting: Sitting, command: str) -> None:
    """Type a command into the prompt and send it."""
    await sitting.pilot.press("escape")
    # What was typed at a question before its time went to the draft.
    sitting.app.main.prompt.set_draft("")
    await sitting.pilot.press(*command, "enter")


async def draw_pages(sitting: Sitting, folder: Path, name: str) -> None:
    """Draw what can be opened when the demo is over."""
    await typed(sitting, "/rewind")
    await sitting.until_screen(PickScreen)
    await sitting.pilot.press("enter")
    await sitting.until_screen(UndoPlanScreen)
    await sitting.draw(folder / f"undo{name}.svg")
    await sitting.pilot.press("escape")
    for command, picture, page in PAGES:
        await typed(sitting, command)
        await sitting.until_screen(page)
        await sitting.draw(folder / f"{picture}{name}.svg")
        await sitting.pilot.press("escape")
        await sitting.until_screen(MainScreen)
    await sitting.pilot.press("f2", "right")
    await sitting.until(lambda screen: "__init__.py" in screen)
    await sitting.draw(folder / f"files{name}.svg")


async def draw_scene(scene: Scene, size: tuple[int, int], path: Path) -> None:
    """Draw a scene of the snapshots."""
    plan = None if scene.plan is None else scene.plan()
    async with opened(
        size=size, agent=scene.agent(), plan=plan, waits_for_agent=plan is None
    ) as running:
        await scene.play(running)
        await quiet(running)
        save_picture(running.app, path)


SCENES = {
    "first-start": next(each for each in test_login.SCENES if each.name == "first-start"),
    "sessions": next(each for each in test_screens.SCENES if each.name == "sessions"),
}


async def draw_all(folder: Path) -> None:
    """Draw every picture into ``folder``."""
    for name, size in (("", WIDE), ("-80x24", NARROW)):
        async with demo(size) as sitting:
            await sitting.draw(folder / f"start{name}.svg")
            await to_the_review(sitting)
            for key in REVIEW_KEYS[:3]:
                await sitting.answer(key)
            await sitting.draw(folder / f"review{name}.svg")
            for key in REVIEW_KEYS[3:]:
                await sitting.answer(key)
            await sitting.answer("s")
            await sitting.until(lambda _: isinstance(sitting.app.screen, ApprovalScreen))
            await sitting.draw(folder / f"command{name}.svg")
            await sitting.answer("y")
            await sitting.until(lambda screen: "1 waiting" in screen)
            await sitting.pilot.press("f3")
            await sitting.draw(folder / f"conversation{name}.svg")
            await sitting.pilot.press("f5")
            await sitting.draw(folder / f"tools{name}.svg")
            await sitting.pilot.press("f1")
            await sitting.draw(folder / f"help{name}.svg")
            await sitting.pilot.press("escape", "f3")
            await to_the_end(sitting)
            await draw_pages(sitting, folder, name)
        for picture, scene in SCENES.items():
            await draw_scene(scene, size, folder / f"{picture}{name}.svg")
    for theme in ("caramelo-light", "blue-orange", "blue-orange-light", "high-contrast", "mono"):
        async with demo(WIDE, theme) as sitting:
            await to_the_review(sitting)
            await sitting.answer("a")
            await sitting.draw(folder / f"theme-{theme}.svg")


if __name__ == "__main__":
    target = Path(sys.argv[1])
    asyncio.run(draw_all(target))
    sys.stdout.write(f"pictures in {target}\n")
