"""Take lines from one descriptor and answer on another, without holding up the event loop.

Owns the threads in which the descriptors are read and written. The end of the program does
not wait for them: a silent peer must not keep it alive. Proven by
tests/unit/headless/test_line_channel.py.
"""

import asyncio
import contextlib
import os
import threading
from collections.abc import AsyncGenerator, Callable
from dataclasses import dataclass
from typing import TypeVar

LINE_LIMIT_BYTES = 16 * 1024 * 1024
"""Longest line that is taken whole."""
_PIECE_BYTES = 64 * 1024

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class LineChannel:
    """Both ends of a conversation in lines."""

    source: int
    """Descriptor that is read."""
    sink: int
    """Descriptor that is written; must be blocking."""
    limit_bytes: int = LINE_LIMIT_BYTES

    async def lines(self) -> AsyncGenerator[bytes, None]:
        """Yield each line without its line end; what stands behind the last one is a line too.

        Of a line longer than ``limit_bytes`` the first ``limit_bytes + 1`` bytes are yielded.

        Raises:
            OSError: If the source cannot be read.
        """
        line = bytearray()
        while piece := await off_loop(lambda: os.read(self.source, _PIECE_BYTES)):
            *whole, rest = piece.split(b"\n")
            for part in whole:
                self._extend(line, part)
                yield bytes(line)
                line.clear()
            self._extend(line, rest)
        if line:
            yield bytes(line)

    async def answer(self, line: str) -> None:
        """Write one line, ASCII, and its line end.

        Raises:
            OSError: If the sink cannot be written, such as a closed pipe.
        """
        data = f"{line}\n".encode("ascii")
        await off_loop(lambda: write_all(self.sink, data))

    def _extend(self, line: bytearray, part: bytes) -> None:
        line += part[: max(self.limit_bytes + 1 - len(line), 0)]


def write_all(descriptor: int, data: bytes) -> None:
    """Write all bytes to a blocking descriptor.

    Raises:
        OSError: If it cannot be written, such as a closed pipe.
    """
    view = memoryview(data)
    while view:
        view = view[os.write(descriptor, view) :]


async def off_loop(work: Callable[[], T]) -> T:
    """Run blocking work in a thread of its own; cancelled, the thread is left to itself."""
    loop = asyncio.get_running_loop()
    done: asyncio.Future[T] = loop.create_future()

    def settle(result: T) -> None:
        if not done.done():
            done.set_result(result)

    def fail(error: OSError) -> None:
        if not done.done():
            done.set_exception(error)

    def run() -> None:
        # The loop may be gone by the time the descriptor has something to say.
        with contextlib.suppress(RuntimeError):
            try:
                result = work()
            except OSError as error:
                loop.call_soon_threadsafe(fail, error)
            else:
                loop.call_soon_threadsafe(settle, result)

    threading.Thread(target=run, name="line channel", daemon=True).start()
    return await done
