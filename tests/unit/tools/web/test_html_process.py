"""The process in which a page is converted."""

import asyncio

import psutil
import pytest

from caramelo_tui.tools.web import html_worker
from caramelo_tui.tools.web.html_process import HtmlConverter

ENDLESS = "<!--" * 200_000
"""Keeps the standard library's parser busy for minutes."""


def children() -> list[psutil.Process]:
    return psutil.Process().children()


@pytest.mark.parametrize("uses_engine", [True, False])
async def test_page_is_converted(*, uses_engine: bool) -> None:
    converter = HtmlConverter(uses_engine=uses_engine)
    found = await converter.convert(
        "<title>T \u00e9</title><p>word \U0001f600 <a href=y>l</a>",
        base_url="http://a.test/",
        limit_characters=10_000,
    )
    assert found is not None
    assert found.title == "T \u00e9"
    assert found.text == "word \U0001f600 [l](http://a.test/y)"
    assert found.characters == len(found.text)
    assert children() == []


async def test_result_is_cut_and_its_length_told() -> None:
    found = await HtmlConverter().convert("<p>" + "x" * 500, base_url="", limit_characters=10)
    assert found is not None
    assert (found.text, found.characters) == ("x" * 10, 500)


async def test_page_that_takes_too_long_is_given_up_and_its_process_is_dead() -> None:
    converter = HtmlConverter(time_limit_s=0.5, uses_engine=False)
    assert await converter.convert(ENDLESS, base_url="", limit_characters=10) is None
    assert children() == []


async def test_cancelled_conversion_leaves_no_process() -> None:
    converter = HtmlConverter(uses_engine=False)
    call = asyncio.create_task(converter.convert(ENDLESS, base_url="", limit_characters=10))
    await asyncio.to_thread(first_child)
    call.cancel()
    with pytest.raises(asyncio.CancelledError):
        await call
    assert children() == []


def first_child() -> psutil.Process:
    while True:
        for child in children():
            return child


async def test_process_that_fails_gives_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    converter = HtmlConverter()
    monkeypatch.setattr(converter, "_engine_folder", "/nowhere")
    assert await converter.convert("<p>x", base_url="", limit_characters=10) is None


async def test_without_the_library_the_fallback_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(html_worker, "ENGINE", "not_installed_at_all")
    found = await HtmlConverter().convert("<p>plain", base_url="", limit_characters=10)
    assert found is not None
    assert found.text == "plain"
