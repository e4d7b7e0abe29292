"""Steering, waiting prompts, the search and the editor, each by its key."""

from dataclasses import replace
from pathlib import Path

import pytest
from textual.events import Key

from caramelo_tui.agent.user_commands import CommandOrigin, UserCommand
from caramelo_tui.ui.keymap import KeyMap
from caramelo_tui.ui.pane_layout import Place
from caramelo_tui.ui.panes.draft_editor import DraftEditor
from caramelo_tui.ui.screens.find import FindScreen
from tests.doubles.fake_agent import FakeAgent
from tests.pilot.conftest import OpenApp
from tests.pilot.driving import WIDE, OpenedApp
from tests.pilot.lending_app import LendingApp, editor_script


def draft(running: OpenedApp) -> str:
    return running.main.prompt.draft


async def run_and_write(running: OpenedApp, *texts: str) -> None:
    await running.press(*"go", "enter")
    for text in texts:
        await running.press(*text, "enter")
    await running.settle()


async def test_ctrl_t_gives_the_draft_to_the_run(open_app: OpenApp) -> None:
    async with open_app() as running:
        await run_and_write(running, "later")
        await running.press(*"use tabs", "ctrl+t")
        assert running.agent.steering == ["use tabs"]
        assert draft(running) == ""
        await running.until(lambda: "next turn  use tabs" in running.shown())
        assert "queued  later" in running.shown()
        assert "2 queued" in running.shown()
        running.agent.take_turn()
        await running.until(lambda: "next turn" not in running.shown())
        assert "use tabs" in running.shown()
        await running.press("up")
        assert draft(running) == "later"


async def test_without_a_run_ctrl_t_sends(open_app: OpenApp) -> None:
    async with open_app() as running:
        await running.press("ctrl+t")
        await running.press(*"go", "ctrl+t")
        await running.until(lambda: running.agent.submitted == ["go"])


async def test_the_keys_before_ctrl_t_go_with_it_and_those_behind_do_not(
    open_app: OpenApp,
) -> None:
    async with open_app() as running:
        await run_and_write(running)
        editor = running.main.prompt.query_one(DraftEditor)
        for key, character in [("a", "a"), ("b", "b"), ("ctrl+t", None), ("c", "c")]:
            editor.post_message(Key(key, character))
        await running.until(lambda: running.agent.steering)
        await running.settle()
        assert running.agent.steering == ["ab"]
        assert draft(running) == "c"


async def test_a_key_of_ones_own_steers_and_the_usual_one_does_no_more(open_app: OpenApp) -> None:
    async with open_app() as running:
        await run_and_write(running)
        keys = KeyMap(changed={"screen.steer": "ctrl+y"})
        running.app.set_keymap(keys.changed)
        running.main.change_status(lambda view: replace(view, keys=keys))
        await running.press(*"ab", "ctrl+t")
        assert running.agent.steering == []
        await running.press("ctrl+y")
        await running.until(lambda: running.agent.steering == ["ab"])


async def test_a_command_steers_too(open_app: OpenApp) -> None:
    agent = FakeAgent(folders={".": ()})
    agent.user_commands = (
        UserCommand(name="tabs", description="", text="Use tabs.", origin=CommandOrigin.USER),
    )
    async with open_app(agent=agent) as running:
        await run_and_write(running)
        await running.press(*"/tabs now", "ctrl+t")
        await running.until(lambda: agent.steering == ["Use tabs.\n\nnow"])


async def test_an_interrupt_brings_back_what_the_model_was_not_told(open_app: OpenApp) -> None:
    async with open_app() as running:
        await run_and_write(running, "later")
        await running.press(*"use tabs", "ctrl+t", "ctrl+c")
        await running.until(lambda: draft(running) == "use tabs\n\nlater")
        assert running.agent.queued_prompts == ()


async def test_a_waiting_prompt_is_taken_back_or_removed(open_app: OpenApp) -> None:
    async with open_app() as running:
        await run_and_write(running, "one", "two", "three")
        await running.press("ctrl+l")
        await running.until_screen(FindScreen)
        await running.until(lambda: "▸ one" in running.shown())
        await running.press("ctrl+d")
        assert running.agent.queue == ["two", "three"]
        await running.press("down", "enter")
        await running.until(lambda: draft(running) == "three")
        assert running.agent.queue == ["two"]


async def test_removing_the_last_waiting_prompt_closes_the_list(open_app: OpenApp) -> None:
    async with open_app() as running:
        await run_and_write(running, "one")
        await running.press(*"/queue", "enter")
        await running.until_screen(FindScreen)
        await running.press("ctrl+d")
        await running.until(lambda: running.top is running.main)
        assert running.agent.queued_prompts == ()
        await running.press("ctrl+l")
        await running.until(lambda: "No prompt waits." in running.shown())


async def test_ctrl_r_finds_an_earlier_prompt(open_app: OpenApp) -> None:
    async with open_app() as running:
        for text in ("fix the parser", "write docs", "fix the lexer"):
            await running.press(*text, "enter")
            running.agent.end_run()
            await running.settle()
        await running.press(*"half", "ctrl+r")
        await running.until_screen(FindScreen)
        await running.until(lambda: "▸ fix the lexer" in running.shown())
        await running.press(*"parser fix")
        await running.until(lambda: "1 match" in running.shown())
        await running.press("enter")
        await running.until(lambda: draft(running) == "fix the parser")
        await running.press("up")
        assert draft(running) == "half"


async def test_esc_leaves_the_draft_as_it_was(open_app: OpenApp) -> None:
    async with open_app() as running:
        await running.press("ctrl+r")
        await running.until(lambda: "There is no earlier prompt." in running.shown())
        await running.press(*"go", "enter", *"half", "ctrl+r")
        await running.until_screen(FindScreen)
        await running.press("escape")
        await running.until(lambda: running.top is running.main)
        assert draft(running) == "half"


async def test_in_tools_ctrl_r_still_runs_a_call_again(open_app: OpenApp) -> None:
    async with open_app(size=WIDE) as running:
        await running.press(*"go", "enter", "f5", "ctrl+r")
        await running.settle()
        assert running.main.area.focused_place is Place.TOOLS
        assert running.top is running.main


async def test_ctrl_g_edits_the_draft_in_the_persons_editor(
    open_app: OpenApp, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    body = "path.write_text(path.read_text() + ' better\\n')"
    monkeypatch.setenv("EDITOR", editor_script(tmp_path, body))
    monkeypatch.delenv("VISUAL", raising=False)
    async with open_app(app_type=LendingApp) as running:
        await running.press(*"make it", "ctrl+g")
        await running.until(lambda: draft(running) == "make it better")
        assert running.agent.submitted == []


async def test_the_wishes_of_the_prompt_are_in_the_palette(open_app: OpenApp) -> None:
    async with open_app() as running:
        await run_and_write(running, "one")
        await running.press("ctrl+p", *"Take back or remove")
        await running.until(lambda: "ctrl+l" in running.shown())
        await running.press("down", "enter")
        await running.until_screen(FindScreen)
