"""The way of a request over its redirects."""

import asyncio

import httpcore2
import pytest

from caramelo_tui.domain.errors import ConfigError, ToolFailure
from caramelo_tui.domain.web_settings import WebSettings
from caramelo_tui.tools.web.client import WebClient, WebLimits
from caramelo_tui.tools.web.requests import WebAnswer, WebRequest
from caramelo_tui.tools.web.urls import parse_url
from tests.doubles.web_worlds import HOST, PUBLIC, PlayedWeb, Spec, moved, no_trust, page

START = f"http://{HOST}/"


def client_on(web: PlayedWeb, *, asks: bool = False, limits: WebLimits | None = None) -> WebClient:
    settings = WebSettings(ask_new_hosts=asks)
    return WebClient(settings, resolver=web, connector=web, trust=no_trust, limits=limits)


async def fetch(web: PlayedWeb, url: str = START, *, asks: bool = False) -> WebAnswer:
    return await client_on(web, asks=asks).fetch(WebRequest(url=parse_url(url)))


def two_hosts(*http: Spec, other: str = "other.test") -> PlayedWeb:
    return PlayedWeb(http, {HOST: [[PUBLIC]], other: [["93.184.216.35"]]})


async def test_answer_has_status_headers_body_and_way() -> None:
    web = two_hosts(
        moved(START, "http://other.test/x"),
        page("http://other.test/x", "body", status=201, headers={"X-A": "1"}),
    )
    answer = await fetch(web)
    assert (answer.status, answer.body, answer.header("x-a")) == (201, b"body", "1")
    assert answer.url.text == "http://other.test/x"
    assert [url.text for url in answer.passed] == [START]
    assert not answer.is_cut
    assert not answer.problem
    assert web.open_streams == 0


async def test_https_keeps_the_name_for_tls() -> None:
    web = PlayedWeb([page(f"https://{HOST}/", "x")])
    await fetch(web, f"https://{HOST}/")
    assert web.tls_names == [HOST]
    assert web.connected == [PUBLIC]


async def test_each_hop_is_looked_up_and_checked_anew() -> None:
    web = PlayedWeb([moved(START, "/again")], {HOST: [[PUBLIC], ["10.0.0.1"]]})
    with pytest.raises(ToolFailure, match=r"10\.0\.0\.1, a private address"):
        await fetch(web)
    assert web.looked_up == [HOST, HOST]
    assert web.connected == [PUBLIC]
    assert web.open_streams == 0


@pytest.mark.parametrize(
    "target",
    [
        "http://127.0.0.1/",
        "http://[::1]/",
        "http://localhost/",
        "http://169.254.169.254/latest/",
        "http://2130706433/",
        "http://metadata.google.internal/",
        "//0x7f.1/",
        "file:///etc/passwd",
        "ftp://other.test/",
        "http://u:p@other.test/",
    ],
)
async def test_redirect_inside_is_refused_without_a_connection(target: str) -> None:
    web = PlayedWeb([moved(START, target)])
    with pytest.raises(ToolFailure):
        await fetch(web)
    assert web.connected == [PUBLIC]
    assert web.urls == [START]


@pytest.mark.parametrize("host", ["metadata.google.internal", "localhost"])
async def test_name_of_something_inner_is_refused_whatever_it_leads_to(host: str) -> None:
    web = two_hosts(moved(START, f"http://{host}/"), other=host)
    with pytest.raises(ToolFailure, match=host):
        await fetch(web)
    assert web.urls == [START]


async def test_redirect_to_a_host_in_other_letters_names_it_and_is_not_followed() -> None:
    web = two_hosts(moved(START, "http://xn--pple-43d.test/"), other="xn--pple-43d.test")
    with pytest.raises(ToolFailure, match=r"http://xn--pple-43d\.test/.*\u0430pple\.test"):
        await fetch(web)
    assert web.urls == [START]


async def test_redirect_within_an_approved_host_in_other_letters_is_followed() -> None:
    start = "http://xn--pple-43d.test/"
    web = PlayedWeb(
        [moved(start, "/x"), page(f"{start}x", "ok")], {"xn--pple-43d.test": [[PUBLIC]]}
    )
    assert (await fetch(web, start)).body == b"ok"


async def test_new_host_in_a_redirect_is_left_to_a_call_of_its_own() -> None:
    http = [moved(START, "http://other.test/x"), page("http://other.test/x", "ok")]
    web = two_hosts(*http)
    client = client_on(web, asks=True)
    first, second = parse_url(START), parse_url("http://other.test/x")
    assert client.is_new(first)
    with pytest.raises(ToolFailure, match=r"http://other\.test/x.*new in this session"):
        await client.fetch(WebRequest(url=first))
    assert not client.is_new(first)
    assert client.is_new(second)
    await client.fetch(WebRequest(url=second))
    assert (await client.fetch(WebRequest(url=first))).body == b"ok"


def test_no_host_is_new_where_nothing_is_asked() -> None:
    assert not client_on(PlayedWeb([])).is_new(parse_url(START))


async def test_circle_ends() -> None:
    web = PlayedWeb([moved(START, "/")])
    with pytest.raises(ToolFailure, match="5 redirects are followed"):
        await fetch(web)
    assert len(web.requests) == 6


