"""Emit the pieces of an answer at the pace of the event loop.

Owns that pieces that arrive together become one event: a model's server sends a few words at a
time, and a fast one thousands of such pieces a second; each event is stored, numbered and shown.
No clock is involved: what came before the loop had its next turn is one event, so nothing is held
up. Knows neither providers nor messages. Proven by tests/unit/agent/test_streamed_pieces.py.
"""

import asyncio
from collections.abc import Callable

from caramelo_tui.agent.approval_broker import EventSink
from caramelo_tui.domain.agent_events import (
    AgentEvent,
    EventHead,
    TextStreamed,
    ThinkingStreamed,
    ToolCallStreamed,
)
from caramelo_tui.domain.ids import CallId

MOST_CHARACTERS = 16_384
"""Text of one event: readers take a flood in slices."""


class StreamedPieces:
    """The pieces of one answer that were not emitted yet."""

    def __init__(self, events: EventSink) -> None:
        self._events = events
        self._kind: type[TextStreamed | ThinkingStreamed] | tuple[CallId, str] = TextStreamed
        self._pieces: list[str] = []
        self._characters = 0
        self._handle: asyncio.Handle | None = None

    def add_text(self, text: str) -> None:
        """Take answer text; it is emitted at the next turn of the loop."""
        self._add(TextStreamed, text)

    def add_thinking(self, text: str) -> None:
        """Take thinking."""
        self._add(ThinkingStreamed, text)

    def add_arguments(self, call_id: CallId, tool: str, fragment: str) -> None:
        """Take more of a call's arguments."""
        self._add((call_id, tool), fragment)

    def begin_call(self, call_id: CallId, tool: str) -> None:
        """Say at once that a call comes, behind everything before it."""
        self.flush()
        self._events.emit(_call_maker(call_id, tool, ""))

    def flush(self) -> None:
        """Emit what waits, if anything; to be called at the end of an answer too."""
        if self._handle is not None:
            self._handle.cancel()
            self._handle = None
        if not self._pieces:
            return
        text = "".join(self._pieces)
        self._pieces.clear()
        self._characters = 0
        self._events.emit(self._maker(text))

    def _add(
        self, kind: type[TextStreamed | ThinkingStreamed] | tuple[CallId, str], text: str
    ) -> None:
        if kind != self._kind:
            self.flush()
            self._kind = kind
        self._pieces.append(text)
        self._characters += len(text)
        if self._characters >= MOST_CHARACTERS:
            self.flush()
        elif self._handle is None:
            self._handle = asyncio.get_running_loop().call_soon(self.flush)

    def _maker(self, text: str) -> Callable[[EventHead], AgentEvent]:
        kind = self._kind
        if isinstance(kind, tuple):
            return _call_maker(*kind, text)
        return lambda head: kind(head=head, text=text)


def _call_maker(call_id: CallId, tool: str, fragment: str) -> Callable[[EventHead], AgentEvent]:
    return lambda head: ToolCallStreamed(head=head, call_id=call_id, tool=tool, fragment=fragment)
