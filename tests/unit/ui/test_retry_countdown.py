"""The countdown to the moment at which a request is sent again."""

from collections.abc import Callable
from dataclasses import dataclass, field

import pytest

from caramelo_tui.domain.agent_events import (
    AgentEvent,
    Ending,
    EventHead,
    NoticeLevel,
    NoticeRaised,
    RetryScheduled,
    RunEnded,
    TextStreamed,
    TurnStarted,
)
from caramelo_tui.ui.panes.status_bar import StatusView
from caramelo_tui.ui.retry_countdown import TICK_S, TRYING, RetryCountdown
from tests.doubles.clocks import ManualClock

HEAD = EventHead(seq=1, at=0)
SUB = EventHead(seq=1, at=0, agent="Tidy")
RETRY = RetryScheduled(head=HEAD, attempt=2, wait_s=3.5, reason="Busy.")


@dataclass(slots=True)
class Bench:
    """A countdown whose ticks come by hand."""

    clock: ManualClock = field(default_factory=ManualClock)
    view: StatusView = field(default_factory=StatusView)
    tick: Callable[[], None] | None = None

    def __post_init__(self) -> None:
        self.countdown = RetryCountdown(
            clock=self.clock, change_status=self.change, start_ticking=self.start
        )

    countdown: RetryCountdown = field(init=False)

    def change(self, change: Callable[[StatusView], StatusView]) -> None:
        self.view = change(self.view)

    def start(self, every_s: float, tick: Callable[[], None]) -> "Bench":
        assert every_s == TICK_S
        self.tick = tick
        return self

    def stop(self) -> None:
        self.tick = None

    def pass_s(self, seconds: float) -> str:
        self.clock.move(seconds)
        assert self.tick is not None
        self.tick()
        return self.view.activity


def test_it_counts_down_and_then_says_that_it_tries() -> None:
    bench = Bench()
    bench.countdown.take(RETRY)
    assert bench.view.activity == "retry 2 in 4 s"
    assert [bench.pass_s(1) for _ in range(4)] == [
        "retry 2 in 3 s",
        "retry 2 in 2 s",
        "retry 2 in 1 s",
        TRYING,
    ]
    assert bench.tick is None


@pytest.mark.parametrize(
    "event",
    [
        TextStreamed(head=HEAD, text="x"),
        TurnStarted(head=HEAD, number=2),
        RunEnded(head=HEAD, ending=Ending.CANCELLED, refused_calls=0),
    ],
)
def test_a_sign_of_the_main_agent_ends_it(event: AgentEvent) -> None:
    bench = Bench()
    bench.countdown.take(RETRY)
    bench.countdown.take(event)
    assert (bench.view.activity, bench.tick) == ("", None)


def test_a_second_failure_counts_anew() -> None:
    bench = Bench()
    bench.countdown.take(RETRY)
    bench.countdown.take(RetryScheduled(head=HEAD, attempt=3, wait_s=8, reason="Busy."))
    assert bench.view.activity == "retry 3 in 8 s"


def test_other_events_and_sub_agents_change_nothing() -> None:
    bench = Bench()
    bench.countdown.take(RetryScheduled(head=SUB, attempt=1, wait_s=9, reason="Busy."))
    bench.countdown.take(TextStreamed(head=HEAD, text="x"))
    assert (bench.view, bench.tick) == (StatusView(), None)
    bench.countdown.take(RETRY)
    bench.countdown.take(NoticeRaised(head=HEAD, level=NoticeLevel.INFO, text="n"))
    bench.countdown.take(TextStreamed(head=SUB, text="x"))
    assert bench.view.activity == "retry 2 in 4 s"
