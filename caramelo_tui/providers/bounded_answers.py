"""Take no more of an HTTP answer than it can rightly have.

Owns the bounds: an answer that is no stream of events is small and comes at once; a stream ends
some day. What comes behind a bound is left unread. Imports the HTTP client only when used, as
``transport`` does. Proven by tests/contract/test_hostile_endpoints.py.
"""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Callable
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import httpx2

SMALL_BYTES = 32 * 1024
"""Bytes, as sent, of an error or a count; inflated at most a thousand times as many."""
SMALL_S = 10.0
"""Seconds for all of a small answer once its head has come."""
STREAM_BYTES = 256 * 1024 * 1024
"""Bytes, as sent, of a stream of events: many times what the longest answer of any model takes."""
_SMALL_METHODS = ("/count_tokens",)


async def bound_answer(answer: "httpx2.Response") -> None:
    """Put the bounds on an answer whose head has come; for the HTTP client's ``event_hooks``."""
    is_small = not answer.is_success or answer.request.url.path.endswith(_SMALL_METHODS)
    most_bytes = SMALL_BYTES if is_small else STREAM_BYTES
    answer.stream = _body_class()(
        answer.stream, most_bytes=most_bytes, limit_s=SMALL_S if is_small else None
    )


async def begin_of(
    pieces: AsyncIterator[bytes], *, most_bytes: int, limit_s: float | None
) -> AsyncGenerator[bytes, None]:
    """Yield what comes up to a bound, as if it ended there; then close what it came from.

    Args:
        pieces: What comes.
        most_bytes: Of all of it.
        limit_s: Seconds for all of it; ``None``: no limit.
    """
    now = asyncio.get_running_loop().time()
    deadline = None if limit_s is None else now + limit_s
    try:
        while most_bytes > 0:
            piece = await _next_piece(pieces, deadline)
            if piece is None:
                return
            yield piece[:most_bytes]
            most_bytes -= len(piece)
    except TimeoutError:
        return
    finally:
        if isinstance(pieces, AsyncGenerator):
            await pieces.aclose()


async def _next_piece(pieces: AsyncIterator[bytes], deadline: float | None) -> bytes | None:
    if deadline is None:
        # A stream has a piece for every few words: a timer for each is a tenth of reading it.
        return await anext(pieces, None)
    async with asyncio.timeout_at(deadline):
        return await anext(pieces, None)


@lru_cache(maxsize=1)
def _body_class() -> "Callable[..., httpx2.AsyncByteStream]":
    """Return the class of bounded bodies, made when the client that it derives from is loaded."""
    import httpx2  # noqa: PLC0415 - loaded with the SDK, never before the first request

    class BoundedBody(httpx2.AsyncByteStream):
        def __init__(
            self, body: httpx2.AsyncByteStream, *, most_bytes: int, limit_s: float | None
        ) -> None:
            self._body = body
            self._most_bytes = most_bytes
            self._limit_s = limit_s

        def __aiter__(self) -> AsyncIterator[bytes]:
            pieces = aiter(self._body)
            return begin_of(pieces, most_bytes=self._most_bytes, limit_s=self._limit_s)

        async def aclose(self) -> None:
            # What was not read is dropped with its connection.
            await self._body.aclose()

    return BoundedBody
