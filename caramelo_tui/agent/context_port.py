"""What the user interface may ask about the context and the spending of a session.

Owns the protocol and its values. Proven by tests/unit/agent/test_context_room.py and
tests/pilot/test_compaction.py.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from caramelo_tui.domain.usage import Usage


class Fate(StrEnum):
    """What a compaction would do to a part of the transcript."""

    STAYS = "stays"
    PINNED = "pinned"
    SHORTENED = "shortened"
    SUMMED_UP = "summed up"


@dataclass(frozen=True, slots=True, kw_only=True)
class ContextRow:
    """A prompt or a turn, as it stands in the transcript."""

    label: str
    """What it is, in outside text: the prompt, or words and calls of an answer."""
    tokens: int
    """Estimate."""
    fate: Fate
    place: int | None = None
    """Place among the person's prompts, for ``pin``; ``None`` for anything else."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CompactionPreview:
    """What a compaction by hand would do now."""

    rows: tuple[ContextRow, ...]
    """In the order of the transcript."""
    tokens_before: int
    tokens_after: int
    """Estimate, with a summary of usual length."""
    context_window: int | None
    problem: str = ""
    """Why there is nothing to do; empty: there is."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LedgerEntry:
    """What one request of the session took."""

    agent: str
    """Title of the sub-agent; empty for the main agent."""
    model: str
    usage: Usage
    cost: float | None
    """US dollars; ``None``: a price is unknown, or the tokens were not counted."""
    is_summary: bool = False
    premium_requests: float = 0.0


class ContextPort(Protocol):
    """The context of the main agent, and what the session's requests cost."""

    def preview(self) -> CompactionPreview:
        """Return what ``compact`` would do now."""
        ...

    def pin(self, place: int, *, is_pinned: bool) -> None:
        """Have a prompt stay word for word in every compaction, or no longer."""
        ...

    async def compact(self) -> str:
        """Compact now, or before the next turn while a run is under way.

        Returns:
            Why it did not happen (yet); empty: it did.
        """
        ...

    @property
    def ledger(self) -> tuple[LedgerEntry, ...]:
        """All requests of the session, oldest first, sub-agents' included."""
        ...


class NoContext:
    """For a session whose context nobody looks after."""

    def preview(self) -> CompactionPreview:
        """Return that there is nothing to do."""
        return CompactionPreview(
            rows=(),
            tokens_before=0,
            tokens_after=0,
            context_window=None,
            problem="This session cannot be compacted.",
        )

    def pin(self, place: int, *, is_pinned: bool) -> None:
        """Do nothing."""

    async def compact(self) -> str:
        """Return that it cannot be done."""
        return self.preview().problem

    @property
    def ledger(self) -> tuple[LedgerEntry, ...]:
        """No requests."""
        return ()


def premium_words(requests: float) -> str:
    """Return a number of premium requests; it may be a part of one."""
    return f"{requests:g} premium request{'' if requests == 1 else 's'}"
