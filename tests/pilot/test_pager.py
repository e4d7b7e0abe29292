"""A text on a page of its own: scrolled, searched, copied, opened in the editor."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from caramelo_tui.ui.screens.pager import PagerScreen
from tests.pilot.pane_app import Opened, opened

TEXT = "".join(
    f"line {number} with a {'needle' if number % 30 == 5 else 'straw'}\n" for number in range(100)
)


@asynccontextmanager
async def page(
    text: str = TEXT, *, edited: list[str] | None = None
) -> AsyncIterator[tuple[Opened, PagerScreen]]:
    async with opened() as running:
        kept = [] if edited is None else edited
        screen = PagerScreen(text, title="Answer", edit=kept.append)
        await running.app.push_screen(screen)
        await running.settle()
        yield running, screen


async def test_the_page_scrolls_and_closes() -> None:
    async with page() as (running, screen):
        assert "line 0 with" in running.shown()
        assert "100 lines · / search" in running.shown()
        await running.press("G")
        assert "line 99 with" in running.shown()
        await running.press("escape")
        assert running.app.screen is not screen


async def test_the_page_is_searched() -> None:
    async with page() as (running, _screen):
        await running.press("slash", *"needle")
        assert "/needle  1 of 4 lines" in running.shown()
        await running.press("enter", "n")
        assert "2 of 4 lines" in running.shown()
        assert "line 35 with a needle" in running.shown()
        await running.press("N", "N")
        assert "4 of 4 lines" in running.shown()
        assert "line 95 with a needle" in running.shown()


async def test_small_letters_find_capitals_and_capitals_only_themselves() -> None:
    async with page("Needle\nneedle\nhay\n") as (running, _screen):
        await running.press("slash", *"needle")
        assert "1 of 2 lines" in running.shown()
        await running.press("enter", "escape", "slash", *"Needle")
        assert "1 of 1 line " in running.shown()


async def test_escape_ends_the_search_before_it_closes_the_page() -> None:
    async with page() as (running, screen):
        await running.press("n", *"nothing", "enter")
        assert "nothing found" in running.shown()
        await running.press("n", "escape")
        assert running.app.screen is screen
        assert "nothing found" not in running.shown()
        await running.press("q")
        assert running.app.screen is not screen


async def test_the_whole_text_is_copied_and_opened_in_the_editor() -> None:
    edited: list[str] = []
    async with page("one\ntwo", edited=edited) as (running, _screen):
        await running.press("y", "e")
        assert running.app.clipboard == "one\ntwo"
        assert edited == ["one\ntwo"]


async def test_long_lines_wrap_and_nothing_of_the_text_acts() -> None:
    async with page("word " * 60 + "\n\x1b[31mred [bold]\u202e\r\n") as (running, _screen):
        shown = running.shown()
        assert shown.count("word") == 60
        assert "<U+001B>[31mred [bold]<U+202E>" in shown


async def test_a_text_of_megabytes_opens_at_once() -> None:
    async with page("some words on a line\n" * 200_000) as (running, screen):
        await running.press("G")
        assert "200000" in running.shown()
        assert len(screen._view._rendered) <= 300
