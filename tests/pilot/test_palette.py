"""The palette of actions."""

from dataclasses import replace

from textual.actions import parse
from textual.command import CommandPalette

from caramelo_tui.domain.decisions import ApprovalMode
from caramelo_tui.domain.usage import Usage
from caramelo_tui.ui.commands import palette_entries
from caramelo_tui.ui.key_sections import all_sections
from caramelo_tui.ui.keymap import KEYS, KeyPlace
from caramelo_tui.ui.pane_layout import Place
from caramelo_tui.ui.panes.status_bar import StatusView, status_items
from caramelo_tui.ui.slash_commands import BUILT_IN
from tests.pilot.conftest import OpenApp
from tests.pilot.driving import WIDE


def test_every_action_of_the_frame_is_offered_with_its_key() -> None:
    offered = {entry.words: entry.help for entry in palette_entries()}
    for entry in KEYS:
        if entry.is_in_palette:
            assert offered[entry.words] == ", ".join(entry.labels)
    assert "Quit" in offered


NEED_THEIR_PLACE = frozenset(
    {
        "changes.back",
        "conversation.block_up",
        "conversation.block_down",
        "conversation.open",
        "conversation.next_match",
        "conversation.match_before",
        "conversation.end_search",
        "view.up",
        "view.down",
        "view.page_up",
        "view.page_down",
        "view.first",
        "view.last",
    }
)
"""Steps from where the cursor is; from another place they would go nowhere."""


def test_every_action_of_every_pane_is_offered() -> None:
    offered = {entry.words for entry in palette_entries()}
    panes = {"Files", "Tools", "Changes", "Conversation"}
    frame = {KeyPlace.APP.value, KeyPlace.SCREEN.value}
    for section in all_sections():
        for (_keys, words), name in zip(section.rows, section.names, strict=False):
            if section.title in frame:
                assert words in offered
            elif section.title in panes and name not in NEED_THEIR_PLACE:
                assert f"{section.title}: {words}" in offered


def test_what_a_slash_command_does_is_offered_too() -> None:
    actions = {entry.action for entry in palette_entries()}
    assert [command.name for command in BUILT_IN if command.action not in actions] == []


def test_what_the_status_bar_is_clicked_for_is_offered_too() -> None:
    view = StatusView(
        is_starting=False,
        is_running=True,
        turn=3,
        model="a model",
        workspace="project",
        branch="main*",
        endpoint_note="elsewhere",
        is_watching=False,
        is_restricted=True,
        waiting=2,
        queued=1,
        usage=Usage(input_tokens=266, output_tokens=98),
        context_tokens=46_000,
        context_window=200_000,
        changed_lines=17,
        deny_above=500,
        cache_hits=2,
        cache_lookups=9,
        cost=0.12,
    )
    plan = StatusView(is_starting=False, mode=ApprovalMode.PLAN, has_plan=True, is_demo=True)
    high = replace(view, changed_lines=600)
    armed = replace(view, armed="ctrl+c again quits")
    items = [item for one in (view, plan, high, armed) for item in status_items(one)]
    actions = {entry.action.removeprefix("screen.") for entry in palette_entries()}
    assert [item.text for item in items if item.action not in actions] == []


async def test_every_action_of_the_palette_is_one_of_the_program(open_app: OpenApp) -> None:
    async with open_app(size=WIDE) as running:
        bench = running.bench
        inner = {
            "conversation": bench.conversation.view,
            "files": bench.files,
            "tools": bench.tools,
        }
        for entry in palette_entries():
            (space, _dot, rest) = entry.action.partition(".")
            name, arguments = parse(rest)[1:]
            target = running.app if space == "app" else running.main
            assert hasattr(target, f"action_{name}"), entry.action
            if name in inner:
                assert hasattr(inner[name], f"action_{parse(arguments[0])[1]}"), entry.action
            if name == "changes":
                holder = bench.changes.view if arguments[1] else bench.changes
                assert hasattr(holder, f"action_{parse(arguments[0])[1]}"), entry.action


async def test_keys_of_the_tools_work_from_anywhere(open_app: OpenApp) -> None:
    async with open_app(size=WIDE) as running:
        await running.app.run_action("screen.tools('filter')", default_namespace=running.main)
        await running.until(lambda: running.main.area.focused_place is Place.TOOLS)
        assert running.bench.tools.query_one("#call-filter").has_focus


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
