"""What is copied goes to the terminal and to the system, and the toast says which is known."""

import pytest

from caramelo_tui.ui.clipboard import copy_text
from tests.doubles.fake_agent import FakeAgent
from tests.pilot.conftest import OpenApp


@pytest.mark.parametrize(
    ("is_there", "says"),
    [
        (True, "2 lines (7 B) copied, and sent to the terminal."),
        (False, "2 lines (7 B) sent to the terminal."),
    ],
)
async def test_the_toast_says_what_is_known(
    open_app: OpenApp, says: str, *, is_there: bool
) -> None:
    agent = FakeAgent()
    agent.clipboard.is_there = is_there
    async with open_app(agent=agent) as running:
        copy_text(running.app, "one\ntwo")
        await running.until(lambda: says in " ".join(running.shown().split()))
        assert running.app.clipboard == "one\ntwo"
        assert agent.clipboard.texts == ["one\ntwo"]
