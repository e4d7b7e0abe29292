"""Tell the model of changes that the user took back.

Owns which undos the model has not been told of. They are read from the events, so that a session
that is taken up again tells what its last sitting left untold. Proven by
tests/unit/agent/test_undo_news.py.
"""

from caramelo_tui.agent.event_stream import EventStream
from caramelo_tui.agent.undo_texts import note_for_model
from caramelo_tui.domain.agent_events import ChangesUndone, RunStarted


class UndoNews:
    """Undos since the last request."""

    def __init__(self, events: EventStream) -> None:
        self._events = events
        self._seen = 0
        """Number of the last event that was looked at."""

    def take(self) -> tuple[str, ...]:
        """Return a note for each undo and redo since the last call, oldest first."""
        events = self._events.events_since(self._seen + 1)
        is_first, self._seen = self._seen == 0, self._seen + len(events)
        notes: list[str] = []
        for event in events:
            if isinstance(event, ChangesUndone) and event.changes.files:
                paths = [file.path for file in event.changes.files]
                notes.append(note_for_model(paths, is_redo=event.is_redo))
            elif is_first and isinstance(event, RunStarted) and not self._is_now(event):
                # An earlier run of a session that was taken up again has told it.
                notes.clear()
        return tuple(notes)

    def _is_now(self, event: RunStarted) -> bool:
        return event.head.run_id == self._events.run_id
