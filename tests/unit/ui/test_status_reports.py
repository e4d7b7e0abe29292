from caramelo_tui.domain.agent_events import (
    CacheCounted,
    ContextMeasured,
    DiffCounted,
    EventHead,
    RetryScheduled,
    SpendingCounted,
    UsageReported,
)
from caramelo_tui.domain.usage import Usage
from caramelo_tui.ui.panes.status_bar import StatusView
from caramelo_tui.ui.status_reports import status_after

HEAD = EventHead(seq=1, at=0)
SUB = EventHead(seq=1, at=0, agent="Tidy")
VIEW = StatusView(context_tokens=7, context_window=100)
USAGE = Usage(input_tokens=10, output_tokens=5)
SESSION = Usage(input_tokens=90, output_tokens=9)


def test_the_main_agents_usage_sets_context_and_sum() -> None:
    event = UsageReported(head=HEAD, usage=USAGE, session_usage=SESSION, context_window=200)
    view = status_after(VIEW, event)
    assert (view.context_tokens, view.context_window, view.usage) == (15, 200, SESSION)


def test_a_sub_agents_usage_counts_but_its_context_is_its_own() -> None:
    event = UsageReported(head=SUB, usage=USAGE, session_usage=SESSION, context_window=8)
    view = status_after(VIEW, event)
    assert (view.context_tokens, view.context_window, view.usage) == (7, 100, SESSION)


def test_a_retry_is_left_to_the_countdown() -> None:
    event = RetryScheduled(head=HEAD, attempt=2, wait_s=4.2, reason="r")
    assert status_after(VIEW, event) == VIEW


def test_hits_are_counted_among_the_look_ups() -> None:
    view = status_after(VIEW, CacheCounted(head=HEAD, hits=12, misses=8, entries=8, kept_bytes=1))
    assert (view.cache_hits, view.cache_lookups) == (12, 20)


def test_changed_lines_come_with_their_limits() -> None:
    event = DiffCounted(head=HEAD, changed_lines=120, deny_above=500, ask_above=200)
    view = status_after(VIEW, event)
    assert (view.changed_lines, view.deny_above, view.ask_above) == (120, 500, 200)


def test_an_estimate_fills_the_meter_until_the_provider_counts() -> None:
    view = status_after(VIEW, ContextMeasured(head=HEAD, tokens=30, context_window=200))
    assert (view.context_tokens, view.context_window, view.is_context_estimated) == (30, 200, True)
    counted = UsageReported(head=HEAD, usage=USAGE, session_usage=SESSION, context_window=200)
    assert not status_after(view, counted).is_context_estimated
    assert status_after(VIEW, ContextMeasured(head=SUB, tokens=9, context_window=9)) == VIEW


def test_the_cost_is_that_of_the_session() -> None:
    event = SpendingCounted(
        head=SUB, model="m", usage=USAGE, cost=None, session_cost=0.12, session_unknown=1
    )
    view = status_after(VIEW, event)
    assert (view.cost, view.has_unknown_cost) == (0.12, True)
