"""While nothing happens, nothing is waited for with an end: no timer wakes the program."""

import asyncio
from typing import cast

from caramelo_tui.ui.screens.approval import ApprovalScreen
from tests.pilot.conftest import OpenApp
from tests.pilot.driving import WIDE, command_request
from tests.pilot.test_interrupt import review

OWN = 1
"""The time limit of the waiting test itself."""


def alarms() -> list[asyncio.TimerHandle]:
    """Return what the event loop will wake for."""
    # Nothing public lists them.
    scheduled = vars(asyncio.get_running_loop())["_scheduled"]
    return [
        handle for handle in cast("list[asyncio.TimerHandle]", scheduled) if not handle.cancelled()
    ]


async def test_no_timer_runs_at_rest(open_app: OpenApp) -> None:
    async with open_app(size=WIDE) as running:
        await running.press(*"hello")
        await running.until(lambda: len(alarms()) == OWN)


async def test_no_timer_runs_while_a_review_waits(open_app: OpenApp) -> None:
    async with open_app(size=WIDE) as running:
        running.agent.start_run()
        running.agent.ask(review())
        await running.until(lambda: "? 1 waiting" in running.shown())
        await running.until(lambda: len(alarms()) == OWN)


async def test_no_timer_runs_while_a_command_waits(open_app: OpenApp) -> None:
    async with open_app(size=WIDE) as running:
        running.agent.start_run()
        running.agent.ask(command_request())
        await running.until_screen(ApprovalScreen)
        await running.until(lambda: len(alarms()) == OWN)
