"""The page of keys, and the palette of actions."""

from caramelo_tui.ui.key_sections import HelpSection
from caramelo_tui.ui.keymap import KEYS, KeyPlace
from caramelo_tui.ui.main_screen import MainScreen
from caramelo_tui.ui.screens.help import HelpScreen, help_sections, page_of
from tests.pilot.conftest import OpenApp
from tests.pilot.driving import WIDE


async def test_f1_opens_the_page_and_escape_closes_it(open_app: OpenApp) -> None:
    async with open_app() as running:
        await running.press("f1")
        await running.until_screen(HelpScreen)
        await running.until(lambda: "Here, now" in running.shown())
        await running.press("escape")
        await running.until_screen(MainScreen)
        assert running.main.prompt.editor.has_focus


async def test_the_focused_panes_keys_come_first(open_app: OpenApp) -> None:
    async with open_app(size=WIDE) as running:
        await running.press("f5")
        first = help_sections(running.main)[0]
        assert first.title == "Here, now"
        assert ("x", "Cancel a running command, end a background one") in first.rows
        assert ("enter", "Open the row") in first.rows


async def test_what_a_pane_is_for_comes_before_how_one_moves_in_it(open_app: OpenApp) -> None:
    async with open_app(size=WIDE) as running:
        await running.press("f4")
        words = [word for _keys, word in help_sections(running.main)[0].rows]
        assert words.index("Accept the hunk") < words.index("Next hunk") < words.index("Scroll up")


async def test_in_the_prompt_what_it_takes_comes_first(open_app: OpenApp) -> None:
    async with open_app(size=WIDE) as running:
        first = help_sections(running.main)[0]
        assert first.rows[0] == ("enter", "Send; while the agent runs, queue")
        keys = [labels for labels, _words in first.rows]
        assert {"@", "/", "!", "up", "ctrl+e"} <= set(keys)
        assert len(keys) == len(set(keys))


async def test_every_key_of_the_map_and_of_every_pane_is_on_the_page(open_app: OpenApp) -> None:
    async with open_app(size=WIDE) as running:
        words = {word for section in help_sections(running.main) for _keys, word in section.rows}
        assert {entry.words for entry in KEYS} <= words
        for pane in (running.bench.changes, running.bench.conversation):
            bindings = pane._bindings.key_to_bindings.values()
            assert {binding.description for group in bindings for binding in group} <= words


async def test_the_page_scrolls_to_its_end(open_app: OpenApp) -> None:
    async with open_app() as running:
        await running.press("f1")
        await running.until_screen(HelpScreen)
        last = help_sections(running.main)[-1].rows[-1][1]
        assert last not in running.shown()
        await running.press("end")
        await running.until(lambda: last in running.shown())


async def test_places_have_titles_for_people() -> None:
    assert KeyPlace.COMMAND.value == "Question about a command or another action"


def test_keys_and_what_they_do_stand_in_columns_of_their_own() -> None:
    section = HelpSection(
        title="Here",
        rows=(("a", "word " * 12), ("down, up, pgdn, pgup, end", "Scroll")),
    )
    assert page_of((section,)).plain.split("\n") == [
        "Here",
        "  a                       word word word word word word word word word",
        "                          word word word",
        "  down, up, pgdn, pgup, end",
        "                          Scroll",
    ]


def test_on_a_narrow_screen_no_line_of_the_page_is_longer_than_it() -> None:
    section = HelpSection(title="Here", rows=(("a", "word " * 12), ("ctrl+left", "Scroll")))
    lines = page_of((section,), 34).plain.split("\n")
    assert max(map(len, lines)) <= 34
    assert lines[1:3] == ["  a         word word word word", "            word word word word"]
    assert lines[-1] == "  ctrl+left Scroll"
