"""A model is found by its words, and chosen by keys and by command."""

from dataclasses import replace
from pathlib import Path

import pytest
from textual.command import CommandPalette

from caramelo_tui.agent.models_port import ModelRow, RoleRow, ServedModels
from caramelo_tui.config.settings import Settings
from caramelo_tui.domain.agent_events import ModelChanged, RunEnded, RunStarted
from caramelo_tui.domain.prices import Prices
from caramelo_tui.ui.main_screen import MainScreen
from caramelo_tui.ui.screens.models import ModelScreen
from caramelo_tui.ui.screens.pick import PickScreen
from tests.doubles.agent_worlds import says
from tests.doubles.fake_agent import FakeAgent
from tests.doubles.fake_models import FakeModels
from tests.pilot.conftest import OpenApp
from tests.pilot.driving import NARROW, WIDE
from tests.pilot.real_agent import ScriptedModels, agent_options, opened_for_real

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
        missing="OPENAI_API_KEY: is not set; provider openai needs a key",
    ),
    ModelRow(provider="groq", model="[b]odd\x1b[2J"),
)


def agent_with(*rows: ModelRow, roles: tuple[RoleRow, ...] = ()) -> FakeAgent:
    return FakeAgent(models=FakeModels(rows=rows or ROWS, known_roles=roles))


@pytest.mark.parametrize("size", [WIDE, NARROW])
async def test_the_list_tells_what_is_known_of_each_model(
    open_app: OpenApp, size: tuple[int, int]
) -> None:
    async with open_app(agent=agent_with(), size=size) as running:
        await running.press("shift+f5")
        await running.until_screen(ModelScreen)
        await running.until(lambda: "▸ anthropic/claude-test" in running.shown())
        shown = running.shown()
        assert "200k" in shown
        assert "$3 / $15" in shown
        assert "TRI" in shown
        assert "Models · figures of 2026-11-30" in shown
        assert "*  200k" in shown
        assert "!  1.1M" in shown
        assert "$0.05 / $0.40" in shown
        assert "T-?" in shown
        assert "? / ?" in shown
        assert "groq/[b]odd<U+001B>[2J" in shown
        assert "\x1b" not in shown
        assert "* in use · ! no key · T tools" in shown
        assert "context 200,000 tokens" in shown


async def test_a_model_is_found_by_its_words_and_chosen(open_app: OpenApp) -> None:
    async with open_app(agent=agent_with()) as running:
        await running.press("shift+f5", *"small open", "enter")
        await running.until_screen(MainScreen)
        await running.until(lambda: running.agent.models.chosen == [("openai", "gpt-small")])


async def test_the_row_under_the_mark_says_what_is_missing(open_app: OpenApp) -> None:
    async with open_app(agent=agent_with()) as running:
        await running.press("shift+f5")
        await running.until_screen(ModelScreen)
        await running.press("down")
        await running.until(lambda: "OPENAI_API_KEY: is not set" in running.shown())


async def test_no_words_fit_and_escape_chooses_nothing(open_app: OpenApp) -> None:
    async with open_app(agent=agent_with()) as running:
        await running.press("shift+f5", *"zzz", "enter")
        await running.until(lambda: "no known model has these words" in running.shown())
        await running.press("escape")
        await running.until_screen(MainScreen)
        assert running.agent.models.chosen == []


async def test_a_refusal_is_said(open_app: OpenApp) -> None:
    async with open_app(agent=agent_with()) as running:
        running.agent.models.problem = "OPENAI_API_KEY: is not set"
        await running.press(*"/model gpt-small", "enter")
        await running.until(lambda: "OPENAI_API_KEY: is not set" in running.shown())
        assert running.agent.submitted == []


@pytest.mark.parametrize(
    ("line", "chosen"),
    [
        ("/model gpt-small", ("openai", "gpt-small")),
        ("/model openai/gpt-small", ("openai", "gpt-small")),
        ("/model mine", ("", "mine")),
        ("/model house/mine", ("", "house/mine")),
        ("/model groq/openai/oss", ("groq", "openai/oss")),
        ("/provider openai", ("openai", "")),
    ],
)
async def test_a_model_is_chosen_by_its_name(
    open_app: OpenApp, line: str, chosen: tuple[str, str]
) -> None:
    async with open_app(agent=agent_with()) as running:
        await running.press(*line, "enter")
        await running.until(lambda: running.agent.models.chosen == [chosen])


