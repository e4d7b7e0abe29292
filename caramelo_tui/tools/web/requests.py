"""Describe a request to the web and its answer.

Owns what a request may hold: methods, headers and body, checked before anybody is asked.
Proven by tests/unit/tools/web/test_requests.py.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from http import HTTPStatus

from caramelo_tui import __version__
from caramelo_tui.domain.errors import ToolFailure
from caramelo_tui.domain.screen_text import visible
from caramelo_tui.tools.web.urls import WebUrl

METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS")
"""The methods that are sent; CONNECT and TRACE are for proxies and diagnosis."""
FREE_METHODS = frozenset({"GET", "HEAD"})
"""Methods that only read and so are not asked about."""
MOST_HEADERS = 50
HEADER_CHARACTERS = 8_192
"""Longest value of a header; most servers take no more."""

_TOKEN = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
_VALUE = re.compile(r"(?:[\x21-\x7e](?:[\t\x20-\x7e]*[\x21-\x7e])?)?")
_OWN_HEADERS = frozenset(
    {
        "accept-encoding",
        "connection",
        "content-length",
        "expect",
        "host",
        "keep-alive",
        "te",
        "trailer",
        "transfer-encoding",
        "upgrade",
    }
)
"""Headers that say how the request travels; another value could smuggle a second request, lead
to another host, or bring a body that is not unpacked within bounds."""
_OWN_PREFIXES = ("proxy-", ":")

ACCEPT = "text/markdown, text/html;q=0.9, application/json;q=0.9, text/plain;q=0.8, */*;q=0.5"
ACCEPT_ENCODING = "gzip, deflate"
"""Only what is unpacked within bounds."""
USER_AGENT = f"caramelo-tui/{__version__}"
PLAIN_BODY_TYPE = "text/plain; charset=utf-8"
"""Type of a body whose type is not said; a browser's ``fetch`` sends the same."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WebRequest:
    """A request whose parts were checked."""

    url: WebUrl
    method: str = "GET"
    """One of ``METHODS``."""
    headers: tuple[tuple[str, str], ...] = ()
    """Custom headers in the order given; names are unique in any letter case."""
    body: bytes | None = None

    def wire_headers(self) -> list[tuple[bytes, bytes]]:
        """Return every header that is sent, custom ones in place of ours."""
        custom = {name.lower() for name, _ in self.headers}
        own = [("User-Agent", USER_AGENT), ("Accept", ACCEPT)]
        if self.body is not None:
            own.append(("Content-Type", PLAIN_BODY_TYPE))
        fixed = [
            ("Host", self.url.authority),
            ("Accept-Encoding", ACCEPT_ENCODING),
            ("Connection", "close"),
        ]
        if self.body is not None or self.method in {"POST", "PUT", "PATCH"}:
            fixed.append(("Content-Length", str(len(self.body or b""))))
        kept = [(name, value) for name, value in own if name.lower() not in custom]
        return [
            (name.encode("ascii"), value.encode("ascii"))
            for name, value in (*fixed, *kept, *self.headers)
        ]


@dataclass(frozen=True, slots=True, kw_only=True)
class WebAnswer:
    """What a server answered, unpacked and within bounds."""

    url: WebUrl
    """The last URL, after redirects."""
    status: int
    headers: tuple[tuple[str, str], ...]
    """In the server's order; names in lower case."""
    body: bytes
    """Unpacked; the start of it when ``is_cut`` or ``problem``."""
    is_cut: bool = False
    """Whether the body was longer than the limit."""
    problem: str = ""
    """Why the body is incomplete, when it broke off; empty otherwise."""
    passed: tuple[WebUrl, ...] = ()
    """The URLs that redirected, in order."""

    @property
    def status_line(self) -> str:
        """The status with its standard words, such as ``404 Not Found``."""
        try:
            return f"{self.status} {HTTPStatus(self.status).phrase}"
        except ValueError:
            return str(self.status)

    def header(self, name: str) -> str:
        """Return the first header of that lower-case name, empty when there is none."""
        return next((value for key, value in self.headers if key == name), "")


def read_method(text: str) -> str:
    """Return a method in upper case.

    Raises:
        ToolFailure: If it is not one that is sent.
    """
    method = text.upper()
    if method not in METHODS:
        shown = visible(text[:60], keeps_newlines=False)
        msg = f"method: {shown!r} is not sent; allowed: {', '.join(METHODS)}."
        raise ToolFailure(msg)
    return method


def read_headers(headers: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
    """Return custom headers that may be sent as they are.

    Raises:
        ToolFailure: If a name or value could be read as something else, belongs to how the
            request travels, or stands twice.
    """
    if len(headers) > MOST_HEADERS:
        msg = f"headers: at most {MOST_HEADERS} are sent, not {len(headers)}."
        raise ToolFailure(msg)
    seen: set[str] = set()
    for name, value in headers.items():
        problem = _header_problem(name, value, seen)
        if problem:
            shown = visible(name[:60], keeps_newlines=False)
            msg = f"headers: {shown!r} {problem}."
            raise ToolFailure(msg)
        seen.add(name.lower())
    return tuple(headers.items())


def _header_problem(name: str, value: str, seen: set[str]) -> str:
    lower = name.lower()
    if lower.startswith(_OWN_PREFIXES) or lower in _OWN_HEADERS:
        return "is set by this tool itself and cannot be given"
    if _TOKEN.fullmatch(name) is None:
        return "is not a header's name"
    if lower in seen:
        return "is given twice"
    if len(value) > HEADER_CHARACTERS:
        return f"has a value of more than {HEADER_CHARACTERS:,} characters"
    if _VALUE.fullmatch(value) is None:
        return "has a value with a line break, a control or non-ASCII character, or outer blanks"
    return ""
