"""Unpack a body piece by piece, never beyond a limit.

Owns the limit that is counted on the unpacked stream: a few bytes that grow without end cost
the limit and no more, in memory and in time. Proven by tests/unit/tools/web/test_inflating.py
and tests/property/test_web_inflating.py.
"""

import zlib
from typing import Protocol

from caramelo_tui.domain.errors import ToolFailure

_STEP_BYTES = 65_536
_GZIP = zlib.MAX_WBITS | 16
_ZLIB = zlib.MAX_WBITS
_RAW = -zlib.MAX_WBITS
_ZLIB_METHOD_MASK, _ZLIB_DEFLATE, _ZLIB_CHECK = 0x0F, 8, 31
_CODINGS = {"gzip": _GZIP, "x-gzip": _GZIP, "deflate": _ZLIB}
_HEAD_BYTES = 2
"""What is needed to tell zlib's wrapper from bare deflate."""


class _Inflater(Protocol):
    """What is used of ``zlib.decompressobj``."""

    @property
    def eof(self) -> bool: ...

    @property
    def unconsumed_tail(self) -> bytes: ...

    @property
    def unused_data(self) -> bytes: ...

    def decompress(self, data: bytes, max_length: int, /) -> bytes: ...


class CodingRefused(ToolFailure):
    """A body is packed in a way that is not unpacked here, or is damaged."""


class BoundedBody:
    """Collects a body up to a limit."""

    def __init__(self, content_encoding: str, *, limit_bytes: int) -> None:
        """Get ready for a body.

        Args:
            content_encoding: The header's text; empty for a plain body.
            limit_bytes: Limit of the unpacked body, and of what comes over the network.

        Raises:
            CodingRefused: If the coding is not known, or there are several.
        """
        codings = [part.strip().lower() for part in content_encoding.split(",")]
        codings = [coding for coding in codings if coding not in {"", "identity"}]
        if len(codings) > 1 or any(coding not in _CODINGS for coding in codings):
            msg = (
                f"the body is packed as {content_encoding[:60]!r}, which is not unpacked here; "
                "only gzip and deflate are asked for."
            )
            raise CodingRefused(msg)
        self._coding = codings[0] if codings else ""
        self._limit = limit_bytes
        self._head = b""
        self._inflater: _Inflater | None = None
        self._kept = bytearray()
        self._received = 0
        self.is_cut = False

    @property
    def data(self) -> bytes:
        """What was unpacked so far; never longer than the limit."""
        return bytes(self._kept)

    @property
    def is_broken_off(self) -> bool:
        """Whether a packed body ended before its end mark."""
        is_started = self._received > 0 and bool(self._coding) and not self.is_cut
        return is_started and (self._inflater is None or not self._inflater.eof)

    def add(self, piece: bytes) -> None:
        """Take a piece as it came from the network; ``is_cut`` says that the limit was met.

        Raises:
            CodingRefused: If the packing is damaged.
        """
        self._received += len(piece)
        if not self._coding:
            self._keep(piece)
            return
        try:
            self._inflate(piece)
        except zlib.error as error:
            msg = f"the body is damaged: it is not the {self._coding} that it says it is."
            raise CodingRefused(msg) from error
        # What unpacks to nothing can go on for ever too.
        self.is_cut = self.is_cut or self._received > self._limit

    def _keep(self, data: bytes) -> None:
        room = self._limit - len(self._kept)
        self._kept += data[:room]
        self.is_cut = self.is_cut or len(data) > room

    def _inflate(self, piece: bytes) -> None:
        if self._inflater is None:
            self._head += piece
            if len(self._head) < _HEAD_BYTES:
                return
            piece, self._head = self._head, b""
            self._inflater = zlib.decompressobj(_window_bits(self._coding, piece))
        has_more = True
        while has_more and not self.is_cut:
            if self._inflater.eof:
                # A gzip file may hold several members; what follows deflate is no body.
                if self._coding == "deflate" or not piece.startswith(b"\x1f"):
                    return
                self._inflater = zlib.decompressobj(_GZIP)
            unpacked = self._inflater.decompress(piece, _STEP_BYTES)
            self._keep(unpacked)
            piece = self._inflater.unconsumed_tail or self._inflater.unused_data
            # A full step may leave something inside although all input was taken.
            has_more = bool(piece) or (len(unpacked) == _STEP_BYTES and not self._inflater.eof)


def _window_bits(coding: str, head: bytes) -> int:
    """Return how to start; servers send both kinds as ``deflate`` (RFC 9110, 8.4.1.2)."""
    bits = _CODINGS[coding]
    is_wrapped = (
        head[0] & _ZLIB_METHOD_MASK == _ZLIB_DEFLATE
        and int.from_bytes(head[:_HEAD_BYTES], "big") % _ZLIB_CHECK == 0
    )
    return bits if bits == _GZIP or is_wrapped else _RAW
