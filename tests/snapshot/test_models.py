"""How the list of models looks."""

from caramelo_tui.agent.models_port import ModelRow
from caramelo_tui.domain.prices import Prices
from caramelo_tui.ui.screens.models import ModelScreen
from tests.doubles.fake_agent import FakeAgent
from tests.doubles.fake_models import FakeModels
from tests.pilot.driving import OpenedApp
from tests.snapshot.scenes import Scene, look_at, scenes_of

ROWS = (
    ModelRow(
        provider="anthropic",
        model="claude-test",
        context_window=200_000,
        prices=Prices(input=3.0, output=15.0, cache_read=0.3, cache_write=3.75),
        tools=True,
        reasoning=True,
        images=True,
        is_current=True,
    ),
    ModelRow(
        provider="openai",
        model="gpt-small",
        context_window=1_050_000,
        prices=Prices(input=0.05, output=0.4),
        tools=True,
        reasoning=False,
        missing="OPENAI_API_KEY: is not set; provider openai needs a key: export OPENAI_API_KEY=…",
    ),
    ModelRow(provider="openrouter", model="a-vendor/a-model-with-a-name-that-is-quite-long"),
)


def agent() -> FakeAgent:
    return FakeAgent(models=FakeModels(rows=ROWS), folders={".": ()})


async def models(running: OpenedApp) -> None:
    await running.until(lambda: running.agent.listed)
    await running.press("shift+f5", "down")
    await running.until_screen(ModelScreen)
    await running.until(lambda: "▸ openai/gpt-small" in running.shown())


SCENES = (Scene(name="models", play=models, screen=ModelScreen, agent=agent),)


@scenes_of(SCENES)
async def test_scene(scene: Scene) -> None:
    await look_at(scene)
