"""Small servers on loopback that answer every request with the same bytes."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

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
    is_over = asyncio.Event()

    async def answer_one(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            seen.heads.append(await reader.readuntil(b"\r\n\r\n"))
            if answer is None:
                await is_over.wait()
            else:
                writer.write(answer)
                await writer.drain()
        except (ConnectionError, asyncio.IncompleteReadError):
            pass
        finally:
            writer.close()

    server = await asyncio.start_server(answer_one, "127.0.0.1", 0)
    seen.port = server.sockets[0].getsockname()[1]
    try:
        yield seen
    finally:
        is_over.set()
        server.close()
        await server.wait_closed()
