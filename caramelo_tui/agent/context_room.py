"""Keep the transcript of one agent within what its model can hold.

Owns when a transcript is compacted, what the user pinned, and what is said of it. Implements
``RequestCare`` and ``ContextPort``. A summary that fails costs nothing that was said: results are
shortened instead. Proven by tests/unit/agent/test_context_room.py.
"""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from caramelo_tui.agent.compaction import Cut, CutPlanner, Sizes, begin_of_tail, compacted
from caramelo_tui.agent.compaction_preview import preview_of
from caramelo_tui.agent.compaction_summary import Summarizer, Summary
from caramelo_tui.agent.compaction_text import goes_text
from caramelo_tui.agent.context_port import CompactionPreview, LedgerEntry
from caramelo_tui.agent.conversation import Conversation
from caramelo_tui.agent.run_frames import RunEvents
from caramelo_tui.agent.spending import Ledger, PricedModel, Spending
from caramelo_tui.agent.token_count import TokenCount
from caramelo_tui.domain.agent_events import ContextCompacted, ContextMeasured, NoticeLevel
from caramelo_tui.domain.errors import ProviderError
from caramelo_tui.domain.messages import Message, UserMessage
from caramelo_tui.domain.usage import Usage
from caramelo_tui.providers.base import ProviderRequest

_GOAL = 0.5
"""Part of the limit that a compacted transcript should fill at most."""
_TAIL = 0.3
"""Part of the limit that the last turns may fill."""
_ANSWER_AT_MOST = 0.5
"""Part of the window that is set aside for the answer at most."""
_TRY_AGAIN = 1.1
"""Growth behind a failed summary at which another one is asked for."""
_WORTH_COUNTING = 0.2
"""Part of an estimate that is guessed, from which on the provider is asked to count."""
COUNT_LIMIT_S = 5.0
"""Seconds for the provider's count; the estimate stands when it takes longer."""
NOTHING_TO_GO = "There is nothing that could go: only the last turn is there."
WAITS = "A run is under way: the conversation is compacted before its next turn."

Priced = Callable[[str], PricedModel]
"""Gives a model that made a summary its prices."""


Count = Callable[[ProviderRequest], Awaitable[int | None]]
"""Has the provider count a request; ``None``: it does not. Raises ``ProviderError``."""


async def not_counted(_request: ProviderRequest) -> None:
    """Return that nobody counts."""


async def nothing_first() -> None:
    """Do nothing before a run's first request."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RoomParts:
    """What the room of one agent is made of."""

    conversation: Conversation
    events: RunEvents
    summarizer: Summarizer
    spending: Spending
    ledger: Ledger
    tokens: TokenCount
    priced: Priced
    compact_at: float
    """Part of the window at which the transcript is compacted, above 0 to 1."""
    is_running: Callable[[], bool] = lambda: False
    """Whether a run is under way."""
    before_run: Callable[[], Awaitable[None]] = nothing_first
    """Called before a run's first request."""
    count: Count = not_counted


