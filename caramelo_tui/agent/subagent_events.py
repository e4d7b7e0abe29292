"""Give a sub-agent its own part of the session's event stream.

Owns the stamps of its events: its title, its turns, the parent's run. Proven by
tests/unit/agent/test_subagents.py and tests/property/test_event_invariants.py.
"""

from collections.abc import Callable

from caramelo_tui.agent.event_stream import EventStream
from caramelo_tui.domain.agent_events import AgentEvent, EventHead, NoticeLevel, NoticeRaised
from caramelo_tui.domain.ids import RunId, TurnId


class SubagentEvents:
    """The events of one sub-agent."""

    def __init__(self, events: EventStream, title: str) -> None:
        """Stamp events with a title that no other agent of the session has."""
        self._events = events
        self._title = title
        self._turn_id: TurnId | None = None

    def emit(self, make: Callable[[EventHead], AgentEvent], *, agent: str = "") -> AgentEvent:  # noqa: ARG002 - the title is this agent's, whatever is said
        """Build the next event from its head and show it to all readers."""
        return self._events.emit(make, agent=self._title, turn_id=self._turn_id)

    def events_since(self, seq: int) -> tuple[AgentEvent, ...]:
        """Return the sub-agent's events with the number ``seq`` and above, in order."""
        return tuple(
            event for event in self._events.events_since(seq) if event.head.agent == self._title
        )

    def raise_notice(self, level: NoticeLevel, text: str) -> None:
        """Emit a notice; after the end there is nobody left to tell."""
        if not self._events.is_closed:
            self.emit(lambda head: NoticeRaised(head=head, level=level, text=text))

    def begin_run(self, run_id: RunId) -> None:
        """Stay in the parent's run: what a sub-agent does is part of it."""

    def begin_turn(self, turn_id: TurnId) -> None:
        """Stamp the events from now on with a turn."""
        self._turn_id = turn_id

    def end_turn(self) -> None:
        """Stamp no own turn any more."""
        self._turn_id = None

    def end_run(self) -> None:
        """Stamp no own turn any more; the parent's run goes on."""
        self._turn_id = None
