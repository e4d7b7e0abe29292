"""Get one whole answer: send, stream, and send again what failed before any content.

Owns the retries of a request and the progress events of its stream. A request that gave
content is never sent again by itself. Proven by tests/unit/agent/test_reply_stream.py.
"""

import asyncio
from collections.abc import Callable
from contextlib import aclosing
from typing import Protocol

from caramelo_tui.agent.approval_broker import EventSink
from caramelo_tui.agent.stream_assembler import CallIds, StreamAssembler
from caramelo_tui.agent.streamed_pieces import StreamedPieces
from caramelo_tui.domain.agent_events import RetryScheduled
from caramelo_tui.domain.errors import ProviderError, StreamBroken
from caramelo_tui.domain.messages import AssistantMessage
from caramelo_tui.domain.provider_events import (
    ProviderEvent,
    TextDelta,
    ThinkingDelta,
    ToolArgumentsDelta,
    ToolCallBegan,
)
from caramelo_tui.providers.base import Provider, ProviderRequest
from caramelo_tui.providers.retries import wait_before_retry

EVENTS_IN_A_ROW = 64
"""Provider events that are taken before keys and the screen have their turn; about 4 ms. What one
read of the network brings can be ten times that."""


class Waiting(Protocol):
    """How a retry waits and spreads; see ``retry_wait``."""

    async def sleep(self, seconds: float) -> None:
        """Wait; cancellable."""
        ...

    def jitter(self) -> float:
        """Return a random number from 0 to below 1."""
        ...


class ReplyStream:
    """The answers of one provider."""

    def __init__(
        self,
        *,
        provider: Provider,
        events: EventSink,
        call_ids: CallIds,
        waiting: Waiting,
    ) -> None:
        """Wire the stream; nothing is loaded or sent."""
        self._provider = provider
        self._events = events
        self._call_ids = call_ids
        self._waiting = waiting

    async def receive(
        self, request: ProviderRequest, *, on_broken: Callable[[AssistantMessage], None]
    ) -> AssistantMessage:
        """Return the whole answer to a request.

        Emits ``TextStreamed``, ``ThinkingStreamed`` and ``ToolCallStreamed`` while it comes,
        ``RetryScheduled`` before each wait.

        Args:
            request: What to send.
            on_broken: Given what came, when the stream broke or was cancelled after content;
                called before the error goes on.

        Raises:
            ProviderError: If all tries failed, or the stream broke after content.
            asyncio.CancelledError: When interrupted; the HTTP stream is closed.
        """
        await self._provider.warm()
        attempt = 1
        while True:
            assembler = StreamAssembler(self._call_ids)
            try:
                return await self._try(request, assembler)
            except ProviderError as error:
                wait_s = wait_before_retry(error, attempt, self._waiting.jitter())
                if assembler.has_content or wait_s is None:
                    raise
                self._announce_retry(attempt, wait_s, str(error))
            finally:
                if assembler.has_content and not assembler.is_stopped:
                    on_broken(assembler.message())
            await self._waiting.sleep(wait_s)
            attempt += 1

    async def _try(self, request: ProviderRequest, assembler: StreamAssembler) -> AssistantMessage:
        pieces = StreamedPieces(self._events)
        taken = 0
        try:
            async with aclosing(self._provider.stream(request)) as stream:
                async for event in stream:
                    assembler.add(event)
                    _show(event, assembler, pieces)
                    taken += 1
                    if not taken % EVENTS_IN_A_ROW:
                        await asyncio.sleep(0)
        finally:
            pieces.flush()
        if not assembler.is_stopped:
            raise StreamBroken("The connection ended before the answer was complete.")
        return assembler.message()

    def _announce_retry(self, attempt: int, wait_s: float, reason: str) -> None:
        self._events.emit(
            lambda head: RetryScheduled(head=head, attempt=attempt, wait_s=wait_s, reason=reason)
        )


def _show(event: ProviderEvent, assembler: StreamAssembler, pieces: StreamedPieces) -> None:
    """Hand on the progress that an event means, if any."""
    match event:
        case TextDelta(text=text) if text:
            pieces.add_text(text)
        case ThinkingDelta(text=text) if text:
            pieces.add_thinking(text)
        case ToolCallBegan(slot=slot):
            pieces.begin_call(*assembler.call_at(slot))
        case ToolArgumentsDelta(slot=slot, fragment=fragment):
            pieces.add_arguments(*assembler.call_at(slot), fragment)
        case _:
            # Ends of blocks, counts and the stop show in the whole message.
            return
