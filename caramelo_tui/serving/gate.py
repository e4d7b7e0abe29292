"""Decide which requests of a browser are answered.

Owns the token and the names by which the server may be called. Who holds the address with the
token can do all that the user can, so everything else is refused before it is looked at. Pure.
Proven by tests/unit/serving/test_gate.py.
"""

import hmac
import ipaddress
import secrets
from dataclasses import dataclass

_TOKEN_BYTES = 32
_HTTP_PORT = 80
"""A browser leaves it out of the name."""


def new_token() -> str:
    """Return a token that cannot be guessed, fit for an address."""
    return secrets.token_urlsafe(_TOKEN_BYTES)


def is_loopback(host: str) -> bool:
    """Return whether an address is reached from this machine only."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def is_every_address(host: str) -> bool:
    """Return whether listening there would answer on all addresses of the machine."""
    try:
        return ipaddress.ip_address(host).is_unspecified
    except ValueError:
        return not host


def in_address(host: str) -> str:
    """Return a host as it is written in an address: IPv6 in brackets."""
    return f"[{host}]" if ":" in host else host


@dataclass(frozen=True, slots=True, kw_only=True)
class Gate:
    """Who is let in."""

    token: str
    host: str
    """Where the server listens, as it is written in an address."""
    port: int

    @property
    def names(self) -> frozenset[str]:
        """How the server may be called: as its address says, and in no other way."""
        name = f"{self.host}:{self.port}".lower()
        return frozenset({name, self.host.lower()} if self.port == _HTTP_PORT else {name})

    @property
    def prefix(self) -> str:
        """Start of every path that is answered."""
        return f"/{self.token}"

    def lets_in(self, *, path: str, host: str, origin: str) -> bool:
        """Return whether a request is answered.

        Args:
            path: Of the request, decoded.
            host: Its header ``Host``: a page of another name that was pointed at this machine
                (DNS rebinding) sends its own.
            origin: Its header ``Origin``; empty where the browser sends none.
        """
        first = path.removeprefix("/").partition("/")[0]
        has_token = hmac.compare_digest(first.encode("utf-8", "replace"), self.token.encode())
        is_own = not origin or origin.lower() in {f"http://{name}" for name in self.names}
        return has_token and host.lower() in self.names and is_own
