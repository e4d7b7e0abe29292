"""What a request may hold."""

import pytest

from caramelo_tui.domain.errors import ToolFailure
from caramelo_tui.tools.web.requests import WebAnswer, WebRequest, read_headers, read_method
from caramelo_tui.tools.web.urls import parse_url

URL = parse_url("http://a.test:8080/")


@pytest.mark.parametrize("text", ["get", "Post", "HEAD", "put", "patch", "DELETE", "options"])
def test_method_is_read_in_any_case(text: str) -> None:
    assert read_method(text) == text.upper()


@pytest.mark.parametrize("text", ["", "CONNECT", "TRACE", "GET /x HTTP/1.1\r\nX: y", "G\u0131T"])
def test_other_method_is_refused(text: str) -> None:
    with pytest.raises(ToolFailure, match="allowed: GET"):
        read_method(text)


def test_headers_are_taken_as_they_are() -> None:
    headers = {"X-A": "1", "authorization": "Bearer a b", "X-Empty": "", "X-Tab": "a\tb"}
    assert read_headers(headers) == tuple(headers.items())


@pytest.mark.parametrize(
    ("name", "value", "why"),
    [
        ("Host", "b.test", "set by this tool"),
        ("content-LENGTH", "5", "set by this tool"),
        ("Transfer-Encoding", "chunked", "set by this tool"),
        ("Connection", "keep-alive", "set by this tool"),
        ("Accept-Encoding", "br", "set by this tool"),
        ("Proxy-Authorization", "x", "set by this tool"),
        (":authority", "b.test", "set by this tool"),
        ("", "x", "not a header"),
        ("X Y", "x", "not a header"),
        ("X:", "x", "not a header"),
        ("X\r\nY", "x", "not a header"),
        ("X\u00e9", "x", "not a header"),
        ("X", "a\r\nHost: b.test", "line break"),
        ("X", "a\0b", "control"),
        ("X", "caf\u00e9", "non-ASCII"),
        ("X", " a", "outer blanks"),
        ("X", "a\n", "line break"),
        ("X", "a" * 9_000, "more than 8,192"),
    ],
)
def test_header_that_could_be_read_otherwise_is_refused(name: str, value: str, why: str) -> None:
    with pytest.raises(ToolFailure, match=why):
        read_headers({name: value})


def test_header_twice_or_too_many_are_refused() -> None:
    with pytest.raises(ToolFailure, match="twice"):
        read_headers({"X-A": "1", "x-a": "2"})
    with pytest.raises(ToolFailure, match="at most 50"):
        read_headers({f"X-{number}": "1" for number in range(51)})


def wire(request: WebRequest) -> dict[str, str]:
    pairs = [(n.decode().lower(), v.decode()) for n, v in request.wire_headers()]
    assert len({name for name, _ in pairs}) == len(pairs)
    return dict(pairs)


def test_wire_headers_of_a_plain_request() -> None:
    sent = wire(WebRequest(url=URL))
    assert sent["host"] == "a.test:8080"
    assert sent["connection"] == "close"
    assert "content-length" not in sent
    assert "cookie" not in sent


def test_wire_headers_with_a_body_and_custom_ones() -> None:
    request = WebRequest(url=URL, method="POST", body=b"\xc3\xa9", headers=(("user-agent", "me"),))
    sent = wire(request)
    assert sent["content-length"] == "2"
    assert sent["content-type"] == "text/plain; charset=utf-8"
    assert sent["user-agent"] == "me"
    own_type = WebRequest(url=URL, method="POST", headers=(("Content-Type", "a/b"),))
    assert wire(own_type)["content-type"] == "a/b"
    assert wire(own_type)["content-length"] == "0"


def test_status_line_is_the_standard_one() -> None:
    answer = WebAnswer(url=URL, status=404, headers=(("a", "1"), ("a", "2")), body=b"")
    assert answer.status_line == "404 Not Found"
    assert answer.header("a") == "1"
    assert answer.header("b") == ""
    assert WebAnswer(url=URL, status=599, headers=(), body=b"").status_line == "599"
