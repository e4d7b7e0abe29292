"""Connections of our own: what is sent, what is taken for an answer, and what is kept."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import httpx2
import pytest

from caramelo_tui.providers import direct_transport
from caramelo_tui.providers.direct_transport import LONGEST_HEAD, DirectTransport

OK = b"HTTP/1.1 200 OK\r\n"


class Endpoint:
    """Answers each request on a connection with the next of some bytes; then closes it."""

    def __init__(self, *answers: bytes, closes: bool = True) -> None:
        self.answers = list(answers)
        self.closes = closes
        self.heads: list[bytes] = []
        self.connections = 0
        self.url = ""

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        try:
            while self.answers:
                self.heads.append(await reader.readuntil(b"\r\n\r\n"))
                await reader.readexactly(2)
                writer.write(self.answers.pop(0))
                await writer.drain()
            if not self.closes:
                await reader.read()
        except (asyncio.IncompleteReadError, ConnectionError):
            return
        finally:
            writer.close()


@asynccontextmanager
async def asking(endpoint: Endpoint) -> AsyncIterator[httpx2.AsyncClient]:
    server = await asyncio.start_server(endpoint.serve, "127.0.0.1", 0)
    endpoint.url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/v1"
    async with httpx2.AsyncClient(transport=DirectTransport(None), timeout=5) as client:
        try:
            yield client
        finally:
            server.close()


async def answer_to(*answers: bytes, closes: bool = True) -> httpx2.Response:
    endpoint = Endpoint(*answers, closes=closes)
    async with asking(endpoint) as client:
        return await client.post(endpoint.url, content=b"hi")


@pytest.mark.parametrize(
    "answer",
    [
        OK + b"Content-Length: 3\r\n\r\nabc",
        OK + b"content-length: 3, 3\r\n\r\nabc",
        OK + b"Transfer-Encoding: Chunked\r\n\r\n2\r\nab\r\n1\r\nc\r\n0\r\n\r\n",
        OK + b"\r\nabc",
        b"HTTP/1.0 200 OK\r\n\r\nabc",
        b"HTTP/1.1 200\r\nContent-Length:3\r\n\r\nabc",
        b"HTTP/1.1 103 Early\r\nLink: x\r\n\r\n" + OK + b"Content-Length: 3\r\n\r\nabc",
    ],
)
async def test_answers_are_read_in_each_form(answer: bytes) -> None:
    got = await answer_to(answer)
    assert (got.status_code, got.content) == (200, b"abc")


@pytest.mark.parametrize(
    "answer",
    [
        b"",
        b"SSH-2.0-OpenSSH\r\n\r\n",
        b"HTTP/2 200 OK\r\n\r\n",
        b"HTTP/1.1 999 OK\r\n\r\n",
        OK + b"no header\r\n\r\n",
        OK + b"Bad Name: x\r\n\r\n",
        OK + b"A: b\r\n c\r\n\r\n",
        OK + b"Content-Length: 3\r\nContent-Length: 4\r\n\r\nabc",
        OK + b"Content-Length: +3\r\n\r\nabc",
        OK + b"Content-Length: 4\r\n\r\nabc",
        OK + b"Content-Length: 2\r\n\r\nabc",
        OK + b"Transfer-Encoding: gzip, chunked\r\n\r\n",
        OK + b"Transfer-Encoding: chunked\r\n\r\n3\r\nab",
        OK + b"A: " + b"x" * LONGEST_HEAD + b"\r\n",
    ],
)
async def test_what_is_no_answer_is_an_error(answer: bytes) -> None:
    with pytest.raises(httpx2.RemoteProtocolError):
        await answer_to(answer)


async def test_one_connection_serves_requests_one_after_another() -> None:
    whole = OK + b"Content-Length: 3\r\n\r\nabc"
    endpoint = Endpoint(whole, whole, whole, closes=False)
    async with asking(endpoint) as client:
        for _ in range(3):
            assert (await client.post(endpoint.url, content=b"hi")).content == b"abc"
    assert endpoint.connections == 1
    assert endpoint.heads[0].startswith(b"POST /v1 HTTP/1.1\r\n")
    assert b"\r\nContent-Length: 2\r\n" in endpoint.heads[0]


@pytest.mark.parametrize("header", ["Connection: close\r\n", "connection: Close\r\n"])
async def test_a_connection_that_the_endpoint_closes_is_not_used_again(header: str) -> None:
    whole = OK + header.encode() + b"Content-Length: 3\r\n\r\nabc"
    endpoint = Endpoint(whole, whole, closes=False)
    async with asking(endpoint) as client:
        for _ in range(2):
            assert (await client.post(endpoint.url, content=b"hi")).content == b"abc"
    assert endpoint.connections == 2


async def test_an_old_connection_is_not_used_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(direct_transport, "KEPT_S", 0.0)
    whole = OK + b"Content-Length: 3\r\n\r\nabc"
    endpoint = Endpoint(whole, whole, closes=False)
    async with asking(endpoint) as client:
        for _ in range(2):
            await client.post(endpoint.url, content=b"hi")
    assert endpoint.connections == 2


async def test_an_answer_that_is_left_closes_its_connection() -> None:
    endpoint = Endpoint(OK + b"Content-Length: 9\r\n\r\nabc", closes=False)
    async with asking(endpoint) as client:
        async with client.stream("POST", endpoint.url, content=b"hi") as answer:
            assert await anext(answer.aiter_raw()) == b"abc"
        endpoint.answers.append(OK + b"Content-Length: 1\r\n\r\nz")
        assert (await client.post(endpoint.url, content=b"hi")).content == b"z"
    assert endpoint.connections == 2


async def test_many_chunks_come_in_few_pieces() -> None:
    chunk = b"5\r\nabcde\r\n"
    endpoint = Endpoint(OK + b"Transfer-Encoding: chunked\r\n\r\n" + chunk * 20_000 + b"0\r\n\r\n")
    async with (
        asking(endpoint) as client,
        client.stream("POST", endpoint.url, content=b"hi") as answer,
    ):
        pieces = [piece async for piece in answer.aiter_raw()]
    assert b"".join(pieces) == b"abcde" * 20_000
    assert len(pieces) < 200


async def test_a_header_of_two_lines_is_never_sent() -> None:
    endpoint = Endpoint(OK + b"\r\n")
    async with asking(endpoint) as client:
        with pytest.raises(httpx2.LocalProtocolError):
            await client.post(endpoint.url, content=b"hi", headers={"a": "b\r\nc: d"})
    assert not endpoint.connections


async def test_addresses_of_other_forms_are_not_spoken() -> None:
    async with httpx2.AsyncClient(transport=DirectTransport(None)) as client:
        for address in ("https://127.0.0.1:9/", "ftp://127.0.0.1/"):
            with pytest.raises(httpx2.UnsupportedProtocol):
                await client.get(address)
