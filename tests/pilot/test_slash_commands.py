"""What begins with a slash is a command to the app, or a prompt, and never lost."""

import pytest

from caramelo_tui.agent.user_commands import CommandOrigin, UserCommand
from caramelo_tui.domain.decisions import ApprovalMode
from caramelo_tui.ui.pane_layout import Place
from caramelo_tui.ui.screens.help import HelpScreen
from tests.doubles.fake_agent import FakeAgent
from tests.pilot.conftest import OpenApp
from tests.pilot.driving import WIDE


async def test_help_opens_the_keys(open_app: OpenApp) -> None:
    async with open_app() as running:
        await running.press(*"/help", "enter")
        await running.until_screen(HelpScreen)
        assert running.agent.submitted == []


async def test_a_mode_is_taken_by_its_name(open_app: OpenApp) -> None:
    async with open_app() as running:
        await running.press(*"/mode each", "enter")
        await running.until(lambda: running.agent.mode is ApprovalMode.EACH)
        await running.press(*"/mode", "enter")
        await running.until(lambda: running.agent.mode is ApprovalMode.AUTO)
        await running.press(*"/plan", "enter")
        await running.until(lambda: running.agent.mode is ApprovalMode.PLAN)
        assert running.agent.submitted == []


async def test_an_unknown_mode_says_which_there_are(open_app: OpenApp) -> None:
    async with open_app() as running:
        await running.press(*"/mode fast", "enter")
        await running.until(lambda: "unknown mode 'fast'; allowed: plan" in running.shown())
        assert running.agent.mode is ApprovalMode.REVIEW
        assert running.main.prompt.draft == "/mode fast"


async def test_quit_leaves(open_app: OpenApp) -> None:
    async with open_app() as running:
        await running.press(*"/quit", "enter")
        await running.until(lambda: running.app._exit)


async def test_an_unknown_command_is_not_sent_and_comes_back(open_app: OpenApp) -> None:
    async with open_app() as running:
        await running.press(*"/hepl", "enter")
        await running.until(lambda: "There is no command /hepl" in running.shown())
        assert running.agent.submitted == []
        assert running.main.prompt.draft == "/hepl"


@pytest.mark.parametrize("text", ["/usr/bin is missing", "/etc/hosts", "/plan the work", "/"])
async def test_what_is_no_command_is_a_prompt(open_app: OpenApp, text: str) -> None:
    async with open_app() as running:
        await running.press(*text, "enter")
        await running.until(lambda: running.agent.submitted == [text])


async def test_an_unknown_command_says_the_nearest(open_app: OpenApp) -> None:
    async with open_app() as running:
        await running.press(*"/stauts", "enter")
        await running.until(lambda: "did you mean /status?" in running.shown())


@pytest.mark.parametrize(
    ("name", "place"), [("files", Place.FILES), ("diff", Place.CHANGES), ("tools", Place.TOOLS)]
)
async def test_commands_go_to_the_panes(open_app: OpenApp, name: str, place: Place) -> None:
    async with open_app(size=WIDE) as running:
        await running.press(*f"/{name}", "enter")
        await running.until(lambda: running.main.area.focused_place is place)
        assert running.agent.submitted == []


async def test_status_and_cache_are_said(open_app: OpenApp) -> None:
    async with open_app() as running:
        await running.press(*"/status", "enter")
        await running.until(lambda: "model claude-test" in running.shown())
        assert "session s-now" in running.shown()
        await running.press(*"/cache", "enter")
        await running.until(lambda: "cache not asked yet" in running.shown())


async def test_a_command_of_ones_own_is_sent_as_its_prompt(open_app: OpenApp) -> None:
    agent = FakeAgent(folders={".": ()})
    agent.user_commands = (
        UserCommand(name="fix", description="", text="Fix $1.", origin=CommandOrigin.USER),
        UserCommand(name="help", description="", text="x", origin=CommandOrigin.WORKSPACE),
    )
    async with open_app(agent=agent) as running:
        await running.until(lambda: "Your command /help is not used" in running.shown())
        await running.press(*"/fix parser", "enter")
        await running.until(lambda: agent.submitted == ["Fix parser."])
        agent.end_run()
        await running.settle()
        await running.press("up")
        assert running.main.prompt.draft == "/fix parser"
