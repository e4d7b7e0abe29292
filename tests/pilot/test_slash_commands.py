"""What begins with a slash is a command to the app, or a prompt, and never lost."""

import pytest

from caramelo_tui.domain.decisions import ApprovalMode
from caramelo_tui.ui.screens.help import HelpScreen
from tests.pilot.conftest import OpenApp


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
