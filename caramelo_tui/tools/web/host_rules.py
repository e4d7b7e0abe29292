"""Decide which hosts and addresses a request may go to.

Owns the meaning of ``web.allow_hosts`` and the names that are refused before any look-up.
Knows no network. Proven by tests/unit/tools/web/test_host_rules.py.
"""

import ipaddress
from collections.abc import Iterable, Sequence

from caramelo_tui.domain.errors import ConfigError, ToolFailure
from caramelo_tui.tools.web.addresses import IpAddress, Reach, Standing, standing_of
from caramelo_tui.tools.web.urls import UrlRefused, WebUrl, parse_url

_METADATA_NAMES = frozenset(
    {
        "metadata",
        "metadata.google.internal",
        "metadata.goog",
        "metadata.azure.internal",
        "metadata.tencentyun.com",
        "instance-data",
        "instance-data.ec2.internal",
    }
)
"""Names under which clouds serve their machines' keys; refused also when they lead elsewhere."""
_LOOPBACK_NAMES = frozenset(
    {"localhost", "localhost.localdomain", "ip6-localhost", "ip6-loopback", "loopback"}
)
_METADATA_NAME = Standing(reach=Reach.NEVER, what="a cloud metadata name")
_OWN_NAME = Standing(reach=Reach.INNER, what="this machine's own name")
_HINT = "Only the user's configuration can allow it, by naming the host in web.allow_hosts."


class AddressRefused(ToolFailure):
    """A host is, or leads to, an address that is not fetched."""

    def __init__(self, url: WebUrl, standing: Standing, address: str = "") -> None:
        is_named = address not in {"", url.host}
        leads = f"{url.host} leads to {address}," if is_named else f"{url.host} is"
        hint = _HINT if standing.reach is Reach.INNER else "Such addresses are never fetched."
        super().__init__(f"{url.text} was not fetched: {leads} {standing.what}. {hint}")


class HostRules:
    """The user's rules on hosts, for one session."""

    def __init__(self, allow_hosts: Iterable[str]) -> None:
        """Read the hosts that may be inner ones.

        Args:
            allow_hosts: ``host`` or ``host:port``; an IPv6 address with a port in brackets.

        Raises:
            ConfigError: If one of them is no host.
        """
        self._allowed = frozenset(_read_allowed(text) for text in allow_hosts)

    def is_allowed(self, url: WebUrl) -> bool:
        """Whether the configuration names this host, or this host and port."""
        return not self._allowed.isdisjoint({(url.host, None), (url.host, url.port)})

    def check_name(self, url: WebUrl) -> None:
        """Refuse what is known to be refused without a look-up.

        Raises:
            AddressRefused: If the host is a metadata name, or names this machine or an inner
                address that the configuration does not allow.
        """
        if url.host in _METADATA_NAMES:
            raise AddressRefused(url, _METADATA_NAME)
        if url.address is not None:
            self.check_addresses(url, [url.host])
        elif _is_loopback_name(url.host) and not self.is_allowed(url):
            raise AddressRefused(url, _OWN_NAME)

    def check_addresses(self, url: WebUrl, addresses: Sequence[str]) -> tuple[IpAddress, ...]:
        """Return the addresses of a host, every one of which may be contacted.

        Args:
            url: Where the request goes.
            addresses: All answers of the look-up.

        Raises:
            AddressRefused: If a single one may not.
            UrlRefused: If there is none.
        """
        if not addresses:
            raise UrlRefused(url.text, "its host has no address.")
        read = tuple(_read_address(url, text) for text in addresses)
        for address in read:
            standing = standing_of(address)
            is_lifted = standing.reach is Reach.INNER and self.is_allowed(url)
            if standing.reach is not Reach.PUBLIC and not is_lifted:
                raise AddressRefused(url, standing, str(address))
        return read


def _read_allowed(text: str) -> tuple[str, int | None]:
    candidate = text.strip()
    if candidate.count(":") > 1 and not candidate.startswith("["):
        candidate = f"[{candidate}]"
    try:
        url = parse_url(f"http://{candidate}")
    except UrlRefused as error:
        raise _bad_entry(text) from error
    if url.target != "/" or candidate.endswith("/"):
        raise _bad_entry(text)
    has_port = candidate.rpartition("]")[2].rpartition(":")[1] == ":"
    return url.host, url.port if has_port else None


def _bad_entry(text: str) -> ConfigError:
    return ConfigError(
        "configuration", "web.allow_hosts", f"{text!r} is no host; write host or host:port"
    )


def _read_address(url: WebUrl, text: str) -> IpAddress:
    try:
        return ipaddress.ip_address(text)
    except ValueError as error:
        raise UrlRefused(url.text, "the look-up of its host gave no address.") from error


def _is_loopback_name(host: str) -> bool:
    return host in _LOOPBACK_NAMES or host.endswith(".localhost")
