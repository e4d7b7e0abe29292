"""Logging in from the first-start screen, by keyboard alone."""

from dataclasses import replace
from pathlib import Path

import pytest
from textual import events

from caramelo_tui.agent.login_port import ChosenModel, FoundServer, OfferedModel
from caramelo_tui.domain.errors import ProviderError
from caramelo_tui.ui.screens.find import FindScreen
from caramelo_tui.ui.screens.first_start import FirstStartScreen
from caramelo_tui.ui.screens.key_entry import EntryScreen, KeyScreen
from caramelo_tui.ui.screens.login import CopilotLoginScreen
from caramelo_tui.ui.screens.pick import PickScreen
from caramelo_tui.ui.start_plan import StartPlan
from tests.doubles.fake_agent import FakeAgent
from tests.doubles.logins import KEYRING, FakeLogin
from tests.pilot.conftest import OpenApp, plan_for
from tests.pilot.driving import GUARD_S, NARROW, WIDE, OpenedApp

KEY = "sk-planted-0123456789"
MODELS = (
    OfferedModel(id="gpt-test", words="GPT test · included"),
    OfferedModel(id="claude-test", words="Claude test · 1.5 premium requests for each prompt"),
)
SERVER = FoundServer(
    provider="ollama", title="Ollama", address="http://127.0.0.1:11434/v1", models=("qwen", "gemma")
)


class Start:
    """A first start with a double of the logins."""

    def __init__(self, login: FakeLogin) -> None:
        self.login = login
        self.chosen: list[ChosenModel] = []

    @property
    def plan(self) -> StartPlan:
        return StartPlan(
            workspace=Path("/home/project"),
            build_agent=plan_for(FakeAgent()).build_agent,
            needs_provider=True,
            key_lines=("export ANTHROPIC_API_KEY=…", "export OPENAI_API_KEY=…"),
            make_login=lambda: self.login,
            on_login=self.chosen.append,
            demo_draft="try me",
            first_draft="mine",
        )


async def first_screen(running: OpenedApp) -> None:
    """Wait until the first-start screen takes answers."""
    await running.until_screen(FirstStartScreen)
    await running.settle()
    running.clock.move(GUARD_S)
    await running.until(lambda: "one key answers" in running.shown())


async def works(running: OpenedApp) -> None:
    """Wait until the app goes on."""
    await running.until(lambda: not running.main.status.view.is_starting)


async def test_a_copilot_login_shows_the_code_and_the_app_goes_on(open_app: OpenApp) -> None:
    start = Start(FakeLogin(models=MODELS))
    async with open_app(plan=start.plan, waits_for_agent=False) as running:
        await first_screen(running)
        await running.press("c")
        await running.until_screen(CopilotLoginScreen)
        await running.until(lambda: "WDJB-MJHT" in running.shown())
        assert "https://github.com/login/device" in running.shown()
        await running.press("c")
        await running.until(lambda: running.app.clipboard == "WDJB-MJHT")
        start.login.typed.set()
        await running.until_screen(PickScreen)
        await running.until(lambda: "included" in running.shown())
        await running.press("down", "enter")
        await works(running)
        assert start.chosen == [ChosenModel(provider="copilot", model="claude-test")]
        assert running.main.prompt.draft == "mine"
        assert start.login.kept_copilot == 0


async def test_a_login_that_ends_can_be_begun_again(open_app: OpenApp) -> None:
    login = FakeLogin(models=MODELS, refusals=[ProviderError("The code ran out.")])
    async with open_app(plan=Start(login).plan, waits_for_agent=False) as running:
        await first_screen(running)
        await running.press("c")
        await running.until(lambda: "The code ran out. Enter begins again." in running.shown())
        assert "WDJB-MJHT" not in running.shown()
        assert "enter begins again · esc gives it up" in running.shown()
        await running.press("enter")
        await running.until(lambda: "waiting for GitHub" in running.shown())
        assert "c copies it" in running.shown()
        assert login.begun == 2


async def test_a_login_can_be_given_up_and_another_way_taken(open_app: OpenApp) -> None:
    start = Start(FakeLogin())
    async with open_app(plan=start.plan, waits_for_agent=False) as running:
        await first_screen(running)
        await running.press("c")
        await running.until(lambda: "waiting for GitHub" in running.shown())
        await running.press("escape")
        await running.until(lambda: start.login.given_up == 1)
        await first_screen(running)
        await running.press("d")
        await works(running)
        assert start.chosen == []
        assert running.main.prompt.draft == "try me"


