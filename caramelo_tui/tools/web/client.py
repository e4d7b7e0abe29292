"""Fetch from the web within the user's rules.

Owns the way of one request over its redirects, the total time, and which hosts this session
has met. Every hop is checked anew: name, look-up, every address. Knows no approval: what needs
one is worked out before, by ``web_fetch``. Proven by tests/unit/tools/web/test_client.py and
tests/contract/test_web_fetch.py.
"""

import asyncio
import contextlib
import ssl
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from caramelo_tui.domain.errors import ToolFailure
from caramelo_tui.domain.screen_text import visible
from caramelo_tui.domain.web_settings import WebSettings
from caramelo_tui.tools.web.host_rules import HostRules
from caramelo_tui.tools.web.inflating import BoundedBody, CodingRefused
from caramelo_tui.tools.web.network import Connector, Resolver, SystemResolver
from caramelo_tui.tools.web.redirects import REDIRECT_STATUSES, RedirectRefused, redirected
from caramelo_tui.tools.web.requests import WebAnswer, WebRequest
from caramelo_tui.tools.web.urls import WebUrl

if TYPE_CHECKING:
    import httpcore2

LONGEST_PROBLEM_CHARACTERS = 300
"""What a library says about a connection is cut here."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WebLimits:
    """Bounds of one call."""

    total_s: float = 30.0
    """Over all redirects, from the look-up to the last byte."""
    idle_s: float = 15.0
    """For the next piece of an answer."""
    connect_s: float = 8.0
    """For a connection to one address of possibly several, and for a handshake."""
    body_bytes: int = 5_242_880
    """Of the unpacked body (5 MB)."""
    redirects: int = 5


@dataclass(slots=True)
class _Progress:
    """How far a call came; survives its time limit."""

    url: WebUrl
    passed: list[WebUrl] = field(default_factory=list["WebUrl"])
    response: "httpcore2.Response | None" = None
    body: BoundedBody | None = None
    problem: str = ""

    def begin(self, url: WebUrl) -> None:
        """Forget the answer of the hop before."""
        self.url, self.response, self.body = url, None, None

    def answer(self) -> WebAnswer | None:
        """Return what came so far, ``None`` before the last response's headers."""
        if self.response is None or self.body is None:
            return None
        problem = self.problem
        if self.body.is_broken_off and not problem:
            problem = "the packed body ended early"
        return WebAnswer(
            url=self.url,
            status=self.response.status,
            headers=_headers_of(self.response),
            body=self.body.data,
            is_cut=self.body.is_cut,
            problem=problem,
            passed=tuple(self.passed),
        )


