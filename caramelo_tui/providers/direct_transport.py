"""Send requests over connections of our own, as the HTTP client's transport.

Owns connections, with and without TLS, straight to an endpoint: opening, keeping for the next
request, closing at once. Above it the HTTP client does all else (headers, compression, hooks); a
proxy is its own business too, and is never reached from here. Beside the client's transport it is
there for two figures: it loads a third as much, and it takes an answer apart by what the socket
gives, not by the chunks that the endpoint happened to cut. Loaded with the client only. Proven by
tests/contract/test_providers.py, tests/contract/test_hostile_endpoints.py and
tests/unit/providers/test_direct_transport.py.
"""

import asyncio
import re
import ssl
from collections.abc import AsyncGenerator, AsyncIterator, Mapping
from dataclasses import dataclass
from typing import cast

import httpx2

from caramelo_tui.providers.chunked_body import (
    Body,
    ChunkedBody,
    CountedBody,
    FramingError,
    OpenBody,
)

MOST_AT_ONCE = 256 * 1024
"""Bytes taken from a socket at a time."""
LONGEST_HEAD = 64 * 1024
"""Bytes of an answer's head."""
KEPT_S = 30.0
"""Seconds that a connection is kept for the next request."""
MOST_KEPT = 4
"""Connections that are kept at a time."""
HAPPY_EYEBALLS_S = 0.25
"""Seconds until a host's next address is tried beside the first (RFC 8305)."""

_STATUS = re.compile(rb"HTTP/1\.([01]) ([1-5][0-9]{2})(?: [^\r\n]*)?")
_HEADER = re.compile(rb"([!#$%&'*+\-.^_`|~0-9A-Za-z]+):[ \t]*([^\r\n\0]*?)[ \t]*")
_SAFE_VALUE = re.compile(rb"[^\r\n\0]*")
_DIGITS = re.compile(rb"[0-9]{1,15}")
_BODILESS = frozenset({204, 304})
_CONTINUING = 200
"""Statuses below it are no answers yet."""

Origin = tuple[str, str, int]
"""Scheme, host and port."""


@dataclass(slots=True)
class _Connection:
    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter
    origin: Origin
    idle_since: float = 0.0

    def drop(self) -> None:
        """Close it at once, whatever is under way."""
        self.writer.transport.abort()

    def is_usable(self, now: float) -> bool:
        """Whether it can carry another request: nothing came since, and it is not too old."""
        return not self.reader.at_eof() and now - self.idle_since < KEPT_S


@dataclass(frozen=True, slots=True, kw_only=True)
class _Head:
    status: int
    headers: tuple[tuple[bytes, bytes], ...]
    body: Body
    can_stay: bool
    rest: bytes
    """What came of the body with the head."""


class DirectTransport(httpx2.AsyncBaseTransport):
    """Connections to endpoints, one request on each at a time."""

    def __init__(self, tls: ssl.SSLContext | None) -> None:
        """Set it up; nothing is opened yet.

        Args:
            tls: How certificates are checked; ``None``: no address is an ``https`` one.
        """
        self._tls = tls
        self._kept: list[_Connection] = []

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        """Send a request and return its answer when the head has come.

        Raises:
            RequestError: The HTTP client's, as its own transport raises them.
        """
        limits = _limits_of(request)
        sent = _bytes_of(request)
        connection = await self._connection(request, limits["connect"])
        try:
            await _write(connection, sent, limits["write"])
            head = await _head(connection, limits["read"])
        except BaseException:
            # Cancelled too: nobody reads what comes on it.
            connection.drop()
            raise
        stream = _AnswerStream(self, connection, head, limits["read"])
        return httpx2.Response(head.status, headers=list(head.headers), stream=stream)

    async def aclose(self) -> None:
        """Close what is kept."""
        kept, self._kept = self._kept, []
        for connection in kept:
            connection.drop()

    def keep(self, connection: _Connection) -> None:
        """Take a connection back whose answer was read to its end."""
        connection.idle_since = asyncio.get_running_loop().time()
        self._kept.append(connection)
        while len(self._kept) > MOST_KEPT:
            self._kept.pop(0).drop()

    async def _connection(self, request: httpx2.Request, limit_s: float | None) -> _Connection:
        url = request.url
        origin = (url.scheme, url.host, url.port or (443 if url.scheme == "https" else 80))
        now = asyncio.get_running_loop().time()
        for kept in [kept for kept in self._kept if not kept.is_usable(now)]:
            self._kept.remove(kept)
            kept.drop()
        for kept in self._kept:
            if kept.origin == origin:
                self._kept.remove(kept)
                return kept
        return await self._open(origin, url.raw_host.decode("ascii"), limit_s)

    async def _open(self, origin: Origin, host: str, limit_s: float | None) -> _Connection:
        scheme, _, port = origin
        if scheme not in {"http", "https"} or (scheme == "https" and self._tls is None):
            msg = f"Addresses of the form {scheme}: are not spoken here."
            raise httpx2.UnsupportedProtocol(msg)
        tls = self._tls if scheme == "https" else None
        try:
            async with asyncio.timeout(limit_s):
                reader, writer = await asyncio.open_connection(
                    host,
                    port,
                    limit=MOST_AT_ONCE,
                    ssl=tls,
                    server_hostname=host if tls else None,
                    happy_eyeballs_delay=HAPPY_EYEBALLS_S,
                )
        except TimeoutError as error:
            raise httpx2.ConnectTimeout("") from error
        except OSError as error:
            raise httpx2.ConnectError(_reason(error)) from error
        return _Connection(reader=reader, writer=writer, origin=origin)


