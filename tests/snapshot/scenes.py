"""Look at one moment of the app at every promised size, in one run of it.

Owns what a scene is, and the sizes. The app is opened in the first of them, brought to the
moment, and then its terminal gets each size in turn: what is compared has followed a resize too.
"""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

import pytest
from textual.screen import Screen

from caramelo_tui.ui.main_screen import MainScreen
from caramelo_tui.ui.start_plan import StartPlan
from tests.doubles.fake_agent import FakeAgent
from tests.pilot.conftest import opened
from tests.pilot.driving import GUARD_S, OpenedApp
from tests.snapshot.snapshots import assert_snapshots

Size = tuple[int, int]
Play = Callable[[OpenedApp], Awaitable[None]]

MAIN_SIZES: tuple[Size, ...] = ((60, 16), (80, 24), (120, 35), (160, 45), (250, 60))
"""From narrow to wide: a question whose end was once in view would stay answerable."""
SIZES: tuple[Size, ...] = (MAIN_SIZES[0], (40, 12), *MAIN_SIZES[1:])
"""At the second, questions can still be answered; the main screen says that it is too small."""


def quiet_agent() -> FakeAgent:
    """Return an agent whose folder can be listed: a toast would lie over the screen."""
    return FakeAgent(folders={".": ()})


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """One moment of the app."""

    name: str
    """Of its files, before the size."""
    play: Play
    """Brings the opened app to the moment."""
    screen: type[Screen[object]] | type[object] = MainScreen
    """What must be in front then."""
    agent: Callable[[], FakeAgent] = quiet_agent
    plan: Callable[[], StartPlan] | None = None
    """A start with questions: the agent is not waited for."""
    sizes: tuple[Size, ...] = SIZES


def scenes_of(scenes: tuple[Scene, ...]) -> pytest.MarkDecorator:
    """Return the mark of a test that takes each ``scene``."""
    return pytest.mark.parametrize("scene", scenes, ids=[scene.name for scene in scenes])


def size_id(size: Size) -> str:
    """Return a size as it stands in file names."""
    return f"{size[0]}x{size[1]}"


async def look_at(scene: Scene) -> None:
    """Bring the app to the moment and compare it at each size.

    Raises:
        AssertionError: If another screen is in front, or a text differs; all that differ are told.
    """
    plan = None if scene.plan is None else scene.plan()
    async with opened(
        size=scene.sizes[0], agent=scene.agent(), plan=plan, waits_for_agent=plan is None
    ) as running:
        await scene.play(running)
        assert isinstance(running.top, scene.screen)
        await compare_at(running, scene.name, scene.sizes)


async def compare_at(running: OpenedApp, name: str, sizes: tuple[Size, ...]) -> None:
    """Compare what is on the screen at each size."""
    with assert_snapshots() as compare:
        for size in sizes:
            await running.pilot.resize_terminal(*size)
            await quiet(running)
            compare(running.app, f"{name}-{size_id(size)}")


async def quiet(running: OpenedApp) -> None:
    """Wait until nothing on the screen moves any more."""
    await running.settle()
    running.clock.move(GUARD_S)
    # The guard's countdown draws itself again when its time is over.
    await running.until(lambda: "ready in" not in running.shown())
    if running.main.workbench is not None:
        views = (running.bench.conversation.view, running.bench.changes.view)
        await running.until(lambda: views[0].is_settled)
        await running.until(lambda: all(view._tick_timer is None for view in views))
    await running.settle()
