"""What an address is to a request."""

import ipaddress

import pytest

from caramelo_tui.tools.web.addresses import Reach, standing_of


def reach(text: str) -> Reach:
    return standing_of(ipaddress.ip_address(text)).reach


@pytest.mark.parametrize(
    "text",
    [
        "8.8.8.8",
        "93.184.216.34",
        "172.32.0.1",
        "100.128.0.1",
        "192.0.1.1",
        "2001:4860:4860::8888",
        "2606:4700::1111",
        "::ffff:8.8.8.8",
        "64:ff9b::8.8.8.8",
        "2002:808:808::1",
    ],
)
def test_public_address(text: str) -> None:
    assert reach(text) is Reach.PUBLIC


@pytest.mark.parametrize(
    "text",
    [
        "127.0.0.1",
        "127.255.255.254",
        "10.0.0.1",
        "172.16.0.1",
        "172.31.255.255",
        "192.168.1.9",
        "100.64.0.1",
        "192.0.2.1",
        "198.51.100.1",
        "203.0.113.1",
        "198.18.0.1",
        "192.88.99.1",
        "::1",
        "fc00::1",
        "fd12:3456::1",
        "fe80::1",
        "fe80::1%eth0",
        "fec0::1",
        "100::1",
        "2001:db8::1",
        "3fff::1",
        "4000::1",
        "::ffff:127.0.0.1",
        "::ffff:0:10.0.0.1",
        "::10.0.0.1",
        "64:ff9b::7f00:1",
        "64:ff9b:1::808:808",
        "64:ff9b:1:fffe::808:808",
        "2002:7f00:1::1",
        "2002:c0a8:101::1",
        "2001:0:808:808:0:0:f5ff:fffe",
        "2001:0:a00:1:0:0:f7f7:f7f7",
        "2600::5efe:a00:1",
        "2600::200:5efe:7f00:1",
    ],
)
def test_inner_address_in_any_wrapper(text: str) -> None:
    assert reach(text) is Reach.INNER


@pytest.mark.parametrize(
    "text",
    [
        "0.0.0.0",  # noqa: S104 - an address to refuse, nothing is bound
        "0.1.2.3",
        "169.254.169.254",
        "169.254.170.2",
        "169.254.42.42",
        "169.254.0.23",
        "100.100.100.200",
        "168.63.129.16",
        "192.0.0.192",
        "192.0.0.1",
        "224.0.0.1",
        "239.255.255.250",
        "240.0.0.1",
        "255.255.255.255",
        "::",
        "ff02::1",
        "fd00:ec2::254",
        "fd00:ec2::23",
        "fd20:ce::254",
        "fe80::a9fe:a9fe",
        "::ffff:169.254.169.254",
        "::169.254.169.254",
        "64:ff9b::a9fe:a9fe",
        "64:ff9b:1::a9fe:a9fe",
        "64:ff9b:1:a9fe:a9:fe00::",
        "2002:a9fe:a9fe::",
        "2001:0:a9fe:a9fe::",
        "2001:0:808:808:0:0:5601:5601",
        "::ffff:0:0:0",
    ],
)
def test_address_that_is_never_contacted_in_any_wrapper(text: str) -> None:
    assert reach(text) is Reach.NEVER


def test_standing_says_what_it_is() -> None:
    assert standing_of(ipaddress.ip_address("::ffff:127.0.0.1")).what == "a loopback address"
