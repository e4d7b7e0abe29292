"""/login in the middle of a session."""

from dataclasses import replace

from caramelo_tui.agent.login_port import LoginPort
from caramelo_tui.ui.screens.key_entry import KeyScreen
from caramelo_tui.ui.screens.login import CopilotLoginScreen
from caramelo_tui.ui.screens.pick import PickScreen
from caramelo_tui.ui.start_plan import StartPlan
from tests.doubles.fake_agent import FakeAgent
from tests.doubles.logins import FakeLogin
from tests.pilot.conftest import OpenApp, plan_for
from tests.pilot.driving import OpenedApp

KEY = "sk-planted-0123456789"


def plan_with(login: LoginPort) -> StartPlan:
    return replace(plan_for(FakeAgent()), make_login=lambda: login)


async def ask(running: OpenedApp, *keys: str) -> None:
    """Type /login and go on by keys."""
    await running.press(*"/login", "enter")
    await running.until_screen(PickScreen)
    await running.settle()
    await running.press(*keys)


async def test_a_key_that_is_typed_answers_from_the_next_turn_on(open_app: OpenApp) -> None:
    login = FakeLogin()
    async with open_app(plan=plan_with(login)) as running:
        await ask(running, "down", "enter")
        await running.until(lambda: "Whose key?" in running.shown())
        await running.settle()
        await running.press("down", "enter")
        await running.until_screen(KeyScreen)
        await running.settle()
        await running.press(*KEY, "enter")
        await running.until(lambda: running.agent.models.chosen == [("openai", "")])
        assert login.taken == [("openai", KEY, False)]
        await running.until(lambda: "answers from the next turn on" in running.shown())
        assert running.agent.submitted == []


async def test_a_new_login_keeps_the_model_that_answers(open_app: OpenApp) -> None:
    login = FakeLogin(known=frozenset({"copilot"}))
    agent = FakeAgent()
    agent.models.answering = replace(agent.models.answering, provider="copilot", model="gpt-test")
    login.typed.set()
    async with open_app(agent=agent, plan=plan_with(login)) as running:
        await ask(running, "enter")
        await running.until(lambda: agent.models.chosen == [("copilot", "gpt-test")])


async def test_a_model_that_cannot_be_chosen_is_said(open_app: OpenApp) -> None:
    login = FakeLogin(known=frozenset({"copilot"}))
    login.typed.set()
    agent = FakeAgent()
    agent.models.problem = "No such model."
    async with open_app(agent=agent, plan=plan_with(login)) as running:
        await ask(running, "enter")
        await running.until(lambda: "No such model." in running.shown())


async def test_giving_up_changes_nothing(open_app: OpenApp) -> None:
    login = FakeLogin()
    async with open_app(plan=plan_with(login)) as running:
        await ask(running, "enter")
        await running.until_screen(CopilotLoginScreen)
        await running.until(lambda: "waiting for GitHub" in running.shown())
        await running.press("escape")
        await running.until(lambda: login.given_up == 1)
        assert running.agent.models.chosen == []


async def test_the_palette_offers_it_and_a_session_without_logins_says_so(
    open_app: OpenApp,
) -> None:
    async with open_app() as running:
        await running.press("ctrl+p")
        await running.settle()
        await running.press(*"log in")
        await running.until(lambda: "Log in, or give a key" in running.shown())
        await running.press("enter")
        await running.until(lambda: "nobody to log in to" in running.shown())
