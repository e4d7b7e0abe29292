"""The lower edge of a dialog names only keys that have room, whole."""

import pytest

from caramelo_tui.ui.screens.find import FindScreen
from caramelo_tui.ui.screens.pager import PagerScreen
from tests.pilot.conftest import OpenApp


async def test_the_hint_follows_the_width(open_app: OpenApp) -> None:
    async with open_app(size=(80, 24)) as running:
        running.app.push_screen(PagerScreen("one\n", title="Text", edit=lambda _text: None))
        await running.until_screen(PagerScreen)
        await running.until(lambda: "y copy · e editor · esc close" in running.shown())
        await running.pilot.resize_terminal(40, 12)
        await running.until(lambda: "1 line · / search · esc close" in running.shown())
        assert "y copy" not in running.shown()
        await running.pilot.resize_terminal(80, 24)
        await running.until(lambda: "y copy · e editor · esc close" in running.shown())


LONG = "rounding: totals drift by a cent when many rows are added, find out where it comes from"


@pytest.mark.parametrize("size", [(80, 24), (60, 16), (40, 12)])
async def test_a_text_that_is_cut_in_the_list_is_whole_below_it(
    open_app: OpenApp, size: tuple[int, int]
) -> None:
    async with open_app(size=size) as running:
        running.app.push_screen(FindScreen(["short", LONG], title="Texts"))
        await running.until_screen(FindScreen)
        await running.settle()
        assert "comes" not in running.shown()
        await running.press("down")
        await running.until(lambda: "from" in running.shown())
        words = " ".join(running.shown().replace("┃", " ").replace("│", " ").split())
        assert LONG in words
        await running.press("up")
        await running.until(lambda: "comes" not in running.shown())


async def test_a_short_list_does_not_open_a_high_page(open_app: OpenApp) -> None:
    async with open_app(size=(250, 60)) as running:
        running.app.push_screen(FindScreen(["one", "two"], title="Texts"))
        await running.until_screen(FindScreen)
        await running.settle()
        top = running.top
        assert isinstance(top, FindScreen)
        assert top.box.outer_size.height == 12
