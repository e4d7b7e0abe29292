"""Any text is refused as a URL, or read in the one way that others read it too."""

import string
from urllib.parse import urlsplit

from hypothesis import example, given
from hypothesis import strategies as st

from caramelo_tui.tools.web.host_rules import AddressRefused, HostRules
from caramelo_tui.tools.web.urls import UrlRefused, WebUrl, join_url, parse_url

_AWKWARD = "/\\?#@:[]%.\t\n\0 \u3002\uff0e\u2100\u00df\u0130\u0430\u200b\u202e0x7f\u0661"
url_texts = st.builds(
    "{}{}{}".format,
    st.sampled_from(["http://", "https://", "HTTP://", "http:/", "", "file://"]),
    st.text(st.sampled_from(string.ascii_lowercase + _AWKWARD) | st.characters(codec="utf-8")),
    st.sampled_from(["", "/", "/p?q#f", ":80/", "@a.test/", ".test/"]),
)


def read(text: str) -> WebUrl | None:
    try:
        return parse_url(text)
    except UrlRefused:
        return None


def check(url: WebUrl) -> None:
    assert url.scheme in {"http", "https"}
    assert url.text.isascii()
    assert url.text.isprintable()
    assert " " not in url.text
    assert url.target.startswith("/")
    seen_by_others = urlsplit(url.text)
    assert seen_by_others.hostname == url.host
    assert seen_by_others.username is None
    assert (seen_by_others.port or {"http": 80, "https": 443}[url.scheme]) == url.port
    again = parse_url(url.text)
    assert (again.text, again.host, again.port) == (url.text, url.host, url.port)


@given(url_texts)
@example("http://a.test\\@b.test/")
@example("http://\u2488a.test/")
def test_what_is_read_is_plain_and_read_the_same_by_others(text: str) -> None:
    url = read(text)
    if url is not None:
        check(url)


@given(st.text() | url_texts)
@example("//[::1")
@example("http:b.test")
def test_any_location_is_refused_or_a_plain_url(location: str) -> None:
    try:
        url = join_url(parse_url("http://a.test/x/y?z"), location)
    except UrlRefused:
        return
    check(url)


inner_numbers = st.one_of(
    st.integers(0x7F000000, 0x7FFFFFFF),
    st.integers(0x0A000000, 0x0AFFFFFF),
    st.integers(0xC0A80000, 0xC0A8FFFF),
    st.integers(0xA9FE0000, 0xA9FEFFFF),
    st.just(0),
)
number_forms = st.sampled_from(["{}", "0x{:x}", "0X{:X}", "0{:o}", "000{:o}"])


_WIDE = {ord("0") + digit: 0xFF10 + digit for digit in range(10)} | {ord("."): 0x3002}


@st.composite
def spellings(draw: st.DrawFn) -> str:
    """Spell an inner IPv4 address as systems read it: one to four parts, three bases."""
    number = draw(inner_numbers)
    count = draw(st.integers(1, 4))
    parts = [number >> 24 & 255, number >> 16 & 255, number >> 8 & 255, number & 255]
    rest = 0
    for value in parts[count - 1 :]:
        rest = rest << 8 | value
    spelled = [draw(number_forms).format(value) for value in (*parts[: count - 1], rest)]
    host = ".".join(spelled) + draw(st.sampled_from(["", "."]))
    wide = str.maketrans(
        "0123456789.", "\uff10\uff11\uff12\uff13\uff14\uff15\uff16\uff17\uff18\uff19\u3002"
    )
    return host.translate(wide) if draw(st.booleans()) else host


@given(spellings(), st.sampled_from(["", ":80", ":8080"]))
def test_no_spelling_of_an_inner_address_gets_through(host: str, port: str) -> None:
    try:
        HostRules(()).check_name(parse_url(f"http://{host}{port}/"))
    except (UrlRefused, AddressRefused):
        return
    raise AssertionError(host)
