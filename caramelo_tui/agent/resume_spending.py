"""Book again what a session's requests have cost.

Owns the way from stored events to the session's ledger. Proven by
tests/unit/agent/test_resume_spending.py.
"""

from collections.abc import Iterable

from caramelo_tui.agent.context_port import LedgerEntry
from caramelo_tui.agent.spending import Ledger
from caramelo_tui.domain.agent_events import AgentEvent, SpendingCounted


def ledger_of(events: Iterable[AgentEvent]) -> Ledger:
    """Return a ledger with the requests that events tell of."""
    ledger = Ledger()
    for event in events:
        if isinstance(event, SpendingCounted):
            ledger.add(
                LedgerEntry(
                    agent=event.head.agent,
                    model=event.model,
                    usage=event.usage,
                    cost=event.cost,
                    is_summary=event.is_summary,
                    premium_requests=event.premium_requests,
                )
            )
    return ledger
