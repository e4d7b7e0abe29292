"""Files and commands are offered while they are typed, and nothing is in the way of sending."""

import pytest
from textual.events import Key

from caramelo_tui.agent.user_commands import CommandOrigin, UserCommand
from caramelo_tui.domain.decisions import ApprovalMode
from caramelo_tui.ui.panes.draft_editor import DraftEditor
from caramelo_tui.ui.panes.prompt_help import HelpKind, word_at
from caramelo_tui.ui.widgets.choice_rows import ChoiceRows
from tests.doubles.fake_agent import FakeAgent
from tests.pilot.conftest import OpenApp
from tests.pilot.driving import NARROW, WIDE, OpenedApp

FILES = (
    "README.md",
    "src/",
    "src/cli.py",
    "src/client.py",
    "src/two words.py",
    "tests/test_cli.py",
)


@pytest.mark.parametrize(
    ("before", "kind", "letters"),
    [
        ("@", HelpKind.FILE, ""),
        ("see @src/c", HelpKind.FILE, "src/c"),
        ("(@a:10-", HelpKind.FILE, "a:10-"),
        ("/", HelpKind.COMMAND, ""),
        ("/he", HelpKind.COMMAND, "he"),
        ("/mode ", HelpKind.ARGUMENT, ""),
        ("/mode ea", HelpKind.ARGUMENT, "ea"),
    ],
)
def test_words_that_can_become_something(before: str, kind: HelpKind, letters: str) -> None:
    word = word_at(before, is_first_line=True)
    assert word is not None
    assert (word.kind, word.letters) == (kind, letters)


@pytest.mark.parametrize("before", ["", "a@b", "@a b", "see /he", "/etc/h", "@@", "/mode a b"])
def test_words_that_stay_as_they_are(before: str) -> None:
    assert word_at(before, is_first_line=True) is None


def test_commands_stand_in_the_first_line_only() -> None:
    assert word_at("/he", is_first_line=False) is None
    assert word_at("@a", is_first_line=False) is not None


def agent_with_files() -> FakeAgent:
    return FakeAgent(folders={".": ()}, files=FILES)


def draft(running: OpenedApp) -> str:
    return running.main.prompt.draft


async def offered(running: OpenedApp) -> None:
    await running.until(lambda: running.main.prompt.query_one(ChoiceRows).display)
    await running.settle()


@pytest.mark.parametrize("key", ["enter", "tab"])
async def test_a_file_is_mentioned_by_a_few_letters(open_app: OpenApp, key: str) -> None:
    async with open_app(agent=agent_with_files()) as running:
        await running.press(*"see @cli")
        await running.until(lambda: "▸ src/cli.py" in running.shown())
        await running.press("down")
        await running.until(lambda: "▸ src/client.py" in running.shown())
        await running.press(key)
        assert draft(running) == "see @src/client.py "
        assert running.agent.submitted == []
        await running.until(lambda: "▸" not in running.shown())
        await running.press(*"now", "enter")
        assert running.agent.submitted == ["see @src/client.py now"]


async def test_lines_stay_behind_the_file_that_is_taken(open_app: OpenApp) -> None:
    async with open_app(agent=agent_with_files()) as running:
        await running.press(*"@cli:10-40")
        await running.until(lambda: "▸ src/cli.py" in running.shown())
        await running.press("enter")
        assert draft(running) == "@src/cli.py:10-40 "


async def test_a_file_that_is_typed_out_is_sent_by_enter(open_app: OpenApp) -> None:
    async with open_app(agent=agent_with_files()) as running:
        await running.press(*"@cli")
        await running.until(lambda: "▸ src/cli.py" in running.shown())
        for _ in "cli":
            await running.press("backspace")
        await running.press(*"src/cli.py:3", "enter")
        assert running.agent.submitted == ["@src/cli.py:3"]


async def test_a_folder_can_be_typed_on_and_a_path_with_blanks_is_quoted(open_app: OpenApp) -> None:
    async with open_app(agent=agent_with_files()) as running:
        await running.press(*"@src")
        await running.until(lambda: "▸ src/" in running.shown())
        await running.press("tab")
        assert draft(running) == "@src/"
        await running.press(*"two")
        await running.until(lambda: "▸ src/two words.py" in running.shown())
        await running.press("tab")
        assert draft(running) == '@"src/two words.py" '


async def test_esc_closes_the_list_and_the_text_stays(open_app: OpenApp) -> None:
    async with open_app(agent=agent_with_files()) as running:
        await running.press(*"@cli")
        await running.until(lambda: "▸ src/cli.py" in running.shown())
        await running.press("escape")
        await running.until(lambda: "▸" not in running.shown())
        await running.press(*"x", "enter")
        assert running.agent.submitted == ["@clix"]


async def test_what_matches_no_file_is_sent_as_it_is(open_app: OpenApp) -> None:
    async with open_app(agent=agent_with_files()) as running:
        await running.press(*"use @zzz", "enter")
        assert running.agent.submitted == ["use @zzz"]


