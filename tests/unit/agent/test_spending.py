"""Spending: every request is booked, and a cache that was missed is said with its price."""

from dataclasses import replace
from typing import TypeVar

import pytest

from caramelo_tui.agent.event_stream import EventStream
from caramelo_tui.agent.spending import Ledger, PricedModel, Spending
from caramelo_tui.domain.agent_events import NoticeRaised, SpendingCounted
from caramelo_tui.domain.messages import UserMessage
from caramelo_tui.domain.prices import Prices
from caramelo_tui.domain.usage import Usage
from caramelo_tui.providers.base import ProviderRequest
from tests.doubles.agent_worlds import FixedClock

PRICES = Prices(input=3.0, output=15.0, cache_read=0.3, cache_write=3.75)
FIRST = ProviderRequest(
    model="m", system="s", messages=(UserMessage(text="a"),), tools=(), max_tokens=9
)
NEXT = replace(FIRST, messages=(*FIRST.messages, UserMessage(text="b")))
WROTE = Usage(cache_write_tokens=100_000, output_tokens=10)
PRICED = PricedModel(model="m", prices=PRICES)
T = TypeVar("T")


class World:
    def __init__(self, model: PricedModel | None = None) -> None:
        self.events = EventStream(FixedClock())
        self.ledger = Ledger()
        self.model = model or PRICED
        self.spending = Spending(self.ledger, model=lambda: self.model, events=self.events)

    def turn(self, request: ProviderRequest, usage: Usage) -> None:
        self.spending.sends(request)
        self.spending.book(usage)

    def of(self, kind: type[T]) -> list[T]:
        return [event for event in self.events.events if isinstance(event, kind)]


def test_each_request_is_booked_with_its_cost_and_the_sum() -> None:
    world = World()
    world.turn(FIRST, Usage(input_tokens=1_000_000))
    world.turn(NEXT, Usage(output_tokens=1_000_000))
    first, second = world.of(SpendingCounted)
    assert (first.cost, first.session_cost) == (3.0, 3.0)
    assert (second.cost, second.session_cost, second.session_unknown) == (15.0, 18.0, 0)
    assert [entry.cost for entry in world.ledger.entries] == [3.0, 15.0]


def test_an_unknown_price_is_never_counted_as_nothing() -> None:
    world = World(PricedModel(model="m"))
    world.turn(FIRST, Usage(input_tokens=5))
    (event,) = world.of(SpendingCounted)
    assert (event.cost, event.session_cost, event.session_unknown) == (None, 0.0, 1)


def test_a_request_whose_tokens_nobody_counted_is_of_unknown_cost() -> None:
    world = World(replace(PRICED, premium_requests=1.0))
    world.turn(replace(FIRST, is_users_turn=True), WROTE)
    # A stream that broke, or a server that tells no usage.
    world.turn(replace(NEXT, is_users_turn=True), Usage())
    event = world.of(SpendingCounted)[-1]
    assert (event.cost, event.session_unknown) == (None, 1)
    assert event.session_premium_requests == 2.0
    # What it read of the cache is not known either; the next one is measured by what was held.
    assert world.of(NoticeRaised) == []
    world.turn(NEXT, Usage(input_tokens=100_100))
    assert "100,000 tokens were read anew" in world.of(NoticeRaised)[0].text


def test_a_summary_whose_tokens_nobody_counted_is_of_unknown_cost() -> None:
    world = World()
    world.spending.book_summary(PRICED, Usage())
    assert world.of(SpendingCounted)[0].cost is None


def test_premium_requests_count_with_the_persons_words_only() -> None:
    world = World(PricedModel(model="m", premium_requests=1.5))
    world.turn(replace(FIRST, is_users_turn=True), Usage(input_tokens=1))
    world.turn(replace(NEXT, is_users_turn=False), Usage(input_tokens=1))
    assert [event.premium_requests for event in world.of(SpendingCounted)] == [1.5, 0.0]
    assert world.of(SpendingCounted)[-1].session_premium_requests == 1.5


def test_a_missed_cache_is_said_with_tokens_and_money() -> None:
    world = World()
    world.turn(FIRST, WROTE)
    world.turn(NEXT, Usage(input_tokens=50, cache_write_tokens=100_100))
    (notice,) = world.of(NoticeRaised)
    assert "100,000 tokens were read anew, about $0.34 more" in notice.text


def test_a_missed_cache_of_unknown_price_is_said_too() -> None:
    world = World(PricedModel(model="m"))
    world.turn(FIRST, WROTE)
    world.turn(NEXT, Usage(input_tokens=100_100))
    assert "at a cost that is unknown" in world.of(NoticeRaised)[0].text


@pytest.mark.parametrize(
    ("before", "request_", "usage"),
    [
        (WROTE, NEXT, Usage(cache_read_tokens=1, cache_write_tokens=99_999)),
        (Usage(cache_write_tokens=4_000), NEXT, Usage(input_tokens=9_000)),
        (Usage(input_tokens=90_000), NEXT, Usage(input_tokens=90_000)),
        (WROTE, replace(NEXT, model="other"), Usage(input_tokens=100_000)),
        (WROTE, replace(NEXT, system="other"), Usage(input_tokens=100_000)),
        (WROTE, replace(NEXT, messages=(UserMessage(text="x"),)), Usage(input_tokens=100_000)),
    ],
    ids=["hit", "too little", "no cache", "model", "system", "compacted"],
)
def test_no_warning_without_a_cache_that_should_have_answered(
    before: Usage, request_: ProviderRequest, usage: Usage
) -> None:
    world = World()
    world.turn(FIRST, before)
    world.turn(request_, usage)
    assert not world.of(NoticeRaised)


def test_a_summary_is_booked_beside_the_turns() -> None:
    world = World()
    world.turn(FIRST, WROTE)
    world.spending.book_summary(PricedModel(model="fast", prices=PRICES), Usage(input_tokens=9))
    world.turn(NEXT, Usage(input_tokens=100_000))
    assert [entry.is_summary for entry in world.ledger.entries] == [False, True, False]
    assert world.of(NoticeRaised)
