"""web_fetch against real servers on loopback, over real sockets and real TLS.

Names and addresses are played, connections are not: a checked public address is dialled on
loopback, so that everything but the last step is as it is on the web.
"""

import asyncio
import gzip
import ssl
import time
import zlib
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

import httpcore2
import psutil
import pytest
import trustme

from caramelo_tui.domain.web_settings import WebSettings
from caramelo_tui.tools.web.client import WebClient, WebLimits
from caramelo_tui.tools.web.connections import SystemConnector
from caramelo_tui.tools.web.web_fetch import WebFetch
from tests.doubles.web_worlds import FetchWorld, PlayedWeb

PUBLIC, OTHER_PUBLIC = "93.184.216.34", "93.184.216.35"
Write = Callable[[bytes], Awaitable[None]]
Answer = Callable[[str, Write], Awaitable[None]]
"""Answers the request with this head by writing pieces."""


@dataclass(slots=True)
class LoopbackServer:
    """An HTTP server that answers as its function says."""

    port: int = 0
    heads: list[str] = field(default_factory=list[str])
    gone: asyncio.Event = field(default_factory=asyncio.Event)
    """Set when a client closed its connection."""

    def header(self, name: str) -> str:
        """Return a header of the first request."""
        for line in self.heads[0].split("\r\n"):
            key, _, value = line.partition(": ")
            if key.lower() == name:
                return value
        return ""


class Dialler:
    """Names by a list of answers; checked addresses are dialled on loopback."""

    def __init__(self, dns: dict[str, list[list[str]]], ports: dict[int, int]) -> None:
        self._dns = dns
        self._ports = ports
        self.connected: list[str] = []

    async def addresses_of(self, host: str, port: int) -> Sequence[str]:
        """Answer a look-up."""
        del port
        answers = self._dns[host]
        return answers.pop(0) if len(answers) > 1 else answers[0]

    async def connect(
        self, address: str, port: int, timeout_s: float
    ) -> httpcore2.AsyncNetworkStream:
        """Open a real connection to the server that stands for the port."""
        self.connected.append(address)
        return await SystemConnector().connect("127.0.0.1", self._ports[port], timeout_s)