async def test_redirect_without_a_location_is_the_answer() -> None:
    web = PlayedWeb([page(START, "choose", status=300), page(f"{START}b", "bare", status=302)])
    assert (await fetch(web)).body == b"choose"
    assert (await fetch(web, f"{START}b")).body == b"bare"


async def test_custom_headers_stay_dropped_on_the_way_back() -> None:
    web = two_hosts(
        moved(START, "http://other.test/"),
        moved("http://other.test/", f"{START}end"),
        page(f"{START}end", "ok"),
    )
    request = WebRequest(url=parse_url(START), headers=(("X-Key", "k"),))
    await client_on(web).fetch(request)
    assert [("x-key" in sent.headers) for sent in web.requests] == [True, False, False]


async def test_head_reads_no_body() -> None:
    web = PlayedWeb([page(START, "x", headers={"content-encoding": "br"})])
    answer = await client_on(web).fetch(WebRequest(url=parse_url(START), method="HEAD"))
    assert (answer.status, answer.body) == (200, b"")


async def test_post_sends_its_body_once() -> None:
    web = PlayedWeb([page(START, "ok")])
    request = WebRequest(url=parse_url(START), method="POST", body=b"x=\xc3\xa9")
    await client_on(web).fetch(request)
    (sent,) = web.requests
    assert (sent.method, sent.body) == ("POST", b"x=\xc3\xa9")


async def test_endless_body_is_cut() -> None:
    web = PlayedWeb([page(START, endless=True)])
    answer = await client_on(web, limits=WebLimits(body_bytes=10_000)).fetch(
        WebRequest(url=parse_url(START))
    )
    assert answer.is_cut
    assert len(answer.body) == 10_000
    assert web.open_streams == 0


async def test_body_packed_otherwise_is_refused() -> None:
    web = PlayedWeb([page(START, "x", headers={"content-encoding": "br"})])
    with pytest.raises(ToolFailure, match=f"{START} was not fetched: .*'br'"):
        await fetch(web)


async def test_packed_body_that_breaks_off_is_said_to_be_incomplete() -> None:
    web = PlayedWeb([page(START, b"\x1f\x8b", headers={"content-encoding": "gzip"})])
    assert "ended early" in (await fetch(web)).problem


async def test_nothing_in_time_is_a_failure_and_leaves_no_connection() -> None:
    web = PlayedWeb([page(START, "x", hang_seconds=60)])
    client = client_on(web, limits=WebLimits(total_s=0.1))
    with pytest.raises(ToolFailure, match=r"timed out after 0\.1 s"):
        await client.fetch(WebRequest(url=parse_url(START)))
    assert web.open_streams == 0


async def test_name_that_does_not_resolve_is_told() -> None:
    with pytest.raises(ToolFailure, match=r"does not resolve \(Name or service not known\)"):
        await fetch(PlayedWeb([]), "http://nowhere.test/")


async def test_location_in_utf_8_or_latin_1_is_followed() -> None:
    web = PlayedWeb(
        [
            moved(START, "/\u00e9"),
            moved(f"{START}\u00e9", "/end"),
            page(f"{START}end", "ok", headers={"x-a": "1"}),
        ]
    )
    assert (await fetch(web)).body == b"ok"
    assert web.urls[1] == f"{START}%C3%A9"
    latin = PlayedWeb([page(START, "x", headers_latin={"x-name": "caf\u00e9"})])
    assert (await fetch(latin)).header("x-name") == "caf\u00e9"


async def test_host_that_nobody_answers_for_is_told() -> None:
    class Dead(PlayedWeb):
        async def connect(
            self, address: str, port: int, timeout_s: float
        ) -> httpcore2.AsyncNetworkStream:
            """Fail.

            Raises:
                ConnectError: Always.
            """
            del port, timeout_s
            self.connected.append(address)
            raise httpcore2.ConnectError("refused")

    web = Dead([], {HOST: [[f"8.8.8.{number}" for number in range(1, 9)]]})
    with pytest.raises(ToolFailure, match="did not answer: refused"):
        await fetch(web)
    assert len(web.connected) == 4


async def test_cancelled_fetch_leaves_no_connection() -> None:
    web = PlayedWeb([page(START, "x", hang_seconds=60)])
    call = asyncio.create_task(fetch(web))
    await web.was_asked.wait()
    call.cancel()
    with pytest.raises(asyncio.CancelledError):
        await call
    assert web.open_streams == 0


async def test_answer_that_is_no_http_is_told() -> None:
    web = PlayedWeb([page(START, "x", headers={"bad header": "x"})])
    with pytest.raises(ToolFailure, match="the connection failed"):
        await fetch(web)


def test_allowed_host_that_is_none_stops_the_start() -> None:
    with pytest.raises(ConfigError):
        WebClient(WebSettings(allow_hosts=("http://x",)))


def test_limits_are_those_of_the_contract() -> None:
    limits = WebLimits()
    assert (limits.total_s, limits.body_bytes, limits.redirects) == (30.0, 5 * 1_024 * 1_024, 5)
    assert limits.idle_s < limits.total_s
