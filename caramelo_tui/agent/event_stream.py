"""Number the events and hand every one of them to every reader.

Owns the sequence, the time stamps and the kept list of events. It never drops, merges or
reorders, and no reader can hold up the producer. It belongs to one event loop: ``emit`` is
called on the loop's thread only. Proven by tests/unit/agent/test_event_stream.py.
"""

import asyncio
from collections.abc import AsyncIterator, Callable

from caramelo_tui.domain.agent_events import AgentEvent, EventHead, NoticeLevel, NoticeRaised
from caramelo_tui.domain.ids import Clock, RunId, TurnId


class StreamReader:
    """One reader of an event stream; sees every event from the session's first."""

    def __init__(self, events: list[AgentEvent]) -> None:
        self._events = events
        self._next = 0
        self._is_closed = False
        self._has_news = asyncio.Event()
        self._is_ending = False

    def __aiter__(self) -> AsyncIterator[AgentEvent]:
        """Return the reader itself; it is read by one task at a time."""
        return self

    async def __anext__(self) -> AgentEvent:
        """Return the next event, waiting for it; a cancelled wait loses no event.

        Raises:
            StopAsyncIteration: If this reader was closed, or the stream was closed and all
                its events are read.
        """
        while not self._is_closed:
            if self._next < len(self._events):
                self._next += 1
                return self._events[self._next - 1]
            if self._is_ending:
                break
            self._has_news.clear()
            await self._has_news.wait()
        raise StopAsyncIteration

    @property
    def is_done(self) -> bool:
        """Whether ``close`` was called on this reader."""
        return self._is_closed

    @property
    def unread(self) -> int:
        """Events that wait to be read."""
        return 0 if self._is_closed else len(self._events) - self._next

    def close(self) -> None:
        """Stop reading; the iteration ends, what is unread stays unread."""
        self._is_closed = True
        self._has_news.set()

    def wake(self, *, is_ending: bool = False) -> None:
        """Let the reader look again; called by the stream only."""
        self._is_ending = self._is_ending or is_ending
        self._has_news.set()


class EventStream:
    """The session's events, in order, for any number of readers.

    All events are kept, so that a reader that comes late sees what one from the start saw.
    """

    def __init__(self, clock: Clock, *, last_seq: int = 0) -> None:
        """Begin a session, or go on with a stored one.

        Args:
            clock: Stamps the events.
            last_seq: Number of the last event that is stored; the next one is one above.
        """
        self._clock = clock
        self._last_seq = last_seq
        self._events: list[AgentEvent] = []
        self._readers: list[StreamReader] = []
        self._run_id: RunId | None = None
        self._turn_id: TurnId | None = None
        self._is_closed = False

    @property
    def run_id(self) -> RunId | None:
        """The run that events are stamped with; ``None`` between runs."""
        return self._run_id

    @property
    def turn_id(self) -> TurnId | None:
        """The turn that events are stamped with; ``None`` outside a turn."""
        return self._turn_id

    @property
    def events(self) -> tuple[AgentEvent, ...]:
        """All events so far, in order of ``seq``; those that were stored before are not held."""
        return tuple(self._events)

    @property
    def last_seq(self) -> int:
        """Number of the last event, stored ones included; 0 when nothing happened."""
        return self._last_seq + len(self._events)

    def events_since(self, seq: int) -> tuple[AgentEvent, ...]:
        """Return the events with the number ``seq`` and above, in order."""
        return tuple(self._events[max(seq - 1 - self._last_seq, 0) :])

    @property
    def is_closed(self) -> bool:
        """Whether ``close`` was called."""
        return self._is_closed

    def emit(
        self,
        make: Callable[[EventHead], AgentEvent],
        *,
        agent: str = "",
        is_in_run: bool = True,
        turn_id: TurnId | None = None,
    ) -> AgentEvent:
        """Build the next event and show it to all readers.

        Args:
            make: Builds the event from its head, such as
                ``lambda head: TextStreamed(head=head, text=text)``. If it raises, no number
                is used up.
            agent: Title of the sub-agent that it is about; empty for the main agent.
            is_in_run: ``False`` stamps neither run nor turn, for what happens beside a run.
            turn_id: The turn of a sub-agent, in place of the main agent's.

        Returns:
            The event, already visible to the readers.

        Raises:
            RuntimeError: If the stream is closed.
        """
        if self._is_closed:
            raise RuntimeError("the event stream is closed")
        event = make(
            EventHead(
                seq=self._last_seq + len(self._events) + 1,
                at=self._clock.now(),
                run_id=self._run_id if is_in_run else None,
                turn_id=(turn_id or self._turn_id) if is_in_run else None,
                agent=agent,
            )
        )
        self._events.append(event)
        for reader in self._readers:
            reader.wake()
        return event

    def raise_notice(self, level: NoticeLevel, text: str) -> None:
        """Emit a notice; after the end there is nobody left to tell, and nothing happens."""
        if not self._is_closed:
            self.emit(lambda head: NoticeRaised(head=head, level=level, text=text))

    def begin_run(self, run_id: RunId) -> None:
        """Stamp the events from now on with a run."""
        self._run_id = run_id
        self._turn_id = None

    def begin_turn(self, turn_id: TurnId) -> None:
        """Stamp the events from now on with a turn of the run."""
        self._turn_id = turn_id

    def end_turn(self) -> None:
        """Stamp no turn any more."""
        self._turn_id = None

    def end_run(self) -> None:
        """Stamp neither run nor turn any more."""
        self._run_id = None
        self._turn_id = None

    def reader(self) -> StreamReader:
        """Open a reader that starts at the session's first event."""
        reader = StreamReader(self._events)
        self._readers = [kept for kept in self._readers if not kept.is_done]
        self._readers.append(reader)
        if self._is_closed:
            reader.wake(is_ending=True)
        return reader

    def close(self) -> None:
        """End all readers once they have read everything; idempotent."""
        self._is_closed = True
        for reader in self._readers:
            reader.wake(is_ending=True)
