"""What was closed is gone: no screen and none of its parts lives on with the app."""

import gc

from textual.dom import DOMNode

from caramelo_tui.ui.main_screen import MainScreen
from caramelo_tui.ui.screens.approval import ApprovalScreen
from caramelo_tui.ui.screens.pager import PagerScreen
from tests.pilot.conftest import OpenApp
from tests.pilot.driving import GUARD_S, OpenedApp, command_request


def nodes() -> int:
    """Return how many parts of screens are alive."""
    gc.collect()
    return sum(1 for item in gc.get_objects() if isinstance(item, DOMNode))


async def ask_and_deny(running: OpenedApp, number: int) -> None:
    running.agent.start_run()
    running.agent.ask(command_request(approval_id=f"ask-{number}"))
    await running.until_screen(ApprovalScreen)
    await running.settle()
    running.clock.move(GUARD_S)
    await running.press("n")
    await running.until_screen(MainScreen)
    running.agent.end_run()
    await running.settle()


async def page_and_close(running: OpenedApp, number: int) -> None:
    running.app.push_screen(PagerScreen(f"page {number}", title="Page", edit=lambda _text: None))
    await running.until_screen(PagerScreen)
    await running.settle()
    await running.press("escape")
    await running.until_screen(MainScreen)
    await running.settle()


async def test_questions_that_are_answered_are_gone(open_app: OpenApp) -> None:
    async with open_app() as running:
        await ask_and_deny(running, 0)
        before = nodes()
        for number in range(1, 6):
            await ask_and_deny(running, number)
        # The last one may still be on its way out.
        assert nodes() - before < 20


async def test_pages_that_are_closed_are_gone(open_app: OpenApp) -> None:
    async with open_app() as running:
        await page_and_close(running, 0)
        before = nodes()
        for number in range(1, 6):
            await page_and_close(running, number)
        assert nodes() - before < 20
