"""Turn raw bytes into the values that a target is asked with.

Owns the cutting. The same bytes give the same values, so that a kept input stays what it was.
"""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType


class Feed:
    """Bytes that are taken one part after the other; at their end every part is empty."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._at = 0

    def byte(self) -> int:
        """Return the next byte, or 0 at the end."""
        taken = self._data[self._at : self._at + 1]
        self._at += 1
        return taken[0] if taken else 0

    def line(self) -> bytes:
        """Return what comes before the next 0xFF, which is no part of UTF-8, or before the end."""
        end = self._data.find(b"\xff", self._at)
        end = len(self._data) if end < 0 else end
        taken = self._data[self._at : end]
        self._at = end + 1
        return taken

    def rest(self) -> bytes:
        """Return all that is left."""
        taken = self._data[self._at :]
        self._at = len(self._data)
        return taken


def text_of(data: bytes) -> str:
    """Return bytes as a text; what is no UTF-8 becomes lone surrogates, as JSON may hold them."""
    return data.decode("utf-8", "surrogateescape")


class StepCount:
    """How many Python functions were entered."""

    calls = 0


@contextmanager
def counted_steps() -> Iterator[StepCount]:
    """Count the functions that are entered: a measure of work that no busy machine changes."""
    count = StepCount()

    def seen(_frame: FrameType, event: str, _argument: object) -> None:
        if event == "call":
            count.calls += 1

    before = sys.getprofile()
    sys.setprofile(seen)
    try:
        yield count
    finally:
        sys.setprofile(before)
