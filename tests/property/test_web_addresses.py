"""No wrapper makes an inner address a public one."""

import ipaddress

from hypothesis import given
from hypothesis import strategies as st

from caramelo_tui.tools.web.addresses import Reach, standing_of

four = st.ip_addresses(v=4).map(int)
any_v4 = st.one_of(
    four,
    st.integers(0x7F000000, 0x7FFFFFFF),
    st.integers(0x0A000000, 0x0AFFFFFF),
    st.integers(0xA9FE0000, 0xA9FEFFFF),
    st.integers(0x64400000, 0x647FFFFF),
)
low_64 = st.integers(0, 2**64 - 1)


def wrapped(number: int, low: int) -> list[ipaddress.IPv6Address]:
    """Return the address in every form that carries it."""
    prefix = 0x64FF9B << 96
    return [
        ipaddress.IPv6Address(value)
        for value in (
            0xFFFF << 32 | number,
            0xFFFF << 48 | number,
            prefix | number,
            0x2002 << 112 | number << 80 | low,
            0x20010000 << 96 | number << 64 | low,
            0x20010000 << 96 | 0x08080808 << 64 | (number ^ 0xFFFFFFFF),
            0x2600 << 112 | 0x5EFE << 32 | number,
        )
    ]


@given(any_v4, low_64)
def test_a_carried_address_counts_in_every_wrapper(number: int, low: int) -> None:
    plain = standing_of(ipaddress.IPv4Address(number)).reach
    assert [a for a in wrapped(number, low) if standing_of(a).reach < plain] == []


@given(any_v4)
def test_mapped_translated_and_nat64_forms_are_exactly_what_they_carry(number: int) -> None:
    plain = standing_of(ipaddress.IPv4Address(number)).reach
    assert {standing_of(a).reach for a in wrapped(number, 0)[:3]} == {plain}


@given(st.ip_addresses())
def test_what_python_calls_private_is_never_public(
    address: ipaddress.IPv4Address | ipaddress.IPv6Address,
) -> None:
    is_special = (
        address.is_private
        or address.is_loopback
        or address.is_link_local
        or address.is_multicast
        or address.is_reserved
        or address.is_unspecified
    )
    if is_special and not any(address in network for network in _JUDGED_BY_CONTENT):
        assert standing_of(address).reach is not Reach.PUBLIC


_JUDGED_BY_CONTENT = [
    ipaddress.ip_network(text) for text in ("::/32", "64:ff9b::/96", "2001::/32", "2002::/16")
]
"""Mapped, compatible, NAT64, Teredo and 6to4: they are what they carry."""
