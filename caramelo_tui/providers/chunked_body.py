"""Read the bodies of HTTP/1.1 answers out of what a connection gives, many pieces at a time.

Owns the framing of bodies (RFC 9112, section 6 and 7): chunked, counted, or up to the connection's
end. Pure: it is fed bytes and gives bytes. A body that is no valid one is an error, never a guess.
Proven by tests/unit/providers/test_chunked_body.py.
"""

import re
from typing import Protocol

LONGEST_LINE = 8 * 1024
"""Bytes of a chunk's size line, and of all trailer lines."""

_SIZE = re.compile(rb"([0-9A-Fa-f]{1,15})[ \t]*(?:;[^\r\n]*)?\r\n")


class FramingError(Exception):
    """What came is no body of the announced form."""


class Body(Protocol):
    """A body that is being read."""

    @property
    def is_whole(self) -> bool:
        """Whether its end has come."""
        ...

    def feed(self, data: bytes) -> bytes:
        """Take the next bytes of the connection; return those of the body, maybe none.

        Raises:
            FramingError: If they are no part of such a body.
        """
        ...

    def end(self) -> None:
        """Take the end of the connection.

        Raises:
            FramingError: If the body is not whole.
        """
        ...


class CountedBody:
    """A body of a known number of bytes."""

    def __init__(self, size: int) -> None:
        self._left = size

    @property
    def is_whole(self) -> bool:
        """Whether all bytes came."""
        return self._left == 0

    def feed(self, data: bytes) -> bytes:
        """Return the bytes.

        Raises:
            FramingError: If there are more than were announced.
        """
        if len(data) > self._left:
            raise FramingError("more bytes came than were announced")
        self._left -= len(data)
        return data

    def end(self) -> None:
        """Take the end of the connection.

        Raises:
            FramingError: If it comes before the last byte.
        """
        if not self.is_whole:
            raise FramingError("the connection ended before the answer")


class OpenBody:
    """A body that ends with its connection."""

    def __init__(self) -> None:
        self._has_ended = False

    @property
    def is_whole(self) -> bool:
        """Whether the connection has ended."""
        return self._has_ended

    def feed(self, data: bytes) -> bytes:
        """Return the bytes as they came."""
        return data

    def end(self) -> None:
        """Take the end, which is the body's own."""
        self._has_ended = True


class ChunkedBody:
    """A body in chunks, however they are cut on their way."""

    def __init__(self) -> None:
        self._pending = bytearray()
        # Bytes of the present chunk, with the line end behind it, that are still to come.
        self._left = 0
        self._is_in_trailer = False
        self._has_ended = False

    @property
    def is_whole(self) -> bool:
        """Whether the last chunk and its trailer came."""
        return self._has_ended

    def feed(self, data: bytes) -> bytes:
        """Return the content of all chunks, and beginnings of chunks, that came.

        Raises:
            FramingError: If a chunk is none.
        """
        if self._has_ended:
            raise FramingError("more bytes came than were announced")
        pending = self._pending
        pending += data
        pieces: list[bytes] = []
        at = 0
        while not self._is_in_trailer:
            if self._left:
                taken = pending[at : at + self._left]
                at += len(taken)
                pieces.append(self._content(taken))
                if self._left:
                    break
            found = _SIZE.match(pending, at)
            if found is None:
                self._refuse_no_size(at)
                break
            at = found.end()
            size = int(found.group(1), 16)
            self._left = size + 2 if size else 0
            self._is_in_trailer = not size
        del pending[:at]
        if self._is_in_trailer:
            self._take_trailer()
        return b"".join(pieces)

    def end(self) -> None:
        """Take the end of the connection.

        Raises:
            FramingError: If it comes before the last chunk.
        """
        if not self._has_ended:
            raise FramingError("the connection ended before the answer")

    def _content(self, taken: bytearray) -> bytes:
        """Return a chunk's own bytes of those that came, without the line end behind them.

        Raises:
            FramingError: If something else stands behind them.
        """
        self._left -= len(taken)
        # How much of the two bytes of the line end is among them.
        behind = min(max(2 - self._left, 0), len(taken))
        if not behind:
            return bytes(taken)
        # The place in the line end of the first of them.
        first = 2 - self._left - behind
        if bytes(taken[-behind:]) != b"\r\n"[first : first + behind]:
            raise FramingError("a chunk is longer than it says")
        return bytes(taken[:-behind])

    def _refuse_no_size(self, at: int) -> None:
        """Look at what is no whole line of a chunk's size.

        Raises:
            FramingError: If it cannot become one.
        """
        line_end = self._pending.find(b"\n", at)
        if line_end >= 0 or len(self._pending) - at > LONGEST_LINE:
            raise FramingError("a chunk has no size")

    def _take_trailer(self) -> None:
        """Skip the trailer; what it says is not used.

        Raises:
            FramingError: If it is too long, or something follows it.
        """
        pending = self._pending
        end = 2 if pending.startswith(b"\r\n") else pending.find(b"\r\n\r\n") + 4
        if end > LONGEST_LINE or len(pending) > LONGEST_LINE:
            raise FramingError("the trailer is too long, or more bytes came than were announced")
        # Not found is -1, so 3.
        if end == 3:  # noqa: PLR2004 - see above
            return
        if len(pending) > end:
            raise FramingError("more bytes came than were announced")
        pending.clear()
        self._has_ended = True