@asynccontextmanager
async def served(
    answer: Answer, *, tls: ssl.SSLContext | None = None
) -> AsyncIterator[LoopbackServer]:
    """Run a server for the block."""
    server = LoopbackServer()
    tasks: set[asyncio.Task[None]] = set()

    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        async def write(data: bytes) -> None:
            writer.write(data)
            await writer.drain()

        try:
            head = (await reader.readuntil(b"\r\n\r\n")).decode().rstrip()
            server.heads.append(head)
            await answer(head, write)
        except (ConnectionError, asyncio.IncompleteReadError):
            server.gone.set()
        finally:
            writer.close()

    def accept(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.get_running_loop().create_task(talk(reader, writer))
        tasks.add(task)

    async with await asyncio.start_server(accept, "127.0.0.1", 0, ssl=tls) as listening:
        server.port = listening.sockets[0].getsockname()[1]
        yield server
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


@pytest.fixture(scope="module")
def authority() -> trustme.CA:
    return trustme.CA()


def server_tls(authority: trustme.CA, *names: str) -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert(*names).configure_cert(context)
    return context


def tool_on(
    dialler: Dialler,
    *,
    authority: trustme.CA | None = None,
    settings: WebSettings | None = None,
    limits: WebLimits | None = None,
) -> FetchWorld:
    def trust() -> ssl.SSLContext:
        context = ssl.create_default_context()
        if authority is not None:
            authority.configure_trust(context)
        return context

    client = WebClient(
        settings or WebSettings(),
        resolver=dialler,
        connector=dialler,
        trust=trust,
        limits=limits,
    )
    return FetchWorld(web=PlayedWeb([]), client=client, tool=WebFetch(client))


def plain(body: bytes, *, status: str = "200 OK", headers: str = "") -> Answer:
    async def answer(_head: str, write: Write) -> None:
        head = f"HTTP/1.1 {status}\r\ncontent-length: {len(body)}\r\n{headers}\r\n"
        await write(head.encode() + body)

    return answer


def target_of(head: str) -> str:
    return head.split(" ")[1]


async def test_https_page_of_a_test_authority_is_fetched_under_its_name(
    authority: trustme.CA,
) -> None:
    tls = server_tls(authority, "docs.example.test")
    async with served(plain(b"secret page"), tls=tls) as server:
        dialler = Dialler({"docs.example.test": [[PUBLIC]]}, {443: server.port})
        output = await tool_on(dialler, authority=authority).run(url="https://docs.example.test/a")

    assert not output.is_error, output.text
    assert output.text.endswith("\n\nsecret page")
    assert dialler.connected == [PUBLIC]
    assert server.header("host") == "docs.example.test"
    assert server.heads[0].startswith("GET /a HTTP/1.1\r\n")


@pytest.mark.parametrize("is_known", [True, False], ids=["wrong name", "unknown authority"])
async def test_certificate_that_does_not_fit_is_refused(
    authority: trustme.CA, *, is_known: bool
) -> None:
    name = "other.example.test" if is_known else "docs.example.test"
    async with served(plain(b"SERVED"), tls=server_tls(authority, name)) as server:
        dialler = Dialler({"docs.example.test": [[PUBLIC]]}, {443: server.port})
        tool = tool_on(dialler, authority=authority if is_known else None)
        output = await tool.run(url="https://docs.example.test/")

    assert output.is_error
    assert "certificate" in output.text
    assert "SERVED" not in output.text
    assert server.heads == []


async def test_chain_of_five_redirects_is_followed_and_a_sixth_is_not() -> None:
    async def answer(head: str, write: Write) -> None:
        number = int(target_of(head).removeprefix("/"))
        to = f"location: /{number - 1}\r\n" if number else ""
        status = "302 Found" if number else "200 OK"
        await plain(b"the end", status=status, headers=to)(head, write)

    async with served(answer) as server:
        dialler = Dialler({"docs.example.test": [[PUBLIC]]}, {80: server.port})
        five = await tool_on(dialler).run(url="http://docs.example.test/5")
        six = await tool_on(dialler).run(url="http://docs.example.test/6")

    assert not five.is_error
    assert "the end" in five.text
    assert "url: http://docs.example.test/0" in five.text
    assert six.is_error
    assert "5 redirects" in six.text
    assert len(server.heads) == 12


async def test_redirect_to_a_name_that_leads_inside_is_not_contacted() -> None:
    headers = "location: http://inner.example.test/\r\n"
    async with served(plain(b"", status="302 Found", headers=headers)) as server:
        dialler = Dialler(
            {"docs.example.test": [[PUBLIC]], "inner.example.test": [["127.0.0.1"]]},
            {80: server.port},
        )
        output = await tool_on(dialler).run(url="http://docs.example.test/")

    assert output.is_error
    assert "inner.example.test leads to 127.0.0.1, a loopback address" in output.text
    assert len(server.heads) == 1


async def test_rebinding_name_is_reached_at_the_address_that_was_checked() -> None:
    async with served(plain(b"served")) as server:
        dialler = Dialler({"flip.example.test": [[PUBLIC], ["127.0.0.1"]]}, {80: server.port})
        tool = tool_on(dialler)
        first = await tool.run(url="http://flip.example.test/")
        second = await tool.run(url="http://flip.example.test/")

    assert first.text.endswith("served")
    assert dialler.connected == [PUBLIC]
    assert second.is_error
    assert "127.0.0.1" in second.text
    assert len(server.heads) == 1


async def test_server_that_rebinds_within_a_redirect_is_refused_at_the_second_hop() -> None:
    headers = "location: /again\r\n"
    async with served(plain(b"", status="302 Found", headers=headers)) as server:
        dialler = Dialler({"flip.example.test": [[PUBLIC], ["10.0.0.1"]]}, {80: server.port})
        output = await tool_on(dialler).run(url="http://flip.example.test/")

    assert output.is_error
    assert "10.0.0.1, a private address" in output.text
    assert len(server.heads) == 1


async def test_slow_drip_ends_at_the_total_time_and_closes_the_connection() -> None:
    never = asyncio.Event()

    async def answer(_head: str, write: Write) -> None:
        await write(b"HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\n\r\n")
        while not never.is_set():
            await write(b"drop ")
            await asyncio.sleep(0.02)

    async with served(answer) as server:
        dialler = Dialler({"docs.example.test": [[PUBLIC]]}, {80: server.port})
        start = time.perf_counter()
        tool = tool_on(dialler, limits=WebLimits(total_s=0.4))
        output = await tool.run(url="http://docs.example.test/")
        took = time.perf_counter() - start
        await asyncio.wait_for(server.gone.wait(), 5)

    assert output.is_error
    assert "incomplete: timed out after 0.4 s" in output.text
    assert "drop drop" in output.text
    assert 0.3 < took < 5


async def test_drip_within_the_headers_ends_too() -> None:
    async def answer(_head: str, write: Write) -> None:
        await write(b"HTTP/1.1 200 OK\r\n")
        for number in range(10_000):
            await write(f"x-{number}: y\r\n".encode())
            await asyncio.sleep(0.02)

    async with served(answer) as server:
        dialler = Dialler({"docs.example.test": [[PUBLIC]]}, {80: server.port})
        tool = tool_on(dialler, limits=WebLimits(total_s=0.3))
        output = await tool.run(url="http://docs.example.test/")

    assert output.is_error
    assert "timed out after 0.3 s" in output.text


async def test_silent_server_ends_at_the_idle_limit() -> None:
    async def answer(_head: str, write: Write) -> None:
        await write(b"HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nhalf")
        await asyncio.Event().wait()

    async with served(answer) as server:
        dialler = Dialler({"docs.example.test": [[PUBLIC]]}, {80: server.port})
        tool = tool_on(dialler, limits=WebLimits(idle_s=0.2))
        output = await tool.run(url="http://docs.example.test/")

    assert output.is_error
    assert "incomplete: the connection failed" in output.text
    assert output.text.endswith("half")


async def test_bomb_stops_at_the_limit_with_little_memory() -> None:
    async def answer(_head: str, write: Write) -> None:
        await write(
            b"HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\ncontent-encoding: gzip\r\n\r\n"
        )
        packer = zlib.compressobj(wbits=zlib.MAX_WBITS | 16)
        block = b"0" * 10_485_760
        for _ in range(15):
            await write(packer.compress(block))

    process = psutil.Process()
    async with served(answer) as server:
        dialler = Dialler({"docs.example.test": [[PUBLIC]]}, {80: server.port})
        tool = tool_on(dialler)
        before = process.memory_info().rss
        output = await tool.run(url="http://docs.example.test/")
        grown = process.memory_info().rss - before

    assert not output.is_error
    assert "more than the limit of 5242880 bytes" in output.text
    assert len(output.text) < 51_000
    assert grown < 80 * 1_048_576


async def test_gzip_page_is_unpacked() -> None:
    packed = gzip.compress(b"unpacked text")
    headers = "content-type: text/plain\r\ncontent-encoding: gzip\r\n"
    async with served(plain(packed, headers=headers)) as server:
        dialler = Dialler({"docs.example.test": [[PUBLIC]]}, {80: server.port})
        output = await tool_on(dialler).run(url="http://docs.example.test/")

    assert output.text.endswith("\n\nunpacked text")
    assert server.header("accept-encoding") == "gzip, deflate"


async def test_interrupt_closes_the_connection_before_it_goes_on() -> None:
    asked = asyncio.Event()

    async def answer(_head: str, write: Write) -> None:
        asked.set()
        while True:
            await write(b"HTTP/1.1 100 Continue\r\n\r\n")
            await asyncio.sleep(0.01)

    async with served(answer) as server:
        dialler = Dialler({"docs.example.test": [[PUBLIC]]}, {80: server.port})
        call = asyncio.create_task(tool_on(dialler).run(url="http://docs.example.test/"))
        await asyncio.wait_for(asked.wait(), 5)
        call.cancel()
        with pytest.raises(asyncio.CancelledError):
            await call
        await asyncio.wait_for(server.gone.wait(), 5)


async def test_handshake_that_never_ends_leaves_no_connection(authority: trustme.CA) -> None:
    gone = asyncio.Event()

    async def silent(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while await reader.read(1_000):
            pass
        gone.set()
        writer.close()

    async with await asyncio.start_server(silent, "127.0.0.1", 0) as listening:
        port = listening.sockets[0].getsockname()[1]
        dialler = Dialler({"docs.example.test": [[PUBLIC]]}, {443: port})
        tool = tool_on(dialler, authority=authority, limits=WebLimits(total_s=0.2))
        output = await tool.run(url="https://docs.example.test/")
        await asyncio.wait_for(gone.wait(), 5)

    assert output.is_error
    assert "timed out after 0.2 s" in output.text


async def test_loopback_server_is_fetched_only_where_the_configuration_names_it() -> None:
    async with served(plain(b"local page")) as server:
        url = f"http://127.0.0.1:{server.port}/"
        named = WebSettings(allow_hosts=(f"127.0.0.1:{server.port}",))
        refused = await on_system().run(url=url)
        wrong_port = WebSettings(allow_hosts=("127.0.0.1:1",))
        still_refused = await on_system(wrong_port).run(url=url)
        fetched = await on_system(named).run(url=url)

    assert refused.is_error
    assert "loopback" in refused.text
    assert still_refused.is_error
    assert fetched.text.endswith("local page")
    assert len(server.heads) == 1


def on_system(settings: WebSettings | None = None) -> FetchWorld:
    client = WebClient(settings or WebSettings())
    return FetchWorld(web=PlayedWeb([]), client=client, tool=WebFetch(client))


async def test_second_address_is_tried_when_the_first_does_not_answer() -> None:
    async with served(plain(b"second")) as server:
        dialler = Dialler({"docs.example.test": [[OTHER_PUBLIC, PUBLIC]]}, {80: server.port})
        unreachable = OneDeadAddress(dialler)
        client = WebClient(WebSettings(), resolver=dialler, connector=unreachable)
        world = FetchWorld(web=PlayedWeb([]), client=client, tool=WebFetch(client))
        output = await world.run(url="http://docs.example.test/")

    assert output.text.endswith("second")
    assert dialler.connected == [PUBLIC]


class OneDeadAddress:
    """Fails for the first address and dials the others."""

    def __init__(self, dialler: Dialler) -> None:
        self._dialler = dialler

    async def connect(
        self, address: str, port: int, timeout_s: float
    ) -> httpcore2.AsyncNetworkStream:
        """Connect, or not.

        Raises:
            ConnectError: For the first address.
        """
        if address == OTHER_PUBLIC:
            raise httpcore2.ConnectError("refused")
        return await self._dialler.connect(address, port, timeout_s)


async def test_variables_for_proxies_and_logins_change_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    async with served(plain(b"direct", headers="set-cookie: a=b\r\n")) as server:
        dialler = Dialler({"docs.example.test": [[PUBLIC]]}, {80: server.port})
        tool = tool_on(dialler)
        await tool.run(url="http://docs.example.test/")
        output = await tool.run(url="http://docs.example.test/")

    assert output.text.endswith("direct")
    assert "cookie" not in "".join(server.heads).lower()
    assert "authorization" not in "".join(server.heads).lower()
