"""Reading a URL in one way only."""

import pytest

from caramelo_tui.tools.web.urls import URL_CHARACTERS, UrlRefused, join_url, parse_url


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("http://a.test", "http://a.test/"),
        ("HTTPS://A.Test:443/P?q#frag", "https://a.test/P?q"),
        ("http://a.test:80/", "http://a.test/"),
        ("https://a.test:80/", "https://a.test:80/"),
        ("http://a.test:/x", "http://a.test/x"),
        ("http://a.test:0080/", "http://a.test/"),
        ("http://a.test./", "http://a.test/"),
        ("http://a.test/x y?\u00fc=[1]&b=%20", "http://a.test/x%20y?%C3%BC=[1]&b=%20"),
        ("http://a.test?x=\\y", "http://a.test/?x=%5Cy"),
        ("http://a.test/\u202e", "http://a.test/%E2%80%AE"),
        ("http://r3---sn-x.a_b.test/", "http://r3---sn-x.a_b.test/"),
        ("http://8.8.8.8/", "http://8.8.8.8/"),
        ("http://[2001:4860:4860:0::8888]:81/", "http://[2001:4860:4860::8888]:81/"),
        ("http://fa\u00df.test/", "http://xn--fa-hia.test/"),
        ("http://\uff41.test/", "http://a.test/"),
        ("http://a\u3002test/", "http://a.test/"),
        ("http://\uff11\uff12\uff17.0.0.1/", "http://127.0.0.1/"),
    ],
)
def test_plain_url_is_read_as_it_is_sent(text: str, read: str) -> None:
    assert parse_url(text).text == read


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("file:///etc/hostname", "only http and https"),
        ("ftp://a.test/", "only http and https"),
        ("javascript:alert(1)", "not of the form"),
        ("a.test/x", "not of the form"),
        ("//a.test/x", "not of the form"),
        ("http:a.test", "not of the form"),
        (" http://a.test", "not of the form"),
        ("http://", "names no host"),
        ("http:///x", "names no host"),
        ("http://./", "names no host"),
        ("http://:80/", "names no host"),
        ("http://a.test\0.evil.test/", "control character"),
        ("http://a.test/\r\nX: y", "control character"),
        ("http://a.test/\t", "control character"),
        ("http://a.test/\ud800", "control character"),
        ("http://user@a.test/", "login"),
        ("http://user:pass@a.test/", "login"),
        ("http://good.test@evil.test/", "login"),
        ("http://a.test\\@evil.test/", "backslash"),
        ("http://a.test/\\x", "backslash"),
        ("http://a.test:99999/", "port"),
        ("http://a.test:0/", "port"),
        ("http://a.test:8x/", "cannot be read"),
        ("http://a.test:\u0661/", "cannot be read"),
        ("http://a:b:c/", "cannot be read"),
        ("http://[::1/", "cannot be read"),
        ("http://[::1]x/", "cannot be read"),
        ("http://[zz]/", "IPv6"),
        ("http://[fe80::1%25eth0]/", "interface"),
        ("http://[fe80::1%eth0]/", "interface"),
        ("http://ex%61mple.test/", "not a valid name"),
        ("http://a..test/", "not a valid name"),
        ("http://-a.test/", "not a valid name"),
        ("http://a b.test/", "not a valid name"),
        (f"http://{'a' * 64}.test/", "not a valid name"),
        (f"http://{'a.' * 130}test/", "more than 253"),
        ("http://xn--zzzzzzz99/", "international"),
        ("http://a\u2100b.test/", "not a valid name"),
        ("http://a\u200bb\u2028.test/", "not"),
        ("http://0x7f000001/", "Write 127.0.0.1"),
        ("http://017700000001/", "Write 127.0.0.1"),
        ("http://2130706433/", "Write 127.0.0.1"),
        ("http://127.1/", "Write 127.0.0.1"),
        ("http://0177.0.0.1/", "Write 127.0.0.1"),
        ("http://127.0.0.0x1/", "Write 127.0.0.1"),
        ("http://1.2.3.4.5/", "unusual spelling"),
        ("http://99999999999/", "unusual spelling"),
        ("http://256.1.1.1/", "not a valid address"),
        ("http://a.test/" + "x" * URL_CHARACTERS, "more than 8,192"),
    ],
)
def test_what_could_be_read_in_two_ways_is_refused(text: str, why: str) -> None:
    with pytest.raises(UrlRefused, match=why):
        parse_url(text)


def test_refusal_shows_what_is_hidden_in_the_url() -> None:
    with pytest.raises(UrlRefused) as caught:
        parse_url("http://a.test/\x1b[2J")
    assert "<U+001B>" in str(caught.value)
    assert "\x1b" not in str(caught.value)


@pytest.mark.parametrize(
    ("text", "is_international"),
    [
        ("http://\u0430pple.test/", True),
        ("http://xn--pple-43d.test/", True),
        ("http://\uff41pple.test/", True),
        ("http://apple.test/\u0430", False),
        ("http://xnapple.test/", False),
    ],
)
def test_host_with_other_letters_is_known(text: str, *, is_international: bool) -> None:
    assert parse_url(text).is_international is is_international


def test_host_has_both_forms() -> None:
    url = parse_url("http://\u0410pple.test/")
    assert url.host == "xn--pple-43d.test"
    assert url.host_in_letters == "\u0430pple.test"
    assert url.host_as_written == "\u0410pple.test"


def test_origin_authority_path_and_query() -> None:
    url = parse_url("http://[::1]:8080/a/b?c=d?e")
    assert url.origin == ("http", "::1", 8080)
    assert url.authority == "[::1]:8080"
    assert (url.path, url.query) == ("/a/b", "c=d?e")
    assert str(url.address) == "::1"
    assert parse_url("http://a.test/").address is None


@pytest.mark.parametrize(
    ("location", "target"),
    [
        ("/x", "http://a.test/x"),
        ("x", "http://a.test/b/x"),
        ("?q", "http://a.test/b/c?q"),
        ("//other.test/y", "http://other.test/y"),
        ("https://other.test:444/y#f", "https://other.test:444/y"),
        ("../../../z", "http://a.test/z"),
        ("/caf\u00e9 x", "http://a.test/caf%C3%A9%20x"),
    ],
)
def test_location_is_resolved(location: str, target: str) -> None:
    assert join_url(parse_url("http://a.test/b/c"), location).text == target


@pytest.mark.parametrize(
    "location",
    [
        "file:///etc/passwd",
        "javascript:x",
        "http://u@b.test/",
        "\\\\evil.test/",
        "/\\evil.test",
        "http:\t//b.test",
        "http://[::1",
        "http://2130706433/",
    ],
)
def test_location_is_read_as_strictly_as_any_url(location: str) -> None:
    with pytest.raises(UrlRefused):
        join_url(parse_url("http://a.test/"), location)
