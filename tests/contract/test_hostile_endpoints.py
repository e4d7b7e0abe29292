"""An endpoint that means harm: endless, huge, compressed, lying, or telling the key again."""

import asyncio
import gzip
import json
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field

import pytest

from caramelo_tui.domain.errors import ProviderError
from caramelo_tui.providers.anthropic import AnthropicProvider
from caramelo_tui.providers.connection import EndpointSettings
from caramelo_tui.providers.copilot_http import JsonRequests
from caramelo_tui.providers.model_lists import ask_for_models
from caramelo_tui.providers.presets import Wire
from tests.contract.provider_wires import DIRECT_WIRES, ProviderWire
from tests.doubles.loopback_servers import serving
from tests.doubles.model_server_clients import KEY, hear, request_of

every_wire = pytest.mark.parametrize("wire", DIRECT_WIRES, ids=lambda wire: wire.name)
MB = 1024 * 1024


@dataclass
class HostileServer:
    """Gives a head, then pieces as long as anybody takes them."""

    head: bytes
    pieces: Iterator[bytes]
    sent: int = 0
    heads: list[bytes] = field(default_factory=list[bytes])
    pause_s: float = 0.0
    url: str = ""

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.heads.append(await reader.readuntil(b"\r\n\r\n"))
        writer.write(self.head)
        for piece in self.pieces:
            writer.write(piece)
            await writer.drain()
            self.sent += len(piece)
            await asyncio.sleep(self.pause_s)

    @asynccontextmanager
    async def running(self) -> AsyncIterator["HostileServer"]:
        async with serving(self._serve) as port:
            self.url = f"http://127.0.0.1:{port}"
            yield self


def head_of(status: int, *more: str, kind: str = "application/json") -> bytes:
    lines = [f"HTTP/1.1 {status} X", f"content-type: {kind}", "connection: close", *more]
    return "\r\n".join([*lines, "", ""]).encode("latin-1")


def endless(piece: bytes) -> Iterator[bytes]:
    while True:
        yield piece


@every_wire
@pytest.mark.parametrize("status", [200, 302, 400, 401, 500])
async def test_an_endless_answer_ends_soon(wire: ProviderWire, status: int) -> None:
    async with HostileServer(head_of(status), endless(b"x" * 65536)).running() as server:
        provider = wire.build(EndpointSettings(key=KEY, base_url=server.url))
        async with asyncio.timeout(10):
            heard = await hear(provider)
        await provider.close()
    assert isinstance(heard.error, ProviderError)
    assert server.sent < 64 * MB


@every_wire
@pytest.mark.parametrize("status", [200, 500])
async def test_a_compressed_bomb_is_not_taken_whole(wire: ProviderWire, status: int) -> None:
    bomb = gzip.compress(b"\0" * (256 * MB), 9)
    head = head_of(status, "content-encoding: gzip", kind="text/event-stream")
    async with HostileServer(head, iter((bomb,))).running() as server:
        provider = wire.build(EndpointSettings(key=KEY, base_url=server.url))
        async with asyncio.timeout(10):
            heard = await hear(provider)
        await provider.close()
    assert isinstance(heard.error, ProviderError)
    assert len(str(heard.error)) < 1_000


@every_wire
@pytest.mark.parametrize(
    "where", ["http://[::bad", "//x/\xa0\x9b2J", "javascript:1", "?k=" + KEY, ""]
)
async def test_a_redirect_is_told_without_key_and_control_characters(
    wire: ProviderWire, where: str
) -> None:
    head = head_of(302, f"location: {where}", "content-length: 0")
    async with HostileServer(head, iter(())).running() as server:
        provider = wire.build(EndpointSettings(key=KEY, base_url=server.url))
        heard = await hear(provider)
        await provider.close()
    said = str(heard.error)
    assert isinstance(heard.error, ProviderError)
    assert KEY not in said
    assert said.isprintable()
    assert len(said) < 1_000
    assert len(server.heads) == 1


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"nothing",
        b"[]",
        b"{}",
        b"null",
        *(
            json.dumps({"input_tokens": value}).encode()
            for value in ("many", -1, True, None, [1], 10**400, 1.5)
        ),
    ],
)
async def test_a_count_that_is_none_is_unknown(body: bytes) -> None:
    head = head_of(200, f"content-length: {len(body)}")
    async with HostileServer(head, iter((body,))).running() as server:
        provider = AnthropicProvider(EndpointSettings(key=KEY, base_url=server.url))
        assert await provider.count_tokens(request_of()) is None
        await provider.close()


async def test_an_endless_count_ends_soon() -> None:
    async with HostileServer(head_of(200), endless(b" " * 65536)).running() as server:
        provider = AnthropicProvider(EndpointSettings(key=KEY, base_url=server.url))
        async with asyncio.timeout(10):
            with suppress(ProviderError):
                await provider.count_tokens(request_of())
        await provider.close()
    assert server.sent < 64 * MB


@pytest.mark.parametrize("piece", [b"{" * 65536, gzip.compress(b"\0" * (16 * MB), 9)])
async def test_the_small_requests_of_a_login_end_soon(piece: bytes) -> None:
    encoding = ("content-encoding: gzip",) if piece[:1] == b"\x1f" else ()
    async with HostileServer(head_of(200, *encoding), endless(piece)).running() as server:
        async with asyncio.timeout(10):
            with pytest.raises(ProviderError, match="too long"):
                await JsonRequests().get(f"{server.url}/x", {"Authorization": f"token {KEY}"})
    assert server.sent < 64 * MB


async def test_the_small_requests_of_a_login_are_bounded_in_time() -> None:
    drip = HostileServer(head_of(200), endless(b"{"), pause_s=0.01)
    async with drip.running() as server:
        async with asyncio.timeout(5):
            with pytest.raises(ProviderError, match="did not answer"):
                await JsonRequests(timeout_s=0.2).get(f"{server.url}/x", {})


async def test_names_of_models_are_short_and_hide_nothing() -> None:
    names = [
        "good",
        "x" * 100_000,
        "e\x1b[2Jvil",
        "a\u202eb",
        "\ud800",
        " ",
        "two\nlines",
        "g\U000e0041",
    ]
    body = json.dumps({"data": [{"id": name} for name in names]}).encode()
    head = head_of(200, f"content-length: {len(body)}")
    async with HostileServer(head, iter((body,))).running() as server:
        settings = EndpointSettings(key=KEY, base_url=server.url)
        assert await ask_for_models(settings, Wire.CHAT) == ("good",)