async def test_a_login_is_kept_in_the_keyring_when_asked(open_app: OpenApp) -> None:
    start = Start(FakeLogin(keyring=KEYRING, known=frozenset({"copilot"})))
    async with open_app(plan=start.plan, waits_for_agent=False) as running:
        await first_screen(running)
        await running.press("c")
        await running.until(lambda: "k keeps it in the keyring" in running.shown())
        await running.press("k")
        await running.until(lambda: "k does not keep" in running.shown())
        start.login.typed.set()
        await works(running)
        assert start.login.kept_copilot == 1


async def typed_key(running: OpenedApp, *, row: int = 0) -> None:
    """Go to the line for a key of a provider, and type it."""
    await first_screen(running)
    await running.press("k")
    await running.until_screen(PickScreen)
    await running.settle()
    await running.press(*["down"] * row, "enter")
    await running.until_screen(KeyScreen)
    await running.settle()
    await running.press(*KEY)


async def test_a_key_is_typed_unseen_and_used_for_this_session(open_app: OpenApp) -> None:
    start = Start(FakeLogin())
    async with open_app(plan=start.plan, waits_for_agent=False) as running:
        await typed_key(running, row=1)
        assert KEY not in running.shown()
        assert "•" * len(KEY) in running.shown()
        assert "in this session only" in running.shown()
        await running.press("ctrl+k", "enter")
        await works(running)
        assert start.login.taken == [("openai", KEY, False)]
        assert start.chosen == [ChosenModel(provider="openai")]
        await running.settle()
        await running.press("up")
        assert KEY not in running.shown() + running.main.prompt.draft
        assert running.app.clipboard == ""


async def test_a_key_can_be_pasted_and_kept_in_the_keyring(open_app: OpenApp) -> None:
    start = Start(FakeLogin(keyring=KEYRING))
    async with open_app(plan=start.plan, waits_for_agent=False) as running:
        await first_screen(running)
        await running.press("k")
        await running.until_screen(PickScreen)
        await running.settle()
        await running.press("enter")
        await running.until_screen(KeyScreen)
        await running.until(lambda: "ctrl+k keeps it in the keyring" in running.shown())
        assert running.app.focused is not None
        running.app.focused.post_message(events.Paste(f"{KEY}\n"))
        await running.settle()
        assert KEY not in running.shown()
        await running.press("ctrl+k", "enter")
        await works(running)
        assert start.login.taken == [("anthropic", KEY, True)]


async def test_a_key_is_not_copied_out_of_its_line(open_app: OpenApp) -> None:
    async with open_app(plan=Start(FakeLogin()).plan, waits_for_agent=False) as running:
        await typed_key(running)
        await running.press("shift+home", "ctrl+c", "ctrl+x")
        assert running.app.clipboard == ""
        assert "•" not in running.shown()


async def test_a_key_that_is_not_taken_says_why_and_can_be_typed_again(open_app: OpenApp) -> None:
    start = Start(FakeLogin(problem="This holds characters that no key has."))
    async with open_app(plan=start.plan, waits_for_agent=False) as running:
        await typed_key(running)
        await running.press("enter")
        await running.until(lambda: "This holds characters that no key has." in running.shown())
        await running.press("enter")
        await works(running)
        assert len(start.login.taken) == 1


async def test_a_model_is_asked_for_where_none_is_known(open_app: OpenApp) -> None:
    start = Start(FakeLogin())
    async with open_app(plan=start.plan, waits_for_agent=False) as running:
        await typed_key(running, row=2)
        await running.press("enter")
        await running.until(lambda: "Which model?" in running.shown())
        assert isinstance(running.top, EntryScreen)
        await running.press("enter")
        await running.press(*"llama-x", "enter")
        await works(running)
        assert start.chosen == [ChosenModel(provider="groq", model="llama-x")]


async def test_providers_whose_key_is_set_are_not_offered(open_app: OpenApp) -> None:
    login = FakeLogin()
    login.key_targets = tuple(
        replace(each, is_set=each.provider == "openai") for each in login.key_targets
    )
    async with open_app(plan=Start(login).plan, waits_for_agent=False) as running:
        await first_screen(running)
        await running.press("k")
        await running.until_screen(PickScreen)
        await running.until(lambda: "Anthropic" in running.shown())
        assert "OpenAI" not in running.shown()


async def test_a_provider_that_is_set_and_has_no_key_is_asked_for_at_once(
    open_app: OpenApp,
) -> None:
    plan = replace(
        Start(FakeLogin()).plan,
        provider_note="OPENAI_API_KEY: is not set; provider openai needs a key",
        wanted_provider="openai",
    )
    async with open_app(plan=plan, waits_for_agent=False) as running:
        await first_screen(running)
        assert "provider openai needs a key" in running.shown()
        await running.press("k")
        await running.until_screen(KeyScreen)
        await running.until(lambda: "Key for OpenAI" in running.shown())


