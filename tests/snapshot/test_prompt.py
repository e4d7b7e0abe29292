"""How the prompt looks while it helps."""

from textual.events import Paste

from caramelo_tui.ui.screens.find import FindScreen
from tests.doubles.fake_agent import FakeAgent
from tests.pilot.driving import OpenedApp
from tests.snapshot.scenes import MAIN_SIZES, Scene, look_at, scenes_of

FILES = (
    "README.md",
    "src/",
    "src/cli.py",
    "src/client.py",
    "src/two words.py",
    "tests/test_cli.py",
)


def agent() -> FakeAgent:
    return FakeAgent(folders={".": ()}, files=FILES)


async def mention(running: OpenedApp) -> None:
    await running.press(*"explain @cl")
    await running.until(lambda: "▸ src/cli.py" in running.shown())


async def commands(running: OpenedApp) -> None:
    await running.press("/", "down")
    await running.until(lambda: "▸ /help" in running.shown())


async def queued(running: OpenedApp) -> None:
    await running.press(*"go", "enter", *"use tabs", "ctrl+t", *"then the docs", "enter")
    await running.until(lambda: "queued  then the docs" in running.shown())


async def queue(running: OpenedApp) -> None:
    await queued(running)
    await running.press("ctrl+l")
    await running.until_screen(FindScreen)
    await running.until(lambda: "▸ use tabs" in running.shown())


async def draft(running: OpenedApp) -> None:
    await running.press(*"first line", "ctrl+j", *"second line", "ctrl+j")
    running.app.post_message(Paste("\n".join(["pasted"] * 40)))
    await running.until(lambda: "[paste 40 lines]" in running.shown())


SCENES = (
    Scene(name="mention", play=mention, agent=agent, sizes=MAIN_SIZES),
    Scene(name="commands", play=commands, agent=agent, sizes=MAIN_SIZES),
    Scene(name="waiting", play=queued, agent=agent, sizes=MAIN_SIZES),
    Scene(name="waiting-list", play=queue, agent=agent, screen=FindScreen),
    Scene(name="draft", play=draft, agent=agent, sizes=MAIN_SIZES),
)


@scenes_of(SCENES)
async def test_scene(scene: Scene) -> None:
    await look_at(scene)
