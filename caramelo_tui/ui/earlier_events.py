"""Show what happened before a session was taken up.

Owns which of the stored events are shown, how many at once, and that nothing is done because of
them: questions that were answered are not asked, nothing is sent, nobody is notified. Proven by
tests/unit/ui/test_earlier_events.py and tests/pilot/test_sessions.py.
"""

import asyncio
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import replace

from caramelo_tui.domain.agent_events import (
    AgentEvent,
    ApprovalRequested,
    ApprovalSettled,
    BackgroundChanged,
    NoticeRaised,
    QueueChanged,
    RetryScheduled,
    RunStarted,
    ToolCallStreamed,
)
from caramelo_tui.domain.approvals import ReviewRequest
from caramelo_tui.domain.decisions import ApprovalMode
from caramelo_tui.domain.ids import ApprovalId
from caramelo_tui.ui.event_pump import is_streamed, merge
from caramelo_tui.ui.formatting import count_text
from caramelo_tui.ui.panes.status_bar import StatusView

TAIL_EVENTS = 800
"""Events of the last runs that are shown at once: some twenty prompts."""
_CHUNK = 100
"""Events that are shown before the keys have their turn."""

_PASSING = (ToolCallStreamed, QueueChanged, BackgroundChanged, RetryScheduled, ApprovalSettled)
"""Said anew when the session goes on, or over by then."""


def shown_events(events: Iterable[AgentEvent]) -> tuple[AgentEvent, ...]:
    """Return the events that are shown again, streamed pieces merged.

    Of questions, only reviews that were never settled are among them: their hunks stay visible.
    """
    known = tuple(events)
    settled = {event.approval_id for event in known if isinstance(event, ApprovalSettled)}
    kept = (event for event in known if _is_shown(event) and not _is_over(event, settled))
    return tuple(_merged(kept))


def tail_of(events: Sequence[AgentEvent], most: int = TAIL_EVENTS) -> tuple[int, int]:
    """Return where the last runs begin, and how many runs stand before.

    Args:
        events: In order.
        most: Events from there on, unless the last run alone has more.
    """
    starts = [index for index, event in enumerate(events) if isinstance(event, RunStarted)]
    if len(events) <= most or not starts:
        return 0, 0
    fitting = [index for index in starts if len(events) - index <= most]
    begin = fitting[0] if fitting else starts[-1]
    return begin, starts.index(begin)


async def play(events: Sequence[AgentEvent], deliver: Callable[[AgentEvent], None]) -> None:
    """Deliver events a few at a time; the keys have their turn in between."""
    for begin in range(0, len(events), _CHUNK):
        for event in events[begin : begin + _CHUNK]:
            deliver(event)
        await asyncio.sleep(0)


def hidden_text(runs: int) -> str:
    """Return what stands above the last runs."""
    return f"{count_text(runs, 'earlier prompt')} not shown; /earlier shows them."


def outcome_of(
    changes: Iterable[Callable[[StatusView], StatusView]], view: StatusView, mode: ApprovalMode
) -> StatusView:
    """Return what the status bar shows after all changes that played events made."""
    for change in changes:
        view = change(view)
    return replace(view, is_running=False, turn=0, activity="", mode=mode, has_plan=False)


def _is_shown(event: AgentEvent) -> bool:
    if isinstance(event, _PASSING):
        return False
    # What was said between runs was about that start of the program.
    return not (isinstance(event, NoticeRaised) and event.head.run_id is None)


def _is_over(event: AgentEvent, settled: Collection[ApprovalId]) -> bool:
    if not isinstance(event, ApprovalRequested):
        return False
    return event.request.id in settled or not isinstance(event.request, ReviewRequest)


def _merged(events: Iterable[AgentEvent]) -> Iterator[AgentEvent]:
    pending: AgentEvent | None = None
    for event in events:
        joined = None if pending is None else merge(pending, event)
        if joined is not None:
            pending = joined
            continue
        if pending is not None:
            yield pending
        pending = event if is_streamed(event) else None
        if pending is None:
            yield event
    if pending is not None:
        yield pending