async def test_a_server_that_was_found_is_offered_with_its_models(open_app: OpenApp) -> None:
    start = Start(FakeLogin(servers=(SERVER,)))
    async with open_app(plan=start.plan, waits_for_agent=False) as running:
        await first_screen(running)
        assert "Found on this machine, without a key: Ollama" in running.shown()
        await running.press("s")
        await running.until_screen(PickScreen)
        await running.settle()
        await running.press("down", "enter")
        await works(running)
        assert start.chosen == [
            ChosenModel(provider="ollama", model="gemma", base_url=SERVER.address)
        ]


async def test_what_does_not_work_here_is_not_offered(open_app: OpenApp) -> None:
    plan = Start(FakeLogin()).plan
    async with open_app(plan=plan, waits_for_agent=False) as running:
        await first_screen(running)
        assert "This machine" not in running.shown()
        await running.press("s")
        await running.settle()
        assert isinstance(running.top, FirstStartScreen)


@pytest.mark.parametrize("size", [WIDE, NARROW, (60, 16), (40, 12)])
async def test_all_ways_are_in_view_on_every_screen(
    open_app: OpenApp, size: tuple[int, int]
) -> None:
    plan = Start(FakeLogin(servers=(SERVER,))).plan
    async with open_app(plan=plan, waits_for_agent=False, size=size) as running:
        await first_screen(running)
        shown = running.shown()
        long = ("d Start the demo", "c GitHub Copilot", "k Type a key", "s This machine")
        short = ("d Start the demo", "c Copilot", "k Key", "s Server")
        assert all(each in shown for each in long) or all(each in shown for each in short)
        assert "q Quit" in shown


@pytest.mark.parametrize("size", [(60, 16), (40, 12)])
async def test_the_code_is_in_view_on_small_screens(
    open_app: OpenApp, size: tuple[int, int]
) -> None:
    plan = Start(FakeLogin(keyring=KEYRING)).plan
    async with open_app(plan=plan, waits_for_agent=False, size=size) as running:
        await first_screen(running)
        await running.press("c")
        await running.until(lambda: "WDJB-MJHT" in running.shown())
        await running.until(lambda: "waiting for GitHub" in running.shown())
        assert "https://github.com/login/device" in running.shown()


@pytest.mark.parametrize("way", [("c",), ("k", "enter")])
async def test_ctrl_c_quits_from_every_screen_of_a_login(
    open_app: OpenApp, way: tuple[str, ...]
) -> None:
    async with open_app(plan=Start(FakeLogin()).plan, waits_for_agent=False) as running:
        await first_screen(running)
        for key in way:
            await running.press(key)
            await running.settle()
        await running.press("ctrl+c", "ctrl+c")
        await running.until(lambda: running.app._exit)
        assert running.app.return_code == 0


async def test_a_model_is_asked_for_at_the_start_where_only_that_is_missing(
    open_app: OpenApp,
) -> None:
    start = Start(FakeLogin(models=MODELS))
    plan = replace(start.plan, needs_provider=False, model_missing_at="copilot")
    async with open_app(plan=plan, waits_for_agent=False) as running:
        await running.until_screen(PickScreen)
        await running.until(lambda: "Which model?" in running.shown())
        await running.press("enter")
        await works(running)
        assert start.chosen == [ChosenModel(provider="copilot", model="gpt-test")]


async def test_a_long_list_of_models_is_narrowed_by_typing(open_app: OpenApp) -> None:
    models = tuple(OfferedModel(id=f"model-{number}", words="") for number in range(40))
    start = Start(FakeLogin(models=models))
    plan = replace(start.plan, needs_provider=False, model_missing_at="copilot")
    async with open_app(plan=plan, waits_for_agent=False) as running:
        await running.until_screen(FindScreen)
        await running.settle()
        await running.press(*"37", "enter")
        await works(running)
        assert start.chosen == [ChosenModel(provider="copilot", model="model-37")]


async def test_giving_up_the_choice_of_a_model_quits(open_app: OpenApp) -> None:
    start = Start(FakeLogin(models=MODELS))
    plan = replace(start.plan, needs_provider=False, model_missing_at="copilot")
    async with open_app(plan=plan, waits_for_agent=False) as running:
        await running.until_screen(PickScreen)
        await running.settle()
        await running.press("escape")
        await running.until(lambda: running.app._exit)
        assert start.chosen == []
