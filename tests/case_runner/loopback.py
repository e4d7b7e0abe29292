"""Stand on this machine for what models are reached through.

``RecordingProxy`` is where all requests go that no server of a case answers: it notes them and
lets none pass. ``ChunkServer`` sends the bytes of a case exactly as it has them.
"""

import asyncio
import base64
import re
import time
from collections.abc import Sequence
from contextlib import AsyncExitStack
from types import TracebackType
from typing import Self

from tests.case_runner.played import Sent
from tests.case_runner.world import Spec
from tests.doubles.loopback_servers import serving

_LENGTH = re.compile(rb"(?i)\r\ncontent-length: *(\d+)")


class _Loopback:
    """A server that reads one request for each connection."""

    def __init__(self) -> None:
        self._life = AsyncExitStack()
        self.sent: list[Sent] = []
        self.was_asked = asyncio.Event()
        self.url = ""

    async def __aenter__(self) -> Self:
        port = await self._life.enter_async_context(serving(self._serve))
        self.url = f"http://127.0.0.1:{port}"
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self._life.aclose()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = await reader.readuntil(b"\r\n\r\n")
        length = _LENGTH.search(head)
        body = await reader.readexactly(int(length[1])) if length else b""
        text = (head + body).decode("utf-8", "replace")
        self.sent.append(Sent(at=time.monotonic(), host=text.split(" ")[1], text=text))
        self.was_asked.set()
        await self._answer(writer)

    async def _answer(self, writer: asyncio.StreamWriter) -> None:
        raise NotImplementedError


class RecordingProxy(_Loopback):
    """A proxy that lets nothing pass."""

    async def _answer(self, writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 403 Forbidden\r\ncontent-length: 0\r\nconnection: close\r\n\r\n")
        await writer.drain()


class ChunkServer(_Loopback):
    """Answers in the order of a case's ``responses``, then each time with the closing."""

    def __init__(self, responses: Sequence[Spec], *, closing: bytes) -> None:
        super().__init__()
        self._responses = list(responses)
        self._closing = {
            "status": 200,
            "headers": {"content-type": "text/event-stream"},
            "chunks": [{"b64": base64.b64encode(closing).decode()}],
        }

    async def _answer(self, writer: asyncio.StreamWriter) -> None:
        response: Spec = self._responses.pop(0) if self._responses else self._closing
        if not response.get("connect_error"):
            lines = [f"HTTP/1.1 {response['status']} Case", "connection: close"]
            lines += [f"{name}: {value}" for name, value in response.get("headers", {}).items()]
            writer.write("".join(f"{line}\r\n" for line in lines).encode() + b"\r\n")
            for chunk in response["chunks"]:
                is_text = "text" in chunk
                writer.write(chunk["text"].encode() if is_text else base64.b64decode(chunk["b64"]))
                await writer.drain()
                # Each goes out by itself, as it came.
                await asyncio.sleep(0)
        if response.get("connect_error") or response.get("end") == "disconnect":
            writer.transport.abort()
