"""Cut a byte stream into server-sent events.

Owns the framing only (WHATWG HTML, "Server-sent events", read 2026-11-30): lines end with
LF, CR or CRLF, nothing else; an event ends with an empty line; comments are skipped. Bytes
may come cut at any place, also inside a character. Knows no vendor. Proven by
tests/unit/providers/test_sse.py and tests/property/test_streams.py.
"""

import re
from dataclasses import dataclass

from caramelo_tui.domain.errors import StreamBroken

MAX_EVENT_BYTES = 16 * 1024 * 1024
"""Largest event taken, in bytes; vendors send less than 1 MB, so more is no event stream."""

_LINE_END = re.compile(rb"\r\n|\n|\r")
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerEvent:
    """One event."""

    data: str
    """All data lines, joined by LF; bytes that are not UTF-8 are replaced."""
    name: str = ""
    """The ``event`` field; empty when there was none."""


class SseDecoder:
    """Collects bytes and gives whole events."""

    def __init__(self, *, limit_bytes: int = MAX_EVENT_BYTES) -> None:
        """Start at the beginning of a stream.

        Args:
            limit_bytes: Size above which one event is refused.
        """
        self._limit_bytes = limit_bytes
        self._pending = bytearray()
        # Where the search for a line end goes on: without it a long line, fed in small
        # pieces, would be searched again from its start each time.
        self._searched = 0
        self._is_first_line = True
        self._name = ""
        self._data: list[str] = []
        self._event_bytes = 0

    def feed(self, data: bytes) -> list[ServerEvent]:
        """Take the next bytes and return the events that became whole, in order.

        Raises:
            StreamBroken: If one event grows beyond the limit.
        """
        self._pending += data
        events = [event for line in self._whole_lines() if (event := self._take(line))]
        if self._event_bytes + len(self._pending) > self._limit_bytes:
            raise StreamBroken("The answer holds an event that is too large to be one.")
        return events

    def flush(self) -> list[ServerEvent]:
        """Return the event that the stream's regular end completes, if any.

        The standard drops it; servers leave out the last empty line often enough.
        """
        last_line = bytes(self._pending)
        self._pending.clear()
        self._searched = 0
        ends_early = self._take(last_line.removesuffix(b"\r")) if last_line else None
        event = ends_early or self._finished_event()
        return [event] if event else []

    def _whole_lines(self) -> list[bytes]:
        lines: list[bytes] = []
        start = 0
        for found in _LINE_END.finditer(self._pending, self._searched):
            # A CR at the very end may be the first half of a CRLF.
            if found.group() == b"\r" and found.end() == len(self._pending):
                break
            lines.append(bytes(self._pending[start : found.start()]))
            start = found.end()
        del self._pending[:start]
        ends_with_cr = self._pending.endswith(b"\r")
        self._searched = len(self._pending) - (1 if ends_with_cr else 0)
        return lines

    def _take(self, line: bytes) -> ServerEvent | None:
        if self._is_first_line:
            self._is_first_line = False
            line = line.removeprefix(_BYTE_ORDER_MARK)
        if not line:
            return self._finished_event()
        self._event_bytes += len(line)
        field, _, value = line.partition(b":")
        text = value.removeprefix(b" ").decode("utf-8", "replace")
        if field == b"data":
            self._data.append(text)
        elif field == b"event":
            self._name = text
        return None

    def _finished_event(self) -> ServerEvent | None:
        data = "\n".join(self._data)
        # Empty data is no event by the standard; some servers send it to keep the line open.
        event = ServerEvent(data=data, name=self._name) if data else None
        self._name = ""
        self._data = []
        self._event_bytes = 0
        return event
