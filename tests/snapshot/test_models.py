"""How the list of models looks, wide, at 80 by 24 and at 40 by 12."""

import pytest

from caramelo_tui.agent.models_port import ModelRow
from caramelo_tui.domain.prices import Prices
from caramelo_tui.ui.screens.models import ModelScreen
from tests.doubles.fake_agent import FakeAgent
from tests.doubles.fake_models import FakeModels
from tests.pilot.conftest import opened
from tests.snapshot.snapshots import assert_snapshot

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


@pytest.mark.parametrize("size", [(160, 45), (80, 24), (40, 12)])
async def test_the_list_of_models(size: tuple[int, int]) -> None:
    agent = FakeAgent(models=FakeModels(rows=ROWS), folders={".": ()})
    async with opened(size=size, agent=agent) as running:
        await running.until(lambda: agent.listed)
        await running.press("shift+f5", "down")
        await running.until_screen(ModelScreen)
        await running.until(lambda: "▸ openai/gpt-small" in running.shown())
        await running.until(lambda: running.bench.conversation.view.is_settled)
        await running.settle()
        assert_snapshot(running.app, f"models-{size[0]}x{size[1]}")
