"""Send one request over one connection to an address that was checked.

Owns the network side of ``httpcore2``: look up once, check every address, connect to a checked
one, keep the name for TLS and ``Host``, and leave no connection open. It follows no redirect,
reads no proxy variable and no login file, and keeps no cookie. Loaded with the first request,
since the library takes a while. Proven by tests/contract/test_web_fetch.py.
"""

import ssl
from collections.abc import AsyncGenerator, Iterable
from contextlib import asynccontextmanager
from typing import cast

import httpcore2
import httpx2

from caramelo_tui.tools.web.host_rules import HostRules
from caramelo_tui.tools.web.network import Connector, Resolver
from caramelo_tui.tools.web.requests import WebRequest
from caramelo_tui.tools.web.urls import UrlRefused, WebUrl

CONNECTION_PROBLEMS = (
    httpcore2.NetworkError,
    httpcore2.ProtocolError,
    httpcore2.TimeoutException,
    OSError,
)
"""What the network and the other side can cause; our own refusals are none of them."""

_BACKEND = cast("httpcore2.AsyncNetworkBackend", httpcore2.AnyIOBackend())
_MOST_ADDRESSES = 4
"""Addresses of one host that are tried one after another."""


def system_trust() -> ssl.SSLContext:
    """Return the system's certificates and checks; no variable changes them."""
    return httpx2.create_ssl_context(trust_env=False)


class SystemConnector:
    """Opens real connections."""

    async def connect(
        self, address: str, port: int, timeout_s: float
    ) -> httpcore2.AsyncNetworkStream:
        """Return an open TCP stream."""
        return await _BACKEND.connect_tcp(address, port, timeout=timeout_s)


class GuardedNetwork(httpcore2.AsyncNetworkBackend):
    """The network as one request may use it."""

    def __init__(
        self, *, url: WebUrl, rules: HostRules, resolver: Resolver, connector: Connector
    ) -> None:
        self._url = url
        self._rules = rules
        self._resolver = resolver
        self._connector = connector
        self._opened: list[httpcore2.AsyncNetworkStream] = []

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,  # noqa: ASYNC109 - the library's own signature
        local_address: str | None = None,  # noqa: ARG002 - as above
        socket_options: Iterable[httpcore2.SOCKET_OPTION] | None = None,  # noqa: ARG002 - as above
    ) -> httpcore2.AsyncNetworkStream:
        """Connect to an address of the request's host, after all of them were checked.

        Raises:
            UrlRefused: If the name does not resolve.
            ConnectError: If no address answers.
        """
        addresses = await self._checked_addresses()
        problem: Exception = httpcore2.ConnectError("there was no address to try")
        for address in addresses[:_MOST_ADDRESSES]:
            try:
                stream = await self._connector.connect(address, port, timeout or 0.0)
            except (httpcore2.ConnectError, httpcore2.ConnectTimeout) as error:
                problem = error
                continue
            self._opened.append(stream)
            return stream
        msg = f"{host} did not answer: {problem}"
        raise httpcore2.ConnectError(msg) from problem

    async def aclose(self) -> None:
        """Close what is still open, such as a connection that was cancelled in its handshake."""
        while self._opened:
            await self._opened.pop().aclose()

    async def _checked_addresses(self) -> list[str]:
        literal = self._url.address
        if literal is not None:
            found = [str(literal)]
        else:
            try:
                found = list(await self._resolver.addresses_of(self._url.host, self._url.port))
            except OSError as error:
                raise UrlRefused(
                    self._url.text, f"its host does not resolve ({error.strerror or error})."
                ) from error
        return [str(address) for address in self._rules.check_addresses(self._url, found)]


@asynccontextmanager
async def one_exchange(
    request: WebRequest,
    *,
    network: GuardedNetwork,
    trust: ssl.SSLContext,
    timeouts: dict[str, float],
) -> AsyncGenerator[httpcore2.Response]:
    """Send a request and yield its response, whose body is still to be read.

    Whatever happens, also on cancellation, the connection is closed when the block is left.

    Args:
        request: What is sent, exactly.
        network: How it may connect.
        trust: Certificates for https.
        timeouts: Seconds for ``connect``, ``read`` and ``write``, each for one piece.
    """
    url = request.url
    wire_url = httpcore2.URL(
        scheme=url.scheme.encode(),
        host=url.host.encode(),
        port=url.port,
        target=url.target.encode(),
    )
    connection = httpcore2.AsyncHTTPConnection(
        origin=wire_url.origin, ssl_context=trust, network_backend=network
    )
    wire = httpcore2.Request(
        request.method,
        wire_url,
        headers=request.wire_headers(),
        content=request.body,
        extensions={"timeout": dict(timeouts)},
    )
    try:
        yield await connection.handle_async_request(wire)
    finally:
        await connection.aclose()
        await network.aclose()
