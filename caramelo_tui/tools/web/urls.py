"""Read a web address strictly, so that what is checked is what is contacted.

Owns the one reading of URLs for requests and redirects: scheme, host in its ASCII form, port,
and the path and query exactly as they are sent. Two readings of one text are how checks are
fooled; what could be read in two ways is therefore refused, never mended. Looks nothing up.
Proven by tests/unit/tools/web/test_urls.py and tests/property/test_web_urls.py.
"""

import ipaddress
import re
import socket
from dataclasses import dataclass
from urllib.parse import quote, urljoin

import idna

from caramelo_tui.domain.errors import ToolFailure
from caramelo_tui.domain.screen_text import visible

URL_CHARACTERS = 8_192
"""Longest URL; most servers take no more."""
DEFAULT_PORTS = {"http": 80, "https": 443}
"""The schemes that are fetched, with their ports."""

_PARTS = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*)://([^/?#]*)([^?#]*)(\?[^#]*)?(#.*)?", re.DOTALL)
_AUTHORITY = re.compile(r"(\[[^\]]*\]|[^:\[\]]*)(?::([0-9]*))?")
_LABEL = re.compile(r"[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?")
"""Letter, digit, hyphen, and the underscore that real host names hold."""
_NUMBER = re.compile(r"[0-9]+|0x[0-9a-f]*")
"""A last label that makes the system read the whole host as an IPv4 address (WHATWG URL
standard, "ends in a number", read 2026-11)."""
_QUAD = re.compile(r"(?:0|[1-9][0-9]{0,2})(?:\.(?:0|[1-9][0-9]{0,2})){3}")
_CONTROLS = re.compile("[\x00-\x1f\x7f\ud800-\udfff]")
"""Control characters, and halves of a surrogate pair, which are no characters at all."""
_HOST_CHARACTERS = 253
_HIGHEST_PORT = 65_535
_PATH_SAFE = "!$&'()*+,;=:@/~%"
_QUERY_SAFE = _PATH_SAFE + "?[]"
_ALIEN_PREFIX = "xn--"


class UrlRefused(ToolFailure):
    """A URL that is not fetched, with the reason."""

    def __init__(self, url: str, reason: str) -> None:
        super().__init__(f"{visible(url, keeps_newlines=False)} was not fetched: {reason}")


