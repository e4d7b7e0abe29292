"""An endpoint's own list of models, over loopback."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

import pytest

from caramelo_tui.domain.errors import AuthenticationFailed, BadRequest, StreamBroken
from caramelo_tui.providers.connection import EndpointSettings
from caramelo_tui.providers.model_lists import ask_for_models
from caramelo_tui.providers.presets import Wire
from tests.doubles.loopback_servers import serving

KEY = "sk-secret"
TWO = b'{"object": "list", "data": [{"id": "models/one"}, {"id": "two"}, {"id": "two"}]}'


@dataclass
class ListServer:
    """Answers each request alike."""

    body: bytes = TWO
    status: int = 200
    silence: bool = False
    heads: list[str] = field(default_factory=list[str])
    served: asyncio.Event = field(default_factory=asyncio.Event)
    url: str = ""
    connections: int = 0

    def settings(self) -> EndpointSettings:
        return EndpointSettings(key=KEY, base_url=self.url)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        try:
            # A client that gives up early has sent nothing.
            self.heads.append((await reader.readuntil(b"\r\n\r\n")).decode())
            if self.silence:
                # Until the client gives up.
                await reader.read()
            else:
                head = f"HTTP/1.1 {self.status} X\r\ncontent-length: {len(self.body)}\r\n"
                writer.write(f"{head}location: /elsewhere\r\nconnection: close\r\n\r\n".encode())
                writer.write(self.body)
                await writer.drain()
        finally:
            self.served.set()

    @asynccontextmanager
    async def running(self) -> AsyncIterator["ListServer"]:
        async with serving(self._serve) as port:
            self.url = f"http://127.0.0.1:{port}"
            yield self
            if self.connections:
                await self.served.wait()


async def test_the_names_of_a_compatible_endpoint_come_in_its_order_each_once() -> None:
    async with ListServer().running() as server:
        assert await ask_for_models(server.settings(), Wire.CHAT) == ("one", "two")

    assert server.heads[0].startswith("GET /v1/models HTTP/1.1")
    assert f"authorization: Bearer {KEY}" in server.heads[0]


async def test_the_messages_api_is_asked_by_its_own_headers() -> None:
    async with ListServer().running() as server:
        assert await ask_for_models(server.settings(), Wire.MESSAGES) == ("one", "two")

    assert server.heads[0].startswith("GET /v1/models?limit=1000 HTTP/1.1")
    assert f"x-api-key: {KEY}" in server.heads[0]
    assert "anthropic-version: 2023-06-01" in server.heads[0]
    assert "authorization" not in server.heads[0]


@pytest.mark.parametrize(
    ("status", "kind"),
    [
        (401, AuthenticationFailed),
        (403, AuthenticationFailed),
        (404, BadRequest),
        (302, BadRequest),
    ],
)
async def test_a_refusal_is_said_without_the_key_and_no_redirect_is_followed(
    status: int, kind: type[Exception]
) -> None:
    async with ListServer(status=status).running() as server:
        with pytest.raises(kind, match=f"HTTP {status}") as caught:
            await ask_for_models(server.settings(), Wire.CHAT)

    assert KEY not in str(caught.value)
    assert len(server.heads) == 1


@pytest.mark.parametrize("body", [b"", b"<html>", b"[]", b'{"data": {}}', b"\xff"])
async def test_what_is_no_list_is_said_so(body: bytes) -> None:
    async with ListServer(body=body).running() as server:
        with pytest.raises(BadRequest, match="no list of models"):
            await ask_for_models(server.settings(), Wire.CHAT)


async def test_rows_that_name_nothing_are_left_out() -> None:
    async with ListServer(
        body=b'{"data": [1, {}, {"id": 2}, {"id": " "}, {"id": "a"}]}'
    ).running() as server:
        assert await ask_for_models(server.settings(), Wire.CHAT) == ("a",)


async def test_a_server_that_says_nothing_is_left_in_time() -> None:
    async with ListServer().running() as server:
        # What is loaded with the first request takes no part in the limit of the next one.
        await ask_for_models(server.settings(), Wire.CHAT)
    async with ListServer(silence=True).running() as server:
        with pytest.raises(StreamBroken, match=r"did not answer within 0\.5 s"):
            await ask_for_models(server.settings(), Wire.CHAT, time_limit_s=0.5)


async def test_a_list_without_end_is_left() -> None:
    async with ListServer().running() as server:
        with pytest.raises(BadRequest, match="too long"):
            await ask_for_models(server.settings(), Wire.CHAT, most_bytes=len(TWO) - 1)


async def test_nobody_there_is_said_so() -> None:
    async with ListServer().running() as server:
        settings = server.settings()
    with pytest.raises(StreamBroken, match="Could not reach 127"):
        await ask_for_models(settings, Wire.CHAT)


async def test_a_wire_without_a_list_and_an_address_that_is_none_are_said_so() -> None:
    with pytest.raises(BadRequest, match="no list of models"):
        await ask_for_models(EndpointSettings(key=KEY), Wire.FILE)
    with pytest.raises(BadRequest, match="http"):
        await ask_for_models(EndpointSettings(key=KEY, base_url="ftp://x"), Wire.CHAT)