class ContextRoom:
    """The room of one agent."""

    def __init__(self, parts: RoomParts) -> None:
        """Wire it; nothing is compacted yet."""
        self._parts = parts
        self._conversation = parts.conversation
        self._events = parts.events
        self._pins: frozenset[int] = frozenset()
        self._is_wanted = False
        self._next_try = 0
        self._lock = asyncio.Lock()

    # -- care of requests

    async def before_request(self, *, is_first: bool) -> None:
        """Compact when the limit is reached or the user asked for it.

        Raises:
            asyncio.CancelledError: When interrupted; nothing was changed.
        """
        if is_first:
            await self._parts.before_run()
        async with self._lock:
            limit = self._limit()
            is_full = limit is not None and self._tokens() > max(limit, self._next_try)
            if is_full and not self._is_wanted:
                is_full = not await self._fits_after_all(limit or 0)
            if self._is_wanted or is_full:
                is_by_hand, self._is_wanted = self._is_wanted, False
                await self._compact(is_by_hand=is_by_hand)

    def sends(self, request: ProviderRequest) -> None:
        """Measure the request that goes out now."""
        self._parts.spending.sends(request)
        self._measure()

    async def makes_room(self) -> bool:
        """Compact after the provider refused a request as too long; ``False``: nothing can go."""
        async with self._lock:
            return await self._compact(is_by_hand=False)

    def answered(self, usage: Usage) -> None:
        """Book what the request took."""
        self._parts.spending.book(usage)

    # -- what the user interface asks

    def preview(self) -> CompactionPreview:
        """Return what ``compact`` would do now."""
        messages, cut = self._messages, self._plan(is_by_hand=True)
        return preview_of(
            messages,
            cut,
            pins=self._pins,
            estimate=self._conversation.context.estimated_tokens,
            context_window=self._conversation.context.context_window,
            problem="" if cut is not None else NOTHING_TO_GO,
        )

    def pin(self, place: int, *, is_pinned: bool) -> None:
        """Have a prompt stay word for word in every compaction, or no longer."""
        self._pins = self._pins | {place} if is_pinned else self._pins - {place}

    async def compact(self) -> str:
        """Compact now; return why not (yet), empty: it is done."""
        if self._parts.is_running():
            self._is_wanted = True
            return WAITS
        async with self._lock:
            is_done = await self._compact(is_by_hand=True)
        return "" if is_done else NOTHING_TO_GO

    @property
    def ledger(self) -> tuple[LedgerEntry, ...]:
        """All requests of the session, oldest first."""
        return self._parts.ledger.entries

    # -- parts

    async def _fits_after_all(self, limit: int) -> bool:
        """Have the provider count, where much of the estimate is guessed, as behind a large paste.

        A summary costs more than a count, and what it drops is gone from the request.
        """
        context, messages = self._conversation.context, self._messages
        if context.guessed_tokens(messages) < self._tokens() * _WORTH_COUNTING:
            return False
        try:
            async with asyncio.timeout(COUNT_LIMIT_S):
                counted = await self._parts.count(context.build(messages))
        except (ProviderError, TimeoutError):
            # Too long even to be sent, or nobody counts: the estimate stands.
            return False
        return counted is not None and counted <= limit

    @property
    def _messages(self) -> tuple[Message, ...]:
        return self._conversation.transcript.snapshot()

    def _tokens(self) -> int:
        return self._conversation.context.estimated_tokens(self._messages)

    def _limit(self) -> int | None:
        """Return the tokens at which there is too little room; ``None``: unknown."""
        context = self._conversation.context
        window = context.context_window
        if window is None:
            return None
        answer = min(context.answer_tokens, int(window * _ANSWER_AT_MOST))
        return min(int(window * self._parts.compact_at), window - answer)

    def _plan(self, *, is_by_hand: bool, drops: bool = True) -> Cut | None:
        tokens, limit = self._tokens(), self._limit()
        size = tokens if limit is None or is_by_hand else limit
        if limit is not None:
            size = min(size, limit)
        planner = CutPlanner(self._messages, estimate=self._conversation.context.estimated_tokens)
        sizes = Sizes(goal=int(size * _GOAL), tail=int(size * _TAIL))
        return planner.plan(sizes, pinned=self._pins, drops=drops)

    async def _compact(self, *, is_by_hand: bool) -> bool:
        """Make the transcript shorter; the lock is held.

        Messages may be added while the summary is made: they stay, since they stand behind.
        """
        cut = self._plan(is_by_hand=is_by_hand)
        if cut is None:
            return False
        before, at = self._tokens(), begin_of_tail(self._messages, cut.kept_answers)
        summary, problem = None, ""
        self._announce(cut, at if cut.drops else 0, before, is_by_hand=is_by_hand)
        if cut.drops:
            summary, problem = await self._summary(self._messages[:at])
            if summary is None:
                cut = self._plan(is_by_hand=is_by_hand, drops=False)
                self._next_try = int(before * _TRY_AGAIN)
        if cut is None:
            self._events.raise_notice(NoticeLevel.WARNING, f"Not compacted: {problem}")
            return False
        self._apply(cut, summary, before=before, is_by_hand=is_by_hand, problem=problem)
        return True

    async def _summary(self, messages: tuple[Message, ...]) -> tuple[Summary | None, str]:
        """Return a summary, or why there is none."""
        try:
            summary = await self._parts.summarizer.summarize(messages)
        except ProviderError as error:
            return None, str(error)
        self._parts.tokens.add(summary.usage)
        self._parts.spending.book_summary(self._parts.priced(summary.model), summary.usage)
        return summary, ""

    def _apply(
        self, cut: Cut, summary: Summary | None, *, before: int, is_by_hand: bool, problem: str
    ) -> None:
        messages, text = self._messages, summary.text if summary is not None else ""
        at = begin_of_tail(messages, cut.kept_answers) if cut.drops else 0
        after = compacted(messages, cut, text)
        self._conversation.transcript.replace_all(after)
        self._move_pins(cut, messages[:at])
        tokens = self._tokens()
        # Where pins or the last turn alone fill the window, a summary at every turn is no help.
        self._next_try = int(tokens * _TRY_AGAIN)
        self._events.emit(
            lambda head: ContextCompacted(
                head=head,
                is_by_hand=is_by_hand,
                tokens_before=before,
                tokens_after=tokens,
                dropped_messages=at - len(cut.pinned) if at else 0,
                kept_answers=cut.kept_answers,
                pinned=cut.pinned,
                shortened=cut.shortened,
                summary=text,
                problem=problem,
            )
        )
        self._measure()

    def _move_pins(self, cut: Cut, dropped: tuple[Message, ...]) -> None:
        """Keep what is pinned so where the prompts stand now."""
        if not dropped:
            return
        gone = sum(isinstance(m, UserMessage) and not m.is_note for m in dropped)
        places = {old: new for new, old in enumerate(cut.pinned)}
        self._pins = frozenset(
            places[old] if old in places else len(cut.pinned) + old - gone
            for old in self._pins
            if old in places or old >= gone
        )

    def _announce(self, cut: Cut, at: int, before: int, *, is_by_hand: bool) -> None:
        """Say what goes and what stays before it happens."""
        text = goes_text(
            dropped=at - len(cut.pinned) if at else 0,
            shortened=len(cut.shortened),
            pinned=len(cut.pinned),
            kept_answers=cut.kept_answers,
        )
        why = "as you asked" if is_by_hand else self._fullness(before)
        self._events.raise_notice(NoticeLevel.INFO, f"Compacting the conversation, {why}: {text} …")

    def _fullness(self, tokens: int) -> str:
        window = self._conversation.context.context_window
        if window is None:
            return "which is too long for the model"
        return f"which fills {tokens * 100 // window} % of the model's window"

    def _measure(self) -> None:
        tokens, window = self._tokens(), self._conversation.context.context_window
        self._events.emit(
            lambda head: ContextMeasured(head=head, tokens=tokens, context_window=window)
        )
