"""Asking no more about some writes for the rest of the session."""

import re

from caramelo_tui.domain.decisions import WriteGrant
from caramelo_tui.ui.main_screen import MainScreen
from caramelo_tui.ui.messages import GrantAsked
from caramelo_tui.ui.panes.changes import ChangesPane
from caramelo_tui.ui.screens.pick import PickScreen
from caramelo_tui.ui.turns import Turn
from caramelo_tui.ui.widgets.arrival_guard import QUIET_S
from tests.doubles.clocks import ManualClock
from tests.doubles.fake_agent import FakeAgent
from tests.doubles.person_ports import FakeRules
from tests.pilot.conftest import OpenApp
from tests.pilot.driving import GUARD_S, NARROW, WIDE, OpenedApp
from tests.pilot.pane_app import opened
from tests.unit.ui.drawing import review, write

GRANTS = (
    WriteGrant(pattern="src/cli.py", covers="only src/cli.py"),
    WriteGrant(pattern="src/**", covers="every file below src"),
)


def agent_with_grants() -> FakeAgent:
    return FakeAgent(rules=FakeRules(grants={"src/cli.py": GRANTS}))


async def open_list(running: OpenedApp) -> None:
    running.agent.start_run()
    running.agent.ask(review(write("a\n", "b\n")))
    await running.until(lambda: running.bench.changes.has_waiting)
    await running.press("ctrl+o")
    running.clock.move(GUARD_S)
    await running.press("g")


async def test_a_grant_is_chosen_explained_and_asked_for(open_app: OpenApp) -> None:
    async with open_app(size=NARROW, agent=agent_with_grants()) as running:
        await open_list(running)
        await running.until_screen(PickScreen)
        await running.settle()
        shown = re.sub(r"[┃│\s]+", " ", running.shown())
        assert "every file below src" in shown
        assert "What waits now still needs your answer." in shown
        await running.press("down", "enter")
        await running.until_screen(MainScreen)
        assert running.agent.rules.granted == [("src/**", "src/cli.py")]
        # What waits is not answered by it.
        assert running.agent.answers == []
        await running.until(lambda: "asks no more about src/**" in running.shown())


async def test_a_grant_that_is_not_taken_says_why(open_app: OpenApp) -> None:
    async with open_app(size=WIDE, agent=agent_with_grants()) as running:
        running.agent.rules.refusal = "it does not match"
        await open_list(running)
        await running.until_screen(PickScreen)
        await running.press("enter")
        await running.until(lambda: "it does not match" in running.shown())
        assert running.agent.rules.granted == []


async def test_esc_grants_nothing(open_app: OpenApp) -> None:
    async with open_app(size=WIDE, agent=agent_with_grants()) as running:
        await open_list(running)
        await running.until_screen(PickScreen)
        await running.press("escape")
        await running.until_screen(MainScreen)
        assert running.agent.rules.granted == []


async def test_a_file_that_always_asks_says_so(open_app: OpenApp) -> None:
    async with open_app(size=WIDE) as running:
        await open_list(running)
        await running.until(lambda: "writes to src/cli.py always ask" in running.shown())


async def test_without_a_waiting_review_there_is_nothing_to_grant(open_app: OpenApp) -> None:
    async with open_app(size=WIDE, agent=agent_with_grants()) as running:
        await running.press("f4", "g")
        await running.settle()
        assert isinstance(running.app.screen, MainScreen)


async def test_a_key_on_its_way_when_a_review_came_opens_no_list() -> None:
    clock = ManualClock()
    pane = ChangesPane(monotonic=clock.monotonic)
    async with opened(pane) as running:
        pane.focus()
        await running.settle()
        pane.show_review(review(write("a\n", "b\n")), turn=Turn(run=1, number=1))
        await running.press("g")
        assert running.of_kind(GrantAsked) == []
        clock.move(QUIET_S)
        await running.press("g")
        assert [asked.path for asked in running.of_kind(GrantAsked)] == ["src/cli.py"]
