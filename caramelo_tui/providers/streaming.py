"""Read one HTTP answer as provider events.

Owns what both vendors share: bytes to events to our values, the end of the stream, lost
connections, and closing the HTTP answer whatever happens. Sends no requests. Proven by
tests/contract/test_providers.py and tests/property/test_streams.py.
"""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Iterator
from contextlib import aclosing
from typing import Protocol

from caramelo_tui.domain.errors import BadRequest, ProviderError, StreamBroken
from caramelo_tui.domain.provider_events import ProviderEvent
from caramelo_tui.providers.sse import ServerEvent, SseDecoder

DRAIN_S = 0.25
"""Seconds that the rest of an ended answer may take; read to its end, the connection can be
used for the next request."""


MOST_BYTES = 256 * 1024 * 1024
"""Bytes of an answer, inflated: several times what the longest one of any model takes."""


class EventReader(Protocol):
    """Reads a vendor's events; see ``anthropic_stream`` and ``openai_stream``."""

    @property
    def is_stopped(self) -> bool:
        """Whether the message has ended."""
        ...

    def feed(self, event: ServerEvent) -> Iterator[ProviderEvent]:
        """Yield what one event says; raises ``ProviderError``."""
        ...

    def finish(self) -> Iterator[ProviderEvent]:
        """Take the regular end of the stream; raises ``ProviderError``."""
        ...


class HttpAnswer(Protocol):
    """The part of an HTTP client's response that is used."""

    def aiter_bytes(self) -> AsyncIterator[bytes]:
        """Yield the body's bytes, decompressed, as they come."""
        ...

    async def aclose(self) -> None:
        """Close the answer and, unless it was read to its end, its connection."""
        ...


class TransportFaults(Protocol):
    """What the HTTP client may raise while an answer is read, and what it means."""

    @property
    def types(self) -> tuple[type[Exception], ...]:
        """The exceptions that stand for a lost or stalled connection."""
        ...

    def error_for(self, fault: Exception) -> ProviderError:
        """Return our error for one of them."""
        ...


async def read_answer(
    answer: HttpAnswer,
    reader: EventReader,
    faults: TransportFaults,
    *,
    most_bytes: int = MOST_BYTES,
) -> AsyncGenerator[ProviderEvent, None]:
    """Yield the events of an answer, then close it.

    Cancelling the consumer or closing the generator closes the connection at once.

    Args:
        answer: Its head has come.
        reader: Knows the vendor's events.
        faults: What may be raised meanwhile.
        most_bytes: Where an answer is one without end.

    Raises:
        BadRequest: If it is longer than that; another try would be too.
        ProviderError: If the connection is lost or stalls, if the stream carries an error or
            ends too early. What came before was yielded.
    """
    chunks = answer.aiter_bytes()
    try:
        async with aclosing(_events(chunks, reader, faults, most_bytes)) as events:
            async for event in events:
                yield event
        await _drain(chunks, faults)
    finally:
        await answer.aclose()
        if isinstance(chunks, AsyncGenerator):
            await chunks.aclose()


async def _events(
    chunks: AsyncIterator[bytes], reader: EventReader, faults: TransportFaults, left: int
) -> AsyncGenerator[ProviderEvent, None]:
    decoder = SseDecoder()
    has_events = False
    while (chunk := await _next(chunks, faults)) is not None:
        left -= len(chunk)
        if left < 0:
            raise BadRequest("The answer is longer than that of any model; it was broken off.")
        for server_event in decoder.feed(chunk):
            has_events = True
            for event in reader.feed(server_event):
                yield event
            # What follows the end of the message is not read as part of it.
            if reader.is_stopped:
                return
    for server_event in decoder.flush():
        has_events = True
        for event in reader.feed(server_event):
            yield event
    if not has_events:
        raise StreamBroken("The provider's answer was empty, or no event stream.")
    for event in reader.finish():
        yield event


async def _next(chunks: AsyncIterator[bytes], faults: TransportFaults) -> bytes | None:
    """Return the next bytes, ``None`` at the regular end."""
    try:
        return await anext(chunks, None)
    except faults.types as fault:
        raise faults.error_for(fault) from fault


async def _drain(chunks: AsyncIterator[bytes], faults: TransportFaults) -> None:
    try:
        async with asyncio.timeout(DRAIN_S):
            while await _next(chunks, faults) is not None:
                pass
    except (TimeoutError, ProviderError):
        # The message is whole; only the connection cannot be used again.
        return
