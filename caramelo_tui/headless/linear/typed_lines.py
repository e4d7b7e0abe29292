"""Take typed lines, and tell a paste from typing.

Owns the reading of the terminal and the guard of questions: a line counts as an answer only if
it came alone, and not before or within half a second of the question. Proven by
tests/unit/headless/test_linear_typed_lines.py.
"""

import asyncio
import os
import select
import termios
from collections.abc import Generator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from typing import Protocol

from caramelo_tui.domain.ids import Clock
from caramelo_tui.headless.line_channel import LINE_LIMIT_BYTES

QUIET_S = 0.5
"""Seconds for which a question takes no answer after it was written."""
_PIECE_BYTES = 64 * 1024
_LOCAL_FLAGS = 3
"""Place of the local modes in a terminal's settings. Source: the module ``termios``."""
BURST_S = 0.05
"""Lines that follow each other faster than this were pasted, not typed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Typed:
    """Lines that came together; one, unless they were pasted."""

    lines: tuple[str, ...]
    at: float
    """When the first of them came, by the monotonic clock."""


class Lines(Protocol):
    """Where typed lines come from."""

    async def next(self) -> Typed | None:
        """Return the next lines; ``None`` at the end of input."""
        ...

    def drop_unfinished(self) -> None:
        """Forget what was typed and not sent by Enter yet."""
        ...

    def hidden(self) -> AbstractContextManager[None]:
        """Have the terminal not show what is typed within the block."""
        ...

    def lent(self) -> AbstractContextManager[None]:
        """Read nothing within the block: another program has the keys."""
        ...


class LineGuard:
    """Tell whether a line may answer the question that stands open."""

    def __init__(self) -> None:
        self._shown_at: float | None = None

    def mark_asked(self) -> None:
        """Note that a question is about to be written; nothing answers it yet."""
        self._shown_at = None

    def mark_shown(self, now: float) -> None:
        """Note that the question was written to its end."""
        self._shown_at = now

    def problem(self, typed: Typed, *, is_text: bool = False) -> str:
        """Return why these lines are not taken; empty when they are.

        Args:
            typed: What came.
            is_text: Whether they would be text, which may be pasted, and no answer.
        """
        if self._shown_at is None or typed.at < self._shown_at:
            return "That was typed before the question stood here in full. It is discarded."
        if typed.at < self._shown_at + QUIET_S:
            return "That came within half a second of the question. It is discarded; answer again."
        if len(typed.lines) > 1 and not is_text:
            return (
                f"{len(typed.lines)} lines came at once, as from a paste. They are discarded; "
                "type the answer."
            )
        return ""


class TypedLines:
    """The lines that come from a terminal."""

    def __init__(self, source: int, *, clock: Clock) -> None:
        """Read a descriptor.

        Args:
            source: Standard input; a terminal or a pipe.
            clock: Says when a line came.
        """
        self._source = source
        self._clock = clock
        self._lines: asyncio.Queue[tuple[str, float] | None] = asyncio.Queue()
        self._rest = bytearray()
        self._is_at_end = False

    def start(self) -> None:
        """Begin to read, in the running event loop."""
        if not self._is_at_end:
            asyncio.get_running_loop().add_reader(self._source, self._read)

    async def next(self) -> Typed | None:
        """Return the next lines; ``None`` at the end of input, now and from then on."""
        first = await self._lines.get()
        if first is None:
            self._lines.put_nowait(None)
            return None
        lines = [first[0]]
        while True:
            try:
                more = await asyncio.wait_for(self._lines.get(), BURST_S)
            except TimeoutError:
                break
            if more is None:
                self._lines.put_nowait(None)
                break
            lines.append(more[0])
        return Typed(lines=tuple(lines), at=first[1])

    def drop_unfinished(self) -> None:
        """Forget what was typed at a terminal and not sent by Enter yet."""
        if os.isatty(self._source):
            termios.tcflush(self._source, termios.TCIFLUSH)

    @contextmanager
    def hidden(self) -> Generator[None]:
        """Have the terminal not show what is typed within the block."""
        with self._settings_kept():
            if os.isatty(self._source):
                settings = termios.tcgetattr(self._source)
                settings[_LOCAL_FLAGS] &= ~termios.ECHO
                termios.tcsetattr(self._source, termios.TCSADRAIN, settings)
            yield

    @contextmanager
    def lent(self) -> Generator[None]:
        """Read nothing within the block; the terminal is behind it as it was before."""
        self.stop()
        try:
            with self._settings_kept():
                yield
            self.drop_unfinished()
        finally:
            self.start()

    def stop(self) -> None:
        """Read no more, until ``start``."""
        asyncio.get_running_loop().remove_reader(self._source)

    @contextmanager
    def _settings_kept(self) -> Generator[None]:
        """Put back how the terminal takes keys, whatever was made of it within the block."""
        if not os.isatty(self._source):
            yield
            return
        settings = termios.tcgetattr(self._source)
        try:
            yield
        finally:
            termios.tcsetattr(self._source, termios.TCSADRAIN, settings)

    def _read(self) -> None:
        # What was there to read may have been dropped since: reading would wait for the next line.
        if not select.select([self._source], [], [], 0)[0]:
            return
        try:
            piece = os.read(self._source, _PIECE_BYTES)
        except OSError:
            # A terminal that was taken away reads as an error; for us that is the end of input.
            piece = b""
        *whole, rest = piece.split(b"\n")
        for part in whole:
            self._extend(part)
            self._take_line()
        self._extend(rest)
        if piece:
            return
        if self._rest:
            self._take_line()
        self._is_at_end = True
        self.stop()
        self._lines.put_nowait(None)

    def _extend(self, part: bytes) -> None:
        self._rest += part[: max(LINE_LIMIT_BYTES - len(self._rest), 0)]

    def _take_line(self) -> None:
        text = bytes(self._rest).removesuffix(b"\r").decode("utf-8", "replace")
        self._rest.clear()
        self._lines.put_nowait((text, self._clock.monotonic()))
