"""What was allowed or blocked for the session can be taken back."""

from textual.command import CommandPalette

from caramelo_tui.agent.rules_port import SessionRule
from caramelo_tui.ui.main_screen import MainScreen
from caramelo_tui.ui.screens.pick import PickScreen
from tests.doubles.fake_agent import FakeAgent
from tests.doubles.person_ports import FakeRules
from tests.pilot.conftest import OpenApp

GRANT = SessionRule(
    pattern="src/[bold]/**", meaning="Writes that match are not asked about.", is_block=False
)
BLOCK = SessionRule(pattern="make", meaning="Refuses every command that runs make.", is_block=True)


async def test_a_rule_is_taken_back_from_the_list(open_app: OpenApp) -> None:
    agent = FakeAgent(rules=FakeRules(made=(GRANT, BLOCK)))
    async with open_app(agent=agent) as running:
        await running.press(*"/grants", "enter")
        await running.until_screen(PickScreen)
        await running.settle()
        assert "grant  src/[bold]/**" in running.shown()
        assert "block  make" in running.shown()
        await running.press("down", "enter")
        await running.until_screen(MainScreen)
        assert agent.rules.taken_back == [BLOCK]


async def test_escape_takes_nothing_back(open_app: OpenApp) -> None:
    agent = FakeAgent(rules=FakeRules(made=(GRANT,)))
    async with open_app(agent=agent) as running:
        await running.press("ctrl+p")
        await running.until_screen(CommandPalette)
        await running.press(*"session grants", "enter")
        await running.until_screen(PickScreen)
        await running.press("escape")
        await running.until_screen(MainScreen)
        assert agent.rules.taken_back == []


async def test_a_rule_that_is_gone_meanwhile_is_said(open_app: OpenApp) -> None:
    agent = FakeAgent(rules=FakeRules(made=(GRANT,)))
    async with open_app(agent=agent) as running:
        await running.press(*"/grants", "enter")
        await running.until_screen(PickScreen)
        agent.rules.made = ()
        await running.press("enter")
        await running.until(lambda: "not in force any more" in running.shown())


async def test_without_rules_that_is_said(open_app: OpenApp) -> None:
    async with open_app() as running:
        await running.press(*"/grants", "enter")
        await running.until(lambda: "Nothing was allowed or blocked" in running.shown())
