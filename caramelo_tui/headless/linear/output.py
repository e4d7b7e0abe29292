"""Write lines that are never changed again.

Owns what of the agent's words is written when: whole lines only, so that nothing is spoken in
pieces, and everything made visible first. Moves no cursor and sets no colour. Proven by
tests/unit/headless/test_linear_output.py.
"""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

from caramelo_tui.domain.screen_text import visible
from caramelo_tui.headless.line_channel import off_loop, write_all

_LONGEST_HELD = 4_000
"""Characters of a line that is still being written by the model, after which it is broken."""


class LinearOutput:
    """The lines that the user gets."""

    def __init__(self, sink: int, *, encoding: str = "utf-8") -> None:
        """Write to a descriptor.

        Args:
            sink: Must be blocking.
            encoding: Of the terminal; what it lacks is written as an escape.
        """
        self._sink = sink
        self._encoding = encoding
        self._pending: list[str] = []
        self._held = ""
        self._writing = asyncio.Lock()

    def say(self, text: str) -> None:
        """Add lines; an answer that is being streamed ends its line first."""
        self.end_stream()
        self._pending.append(f"{visible(text)}\n")

    def stream(self, text: str) -> None:
        """Add text of an answer; its last line waits until it is whole."""
        self._held += text
        whole, has_end, rest = self._held.rpartition("\n")
        if has_end:
            self._pending.append(f"{visible(whole)}\n")
            self._held = rest
        while len(self._held) > _LONGEST_HELD:
            self._pending.append(f"{visible(self._held[:_LONGEST_HELD])}\n")
            self._held = self._held[_LONGEST_HELD:]

    def end_stream(self) -> None:
        """Add what waits for the rest of its line."""
        if self._held:
            self._pending.append(f"{visible(self._held)}\n")
            self._held = ""

    @asynccontextmanager
    async def held(self) -> AsyncGenerator[None]:
        """Write what was added, then nothing within the block: another program has the screen."""
        await self.flush()
        async with self._writing:
            yield

    async def flush(self) -> None:
        """Write what was added, in its order; a stopped terminal does not hold up the loop.

        Raises:
            OSError: If the sink cannot be written.
        """
        async with self._writing:
            text = "".join(self._pending)
            self._pending.clear()
            if text:
                data = text.encode(self._encoding, "backslashreplace")
                await off_loop(lambda: write_all(self._sink, data))
