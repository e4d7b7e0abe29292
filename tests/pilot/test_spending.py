"""The page of spending lists every request, and says what is unknown."""

import re

from caramelo_tui.agent.context_port import LedgerEntry
from caramelo_tui.domain.agent_events import SpendingCounted
from caramelo_tui.domain.usage import Usage
from caramelo_tui.ui.main_screen import MainScreen
from caramelo_tui.ui.screens.spending import SpendingScreen, money_text, sum_text
from tests.doubles.fake_agent import FakeAgent
from tests.doubles.fake_context import FakeContext
from tests.pilot.conftest import OpenApp
from tests.pilot.driving import WIDE

USAGE = Usage(
    input_tokens=2_000, cache_read_tokens=40_000, cache_write_tokens=500, output_tokens=300
)
LEDGER = (
    LedgerEntry(agent="", model="claude-test", usage=USAGE, cost=0.0252),
    LedgerEntry(agent="Tidy", model="other", usage=USAGE, cost=None, premium_requests=1),
    LedgerEntry(agent="", model="fast-1", usage=USAGE, cost=1.5, is_summary=True),
)
NOT_COUNTED = LedgerEntry(agent="", model="broken", usage=Usage(), cost=None)


async def test_every_request_is_listed_with_its_sum(open_app: OpenApp) -> None:
    agent = FakeAgent(context=FakeContext(ledger=LEDGER))
    async with open_app(agent=agent, size=WIDE) as running:
        await running.press(*"/spending", "enter")
        await running.until_screen(SpendingScreen)
        await running.settle()
        shown = running.shown()
        assert "3 requests: 7.5k input, 120k cached, 900 output, cost $1.53" in shown
        assert "and 1 request of unknown cost" in shown
        assert "1 premium request." in shown
        assert "$0.0252" in shown
        assert "other · 1 premium · Tidy" in shown
        assert "fast-1 · summary" in shown
        await running.press("enter", "escape")
        await running.until_screen(MainScreen)


async def test_tokens_that_nobody_counted_are_not_shown_as_nothing(open_app: OpenApp) -> None:
    agent = FakeAgent(context=FakeContext(ledger=(*LEDGER, NOT_COUNTED)))
    async with open_app(agent=agent, size=WIDE) as running:
        await running.press(*"/spending", "enter")
        await running.until_screen(SpendingScreen)
        await running.settle()
        (row,) = [line for line in running.shown().splitlines() if "broken" in line]
        assert re.search(r"4 +- +- +- +unknown +broken", row)


async def test_before_the_first_request_it_says_so(open_app: OpenApp) -> None:
    async with open_app() as running:
        await running.press("ctrl+p", *"spending")
        await running.settle()
        await running.press("enter")
        await running.until_screen(SpendingScreen)
        await running.settle()
        assert "No request was counted yet." in running.shown()


async def test_the_cost_is_on_the_main_screen(open_app: OpenApp) -> None:
    async with open_app(size=WIDE) as running:
        running.agent.emit(
            lambda head: SpendingCounted(
                head=head,
                model="m",
                usage=USAGE,
                cost=0.12,
                session_cost=0.12,
                session_unknown=0,
            )
        )
        await running.until(lambda: "$0.12" in running.shown())


def test_an_unknown_cost_is_never_shown_as_nothing() -> None:
    assert money_text(None) == "unknown"
    assert [money_text(cost) for cost in (0.0, 0.00123, 12.345)] == ["$0.00", "$0.0012", "$12.35"]
    assert "cost unknown." in sum_text(LEDGER[1:2])
    assert "cost $0.00." in sum_text(())