async def test_the_command_without_a_name_and_the_palette_open_the_list(open_app: OpenApp) -> None:
    async with open_app(agent=agent_with()) as running:
        await running.press(*"/model", "enter")
        await running.until_screen(ModelScreen)
        await running.press("escape")
        await running.until_screen(MainScreen)
        await running.press(*"/provider", "enter")
        await running.until_screen(ModelScreen)
        await running.press("escape")
        await running.until_screen(MainScreen)
        await running.press("ctrl+p")
        await running.until_screen(CommandPalette)
        await running.press(*"Choose the model")
        await running.until(lambda: "shift+F5" in running.shown())
        await running.press("down", "enter")
        await running.until_screen(ModelScreen)


async def test_during_a_run_it_is_said_when_the_model_answers(open_app: OpenApp) -> None:
    async with open_app(agent=agent_with()) as running:
        running.agent.start_run()
        await running.press(*"/model gpt-small", "enter")
        await running.until(lambda: "from the next turn on" in running.shown())


async def test_a_model_is_given_to_a_role(open_app: OpenApp) -> None:
    roles = (RoleRow(name="fast", provider="anthropic", model="claude-test"), RoleRow(name="own"))
    async with open_app(agent=agent_with(roles=roles)) as running:
        await running.press("shift+f5", *"small", "ctrl+r")
        await running.until_screen(PickScreen)
        await running.until(lambda: "fast" in running.shown())
        await running.press("enter")
        await running.until(
            lambda: running.agent.models.chosen_for == [("fast", "openai", "gpt-small")]
        )
        await running.until(lambda: "The role fast uses openai/gpt-small" in running.shown())
        assert running.agent.models.chosen == []


async def test_without_roles_it_is_said(open_app: OpenApp) -> None:
    async with open_app(agent=agent_with()) as running:
        await running.press("shift+f5", "ctrl+r")
        await running.until(lambda: "This session has no roles." in running.shown())


async def test_a_providers_own_list_stands_beside_what_was_known(open_app: OpenApp) -> None:
    agent = agent_with()
    own = ModelRow(provider="anthropic", model="claude-new")
    agent.models.served = {"anthropic": ServedModels(rows=(replace(ROWS[0]), own))}
    async with open_app(agent=agent) as running:
        await running.press("shift+f5", "ctrl+l")
        await running.until(lambda: "anthropic/claude-new" in running.shown())
        assert "anthropic serves 2 models, 1 more model than were listed." in running.shown()
        await running.press(*"claude-new", "enter")
        await running.until(lambda: running.agent.models.chosen == [("anthropic", "claude-new")])


async def test_a_provider_without_a_list_says_so(open_app: OpenApp) -> None:
    async with open_app(agent=agent_with()) as running:
        await running.press("shift+f5", "ctrl+l")
        await running.until(lambda: "anthropic has no list." in running.shown())


async def test_the_status_bar_and_the_conversation_follow_the_model(open_app: OpenApp) -> None:
    async with open_app(agent=agent_with()) as running:
        running.agent.emit(
            lambda head: ModelChanged(
                head=head,
                provider="openai",
                model="gpt-small",
                context_window=1_050_000,
                endpoint_note="OPENAI_BASE_URL → there",
            )
        )
        await running.until(lambda: "From now on gpt-small of openai answers" in running.shown())
        status = running.main.status.view
        assert (status.model, status.context_window) == ("gpt-small", 1_050_000)
        assert status.endpoint_note == "OPENAI_BASE_URL → there"


async def test_another_model_answers_in_the_real_agent(tmp_path: Path) -> None:
    root = tmp_path / "project"
    root.mkdir()
    options = agent_options(root, tmp_path / "home", Settings())
    models = ScriptedModels([says("first")], [says("child")])
    async with opened_for_real(options, models, size=WIDE) as running:
        await running.press(*"/model scripted/scripted-2", "enter")
        await running.until(lambda: running.app.main.status.view.model == "scripted-2")
        await running.press(*"go", "enter")
        await running.until(lambda: bool(running.of_kind(RunEnded)))

        started = [event for event in running.events if isinstance(event, RunStarted)]
        assert [event.model for event in started] == ["scripted-2"]
        await running.press("shift+f5", "ctrl+l")
        await running.until(lambda: "scripted serves 2 models" in running.shown())
        assert "▸ scripted/scripted-2" in running.shown()
