"""Name the events that tell how full a request is and what requests cost.

Owns those members of ``AgentEvent`` that speak of the context window and of spending. Proven by
tests/property/test_codec.py and tests/unit/agent/test_compaction.py.
"""

from dataclasses import dataclass

from caramelo_tui.domain.event_head import AgentEventBase
from caramelo_tui.domain.ids import CallId
from caramelo_tui.domain.usage import Usage


@dataclass(frozen=True, slots=True, kw_only=True)
class ContextMeasured(AgentEventBase):
    """A request is about to go out, or the transcript was compacted: what it is estimated at."""

    tokens: int
    """The provider's last count, where there is one, and an estimate of what came since."""
    context_window: int | None
    """Tokens the model can hold; ``None`` when unknown."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ContextCompacted(AgentEventBase):
    """The transcript was made shorter; the session file keeps all of it.

    ``kept_answers``, ``pinned``, ``shortened`` and ``summary`` are the whole of the change:
    ``agent.compaction.compacted`` makes the same transcript of them again.
    """

    is_by_hand: bool
    """Whether the user asked for it; else the limit was reached."""
    tokens_before: int
    """Estimate of the next request before."""
    tokens_after: int
    """Estimate of the next request after."""
    dropped_messages: int
    """Messages of which only the summary tells; 0: results were shortened and no more."""
    kept_answers: int
    """Answers of the model that stay, counted from the end, each with all around it. Everything
    before them is gone but for the pinned prompts and the summary."""
    pinned: tuple[int, ...] = ()
    """Which prompts of the person stay word for word though they stand before that: their
    places among the person's prompts in the transcript, from 0, ascending."""
    shortened: tuple[CallId, ...] = ()
    """Calls whose results were cut to their begin and end."""
    summary: str = ""
    """What the model is told of the dropped messages; empty when none was dropped."""
    problem: str = ""
    """Why there is no summary although one was needed; empty otherwise."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SpendingCounted(AgentEventBase):
    """What one request cost, and the session so far; behind the ``UsageReported`` of a turn.

    A request of which something came and nobody counted the tokens has no ``UsageReported``.
    """

    model: str
    usage: Usage
    """Of this request; all zero when the provider has counted nothing."""
    cost: float | None
    """US dollars for this request; ``None``: a price is unknown, or the tokens are."""
    session_cost: float
    """US dollars for all requests of the session whose prices are known."""
    session_unknown: int
    """Requests of the session whose cost is unknown."""
    is_summary: bool = False
    """Whether the request made a summary, and was no turn."""
    premium_requests: float = 0.0
    """Premium requests that this one counted for, where the vendor counts so."""
    session_premium_requests: float = 0.0
    """Premium requests of the session so far."""
