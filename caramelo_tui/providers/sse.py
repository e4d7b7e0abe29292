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
        self._has_begun = False
        # Where no line ends with a return, whole events are cut out at once, which takes half the
        # time; the first return changes over for good.
        self._has_returns = False
        self._name = ""
        self._data: list[str] = []
        self._event_bytes = 0

    def feed(self, data: bytes) -> list[ServerEvent]:
        """Take the next bytes and return the events that became whole, in order.

        Raises:
            StreamBroken: If one event grows beyond the limit.
        """
        self._pending += data
        if not self._begins():
            return []
        if not self._has_returns and b"\r" in data:
            self._has_returns = True
            self._searched = 0
        events = self._by_lines() if self._has_returns else self._by_events()
        if self._event_bytes + len(self._pending) > self._limit_bytes:
            raise StreamBroken("The answer holds an event that is too large to be one.")
        return events

    def flush(self) -> list[ServerEvent]:
        """Return the event that the stream's regular end completes, if any.

        The standard drops it; servers leave out the last empty line often enough.
        """
        self._has_begun = True
        self._searched = 0
        before = self._by_lines()
        last_line = bytes(self._pending)
        self._pending.clear()
        ends_early = self._take(last_line.removesuffix(b"\r")) if last_line else None
        event = ends_early or self._finished_event()
        return [*before, event] if event else before

    def _begins(self) -> bool:
        """Take off a byte order mark; ``False`` while it may still be becoming one."""
        if self._has_begun:
            return True
        if len(self._pending) < len(_BYTE_ORDER_MARK) and _BYTE_ORDER_MARK.startswith(
            self._pending
        ):
            return False
        if self._pending.startswith(_BYTE_ORDER_MARK):
            del self._pending[: len(_BYTE_ORDER_MARK)]
        self._has_begun = True
        return True

    def _by_events(self) -> list[ServerEvent]:
        """Cut out the events that are whole, in lines that end with LF."""
        # An end may lie half in what was searched before.
        end = self._pending.rfind(b"\n\n", max(self._searched - 1, 0))
        if end < 0:
            self._searched = len(self._pending)
            return []
        whole = bytes(self._pending[:end])
        del self._pending[: end + 2]
        self._searched = len(self._pending)
        return [event for block in whole.split(b"\n\n") if (event := _event_of(block))]

    def _by_lines(self) -> list[ServerEvent]:
        return [event for line in self._whole_lines() if (event := self._take(line))]

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


def _event_of(block: bytes) -> ServerEvent | None:
    """Return the event of some whole lines."""
    name = ""
    data: list[str] = []
    for line in block.decode("utf-8", "replace").split("\n"):
        field, _, value = line.partition(":")
        if field == "data":
            data.append(value.removeprefix(" "))
        elif field == "event":
            name = value.removeprefix(" ")
    text = "\n".join(data)
    return ServerEvent(data=text, name=name) if text else None