@dataclass(frozen=True, slots=True, kw_only=True)
class WebUrl:
    """A URL that was read; every part is ASCII."""

    scheme: str
    """``http`` or ``https``."""
    host: str
    """Lower case, without a final dot; international labels as ``xn--``; an IPv6 address in its
    shortest form, without brackets."""
    port: int
    target: str
    """Path and query as sent, percent-encoded, from the first slash; no fragment."""
    host_as_written: str
    """The host as it stood in the text; differs from ``host`` in case, script or spelling."""

    @property
    def origin(self) -> tuple[str, str, int]:
        """Scheme, host and port: what custom headers belong to."""
        return self.scheme, self.host, self.port

    @property
    def authority(self) -> str:
        """Host and, unless it is the scheme's own, port; as in the ``Host`` header."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == DEFAULT_PORTS[self.scheme] else f"{host}:{self.port}"

    @property
    def text(self) -> str:
        """The whole URL, in ASCII."""
        return f"{self.scheme}://{self.authority}{self.target}"

    @property
    def path(self) -> str:
        """The target without its query."""
        return self.target.partition("?")[0]

    @property
    def query(self) -> str:
        """What follows the question mark; empty when there is none."""
        return self.target.partition("?")[2]

    @property
    def is_international(self) -> bool:
        """Whether the host was written with other than ASCII letters, or holds ``xn--``."""
        return not self.host_as_written.isascii() or any(
            label.startswith(_ALIEN_PREFIX) for label in self.host.split(".")
        )

    @property
    def host_in_letters(self) -> str:
        """The host as a reader sees it, with ``xn--`` labels decoded."""
        return ".".join(
            idna.ulabel(label) if label.startswith(_ALIEN_PREFIX) else label
            for label in self.host.split(".")
        )

    @property
    def address(self) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
        """The address when the host is one, else ``None``."""
        try:
            return ipaddress.ip_address(self.host)
        except ValueError:
            return None


def parse_url(text: str) -> WebUrl:
    """Read a URL.

    Blanks and other characters that a URL may not hold are percent-encoded in path and query;
    a fragment is dropped.

    Raises:
        UrlRefused: If it is not a plain http or https URL: another scheme, no host, a login,
            a control character, a backslash outside the query, an address in an unusual
            spelling, or a host that no name can be.
    """
    if len(text) > URL_CHARACTERS:
        raise UrlRefused(text[:60] + "…", f"it has more than {URL_CHARACTERS:,} characters.")
    if _CONTROLS.search(text):
        raise UrlRefused(text, "it holds a control character.")
    match = _PARTS.fullmatch(text)
    if match is None:
        raise UrlRefused(text, "it is not of the form http://host/path or https://host/path.")
    scheme, authority, path, query, _ = match.groups(default="")
    scheme = scheme.lower()
    if scheme not in DEFAULT_PORTS:
        raise UrlRefused(text, f"only http and https are fetched, not {scheme}.")
    if "\\" in authority or "\\" in path:
        raise UrlRefused(text, "it holds a backslash, which programs read in different ways.")
    written, port = _split_authority(text, authority, DEFAULT_PORTS[scheme])
    return WebUrl(
        scheme=scheme,
        host=read_host(text, written),
        port=port,
        target=quote(path or "/", safe=_PATH_SAFE) + quote(query, safe=_QUERY_SAFE),
        host_as_written=written.strip("[]"),
    )


def join_url(base: WebUrl, location: str) -> WebUrl:
    """Return where a ``Location`` header of ``base`` leads; read as strictly as any URL.

    Raises:
        UrlRefused: As ``parse_url``.
    """
    if _CONTROLS.search(location) or "\\" in location.partition("?")[0]:
        raise UrlRefused(location, "a redirect leads there, and it is not a plain URL.")
    try:
        joined = urljoin(base.text, location)
    except ValueError as error:
        raise UrlRefused(location, f"a redirect leads there, and {error}.") from error
    return parse_url(joined)


def read_host(url: str, written: str) -> str:
    """Return a host's ASCII form.

    Args:
        url: What the refusal names.
        written: Host without port; an IPv6 address in brackets.

    Raises:
        UrlRefused: If it is empty, no valid name, or an address in an unusual spelling.
    """
    if written.startswith("["):
        return _ipv6(url, written[1:-1])
    mapped = _mapped(url, written.lower()).removesuffix(".")
    if not mapped:
        raise UrlRefused(url, "it names no host.")
    labels = mapped.split(".")
    if _NUMBER.fullmatch(labels[-1]):
        return _ipv4(url, mapped)
    host = ".".join(_label(url, label) for label in labels)
    if len(host) > _HOST_CHARACTERS:
        raise UrlRefused(url, f"its host has more than {_HOST_CHARACTERS} characters.")
    return host


def _split_authority(url: str, authority: str, default_port: int) -> tuple[str, int]:
    if "@" in authority:
        raise UrlRefused(
            url, "it holds a login before the host. Send it without; logins are never used."
        )
    match = _AUTHORITY.fullmatch(authority)
    if match is None:
        raise UrlRefused(url, "its host and port cannot be read.")
    host, digits = match.groups(default="")
    if not digits:
        return host, default_port
    port = int(digits) if len(digits.lstrip("0")) <= len(str(_HIGHEST_PORT)) else 0
    if not 0 < port <= _HIGHEST_PORT:
        raise UrlRefused(url, f"its port is not within 1 to {_HIGHEST_PORT}.")
    return host, port


def _mapped(url: str, host: str) -> str:
    """Return the host with wide letters, other dots and the like folded (UTS 46).

    Raises:
        UrlRefused: If a character cannot be in a host.
    """
    if host.isascii():
        return host
    try:
        return idna.uts46_remap(host, std3_rules=False, transitional=False)
    except idna.IDNAError as error:
        raise UrlRefused(url, "its host holds characters that no host may hold.") from error


def _label(url: str, label: str) -> str:
    try:
        ascii_label = label if label.isascii() else idna.alabel(label).decode("ascii")
        if ascii_label.startswith(_ALIEN_PREFIX):
            idna.ulabel(ascii_label)
    except (idna.IDNAError, UnicodeError) as error:
        raise UrlRefused(url, "its host is not a valid international name.") from error
    if _LABEL.fullmatch(ascii_label) is None:
        raise UrlRefused(url, "its host is not a valid name.")
    return ascii_label


def _ipv4(url: str, host: str) -> str:
    """Return a plain IPv4 address.

    Raises:
        UrlRefused: If it is none, or is spelled so that only some programs read it as one.
    """
    if _QUAD.fullmatch(host):
        try:
            return str(ipaddress.IPv4Address(host))
        except ValueError as error:
            raise UrlRefused(url, "its host is not a valid address.") from error
    try:
        meant = f" Write {ipaddress.IPv4Address(socket.inet_aton(host))} if you mean that."
    except OSError:
        meant = ""
    raise UrlRefused(url, f"its host is an address in an unusual spelling.{meant}")


def _ipv6(url: str, host: str) -> str:
    try:
        address = ipaddress.IPv6Address(host)
    except ValueError as error:
        raise UrlRefused(url, "its host is not a valid IPv6 address.") from error
    if address.scope_id is not None:
        raise UrlRefused(url, "its host names a network interface (%), which is never fetched.")
    return address.compressed
