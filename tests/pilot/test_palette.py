"""The palette of actions."""

from textual.command import CommandPalette

from caramelo_tui.ui.commands import palette_entries
from caramelo_tui.ui.keymap import KEYS
from caramelo_tui.ui.pane_layout import Place
from tests.pilot.conftest import OpenApp


def test_every_action_of_the_frame_is_offered_with_its_key() -> None:
    offered = {entry.words: entry.help for entry in palette_entries()}
    for entry in KEYS:
        if entry.is_in_palette:
            assert offered[entry.words] == ", ".join(entry.labels)
    assert "Quit" in offered


async def test_typing_and_enter_run_an_action(open_app: OpenApp) -> None:
    async with open_app() as running:
        await running.press("ctrl+p")
        await running.until_screen(CommandPalette)
        await running.press(*"Go to Tools")
        await running.until(lambda: "F5, alt+4" in running.shown())
        await running.press("down", "enter")
        await running.until(lambda: running.main.area.focused_place is Place.TOOLS)


async def test_the_next_theme_is_shown(open_app: OpenApp) -> None:
    async with open_app() as running:
        before = running.app.theme
        running.app.action_next_theme()
        assert running.app.theme != before
        await running.settle()


async def test_keys_of_the_changes_are_offered_and_work_from_anywhere(open_app: OpenApp) -> None:
    async with open_app() as running:
        await running.press("ctrl+p")
        await running.until_screen(CommandPalette)
        await running.press(*"Changes: Changes by turn or")
        await running.until(lambda: "t there" in running.shown())
        await running.press("down", "enter")
        await running.until(lambda: running.main.area.focused_place is Place.CHANGES)
        await running.until(lambda: running.bench.changes.desk.shows_totals)
        await running.app.screen.run_action("changes('whitespace', True)")
        assert running.bench.changes.view._shows_whitespace
