"""Panes, focus, tabs and zoom at every size class."""

from dataclasses import replace

import pytest

from caramelo_tui.domain.agent_events import NoticeLevel, NoticeRaised
from caramelo_tui.ui.pane_layout import PANES, Place
from tests.pilot.conftest import OpenApp
from tests.pilot.driving import NARROW, WIDE, OpenedApp

JUMPS = {"f2": Place.FILES, "f3": Place.CONVERSATION, "f4": Place.CHANGES, "f5": Place.TOOLS}
MEDIUM = (112, 36)


def shown_panes(running: OpenedApp) -> set[Place]:
    return {place for place in PANES if running.main.query_one(f"#{place}").display}


@pytest.mark.parametrize("size", [WIDE, MEDIUM, NARROW, (60, 16)])
@pytest.mark.parametrize(("key", "place"), JUMPS.items())
async def test_function_keys_jump_to_panes(
    open_app: OpenApp, size: tuple[int, int], key: str, place: Place
) -> None:
    async with open_app(size=size) as running:
        await running.press(key)
        assert running.main.area.focused_place is place
        assert place in shown_panes(running)
        focused = running.app.focused
        assert focused is not None
        assert running.main.query_one(f"#{place}") in focused.ancestors_with_self


async def test_the_focused_pane_is_marked_by_more_than_colour(open_app: OpenApp) -> None:
    async with open_app(size=WIDE) as running:
        await running.press("f5")
        shown = running.shown()
        assert "▶ 4 Tools" in shown
        assert "▶ 2 Conversation" not in shown
        assert "┏" in shown


async def test_nothing_takes_the_focus_from_the_prompt_at_the_start(open_app: OpenApp) -> None:
    async with open_app() as running:
        assert running.main.area.focused_place is Place.PROMPT


async def test_f6_goes_round_and_back(open_app: OpenApp) -> None:
    async with open_app(size=WIDE) as running:
        seen: list[Place] = []
        for _ in range(5):
            await running.press("f6")
            seen.append(running.main.area.focused_place)
        assert seen == [
            Place.CHANGES,
            Place.TOOLS,
            Place.FILES,
            Place.CONVERSATION,
            Place.PROMPT,
        ]
        await running.press("shift+f6")
        assert running.main.area.focused_place is Place.CONVERSATION


async def test_escape_returns_to_the_prompt(open_app: OpenApp) -> None:
    async with open_app() as running:
        for key in JUMPS:
            await running.press(key, "escape")
            assert running.main.area.focused_place is Place.PROMPT


async def test_zoom_and_back(open_app: OpenApp) -> None:
    async with open_app(size=WIDE) as running:
        await running.press("f4", "f8")
        assert shown_panes(running) == {Place.CHANGES}
        assert running.main.area.focused_place is Place.CHANGES
        await running.press("f8")
        assert shown_panes(running) == set(PANES)
        await running.press("f8", "escape")
        assert shown_panes(running) == set(PANES)
        assert running.main.area.focused_place is Place.CHANGES


async def test_files_lie_over_the_left_edge_on_a_medium_screen(open_app: OpenApp) -> None:
    async with open_app(size=MEDIUM) as running:
        assert Place.FILES not in shown_panes(running)
        await running.press("f2")
        assert Place.FILES in shown_panes(running)
        await running.press("f2")
        assert Place.FILES not in shown_panes(running)
        assert running.main.area.focused_place is Place.PROMPT


async def test_tabs_with_numbers_stand_on_a_narrow_screen(open_app: OpenApp) -> None:
    async with open_app() as running:
        first = running.shown().splitlines()[0]
        assert first.split() == ["1", "Files", "2", "Conversation", "3", "Changes", "4", "Tools"]


async def test_a_click_on_a_tab_opens_its_pane(open_app: OpenApp) -> None:
    async with open_app() as running:
        column = running.shown().splitlines()[0].index("4 Tools")
        await running.pilot.click("#tabs", offset=(column + 2, 0))
        assert running.main.area.focused_place is Place.TOOLS


async def test_the_layout_follows_a_resize_and_keeps_the_focus(open_app: OpenApp) -> None:
    async with open_app(size=WIDE) as running:
        await running.press("f5")
        await running.pilot.resize_terminal(80, 24)
        await running.until(lambda: shown_panes(running) == {Place.TOOLS})
        assert running.main.area.focused_place is Place.TOOLS
        await running.pilot.resize_terminal(160, 45)
        await running.until(lambda: shown_panes(running) == set(PANES))


async def test_a_screen_that_is_too_small_says_so_and_comes_back(open_app: OpenApp) -> None:
    async with open_app(size=(50, 12)) as running:
        assert "Too small: 60" in running.shown()
        await running.pilot.resize_terminal(60, 16)
        await running.until(lambda: "Too small" not in running.shown())


@pytest.mark.parametrize("place", [Place.PROMPT, Place.CHANGES])
async def test_the_focus_outlives_a_screen_that_is_too_small(
    open_app: OpenApp, place: Place
) -> None:
    async with open_app(size=NARROW) as running:
        if place is Place.CHANGES:
            await running.press("f4")
        before = running.app.focused
        tabs = shown_panes(running)
        await running.pilot.resize_terminal(50, 10)
        await running.pilot.resize_terminal(80, 24)
        await running.pilot.pause()
        assert running.app.focused is before
        assert running.main.area.focused_place is place
        assert shown_panes(running) == tabs


async def test_ctrl_o_says_when_nothing_waits(open_app: OpenApp) -> None:
    async with open_app() as running:
        await running.press("ctrl+o")
        await running.until(lambda: "Nothing waits for you." in running.shown())


async def test_shift_tab_goes_round_the_modes(open_app: OpenApp) -> None:
    async with open_app() as running:
        seen: list[str] = []
        for _ in range(4):
            await running.press("shift+tab")
            seen.append(running.agent.mode.value)
            assert f" {seen[-1]} " in running.shown().splitlines()[-1]
        assert seen == ["each", "auto", "plan", "review"]


async def test_a_click_on_stop_stops_the_run(open_app: OpenApp) -> None:
    async with open_app(size=WIDE) as running:
        running.agent.start_run()
        await running.until(lambda: "ctrl+c stop" in running.shown())
        line = running.shown().splitlines()[-1]
        await running.pilot.click("#status", offset=(line.index("ctrl+c stop") + 2, 0))
        await running.until(lambda: "again quits" in running.shown())


async def test_a_watcher_that_fails_stands_in_the_status_bar(open_app: OpenApp) -> None:
    async with open_app(size=WIDE) as running:
        await running.settle()
        assert "not watching" not in running.shown()
        running.agent.info = replace(running.agent.info, is_watching=False)
        running.agent.emit(
            lambda head: NoticeRaised(
                head=head, level=NoticeLevel.WARNING, text="Changes are no longer noticed."
            )
        )
        await running.until(lambda: "not watching" in running.shown().splitlines()[-1])


async def test_a_click_on_the_mode_changes_it(open_app: OpenApp) -> None:
    async with open_app() as running:
        await running.pilot.click("#status", offset=(3, 0))
        assert running.agent.mode.value == "each"
