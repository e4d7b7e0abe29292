"""Draw the pictures of the documentation: ``make screenshots``.

Plays the demo in the real app with the real agent, in the sizes and at the moments that the
README and docs show, and writes SVG files. The clock of the guards is moved by hand.
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

from caramelo_tui.app_start import DEMO_CONNECTION, AppStart, StartFacts
from caramelo_tui.config.kept_keys import kept_keys
from caramelo_tui.config.loader import SettingsSources
from caramelo_tui.config.locations import Locations
from caramelo_tui.config.settings import Settings
from caramelo_tui.config.trust import TrustStore
from caramelo_tui.ui.app import CarameloApp
from caramelo_tui.ui.screens.approval import ApprovalScreen
from tests.doubles.clocks import ManualClock
from tests.snapshot.snapshots import save_picture, screen_lines

WIDE, NARROW = (160, 45), (80, 24)
GUARD_S = 0.6
"""Longer than the guard of a question."""
PATIENCE_S = 30.0
REVIEW_KEYS = "aaraaa"
"""One decision per hunk of the demo's first review."""

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

    async def answer(self, key: str) -> None:
        """Press a key after the guard of a question."""
        self.clock.move(GUARD_S)
        await self.pilot.pause(0.05)
        await self.pilot.press(key)
        await self.pilot.pause(0.05)

    async def draw(self, path: Path) -> None:
        """Write a picture of the screen as it is."""
        self.clock.move(GUARD_S)
        await self.pilot.pause(0.3)
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
    for theme in ("caramelo-light", "blue-orange", "blue-orange-light", "high-contrast", "mono"):
        async with demo(WIDE, theme) as sitting:
            await to_the_review(sitting)
            await sitting.answer("a")
            await sitting.draw(folder / f"theme-{theme}.svg")


if __name__ == "__main__":
    target = Path(sys.argv[1])
    asyncio.run(draw_all(target))
    sys.stdout.write(f"pictures in {target}\n")
