"""Tell the model of changes that the user took back.

Owns which undos the model has not been told of. They are read from the events, so that a session
that is taken up again tells what its last sitting left untold. Proven by
tests/unit/agent/test_undo_news.py.
"""

from collections.abc import Sequence

from caramelo_tui.agent.event_stream import EventStream
from caramelo_tui.agent.undo_texts import note_for_model
from caramelo_tui.domain.agent_events import AgentEvent, ChangesUndone, RunStarted


class UndoNews:
    """Undos since the last request."""

    def __init__(self, events: EventStream, earlier: Sequence[AgentEvent] = ()) -> None:
        """Follow a session.

        Args:
            events: What happens in it.
            earlier: What happened in it before this sitting; its runs have told all that came
                before the last of them.
        """
        self._events = events
        self._seen = 0
        """Number of the last undo or begin of a run that was looked at."""
        self._notes: list[str] = []
        for event in earlier:
            if isinstance(event, RunStarted):
                self._notes.clear()
            self._take(event)

    def take(self) -> tuple[str, ...]:
        """Return a note for each undo and redo since the last call, oldest first."""
        for event in self._events.landmarks:
            if event.head.seq > self._seen:
                self._seen = event.head.seq
                self._take(event)
        notes, self._notes = self._notes, []
        return tuple(notes)

    def _take(self, event: AgentEvent) -> None:
        if isinstance(event, ChangesUndone) and event.changes.files:
            paths = [file.path for file in event.changes.files]
            self._notes.append(note_for_model(paths, is_redo=event.is_redo))
