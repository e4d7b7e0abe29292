"""The text of a result."""

import pytest

from caramelo_tui.tools.base import ToolOutput
from caramelo_tui.tools.web.html_process import HtmlConverter
from caramelo_tui.tools.web.rendering import render
from caramelo_tui.tools.web.requests import WebAnswer
from caramelo_tui.tools.web.urls import parse_url

URL = parse_url("http://a.test/x")


def answer(body: bytes, content_type: str = "text/plain", **more: object) -> WebAnswer:
    values: dict[str, object] = {
        "url": URL,
        "status": 200,
        "headers": (("content-type", content_type),) if content_type else (),
        "body": body,
        **more,
    }
    return WebAnswer(**values)  # type: ignore[arg-type] # values of single fields


async def shown(found: WebAnswer, *, method: str = "GET", max_length: int = 50_000) -> ToolOutput:
    return await render(
        found, method=method, max_length=max_length, converter=HtmlConverter(uses_engine=False)
    )


async def test_header_says_url_status_type_and_size() -> None:
    output = await shown(answer(b"text"))
    assert output.text == (
        "url: http://a.test/x\nstatus: 200 OK\ntype: text/plain\nsize: 4 bytes\n\ntext"
    )
    assert not output.is_error
    assert not output.is_truncated


async def test_redirects_are_listed() -> None:
    output = await shown(
        answer(b"", passed=(parse_url("http://b.test/"), parse_url("http://c.test/")))
    )
    assert "redirected from: http://b.test/ -> http://c.test/" in output.text


async def test_nothing_from_outside_adds_a_line_to_the_header() -> None:
    found = await shown(answer(b"text", "text/plain; x=\x1b[2J\u2028fake: 1"))
    head, _, body = found.text.partition("\n\n")
    assert len(head.split("\n")) == 4
    assert "\x1b" not in head
    assert "\u2028" not in head
    assert body == "text"


async def test_header_stays_short_whatever_the_page_says() -> None:
    page = b"<title>" + b"t" * 9_000 + b"</title><p>text"
    output = await shown(answer(page, "text/html; x=" + "y" * 9_000))
    assert len(output.text) < 600
    assert output.text.endswith("text")


async def test_cut_names_both_lengths_and_the_argument() -> None:
    output = await shown(answer(b"abcde" * 20), max_length=10)
    assert output.text.endswith("\n\nabcdeabcde")
    assert "truncated: true" in output.text
    assert "the first 10 of 100 characters; max_length" in output.text
    assert output.is_truncated


async def test_length_counts_characters() -> None:
    exact = await shown(answer("é".encode() * 10), max_length=10)
    assert not exact.is_truncated
    assert exact.text.endswith("é" * 10)


async def test_no_result_is_longer_than_the_limit_of_all_results() -> None:
    output = await shown(answer("é".encode() * 200_000), max_length=10**9)
    assert len(output.text.encode()) <= 262_144
    assert output.is_truncated


async def test_error_status_is_an_error_with_the_start_of_the_body() -> None:
    output = await shown(answer(b"nope" * 5_000, status=404))
    assert output.is_error
    assert "status: 404 Not Found" in output.text
    assert "nope" in output.text
    assert len(output.text) < 4_500


async def test_body_that_broke_off_is_an_error_that_shows_what_came() -> None:
    output = await shown(answer(b"half", problem="timed out after 30 s in all"))
    assert output.is_error
    assert output.is_truncated
    assert "incomplete: timed out" in output.text
    assert output.text.endswith("half")


async def test_body_above_the_limit_says_so() -> None:
    output = await shown(answer(b"half", is_cut=True))
    assert "size: more than the limit of 4 bytes" in output.text
    assert "truncated: true" in output.text
    assert output.is_truncated


@pytest.mark.parametrize("content_type", ["image/png", "application/pdf", "text/plain", ""])
async def test_binary_is_named_and_not_shown(content_type: str) -> None:
    output = await shown(answer(b"\x89PNG\0\x1b[2J", content_type))
    assert "Binary content (" in output.text
    assert "9 bytes" in output.text
    assert "PNG" not in output.text
    assert "\x1b" not in output.text
    assert not output.is_truncated


async def test_json_is_laid_out_and_cut() -> None:
    output = await shown(answer(b'{"b":[1,2]}', "application/json"))
    assert output.text.endswith('{\n  "b": [\n    1,\n    2\n  ]\n}')
    cut = await shown(answer(b"[" + b"1," * 9_999 + b"1]", "application/json"), max_length=20)
    assert "shown: the first 20 characters" in cut.text
    assert cut.is_truncated


async def test_what_only_claims_to_be_json_is_shown_as_it_is() -> None:
    output = await shown(answer(b"<not json>", "application/json"))
    assert output.text.endswith("\n\n<not json>")


async def test_html_becomes_markdown_with_its_title() -> None:
    output = await shown(answer(b"<title>T</title><h1>One</h1><p>x", "text/html"))
    assert "title: T" in output.text
    assert output.text.endswith("\n\n# One\n\nx")


async def test_html_that_takes_too_long_is_shown_as_html() -> None:
    converter = HtmlConverter(time_limit_s=0.01, uses_engine=False)
    output = await render(
        answer(b"<p>x", "text/html"), method="GET", max_length=100, converter=converter
    )
    assert "note: the page could not be turned into Markdown" in output.text
    assert output.text.endswith("<p>x")


async def test_head_shows_headers_but_no_cookies() -> None:
    headers = (("content-type", "text/html"), ("etag", '"1"'), ("set-cookie", "login=1"))
    output = await shown(answer(b"", headers=headers), method="HEAD")
    assert 'etag: "1"' in output.text
    assert "login" not in output.text


@pytest.mark.parametrize(
    ("body", "content_type"),
    [
        ("a\U000e0041\U000e007fb", "text/plain"),
        ('["a\U000e0041b"]', "application/json"),
        ("<title>\U000e0041</title><p>a\U000e0041b", "text/html"),
        ("<p>a&#xE0041;b", "text/html"),
    ],
)
async def test_tag_characters_never_reach_the_model(body: str, content_type: str) -> None:
    output = await shown(answer(body.encode(), content_type))
    assert "ab" in output.text
    assert not any(0xE0000 <= ord(character) <= 0xE007F for character in output.text)
