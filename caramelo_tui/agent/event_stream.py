"""Number the events and hand every one of them to every reader.

Owns the sequence, the time stamps and the events that are still held. A reader misses nothing:
events are neither merged nor reordered, and let go only once all readers have them; no reader can
hold up the producer. It belongs to one event loop: ``emit`` is called on the loop's thread only.
Proven by tests/unit/agent/test_event_stream.py.
"""

import asyncio
from collections.abc import AsyncIterator, Callable
from dataclasses import replace

from caramelo_tui.domain.agent_events import (
    AgentEvent,
    ChangesUndone,
    EventHead,
    NoticeLevel,
    NoticeRaised,
    RunStarted,
)
from caramelo_tui.domain.ids import Clock, RunId, TurnId

HELD_EVENTS = 512
"""Events that are held though all have read them: some twenty turns. The session file has all."""


class HeldEvents:
    """The newest events; the oldest are let go."""

    def __init__(self) -> None:
        self._events: list[AgentEvent] = []
        self.first = 0
        """How many events were let go; the place of the oldest that is held."""

    def __len__(self) -> int:
        """Count all events, those that were let go included."""
        return self.first + len(self._events)

    def __getitem__(self, place: int) -> AgentEvent:
        """Return the event at a place, counted from 0 and from ``first`` on."""
        return self._events[place - self.first]

    def since(self, place: int) -> tuple[AgentEvent, ...]:
        """Return the events from a place on, as far as they are held."""
        return tuple(self._events[max(place - self.first, 0) :])

    def append(self, event: AgentEvent) -> None:
        """Hold one more."""
        self._events.append(event)

    def let_go(self, before: int) -> None:
        """Let go what lies before a place, but for the newest ``HELD_EVENTS``."""
        until = min(before, len(self) - HELD_EVENTS)
        if until > self.first:
            del self._events[: until - self.first]
            self.first = until

    @property
    def is_long(self) -> bool:
        """Whether it is worth the while to let some go."""
        return len(self._events) > 2 * HELD_EVENTS


class StreamReader:
    """One reader of an event stream; sees every event from the oldest that is held."""

    def __init__(self, events: HeldEvents) -> None:
        self._events = events
        self._next = events.first
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
    def place(self) -> int:
        """Events before the one that it reads next."""
        return self._next

    @property
    def unread(self) -> int:
        """Events that wait to be read."""
        return 0 if self._is_closed else len(self._events) - self._next

    def take(self) -> tuple[AgentEvent, ...]:
        """Return what is unread, without waiting; it counts as read then."""
        unread = () if self._is_closed else self._events.since(self._next)
        self._next += len(unread)
        return unread

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

    What nobody has read yet is held, and with it the turn under way. A reader that is opened before
    the first turn sees all; one that comes later begins with the oldest event that is held.
    """

    def __init__(self, clock: Clock, *, last_seq: int = 0) -> None:
        """Begin a session, or go on with a stored one.

        Args:
            clock: Stamps the events.
            last_seq: Number of the last event that is stored; the next one is one above.
        """
        self._clock = clock
        self._last_seq = last_seq
        self._events = HeldEvents()
        self._landmarks: list[RunStarted | ChangesUndone] = []
        self._readers: list[StreamReader] = []
        self._run_id: RunId | None = None
        self._turn_id: TurnId | None = None
        self._turn_place = 0
        """Where the turn under way, or the last one, began."""
        self._has_readers = False
        """Whether anybody ever read: what is said before waits for the first reader."""
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
        """The newest events, in order of ``seq``; those of the turn under way at least."""
        return self._events.since(0)

    @property
    def landmarks(self) -> tuple[RunStarted | ChangesUndone, ...]:
        """All begins of runs, without their images, and all undos; they are always held."""
        return tuple(self._landmarks)

    @property
    def last_seq(self) -> int:
        """Number of the last event, stored ones included; 0 when nothing happened."""
        return self._last_seq + len(self._events)

    def events_since(self, seq: int) -> tuple[AgentEvent, ...]:
        """Return the events with the number ``seq`` and above, in order, as far as they are held.

        Those since the begin of the turn under way, or of the last one, always are.
        """
        return self._events.since(max(seq - 1 - self._last_seq, 0))

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
        if isinstance(event, RunStarted):
            self._landmarks.append(replace(event, images=()))
        elif isinstance(event, ChangesUndone):
            self._landmarks.append(event)
        if self._has_readers and self._events.is_long:
            self._let_go()
        for reader in self._readers:
            reader.wake()
        return event

    def _let_go(self) -> None:
        """Let go what all readers have, up to the begin of the turn."""
        self._readers = [kept for kept in self._readers if not kept.is_done]
        self._events.let_go(min([self._turn_place, *(reader.place for reader in self._readers)]))

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
        self._turn_place = len(self._events)

    def end_turn(self) -> None:
        """Stamp no turn any more."""
        self._turn_id = None

    def end_run(self) -> None:
        """Stamp neither run nor turn any more."""
        self._run_id = None
        self._turn_id = None

    def reader(self) -> StreamReader:
        """Open a reader that starts at the oldest event that is held; close it after use."""
        self._has_readers = True
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
