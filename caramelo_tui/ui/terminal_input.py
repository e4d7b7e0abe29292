"""Read the terminal in a thread that wakes only when something is typed.

Owns the reading: what was typed before the app was there comes first, an escape that nothing
follows is a key of its own after a moment, and the thread ends when it is told to. Textual's own
wakes ten times a second to look whether it should end, and ends a tenth of a second late. Uses a
name of Textual that is not documented (``_timeout_time``). Proven by
tests/unit/ui/test_terminal_input.py.
"""

import os
import select
import threading
from codecs import getincrementaldecoder
from collections.abc import Callable

from textual._time import get_time
from textual._xterm_parser import XTermParser
from textual.message import Message

_READ_BYTES = 4096


class TerminalInput:
    """Reads one terminal, for one stretch of time after the other."""

    def __init__(self, source: int) -> None:
        """Read nothing yet.

        Args:
            source: Descriptor of the terminal.
        """
        self._source = source
        self._lock = threading.Lock()
        self._pipe: tuple[int, int] | None = None
        self.waits = 0
        """How often the thread waited for something."""

    def open(self) -> None:
        """Get ready for a thread that calls ``run``."""
        with self._lock:
            self._pipe = self._pipe or os.pipe()

    def run(self, early: bytes, *, debug: bool, take: Callable[[Message], None]) -> None:
        """Hand on what is typed until ``stop`` is called.

        Args:
            early: Typed before; comes first.
            debug: Whether Textual's parser writes a log.
            take: Gets the messages, in order.

        Raises:
            OSError: If the terminal cannot be read.
        """
        if self._pipe is None:
            return
        try:
            self._run(early, self._pipe[0], XTermParser(debug), take)
        finally:
            self._close()

    def stop(self) -> None:
        """Let the thread end; does nothing where there is none."""
        with self._lock:
            if self._pipe is not None:
                os.write(self._pipe[1], b"\0")

    def _run(
        self, early: bytes, wake: int, parser: XTermParser, take: Callable[[Message], None]
    ) -> None:
        # What is no UTF-8 is a sign that nobody can read, and no reason to end.
        decode = getincrementaldecoder("utf-8")("replace").decode
        sources, data = [self._source, wake], early
        while True:
            for message in parser.feed(text) if (text := decode(data)) else ():
                take(message)
            data = b""
            self.waits += 1
            ready, _, _ = select.select(sources, [], [], _time_left(parser))
            if wake in ready:
                return
            if ready:
                data = os.read(self._source, _READ_BYTES)
                # The end of a terminal: who waits on would be woken by it for ever.
                sources = sources if data else [wake]
            for message in parser.tick():
                take(message)

    def _close(self) -> None:
        with self._lock:
            if self._pipe is not None:
                for descriptor in self._pipe:
                    os.close(descriptor)
            self._pipe = None


def _time_left(parser: XTermParser) -> float | None:
    """Return the seconds until what came so far is a key as it is; ``None``: there is nothing."""
    end = parser._timeout_time  # noqa: SLF001  # pyright: ignore[reportPrivateUsage]  # tells when the parser gives up
    return None if end is None else max(0.0, end - get_time())
