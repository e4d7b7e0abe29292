"""Read the agent's events and hand them on at the pace of the screen.

Owns the merging of streamed pieces into frames. Every event arrives in its order; neighbouring
pieces of one kind become one, and nothing else is ever merged, held back or dropped. Knows no
pane. Proven by tests/unit/ui/test_event_pump.py.
"""

import asyncio
from collections.abc import Callable
from dataclasses import replace

from caramelo_tui.agent.port import EventReader
from caramelo_tui.domain.agent_events import (
    AgentEvent,
    TextStreamed,
    ThinkingStreamed,
    ToolCallStreamed,
    ToolOutputStreamed,
)

FRAME_S = 1 / 30
"""Seconds for which streamed pieces gather before they are shown."""


class EventPump:
    """Take events from a reader and give them to ``deliver``, streamed pieces merged."""

    def __init__(
        self,
        reader: EventReader,
        deliver: Callable[[AgentEvent], None],
        *,
        frame_s: float = FRAME_S,
    ) -> None:
        self._reader = reader
        self._deliver = deliver
        self._frame_s = frame_s
        self._pending: AgentEvent | None = None
        self._flush_handle: asyncio.TimerHandle | None = None

    async def run(self) -> None:
        """Read until the stream is closed.

        Cancellation: the reader is closed and what was gathered is handed on first.
        """
        try:
            async for event in self._reader:
                self._take(event)
        finally:
            self._flush()
            self._reader.close()

    def _take(self, event: AgentEvent) -> None:
        """Gather a streamed piece, or hand on everything up to this event."""
        merged = None if self._pending is None else merge(self._pending, event)
        if merged is not None:
            self._pending = merged
            return
        self._flush()
        if is_streamed(event):
            self._pending = event
            self._flush_handle = asyncio.get_running_loop().call_later(self._frame_s, self._flush)
            return
        self._deliver(event)

    def _flush(self) -> None:
        if self._flush_handle is not None:
            self._flush_handle.cancel()
            self._flush_handle = None
        event, self._pending = self._pending, None
        if event is not None:
            self._deliver(event)


def is_streamed(event: AgentEvent) -> bool:
    """Return whether an event is a piece that may be merged with its neighbour."""
    return isinstance(
        event, TextStreamed | ThinkingStreamed | ToolCallStreamed | ToolOutputStreamed
    )


def merge(first: AgentEvent, second: AgentEvent) -> AgentEvent | None:
    """Return two neighbouring pieces as one with the second's head; ``None`` if they differ."""
    if first.head.agent != second.head.agent:
        return None
    match first, second:
        case TextStreamed(), TextStreamed():
            return replace(second, text=first.text + second.text)
        case ThinkingStreamed(), ThinkingStreamed():
            return replace(second, text=first.text + second.text)
        case ToolCallStreamed(), ToolCallStreamed() if first.call_id == second.call_id:
            return replace(second, fragment=first.fragment + second.fragment)
        case ToolOutputStreamed(), ToolOutputStreamed() if (
            first.call_id == second.call_id and first.stream is second.stream
        ):
            return replace(second, text=first.text + second.text)
        case _:
            return None
