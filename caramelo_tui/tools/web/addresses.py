"""Say what an IP address is to a request: public, inner, or never to be contacted.

Owns the tables of special addresses and the unpacking of addresses that carry another one.
Python's ``is_global`` alone is not enough: it is true for multicast, 6to4 and NAT64, and it
changed between versions. Pure. Proven by tests/unit/tools/web/test_addresses.py and
tests/property/test_web_addresses.py.

Sources, read 2026-11: IANA IPv4 and IPv6 Special-Purpose Address Registries; RFC 4291
(mapped, compatible), RFC 3056 (6to4), RFC 4380 (Teredo), RFC 6052 and RFC 8215 (NAT64), RFC
5214 (ISATAP); the metadata pages of AWS, Google Cloud, Azure, Oracle, Alibaba and Scaleway.
"""

import ipaddress
from collections.abc import Iterator
from dataclasses import dataclass
from enum import IntEnum
from typing import TypeAlias

IpAddress: TypeAlias = ipaddress.IPv4Address | ipaddress.IPv6Address
"""Either kind."""


class Reach(IntEnum):
    """Who may be sent to an address; the higher, the fewer."""

    PUBLIC = 0
    """Anyone."""
    INNER = 1
    """Only if the user's configuration names the host."""
    NEVER = 2
    """Nobody, whatever the configuration says."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """What an address is."""

    reach: Reach
    what: str
    """Such as ``a loopback address``."""


_PUBLIC = Standing(reach=Reach.PUBLIC, what="a public address")
_METADATA = "a cloud metadata address"

_NEVER_V4 = (
    ("0.0.0.0/8", "an unspecified address"),
    # Clouds put their metadata at several places of this range, not at .169.254 alone.
    ("169.254.0.0/16", "a link-local address, where cloud metadata lies"),
    ("100.100.100.200/32", _METADATA),
    ("168.63.129.16/32", _METADATA),
    ("192.0.0.0/24", "an address of the protocol range, where cloud metadata lies"),
    ("224.0.0.0/4", "a multicast address"),
    ("240.0.0.0/4", "a reserved address"),
)
_INNER_V4 = (
    ("127.0.0.0/8", "a loopback address"),
    ("10.0.0.0/8", "a private address"),
    ("172.16.0.0/12", "a private address"),
    ("192.168.0.0/16", "a private address"),
    ("100.64.0.0/10", "an address shared by a provider's network"),
    ("192.0.2.0/24", "an address for documentation"),
    ("198.51.100.0/24", "an address for documentation"),
    ("203.0.113.0/24", "an address for documentation"),
    ("192.88.99.0/24", "a relay address"),
    ("198.18.0.0/15", "an address for measurements"),
)
_NEVER_V6 = (
    ("::/128", "an unspecified address"),
    ("ff00::/8", "a multicast address"),
    ("fd00:ec2::/32", _METADATA),
    ("fd20:ce::/32", _METADATA),
    ("fd00:42::42/128", _METADATA),
    ("fe80::a9fe:a9fe/128", _METADATA),
)
_INNER_V6 = (
    ("::1/128", "a loopback address"),
    ("fc00::/7", "a private address"),
    ("fe80::/10", "a link-local address"),
    ("64:ff9b:1::/48", "an address of a local translation"),
    ("2001:db8::/32", "an address for documentation"),
    ("3fff::/20", "an address for documentation"),
)

_TABLE = tuple(
    (ipaddress.ip_network(network), Standing(reach=reach, what=what))
    for reach, rows in (
        (Reach.NEVER, _NEVER_V4 + _NEVER_V6),
        (Reach.INNER, _INNER_V4 + _INNER_V6),
    )
    for network, what in rows
)

_GLOBAL_UNICAST = ipaddress.IPv6Network("2000::/3")
"""The only IPv6 range that is given out (IANA, IPv6 Global Unicast Address Assignments)."""
_ENDS_IN_IPV4 = tuple(
    ipaddress.IPv6Network(text)
    for text in ("::ffff:0:0/96", "::ffff:0:0:0/96", "::/96", "64:ff9b::/96")
)
"""Mapped, translated (RFC 2765), compatible, NAT64."""
_SIX_TO_FOUR = ipaddress.IPv6Network("2002::/16")
_TEREDO = ipaddress.IPv6Network("2001::/32")
_LOCAL_NAT64 = ipaddress.IPv6Network("64:ff9b:1::/48")
_METADATA_PLACES = tuple(
    ipaddress.IPv4Network(text)
    for text in ("169.254.0.0/16", "100.100.100.200/32", "168.63.129.16/32", "192.0.0.192/32")
)
_ISATAP_MARKS = frozenset({0x0000_5EFE, 0x0200_5EFE})
_LOW_32 = 0xFFFF_FFFF
_FIRST_REAL_COMPATIBLE = 2
"""``::`` and ``::1`` are addresses of their own, not compatible ones."""


def standing_of(address: IpAddress) -> Standing:
    """Return what an address is, the worst of itself and of all that it carries."""
    carried = [standing_of(inner) for inner in _carried(address)]
    return max(_own_standing(address, is_carrier=bool(carried)), *carried, _PUBLIC, key=_reach)


def _reach(standing: Standing) -> Reach:
    return standing.reach


def _own_standing(address: IpAddress, *, is_carrier: bool) -> Standing:
    for network, standing in _TABLE:
        if address in network:
            return standing
    if is_carrier:
        # Judged by what it carries: the wrapper itself is no place.
        return _PUBLIC
    is_given_out = address in _GLOBAL_UNICAST if address.version == 6 else True  # noqa: PLR2004 - IPv6
    if not is_given_out or not address.is_global:
        return Standing(reach=Reach.INNER, what="no public address")
    return _PUBLIC


def _carried(address: IpAddress) -> Iterator[ipaddress.IPv4Address]:
    """Yield the IPv4 addresses to which an IPv6 address may lead."""
    if isinstance(address, ipaddress.IPv4Address):
        return
    number = int(address)
    last = number & _LOW_32
    if number >= _FIRST_REAL_COMPATIBLE and any(address in network for network in _ENDS_IN_IPV4):
        yield ipaddress.IPv4Address(last)
    elif address in _SIX_TO_FOUR:
        yield ipaddress.IPv4Address(number >> 80 & _LOW_32)
    elif address in _TEREDO:
        yield ipaddress.IPv4Address(number >> 64 & _LOW_32)
        yield ipaddress.IPv4Address(last ^ _LOW_32)
    elif address in _LOCAL_NAT64:
        yield from _translated_locally(number)
    elif number >> 32 & _LOW_32 in _ISATAP_MARKS:
        yield ipaddress.IPv4Address(last)


def _translated_locally(number: int) -> Iterator[ipaddress.IPv4Address]:
    """Yield the metadata addresses that a local translation might make of it.

    Which prefix length of RFC 6052 is in use only the network knows, so all are tried; readings
    that are not in use give chance addresses, so nothing else than metadata counts.
    """
    # Prefixes of 48, 56 and 64 bits: the address stands around bits 64 to 71, which are zero.
    without_gap = (number >> 64) << 56 | (number & (1 << 56) - 1)
    readings = [number, *(without_gap >> (120 - prefix - 32) for prefix in (48, 56, 64))]
    for reading in readings:
        address = ipaddress.IPv4Address(reading & _LOW_32)
        if any(address in network for network in _METADATA_PLACES):
            yield address
