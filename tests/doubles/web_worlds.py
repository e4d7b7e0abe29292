"""A web without a network: names, addresses and servers that are played.

``PlayedWeb`` takes the keys ``http`` and ``dns`` of a behaviour case. Its connector stands where
real connections would, so everything above it is the product's own: look-up, checks, HTTP.
"""

import asyncio
import base64
import json
import ssl
import zlib
from collections.abc import AsyncIterator, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias, cast

import httpcore2

from caramelo_tui.domain.errors import ToolFailure
from caramelo_tui.domain.ids import CallId
from caramelo_tui.domain.tool_calls import JsonValue, PreparedCall, ToolCall
from caramelo_tui.domain.web_settings import WebSettings
from caramelo_tui.tools.base import ToolContext, ToolOutput
from caramelo_tui.tools.validation import parse_arguments
from caramelo_tui.tools.web.client import WebClient, WebLimits
from caramelo_tui.tools.web.html_process import HtmlConverter
from caramelo_tui.tools.web.urls import parse_url
from caramelo_tui.tools.web.web_fetch import WebFetch

PUBLIC = "93.184.216.34"
"""An address that nobody in a test reaches."""
HOST = "docs.example.test"
Spec: TypeAlias = Mapping[str, object]
"""One exchange as a case writes it."""
_BLOCK = 65_536


@dataclass(frozen=True, slots=True, kw_only=True)
class SentRequest:
    """What a server got."""

    url: str
    method: str
    headers: Mapping[str, str]
    """Names in lower case."""
    body: bytes


def page(url: str, body: str | bytes = "", *, status: int = 200, **more: object) -> Spec:
    """Return an exchange; ``headers`` and the other keys of a case may be given."""
    data = body.encode() if isinstance(body, str) else body
    return {"url": url, "status": status, "body_b64": base64.b64encode(data).decode(), **more}


def moved(url: str, to: str, status: int = 302) -> Spec:
    """Return an exchange that redirects."""
    return page(url, status=status, headers={"location": to})


class PlayedWeb:
    """Names and servers; remembers what was asked of them."""

    def __init__(
        self, http: Iterable[Spec], dns: Mapping[str, Sequence[Sequence[str]]] | None = None
    ) -> None:
        self._exchanges = list(http)
        self._dns = {name: list(answers) for name, answers in (dns or {HOST: [[PUBLIC]]}).items()}
        self.requests: list[SentRequest] = []
        self.connected: list[str] = []
        self.looked_up: list[str] = []
        self.tls_names: list[str] = []
        self.open_streams = 0
        self.was_asked = asyncio.Event()
        """Set with the first request."""

    @property
    def urls(self) -> list[str]:
        """URLs that were really requested, in order."""
        return [request.url for request in self.requests]

    async def addresses_of(self, host: str, port: int) -> Sequence[str]:
        """Answer a look-up; the last answer repeats.

        Raises:
            OSError: If the name is not played.
        """
        del port
        self.looked_up.append(host)
        answers = self._dns.get(host)
        if not answers:
            raise OSError(-2, "Name or service not known")
        return answers.pop(0) if len(answers) > 1 else answers[0]

    async def connect(
        self, address: str, port: int, timeout_s: float
    ) -> httpcore2.AsyncNetworkStream:
        """Open a connection to a played server."""
        assert timeout_s > 0
        self.connected.append(address)
        return _PlayedStream(self, port)

    def exchange(self, request: SentRequest) -> Spec:
        """Return what is answered to a request; the first that fits."""
        for spec in self._exchanges:
            is_it = parse_url(str(spec["url"])).text == request.url
            if is_it and spec.get("method", request.method) == request.method:
                return spec
        return page(request.url, "nothing is played here", status=410)


class _PlayedStream(httpcore2.AsyncNetworkStream):
    def __init__(self, web: PlayedWeb, port: int) -> None:
        self._web = web
        self._port = port
        self._scheme = "http"
        self._got = b""
        self._answer: AsyncIterator[bytes] | None = None
        self._is_open = True
        web.open_streams += 1

    async def write(
        self,
        buffer: bytes,
        timeout: float | None = None,  # noqa: ASYNC109 - the library's own signature
    ) -> None:
        del timeout
        if not buffer:
            return
        self._got += buffer
        head, mark, body = self._got.partition(b"\r\n\r\n")
        if not mark:
            return
        first, *lines = head.decode("ascii").split("\r\n")
        headers = {name.lower(): value for name, _, value in (li.partition(": ") for li in lines)}
        if len(body) < int(headers.get("content-length", "0")):
            return
        method, target, _ = first.split(" ")
        request = SentRequest(
            url=f"{self._scheme}://{headers['host']}{target}",
            method=method,
            headers=headers,
            body=body,
        )
        self._web.requests.append(request)
        self._web.was_asked.set()
        self._answer = _answer(self._web.exchange(request), method)

    async def read(
        self,
        max_bytes: int,
        timeout: float | None = None,  # noqa: ASYNC109 - the library's own signature
    ) -> bytes:
        assert self._answer is not None
        try:
            async with asyncio.timeout(timeout):
                piece = await anext(self._answer, b"")
        except TimeoutError:
            raise httpcore2.ReadTimeout from None
        assert len(piece) <= max_bytes
        return piece

    async def start_tls(
        self,
        ssl_context: object,
        server_hostname: str | None = None,
        timeout: float | None = None,  # noqa: ASYNC109 - the library's own signature
    ) -> httpcore2.AsyncNetworkStream:
        del ssl_context, timeout
        self._scheme = "https"
        self._web.tls_names.append(server_hostname or "")
        return self

    async def aclose(self) -> None:
        self._web.open_streams -= self._is_open
        self._is_open = False

    def get_extra_info(self, info: str) -> None:
        del info


