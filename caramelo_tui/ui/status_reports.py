"""Say how a report of the agent changes the status bar.

Owns the one translation from events that count something to the values of the bar. Pure. Proven
by tests/unit/ui/test_status_reports.py.
"""

from dataclasses import replace
from typing import assert_never

from caramelo_tui.domain.agent_events import (
    CacheCounted,
    ContextCompacted,
    ContextMeasured,
    DiffCounted,
    RetryScheduled,
    SpendingCounted,
    UsageReported,
)
from caramelo_tui.ui.panes.status_bar import StatusView

CountingEvent = (
    UsageReported
    | RetryScheduled
    | CacheCounted
    | DiffCounted
    | ContextMeasured
    | ContextCompacted
    | SpendingCounted
)
"""Events that change nothing but what the bar says."""


def status_after(view: StatusView, event: CountingEvent) -> StatusView:
    """Return what the bar shows once an event came."""
    match event:
        case UsageReported():
            return _after_usage(view, event)
        case RetryScheduled():
            # How long it still waits is the countdown's to say.
            return view
        case ContextMeasured() | ContextCompacted() | SpendingCounted():
            return _after_context(view, event)
        case CacheCounted():
            return replace(view, cache_hits=event.hits, cache_lookups=event.hits + event.misses)
        case DiffCounted():
            return replace(
                view,
                changed_lines=event.changed_lines,
                ask_above=event.ask_above,
                deny_above=event.deny_above,
            )
        case _:
            assert_never(event)


def _after_context(
    view: StatusView, event: ContextMeasured | ContextCompacted | SpendingCounted
) -> StatusView:
    """Show how full the main agent's window is, and what all agents cost."""
    if isinstance(event, SpendingCounted):
        return replace(view, cost=event.session_cost, has_unknown_cost=event.session_unknown > 0)
    if isinstance(event, ContextCompacted) or event.head.agent:
        # A compaction is followed by its measure.
        return view
    return replace(
        view,
        context_tokens=event.tokens,
        context_window=event.context_window,
        is_context_estimated=True,
    )


def _after_usage(view: StatusView, event: UsageReported) -> StatusView:
    """Count a sub-agent's tokens for the session; its context is not the main agent's."""
    if event.head.agent:
        return replace(view, usage=event.session_usage)
    return replace(
        view,
        usage=event.session_usage,
        context_tokens=event.usage.context_tokens,
        context_window=event.context_window,
        is_context_estimated=False,
    )
