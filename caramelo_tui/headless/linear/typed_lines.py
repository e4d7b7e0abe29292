"""Take typed lines, and tell a paste from typing.

Owns the reading of the terminal and the guard of questions: a line counts as an answer only if
it came alone, and not before or within half a second of the question. Proven by
tests/unit/headless/test_linear_typed_lines.py.
"""

import asyncio
import os
import termios
from dataclasses import dataclass
from typing import Protocol

from caramelo_tui.domain.ids import Clock
from caramelo_tui.headless.line_channel import LineChannel

QUIET_S = 0.5
"""Seconds for which a question takes no answer after it was written."""
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
            source: Standard input.
            clock: Says when a line came.
        """
        self._source = source
        self._clock = clock
        self._lines: asyncio.Queue[tuple[str, float] | None] = asyncio.Queue()
        self._reading: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Begin to read; only once, in the running event loop."""
        self._reading = asyncio.create_task(self._read(), name="typed lines")

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

    async def stop(self) -> None:
        """Read no more."""
        if self._reading is not None:
            self._reading.cancel()
            await asyncio.gather(self._reading, return_exceptions=True)

    async def _read(self) -> None:
        channel = LineChannel(source=self._source, sink=self._source)
        try:
            async for line in channel.lines():
                text = line.removesuffix(b"\r").decode("utf-8", "replace")
                self._lines.put_nowait((text, self._clock.monotonic()))
        except OSError:
            # A terminal that was taken away reads as an error; for us that is the end of input.
            pass
        finally:
            self._lines.put_nowait(None)