async def test_the_list_of_files_is_asked_for_once_in_a_while(open_app: OpenApp) -> None:
    async with open_app(agent=agent_with_files()) as running:
        assert running.agent.file_wishes == 0
        await running.press(*"@c")
        await running.until(lambda: "▸" in running.shown())
        await running.press("escape", *" @c")
        await running.settle()
        assert running.agent.file_wishes == 1
        running.clock.move(6)
        await running.press("escape", *" @c")
        await running.until(lambda: running.agent.file_wishes == 2)


async def test_the_keys_of_a_burst_are_taken_by_the_list_in_their_order(open_app: OpenApp) -> None:
    async with open_app(agent=agent_with_files()) as running:
        await running.press("@")
        await running.until(lambda: "README.md" in running.shown())
        editor = running.main.prompt.query_one(DraftEditor)
        for key, character in [*((c, c) for c in "test"), ("enter", "\r"), ("x", "x")]:
            editor.post_message(Key(key, character))
        await running.until(lambda: draft(running).endswith("x"))
        assert draft(running) == "@tests/test_cli.py x"


async def test_commands_are_offered_and_taken(open_app: OpenApp) -> None:
    async with open_app(agent=agent_with_files()) as running:
        await running.press("/")
        await running.until(lambda: "/help" in running.shown())
        await running.press(*"mo")
        await running.until(lambda: "▸ /mode" in running.shown())
        assert "Change the approval mode" in running.shown()
        await running.press("enter")
        assert draft(running) == "/mode "
        await running.press(*"ea")
        await running.until(lambda: "▸ each" in running.shown())
        await running.press("enter")
        await running.until(lambda: running.agent.mode is ApprovalMode.EACH)
        assert draft(running) == ""


async def test_a_command_that_takes_nothing_is_carried_out_by_enter(open_app: OpenApp) -> None:
    async with open_app(agent=agent_with_files()) as running:
        await running.press(*"/pla")
        await running.until(lambda: "▸ /plan" in running.shown())
        await running.press("enter")
        await running.until(lambda: running.agent.mode is ApprovalMode.PLAN)


async def test_up_and_down_go_round_in_the_list(open_app: OpenApp) -> None:
    async with open_app(agent=agent_with_files()) as running:
        await running.press("/", "down")
        await running.until(lambda: "▸ /help" in running.shown())
        await running.press("up")
        await running.until(lambda: "▸ /quit" in running.shown())


async def test_the_users_commands_are_offered_with_their_origin(open_app: OpenApp) -> None:
    agent = agent_with_files()
    agent.user_commands = (
        UserCommand(name="ship", description="Ship [it]", text="x", origin=CommandOrigin.WORKSPACE),
    )
    async with open_app(agent=agent, size=WIDE) as running:
        await running.press(*"/sh")
        await running.until(lambda: "/ship  Ship [it] (workspace)" in running.shown())


async def test_a_click_takes_a_row(open_app: OpenApp) -> None:
    async with open_app(agent=agent_with_files()) as running:
        await running.press(*"@cli")
        await running.until(lambda: "▸ src/cli.py" in running.shown())
        await running.pilot.click(ChoiceRows, offset=(5, 1))
        await running.until(lambda: draft(running) == "@src/client.py ")


@pytest.mark.parametrize("size", [(60, 16), NARROW, WIDE])
async def test_the_editor_stays_in_view_below_the_list(
    open_app: OpenApp, size: tuple[int, int]
) -> None:
    async with open_app(agent=agent_with_files(), size=size) as running:
        await running.press("/")
        await offered(running)
        prompt = running.main.prompt
        editor, rows = prompt.query_one(DraftEditor), prompt.query_one(ChoiceRows)
        await running.until(lambda: rows.region.height >= 3)
        assert editor.region.height == 1
        assert prompt.region.contains_region(editor.region)
        assert editor.region.y == rows.region.bottom


async def test_what_is_put_into_the_prompt_offers_nothing(open_app: OpenApp) -> None:
    async with open_app(agent=agent_with_files()) as running:
        running.main.prompt.set_draft("@cli")
        await running.press("enter")
        assert running.agent.submitted == ["@cli"]


async def test_leaving_the_prompt_closes_the_list(open_app: OpenApp) -> None:
    async with open_app(agent=agent_with_files(), size=WIDE) as running:
        await running.press("/")
        await offered(running)
        await running.press("f5")
        await running.until(lambda: not running.main.prompt.query_one(ChoiceRows).display)


async def test_the_names_of_our_themes_are_offered(open_app: OpenApp) -> None:
    async with open_app(size=WIDE) as running:
        await running.press(*"/theme high")
        await offered(running)
        await running.press("tab", "enter")
        await running.until(lambda: running.app.theme == "high-contrast")
        await running.press(*"/theme ")
        await offered(running)
        shown = running.shown()
        assert "caramelo-light" in shown
        assert "textual-dark" not in shown
