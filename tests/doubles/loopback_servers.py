"""Small servers on loopback."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field

Talk = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]
"""One conversation with a client; it may end by a lost connection."""


@asynccontextmanager
async def serving(talk: Talk) -> AsyncIterator[int]:
    """Run a server on a free port.

    At the end every conversation is over and its connection is closed: none is left to be found by
    the next test.
    """
    talks: set[asyncio.Task[None]] = set()

    async def hold(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            with suppress(ConnectionError, asyncio.IncompleteReadError):
                await talk(reader, writer)
        finally:
            writer.close()
            with suppress(ConnectionError):
                await writer.wait_closed()

    def accept(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        talks.add(asyncio.get_running_loop().create_task(hold(reader, writer)))

    server = await asyncio.start_server(accept, "127.0.0.1", 0)
    try:
        yield server.sockets[0].getsockname()[1]
    finally:
        server.close()
        # Two rounds of the loop: what was accepted by now has begun.
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        for held in talks:
            held.cancel()
        ends = await asyncio.gather(*talks, return_exceptions=True)
        await asyncio.sleep(0)
        faults = [end for end in ends if isinstance(end, Exception)]
        if faults:
            raise faults[0]


OK = b"HTTP/1.0 200 OK\r\nContent-Type: application/json\r\n"


def listing(*models: str, owner: str = "library") -> bytes:
    """Return the answer of a server that serves some models."""
    rows = ", ".join(
        f'{{"id": "{model}", "object": "model", "owned_by": "{owner}"}}' for model in models
    )
    body = f'{{"object": "list", "data": [{rows}]}}'.encode()
    return OK + f"Content-Length: {len(body)}\r\n\r\n".encode() + body


@dataclass(slots=True)
class AnsweringServer:
    """One such server."""

    port: int
    heads: list[bytes] = field(default_factory=list[bytes])
    """The requests as they came."""

    @property
    def base_url(self) -> str:
        """Its address, as a preset would name it."""
        return f"http://127.0.0.1:{self.port}/v1"


@asynccontextmanager
async def answering(answer: bytes | None) -> AsyncIterator[AnsweringServer]:
    """Run a server that gives one answer to all; ``None``: it never answers."""
    seen = AnsweringServer(port=0)

    async def answer_one(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        seen.heads.append(await reader.readuntil(b"\r\n\r\n"))
        if answer is None:
            await asyncio.Event().wait()
        else:
            writer.write(answer)
            await writer.drain()

    async with serving(answer_one) as port:
        seen.port = port
        yield seen