class WebClient:
    """The way to the web, shared by all agents of a session."""

    def __init__(
        self,
        settings: WebSettings,
        *,
        resolver: Resolver | None = None,
        connector: Connector | None = None,
        trust: Callable[[], ssl.SSLContext] | None = None,
        limits: WebLimits | None = None,
    ) -> None:
        """Wire; loads and contacts nothing.

        Args:
            settings: The user's table ``[web]``.
            resolver: How names are looked up; the system by default.
            connector: How checked addresses are reached; real connections by default.
            trust: Makes the certificates' context, called once, in a thread; the system's by
                default.
            limits: Bounds of one call.

        Raises:
            ConfigError: If an allowed host of the settings is no host.
        """
        self.rules = HostRules(settings.allow_hosts)
        self.limits = limits or WebLimits()
        self._asks_new_hosts = settings.ask_new_hosts
        self._met_hosts: set[str] = set()
        self._resolver = resolver or SystemResolver()
        self._connector = connector
        self._make_trust = trust
        self._trust: ssl.SSLContext | None = None

    def is_new(self, url: WebUrl) -> bool:
        """Whether the configuration wants to be asked about this host, not met so far."""
        return self._asks_new_hosts and url.host not in self._met_hosts

    async def fetch(self, request: WebRequest) -> WebAnswer:
        """Send a request that may be sent, follow its redirects, and return the answer.

        Cancellation closes the connection before it goes on upwards.

        Raises:
            ToolFailure: If a host or redirect is refused, or nothing came: no connection, no
                valid answer, no headers in time.
        """
        self._met_hosts.add(request.url.host)
        progress = _Progress(url=request.url)
        # Every other time limit ends as a problem of the connection further down.
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(self.limits.total_s):
                return await self._follow(request, progress)
        progress.problem = f"timed out after {self.limits.total_s:g} s in all"
        answer = progress.answer()
        if answer is None:
            msg = f"{progress.url.text} was not fetched: {progress.problem}."
            raise ToolFailure(msg)
        return answer

    async def _follow(self, request: WebRequest, progress: _Progress) -> WebAnswer:
        first = request.url
        while True:
            location = await self._exchange(request, progress)
            answer = progress.answer()
            assert answer is not None  # noqa: S101 - an exchange ends with headers or raises
            if not location:
                return answer
            if len(progress.passed) >= self.limits.redirects:
                raise RedirectRefused(
                    request.url,
                    location,
                    f"{self.limits.redirects} redirects are followed, and no more.",
                )
            following = redirected(request, answer.status, location)
            self._check_unasked(request.url, following.url, first)
            progress.passed.append(request.url)
            request = following

    def _check_unasked(self, source: WebUrl, target: WebUrl, first: WebUrl) -> None:
        """Refuse a redirect to a host about which the user would have been asked.

        Raises:
            RedirectRefused: If so; nobody can be asked in the middle of a call.
        """
        if target.host == first.host:
            return
        if target.is_international:
            reason = f"its host ({target.host_in_letters}) has other than ASCII letters. "
        elif self.is_new(target):
            reason = "its host is new in this session. "
        else:
            return
        raise RedirectRefused(
            source, target.text, reason + "Call it directly; the user is then asked."
        )

    async def _exchange(self, request: WebRequest, progress: _Progress) -> str:
        """Send one request and read its answer into ``progress``; return where it redirects.

        Raises:
            ToolFailure: If nothing came, or what came cannot be unpacked.
        """
        self.rules.check_name(request.url)
        progress.begin(request.url)
        trust = await self._prepared_trust()
        # Imported in a thread just now; here it is only looked up.
        from caramelo_tui.tools.web import connections  # noqa: PLC0415 - loaded when first needed

        network = connections.GuardedNetwork(
            url=request.url,
            rules=self.rules,
            resolver=self._resolver,
            connector=self._connector or connections.SystemConnector(),
        )
        try:
            async with connections.one_exchange(
                request, network=network, trust=trust, timeouts=self._timeouts
            ) as response:
                return await self._read(request, response, progress)
        except connections.CONNECTION_PROBLEMS as error:
            progress.problem = f"the connection failed: {_in_words(error)}"
            if progress.response is None:
                msg = f"{request.url.text} was not fetched: {progress.problem}."
                raise ToolFailure(msg) from error
        except CodingRefused as error:
            msg = f"{request.url.text} was not fetched: {error}"
            raise ToolFailure(msg) from error
        return ""

    async def _read(
        self, request: WebRequest, response: "httpcore2.Response", progress: _Progress
    ) -> str:
        headers = dict(reversed(_headers_of(response)))
        location = headers.get("location", "")
        is_redirect = response.status in REDIRECT_STATUSES and bool(location)
        has_body = not is_redirect and request.method != "HEAD"
        progress.response = response
        progress.body = BoundedBody(
            headers.get("content-encoding", "") if has_body else "",
            limit_bytes=self.limits.body_bytes,
        )
        if has_body:
            async with contextlib.aclosing(response.aiter_stream()) as pieces:
                async for piece in pieces:
                    progress.body.add(piece)
                    if progress.body.is_cut:
                        break
        return location if is_redirect else ""

    @property
    def _timeouts(self) -> dict[str, float]:
        return {
            "connect": self.limits.connect_s,
            "read": self.limits.idle_s,
            "write": self.limits.idle_s,
        }

    async def _prepared_trust(self) -> ssl.SSLContext:
        """Load the library and the certificates once, off the event loop."""
        if self._trust is None:
            self._trust = await asyncio.to_thread(_load_trust, self._make_trust)
        return self._trust


def _load_trust(make: Callable[[], ssl.SSLContext] | None) -> ssl.SSLContext:
    from caramelo_tui.tools.web import connections  # noqa: PLC0415 - takes 0.2 s, so in a thread

    return (make or connections.system_trust)()


def _headers_of(response: "httpcore2.Response") -> tuple[tuple[str, str], ...]:
    return tuple(
        (name.decode("latin-1").lower(), _header_text(value)) for name, value in response.headers
    )


def _header_text(value: bytes) -> str:
    """Return a header's value; UTF-8 where it is, as servers send it in ``Location``."""
    try:
        return value.decode("utf-8")
    except UnicodeDecodeError:
        return value.decode("latin-1")


def _in_words(error: Exception) -> str:
    text = visible(str(error), keeps_newlines=False)[:LONGEST_PROBLEM_CHARACTERS].rstrip(".")
    return text or f"{type(error).__name__}, nothing came in time"
