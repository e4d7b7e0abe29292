"""What request follows a redirect."""

import pytest

from caramelo_tui.tools.web.redirects import RedirectRefused, redirected
from caramelo_tui.tools.web.requests import WebRequest
from caramelo_tui.tools.web.urls import parse_url

HEADERS = (("Authorization", "t"), ("Content-Type", "a/b"), ("X-A", "1"))


def request(method: str = "GET", *, body: bytes | None = None, url: str = "") -> WebRequest:
    return WebRequest(
        url=parse_url(url or "http://a.test/x"), method=method, headers=HEADERS, body=body
    )


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_same_origin_keeps_custom_headers_of_a_get(status: int) -> None:
    following = redirected(request(), status, "/y")
    assert following.url.text == "http://a.test/y"
    assert following.headers == HEADERS


@pytest.mark.parametrize(
    "location", ["http://b.test/", "http://a.test:8080/", "https://a.test/", "http://sub.a.test/"]
)
def test_other_origin_drops_all_custom_headers(location: str) -> None:
    assert redirected(request(), 307, location).headers == ()


@pytest.mark.parametrize(
    ("method", "status", "after"),
    [
        ("POST", 301, "GET"),
        ("POST", 302, "GET"),
        ("POST", 303, "GET"),
        ("PUT", 303, "GET"),
        ("HEAD", 303, "HEAD"),
        ("POST", 307, "POST"),
        ("POST", 308, "POST"),
        ("PUT", 302, "PUT"),
    ],
)
def test_method_follows_the_rules_of_the_status(method: str, status: int, after: str) -> None:
    body = None if method == "HEAD" else b"x"
    following = redirected(request(method, body=body), status, "/y")
    assert following.method == after
    assert (following.body is None) is (after in {"GET", "HEAD"})
    names = [name for name, _ in following.headers]
    assert ("Content-Type" in names) is (following.body is not None or method == "HEAD")


@pytest.mark.parametrize(
    ("method", "status", "body"),
    [("POST", 307, b"x"), ("POST", 308, None), ("DELETE", 302, None), ("GET", 307, b"x")],
)
def test_what_was_approved_for_one_origin_goes_to_no_other(
    method: str, status: int, body: bytes | None
) -> None:
    with pytest.raises(RedirectRefused, match=r"http://b\.test/z"):
        redirected(request(method, body=body), status, "http://b.test/z")


def test_post_that_becomes_a_get_may_change_its_origin() -> None:
    following = redirected(request("POST", body=b"x"), 303, "http://b.test/")
    assert (following.method, following.body, following.headers) == ("GET", None, ())


def test_https_is_not_left() -> None:
    with pytest.raises(RedirectRefused, match="leaves https"):
        redirected(request(url="https://a.test/"), 302, "http://a.test/")


@pytest.mark.parametrize("location", ["file:///x", "http://u:p@b.test/", "http://127.1/", "a\x1b"])
def test_bad_target_is_refused_and_shown_safely(location: str) -> None:
    with pytest.raises(RedirectRefused) as caught:
        redirected(request(), 302, location)
    assert "\x1b" not in str(caught.value)
