"""Keep what every request of a session took: tokens, money, premium requests.

Owns the session's ledger, and the warning when a provider's prompt cache was missed though the
request began as the one before. Knows no prices by itself. Proven by
tests/unit/agent/test_spending.py.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

from caramelo_tui.agent.context_port import LedgerEntry
from caramelo_tui.agent.run_frames import RunEvents
from caramelo_tui.domain.agent_events import NoticeLevel, SpendingCounted
from caramelo_tui.domain.prices import Prices, cost_of
from caramelo_tui.domain.usage import Usage
from caramelo_tui.providers.base import ProviderRequest

WORTH_CACHING = 4_096
"""Cached tokens below which a miss costs too little to be told."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PricedModel:
    """The model of a request, and what it costs."""

    model: str
    prices: Prices | None = None
    """``None``: unknown."""
    premium_requests: float = 0.0
    """Premium requests that one with new words of the person counts for."""


class Ledger:
    """All requests of a session, sub-agents' included."""

    def __init__(self) -> None:
        self._entries: list[LedgerEntry] = []
        self.cost = 0.0
        """US dollars of the requests whose cost is known."""
        self.unknown = 0
        """Requests whose cost is unknown."""
        self.premium_requests = 0.0

    @property
    def entries(self) -> tuple[LedgerEntry, ...]:
        """All requests, oldest first."""
        return tuple(self._entries)

    def add(self, entry: LedgerEntry) -> None:
        """Book a request."""
        self._entries.append(entry)
        self.cost += entry.cost or 0.0
        self.unknown += entry.cost is None
        self.premium_requests += entry.premium_requests


class Spending:
    """The requests of one agent."""

    def __init__(
        self,
        ledger: Ledger,
        *,
        model: Callable[[], PricedModel],
        events: RunEvents,
        agent: str = "",
    ) -> None:
        """Wire it.

        Args:
            ledger: The session's.
            model: The agent's model now.
            events: Where it is reported.
            agent: Title of the sub-agent; empty for the main agent.
        """
        self._ledger = ledger
        self._model = model
        self._events = events
        self._agent = agent
        self._sent: ProviderRequest | None = None
        self._cached: tuple[ProviderRequest, int] | None = None

    def sends(self, request: ProviderRequest) -> None:
        """Take note of the request whose usage is booked next."""
        self._sent = request

    def book(self, usage: Usage) -> None:
        """Book a turn, and warn when it missed the provider's cache.

        Args:
            usage: What it took; all zero when the provider has counted nothing, as of a stream
                that broke.
        """
        priced, request = self._model(), self._sent
        is_users_turn = request is not None and request.is_users_turn
        premium = priced.premium_requests if is_users_turn else 0.0
        self._add(priced, usage, premium=premium)
        if usage == Usage():
            return
        self._warn_of_miss(priced, usage)
        held = usage.cache_read_tokens + usage.cache_write_tokens
        self._cached = None if request is None else (request, held)

    def book_summary(self, priced: PricedModel, usage: Usage) -> None:
        """Book the request for a summary."""
        self._add(priced, usage, is_summary=True)

    def _add(
        self, priced: PricedModel, usage: Usage, *, premium: float = 0.0, is_summary: bool = False
    ) -> None:
        # What nobody counted was not free.
        cost = cost_of(usage, priced.prices) if usage != Usage() else None
        ledger = self._ledger
        ledger.add(
            LedgerEntry(
                agent=self._agent,
                model=priced.model,
                usage=usage,
                cost=cost,
                is_summary=is_summary,
                premium_requests=premium,
            )
        )
        self._events.emit(
            lambda head: SpendingCounted(
                head=head,
                model=priced.model,
                usage=usage,
                cost=cost,
                session_cost=ledger.cost,
                session_unknown=ledger.unknown,
                is_summary=is_summary,
                premium_requests=premium,
                session_premium_requests=ledger.premium_requests,
            )
        )

    def _warn_of_miss(self, priced: PricedModel, usage: Usage) -> None:
        if self._cached is None or self._sent is None or usage.cache_read_tokens:
            return
        before, held = self._cached
        if held < WORTH_CACHING or not _begins_as(self._sent, before):
            return
        more = _cost_of_miss(usage, held, priced.prices)
        money = f"about ${more:.2f} more" if more is not None else "at a cost that is unknown"
        self._events.raise_notice(
            NoticeLevel.WARNING,
            f"The provider's prompt cache was missed: {held:,} tokens were read anew, {money}. "
            "Caches expire after some minutes without a request.",
        )


def _begins_as(request: ProviderRequest, before: ProviderRequest) -> bool:
    """Return whether a request repeats an earlier one and goes on behind it."""
    is_same = (request.model, request.system, request.tools) == (
        before.model,
        before.system,
        before.tools,
    )
    return is_same and request.messages[: len(before.messages)] == before.messages


def _cost_of_miss(usage: Usage, held: int, prices: Prices | None) -> float | None:
    """Return what a usage cost more than if the cache had answered for ``held`` tokens."""
    of_written = min(held, usage.cache_write_tokens)
    of_read = min(held - of_written, usage.input_tokens)
    if not of_written + of_read:
        return None
    hit = replace(
        usage,
        input_tokens=usage.input_tokens - of_read,
        cache_write_tokens=usage.cache_write_tokens - of_written,
        cache_read_tokens=of_written + of_read,
    )
    paid, would_be = cost_of(usage, prices), cost_of(hit, prices)
    return None if paid is None or would_be is None else paid - would_be
