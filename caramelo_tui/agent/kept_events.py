"""Hand on events only once they are kept.

Owns that nobody is shown what the end of the program could still cost: an event passes when it is
in the session's file. Order and number of events stay as they are. Proven by
tests/unit/agent/test_kept_events.py and tests/crash/.
"""

from collections.abc import AsyncIterator
from typing import Protocol

from caramelo_tui.agent.event_stream import StreamReader
from caramelo_tui.domain.agent_events import AgentEvent


class Keeper(Protocol):
    """Who keeps events; the session recorder."""

    async def kept(self, seq: int) -> None:
        """Return once the event with this number is kept, or nobody can keep it."""
        ...


class KeptReader:
    """A reader behind a keeper."""

    def __init__(self, reader: StreamReader, keeper: Keeper) -> None:
        self._reader = reader
        self._keeper = keeper
        self._waiting: AgentEvent | None = None

    def __aiter__(self) -> AsyncIterator[AgentEvent]:
        """Return the reader itself; it is read by one task at a time."""
        return self

    async def __anext__(self) -> AgentEvent:
        """Return the next event once it is kept; a cancelled wait loses no event.

        Raises:
            StopAsyncIteration: If this reader was closed, or the stream was and all is read.
        """
        if self._waiting is None:
            self._waiting = await anext(self._reader)
        await self._keeper.kept(self._waiting.head.seq)
        event, self._waiting = self._waiting, None
        return event

    def close(self) -> None:
        """Stop reading; the iteration ends, what is unread stays unread."""
        self._reader.close()
