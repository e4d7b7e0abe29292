"""Real HTTP against the server: nothing without the token, a terminal with it."""

import os
import socket
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

import aiohttp
import pytest

from caramelo_tui.serving import server as server_module
from caramelo_tui.serving.gate import Gate
from caramelo_tui.serving.server import BrowserServer
from tests.unit.serving.programs import ECHO_COMMAND

PARTS = ("", "ws", "static/js/textual.js", "static/css/xterm.css", "download/x", "nothing")


@asynccontextmanager
async def serving() -> AsyncGenerator[tuple[BrowserServer, aiohttp.ClientSession]]:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        gate = Gate(token="t0ken", host="127.0.0.1", port=listener.getsockname()[1])
        environment = {"PATH": os.environ["PATH"], "TMUX": "x", "TERM": "dumb"}
        server = BrowserServer(gate, ECHO_COMMAND, environment=environment)
        async with server.listening(listener), aiohttp.ClientSession() as client:
            yield server, client


async def output(socket_: aiohttp.ClientWebSocketResponse, wanted: bytes) -> bytes:
    got = b""
    while wanted not in got:
        got += await socket_.receive_bytes(timeout=20)
    return got


async def test_without_the_token_there_is_nothing() -> None:
    async with serving() as (server, client):
        base = server.public_url
        for part in PARTS:
            for url in (f"{base}/{part}", f"{base}/wrong/{part}"):
                async with client.get(url) as answer:
                    assert (answer.status, await answer.read()) == (403, b"")
        with pytest.raises(aiohttp.WSServerHandshakeError, match="403"):
            await client.ws_connect(f"{base}/ws")


async def test_a_page_of_another_name_or_origin_gets_nothing() -> None:
    async with serving() as (server, client):
        for headers in ({"Host": "evil.test"}, {"Origin": "http://evil.test"}):
            async with client.get(server.address, headers=headers) as answer:
                assert (answer.status, await answer.read()) == (403, b"")
            with pytest.raises(aiohttp.WSServerHandshakeError, match="403"):
                await client.ws_connect(f"{server.address}ws", headers=headers)


async def test_with_the_token_page_and_assets_come_and_tell_nobody() -> None:
    async with serving() as (server, client):
        async with client.get(server.address) as answer:
            page = await answer.text()
            assert answer.status == 200
            assert f"{server.address}static/js/textual.js" in page
            assert f"ws://{server.address.removeprefix('http://')}ws" in page
            assert answer.headers["Referrer-Policy"] == "no-referrer"
            assert "default-src 'none'" in answer.headers["Content-Security-Policy"]
            assert answer.headers["Cache-Control"] == "no-store"
        async with client.get(f"{server.address}static/js/textual.js") as answer:
            assert answer.status == 200


async def test_each_connection_has_a_terminal_of_its_own() -> None:
    async with serving() as (server, client):
        one = await client.ws_connect(f"{server.address}ws?width=100&height=30")
        await output(one, b"<100x30>xterm-256color")
        async with client.ws_connect(f"{server.address}ws") as other:
            await output(other, b"<80x24>")
            await other.send_json(["stdin", "other"])
            await output(other, b"other")
        await one.send_json(["resize", {"width": 120, "height": 40}])
        await output(one, b"<120x40>")
        await one.send_json(["focus"])
        await output(one, b"\x1b[I")
        await one.send_json(["blur"])
        assert b"other" not in await output(one, b"\x1b[O")
        await one.close()


async def test_messages_that_mean_nothing_are_ignored() -> None:
    async with serving() as (server, client), client.ws_connect(f"{server.address}ws") as one:
        await output(one, b"xterm")
        for text in ("", "{", "{}", "[]", '["stdin", 1]', '["resize", {"width": "x"}]', '["x"]'):
            await one.send_str(text)
        await one.send_bytes(b"\x00")
        await one.send_json(["stdin", "\ud800ok"])
        await output(one, b"?ok")


async def test_a_ping_is_answered() -> None:
    async with serving() as (server, client), client.ws_connect(f"{server.address}ws") as one:
        await output(one, b"xterm")
        await one.send_json(["ping", "17"])
        assert await one.receive_json(timeout=20) == ["pong", "17"]


async def test_the_end_of_the_app_closes_the_connection() -> None:
    async with serving() as (server, client), client.ws_connect(f"{server.address}ws") as one:
        await output(one, b"xterm")
        await one.send_json(["stdin", "q"])
        assert (await one.receive(timeout=20)).type is aiohttp.WSMsgType.CLOSE


async def test_sessions_are_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server_module, "MOST_SESSIONS", 1)
    async with serving() as (server, client), client.ws_connect(f"{server.address}ws") as one:
        await output(one, b"xterm")
        with pytest.raises(aiohttp.WSServerHandshakeError, match="503"):
            await client.ws_connect(f"{server.address}ws")
