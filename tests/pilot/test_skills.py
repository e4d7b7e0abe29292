"""Skills are activated by name, from the list and from the palette."""

import asyncio
from pathlib import Path

from textual.command import CommandPalette

from caramelo_tui.agent.port import AgentPort, SkillInfo
from caramelo_tui.ui.app import CarameloApp
from caramelo_tui.ui.main_screen import MainScreen
from caramelo_tui.ui.screens.pick import PickScreen
from caramelo_tui.ui.start_plan import StartPlan
from tests.doubles.clocks import ManualClock
from tests.doubles.fake_agent import FakeAgent
from tests.pilot.conftest import OpenApp
from tests.pilot.driving import NARROW

SKILLS = (
    SkillInfo(name="migrate", description="Writes a migration [bold] \x1b[2J", is_active=True),
    SkillInfo(name="release-notes", description="Collects merged changes.", is_active=False),
)


async def test_a_skill_is_activated_by_its_name(open_app: OpenApp) -> None:
    async with open_app(agent=FakeAgent(skills=SKILLS)) as running:
        await running.press(*"/skill migrate", "enter")
        await running.until(lambda: running.agent.activated == ["migrate"])
        # It is no prompt.
        assert running.agent.submitted == []
        await running.until(lambda: "The skill migrate is active." in running.shown())


async def test_an_unknown_name_says_why_not(open_app: OpenApp) -> None:
    async with open_app() as running:
        running.agent.refusal = "There is no skill nope."
        await running.press(*"/skill nope", "enter")
        await running.until(lambda: "There is no skill nope." in running.shown())
        assert running.agent.submitted == []


async def test_the_list_shows_what_is_active_and_what_each_does(open_app: OpenApp) -> None:
    async with open_app(agent=FakeAgent(skills=SKILLS)) as running:
        await running.press(*"/skill", "enter")
        await running.until_screen(PickScreen)
        await running.settle()
        shown = running.shown()
        assert "active" in shown
        assert "Writes a migration [bold] <U+001B>[2J" in shown
        await running.press("down", "enter")
        await running.until_screen(MainScreen)
        assert running.agent.activated == ["release-notes"]


async def test_without_skills_it_is_said(open_app: OpenApp) -> None:
    async with open_app() as running:
        await running.press(*"/skill", "enter")
        await running.until(lambda: "No skill is loaded." in running.shown())


async def test_the_palette_offers_the_list(open_app: OpenApp) -> None:
    async with open_app(agent=FakeAgent(skills=SKILLS)) as running:
        await running.press("ctrl+p")
        await running.until_screen(CommandPalette)
        await running.press(*"Activate a skill")
        await running.until(lambda: "/skill NAME" in running.shown())
        await running.press("down", "enter")
        await running.until_screen(PickScreen)


async def test_a_text_that_only_begins_alike_is_a_prompt(open_app: OpenApp) -> None:
    async with open_app() as running:
        await running.press(*"/skills are fine", "enter")
        await running.until(lambda: running.agent.submitted == ["/skills are fine"])


async def test_a_command_sent_before_the_agent_is_there_is_no_prompt() -> None:
    agent = FakeAgent(skills=SKILLS)
    release = asyncio.Event()

    async def build() -> AgentPort:
        await release.wait()
        return agent

    plan = StartPlan(workspace=Path("/home/project"), build_agent=build)
    app = CarameloApp(plan, clock=ManualClock())
    async with app.run_test(size=NARROW) as pilot:
        await pilot.press(*"/skill migrate", "enter")
        release.set()
        while not agent.activated:
            await pilot.pause(0.01)
        assert agent.activated == ["migrate"]
        assert agent.submitted == []