async def _answer(spec: Spec, method: str) -> AsyncIterator[bytes]:
    hang = spec.get("hang_seconds")
    if isinstance(hang, int | float):
        await asyncio.sleep(hang)
    headers = cast("Mapping[str, str]", spec.get("headers", {}))
    lines = [f"HTTP/1.1 {spec['status']} Played", *(f"{n}: {v}" for n, v in headers.items())]
    # No length: the end of the connection ends the body, as with servers that stream.
    latin = cast("Mapping[str, str]", spec.get("headers_latin", {}))
    raw = b"".join(f"{name}: {value}\r\n".encode("latin-1") for name, value in latin.items())
    yield "".join(f"{line}\r\n" for line in lines).encode() + raw + b"\r\n"
    if method == "HEAD":
        return
    drip = cast("Mapping[str, float] | None", spec.get("drip"))
    if drip:
        for _ in range(int(drip["count"])):
            yield b"."
            await asyncio.sleep(drip["byte_every_s"])
    for piece in _pieces(spec):
        yield piece


def _pieces(spec: Spec) -> Iterator[bytes]:
    if "gzip_of" in spec:
        yield from _zipped(cast("Mapping[str, object]", spec["gzip_of"]))
    if spec.get("endless"):
        while True:
            yield b"endless " * 1_024
    data = str(spec.get("body", "")).encode()
    if "body_b64" in spec:
        data = base64.b64decode(str(spec["body_b64"]))
    for part in cast("Sequence[Mapping[str, object]]", spec.get("body_parts", ())):
        data += (str(part["text"]) * cast("int", part["times"])).encode()
    for start in range(0, len(data), _BLOCK):
        yield data[start : start + _BLOCK]


def _zipped(spec: Mapping[str, object]) -> Iterator[bytes]:
    """Pack while it is sent: who stops early makes nobody pack the rest."""
    packer = zlib.compressobj(wbits=zlib.MAX_WBITS | 16)
    text = str(spec["text"]).encode()
    block = text * max(1, 1_048_576 // len(text))
    left = len(text) * cast("int", spec["times"])
    while left > 0:
        packed = packer.compress(block[:left])
        left -= len(block)
        if packed:
            yield packed
    yield packer.flush()


@dataclass(frozen=True, slots=True, kw_only=True)
class FetchWorld:
    """The tool on a played web, without pipeline, policy or user."""

    web: PlayedWeb
    tool: WebFetch
    client: WebClient
    calls: list[str] = field(default_factory=list[str])

    async def prepare(self, **arguments: JsonValue) -> PreparedCall:
        """Validate and prepare a call."""
        text = json.dumps(arguments)
        self.calls.append(text)
        call = ToolCall(id=CallId(f"call-{len(self.calls)}"), name="web_fetch", arguments_json=text)
        return await self.tool.prepare(call, parse_arguments(self.tool.spec, text), NO_CONTEXT)

    async def asks(self, **arguments: JsonValue) -> str:
        """Return why a call asks, empty when it does not."""
        action = (await self.prepare(**arguments)).action
        assert action is not None
        return action.asks_because

    async def run(self, **arguments: JsonValue) -> ToolOutput:
        """Run a call as if everything asked were approved; a failure is its error result."""
        try:
            return await self.tool.execute(await self.prepare(**arguments), NO_CONTEXT)
        except ToolFailure as failure:
            return ToolOutput(text=str(failure), is_error=True)


NO_CONTEXT = cast("ToolContext", None)
"""The tool needs nothing of the workspace."""


def no_trust() -> ssl.SSLContext:
    """Return a context without certificates, at once; the system's take 0.2 s to load."""
    return ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)


def fetch_world(
    http: Iterable[Spec] = (),
    dns: Mapping[str, Sequence[Sequence[str]]] | None = None,
    *,
    settings: WebSettings | None = None,
    limits: WebLimits | None = None,
    uses_engine: bool = True,
) -> FetchWorld:
    """Build the tool on a played web."""
    web = PlayedWeb(http, dns)
    client = WebClient(
        settings or WebSettings(), resolver=web, connector=web, trust=no_trust, limits=limits
    )
    tool = WebFetch(client, converter=HtmlConverter(uses_engine=uses_engine))
    return FetchWorld(web=web, tool=tool, client=client)