class _AnswerStream(httpx2.AsyncByteStream):
    """The body of one answer, and the connection that it comes on."""

    def __init__(
        self,
        transport: DirectTransport,
        connection: _Connection,
        head: _Head,
        limit_s: float | None,
    ) -> None:
        self._transport = transport
        self._connection: _Connection | None = connection
        self._head = head
        self._limit_s = limit_s

    def __aiter__(self) -> AsyncIterator[bytes]:
        return self._pieces()

    async def _pieces(self) -> AsyncGenerator[bytes, None]:
        body, data = self._head.body, self._head.rest
        connection = self._connection
        while connection is not None:
            try:
                piece = body.feed(data) if data else b""
                if not data and not body.is_whole:
                    data = await _read(connection, self._limit_s)
                    if not data:
                        body.end()
                    continue
            except FramingError as error:
                raise httpx2.RemoteProtocolError(str(error)) from error
            data = b""
            if body.is_whole:
                self._finish()
                connection = None
            if piece:
                yield piece

    def _finish(self) -> None:
        """Give the connection back, or close it where the endpoint does not keep it."""
        connection, self._connection = self._connection, None
        if connection is None:
            return
        if self._head.can_stay and not connection.reader.at_eof():
            self._transport.keep(connection)
        else:
            connection.drop()

    async def aclose(self) -> None:
        """Close the connection, unless the answer was read to its end; idempotent."""
        connection, self._connection = self._connection, None
        if connection is not None:
            connection.drop()


def _limits_of(request: httpx2.Request) -> Mapping[str, float | None]:
    given = cast("Mapping[str, float | None]", request.extensions.get("timeout", {}))
    return {"connect": None, "read": None, "write": None, **given}


def _bytes_of(request: httpx2.Request) -> bytes:
    """Return a request as it is sent.

    Raises:
        LocalProtocolError: If a header would be more than one line.
    """
    lines = [b"%b %b HTTP/1.1" % (request.method.encode("ascii"), request.url.raw_path)]
    for name, value in request.headers.raw:
        if not _HEADER.fullmatch(name + b":") or not _SAFE_VALUE.fullmatch(value):
            raise httpx2.LocalProtocolError("a header holds characters that none has")
        lines.append(b"%b: %b" % (name, value))
    return b"\r\n".join([*lines, b"", b""]) + request.content


async def _write(connection: _Connection, data: bytes, limit_s: float | None) -> None:
    try:
        async with asyncio.timeout(limit_s):
            connection.writer.write(data)
            await connection.writer.drain()
    except TimeoutError as error:
        raise httpx2.WriteTimeout("") from error
    except OSError as error:
        raise httpx2.WriteError(_reason(error)) from error


async def _read(connection: _Connection, limit_s: float | None) -> bytes:
    """Return what has come, or what comes next; nothing at the connection's end.

    Raises:
        ReadTimeout: If nothing comes in time.
        ReadError: If the connection is lost.
    """
    try:
        async with asyncio.timeout(limit_s):
            return await connection.reader.read(MOST_AT_ONCE)
    except TimeoutError as error:
        raise httpx2.ReadTimeout("") from error
    except OSError as error:
        raise httpx2.ReadError(_reason(error)) from error


async def _head(connection: _Connection, limit_s: float | None) -> _Head:
    """Read the head of the answer; what only announces one is skipped.

    Raises:
        RemoteProtocolError: If what comes is no head.
        RequestError: If nothing comes.
    """
    pending = b""
    while True:
        end = pending.find(b"\r\n\r\n")
        if end >= 0:
            status = _status_of(pending[:end])
            if status >= _CONTINUING:
                return _parsed(pending[:end], pending[end + 4 :])
            pending = pending[end + 4 :]
            continue
        if len(pending) > LONGEST_HEAD:
            raise httpx2.RemoteProtocolError("the answer's head is too long")
        data = await _read(connection, limit_s)
        if not data:
            raise httpx2.RemoteProtocolError("the connection ended before the answer")
        pending += data


def _status_of(head: bytes) -> int:
    found = _STATUS.fullmatch(head.split(b"\r\n", 1)[0])
    if found is None:
        raise httpx2.RemoteProtocolError("what answers speaks no HTTP/1.1")
    return int(found.group(2))


def _parsed(head: bytes, rest: bytes) -> _Head:
    first, *lines = head.split(b"\r\n")
    headers: list[tuple[bytes, bytes]] = []
    for line in lines:
        found = _HEADER.fullmatch(line)
        if found is None:
            raise httpx2.RemoteProtocolError("the answer has a header that is none")
        headers.append((found.group(1), found.group(2)))
    status = _status_of(head)
    body = _body_of(status, headers)
    closes = b"close" in _words(headers, b"connection")
    can_stay = first.startswith(b"HTTP/1.1") and not closes and not isinstance(body, OpenBody)
    return _Head(status=status, headers=tuple(headers), body=body, can_stay=can_stay, rest=rest)


def _body_of(status: int, headers: list[tuple[bytes, bytes]]) -> Body:
    if status in _BODILESS:
        return CountedBody(0)
    codings = _words(headers, b"transfer-encoding")
    if codings:
        if codings != [b"chunked"]:
            raise httpx2.RemoteProtocolError("the answer's transfer coding is not known")
        return ChunkedBody()
    lengths = set(_words(headers, b"content-length"))
    if not lengths:
        return OpenBody()
    length = lengths.pop()
    if lengths or not _DIGITS.fullmatch(length):
        raise httpx2.RemoteProtocolError("the answer's length is none")
    return CountedBody(int(length))


def _words(headers: list[tuple[bytes, bytes]], name: bytes) -> list[bytes]:
    """Return the words of all headers of a name, in lower case."""
    values = [value for other, value in headers if other.lower() == name]
    return [word.strip().lower() for value in values for word in value.split(b",") if word.strip()]


def _reason(error: OSError) -> str:
    return error.strerror or str(error) or type(error).__name__
