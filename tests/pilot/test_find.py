"""One of many texts is found by its words."""

from caramelo_tui.ui.screens.find import FindScreen, matching
from tests.pilot.conftest import OpenApp


def test_all_words_must_be_there_in_any_order() -> None:
    texts = ["Fix the Parser", "fix docs", "parse"]
    assert matching(texts, "pars FIX") == ["Fix the Parser"]
    assert matching(texts, " ") == texts
    assert matching(texts, "zzz") == []


async def test_nothing_found_says_so_and_enter_stays(open_app: OpenApp) -> None:
    async with open_app() as running:
        got: list[str | None] = []
        running.app.push_screen(FindScreen(["one", "two"], title="Texts"), got.append)
        await running.until_screen(FindScreen)
        await running.press(*"zzz", "enter")
        await running.until(lambda: "nothing has these words" in running.shown())
        assert got == []
        await running.press("backspace", "backspace", "backspace", "down", "down", "up", "enter")
        await running.until(lambda: got == ["one"])


async def test_texts_are_shown_safe_and_cut(open_app: OpenApp) -> None:
    async with open_app() as running:
        running.app.push_screen(FindScreen(["[b]a\x1b[2J\nb " + "x" * 300], title="Texts"))
        await running.until_screen(FindScreen)
        await running.until(lambda: "▸ [b]a<U+001B>[2J" in running.shown())
        assert "\x1b" not in running.shown()
        await running.pilot.click("#find-rows", offset=(3, 0))
        await running.until(lambda: running.top is running.main)
