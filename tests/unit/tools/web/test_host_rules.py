"""Which hosts a request may go to."""

import pytest

from caramelo_tui.domain.errors import ConfigError
from caramelo_tui.tools.web.host_rules import AddressRefused, HostRules
from caramelo_tui.tools.web.urls import UrlRefused, parse_url


@pytest.mark.parametrize(
    "url",
    [
        "http://127.0.0.1:8081/",
        "http://[::ffff:127.0.0.1]/",
        "http://[::1]/",
        "http://10.0.0.1/",
        "http://localhost/",
        "http://LOCALHOST./",
        "http://a.localhost:3000/",
        "http://ip6-localhost/",
    ],
)
def test_inner_host_is_refused_without_a_look_up(url: str) -> None:
    with pytest.raises(AddressRefused, match=r"web\.allow_hosts"):
        HostRules(()).check_name(parse_url(url))


@pytest.mark.parametrize(
    ("entry", "allowed", "refused"),
    [
        ("127.0.0.1", "http://127.0.0.1:1/", "http://127.0.0.2/"),
        ("127.0.0.1:8080", "http://127.0.0.1:8080/", "http://127.0.0.1/"),
        ("LocalHost", "http://localhost/", "http://a.localhost/"),
        ("localhost:80", "http://localhost/", "https://localhost/"),
        ("[::1]:99", "http://[::1]:99/", "http://[::1]/"),
        ("::1", "http://[::1]:5/", "http://[::2]/"),
        ("[::1]", "https://[0:0::1]/", "http://127.0.0.1/"),
    ],
)
def test_configuration_allows_exactly_the_host_it_names(
    entry: str, allowed: str, refused: str
) -> None:
    rules = HostRules((entry,))
    rules.check_name(parse_url(allowed))
    with pytest.raises(AddressRefused):
        rules.check_name(parse_url(refused))


@pytest.mark.parametrize(
    "host",
    [
        "169.254.169.254",
        "100.100.100.200",
        "192.0.0.192",
        "0.0.0.0",  # noqa: S104 - an address to refuse, nothing is bound
        "224.0.0.1",
        "[fd00:ec2::254]",
        "[::ffff:169.254.169.254]",
        "metadata.google.internal",
    ],
)
def test_metadata_is_never_allowed(host: str) -> None:
    with pytest.raises(AddressRefused, match="never fetched"):
        HostRules((host,)).check_name(parse_url(f"http://{host}/"))


def test_allowed_name_may_lead_inside_but_not_to_metadata() -> None:
    rules = HostRules(("wiki.test",))
    url = parse_url("http://wiki.test/")
    assert [str(a) for a in rules.check_addresses(url, ["10.1.2.3"])] == ["10.1.2.3"]
    with pytest.raises(AddressRefused, match=r"wiki\.test leads to 169\.254\.169\.254"):
        rules.check_addresses(url, ["10.1.2.3", "169.254.169.254"])


def test_one_bad_address_among_good_ones_is_enough() -> None:
    url = parse_url("http://two.test/")
    with pytest.raises(AddressRefused, match=r"192\.168\.1\.9, a private address"):
        HostRules(()).check_addresses(url, ["93.184.216.34", "192.168.1.9"])


@pytest.mark.parametrize("answer", [[], ["no address"]])
def test_look_up_without_an_address_is_refused(answer: list[str]) -> None:
    with pytest.raises(UrlRefused):
        HostRules(()).check_addresses(parse_url("http://a.test/"), answer)


@pytest.mark.parametrize(
    "entry", ["", "http://a.test", "a.test/", "a.test/x", "a.test:99999", "*.test", "127.1", "u@h"]
)
def test_entry_that_is_no_host_is_told(entry: str) -> None:
    with pytest.raises(ConfigError, match=r"web\.allow_hosts"):
        HostRules((entry,))
