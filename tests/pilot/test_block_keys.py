"""What the keys of the conversation do with the block under the cursor."""

import pytest
from textual.command import CommandPalette

from caramelo_tui.domain.agent_events import Ending, NoticeLevel, NoticeRaised, TextStreamed
from caramelo_tui.domain.ids import CallId
from caramelo_tui.ui.conversation_requests import RetryAsked, TextEditAsked, TextOpened, TextQuoted
from caramelo_tui.ui.pane_layout import Place
from caramelo_tui.ui.panes.conversation import ConversationPane
from caramelo_tui.ui.screens.pager import PagerScreen
from tests.pilot.conftest import OpenApp
from tests.pilot.driving import WIDE
from tests.pilot.pane_app import Opened, opened
from tests.pilot.test_conversation import settled

CODE = "def main():\n    return 0"
ANSWER = f"First words.\n\n```python\n{CODE}\n```\n\nLast words.\n"


async def answered(running: Opened, pane: ConversationPane, text: str = ANSWER) -> None:
    pane.show_user("please")
    pane.append_text(text)
    pane.end_answer(is_incomplete=False)
    await settled(running, pane)
    pane.focus()
    await running.press("alt+up")


async def test_a_block_its_code_and_the_whole_answer_are_copied() -> None:
    pane = ConversationPane()
    async with opened(pane) as running:
        await answered(running, pane)
        await running.press("y")
        assert running.app.clipboard == "Last words."
        await running.press("alt+up", "y")
        assert running.app.clipboard == f"```python\n{CODE}\n```"
        await running.press("c")
        assert running.app.clipboard == CODE
        await running.press("Y")
        assert running.app.clipboard == ANSWER.strip("\n")
        await running.press("alt+up", "alt+up", "y")
        assert running.app.clipboard == "please"
        await running.press("c")
        assert running.app.clipboard == "please"


async def test_without_a_cursor_the_last_block_in_view_is_meant() -> None:
    pane = ConversationPane()
    async with opened(pane) as running:
        await running.settle()
        pane.focus()
        await running.press("y", "c", "Y", "q", "space", "o", "enter")
        assert not running.of_kind(TextQuoted)
        pane.append_text("One.\n\nTwo.")
        await settled(running, pane)
        await running.press("y")
        assert running.app.clipboard == "Two."
        assert "▌ Two." in running.shown()


async def test_a_quote_asks_for_its_place_in_the_prompt() -> None:
    pane = ConversationPane()
    async with opened(pane) as running:
        await answered(running, pane, "one\ntwo\n")
        await running.press("q")
        assert [message.text for message in running.of_kind(TextQuoted)] == ["> one\n> two\n\n"]


async def test_a_long_block_folds_and_unfolds() -> None:
    pane = ConversationPane()
    async with opened(pane) as running:
        code = "".join(f"line {number}\n" for number in range(120))
        await answered(running, pane, f"Above.\n\n```\n{code}```\n\nBelow.\n")
        before = pane.view.heights.total
        await running.press("alt+up", "space")
        shown = running.shown()
        assert "Above." in shown
        assert "line 1" in shown
        assert "line 2" not in shown
        assert "▸ folded, 120 lines in all · space unfolds" in shown
        assert "Below." in shown
        await running.press("alt+down", "alt+up", "space")
        assert "line 2" in running.shown()
        await running.press("end")
        await running.press("home")
        assert "folded" not in running.shown()
        assert pane.view.heights.total == before


async def test_a_folded_block_stays_folded_over_a_resize_and_while_more_comes() -> None:
    pane = ConversationPane()
    async with opened(pane) as running:
        await answered(running, pane, "".join(f"- item {number}\n" for number in range(30)))
        await running.press("space")
        assert "folded, 30 lines in all" in running.shown()
        await running.pilot.resize_terminal(50, 20)
        pane.append_text("More words.\n")
        await settled(running, pane)
        assert "item 5" not in running.shown()
        assert "More words." in running.shown()


async def test_thinking_unfolds_by_space_too_and_short_blocks_do_not_fold() -> None:
    pane = ConversationPane()
    async with opened(pane) as running:
        pane.append_thinking("hidden thought")
        pane.append_text("Short.")
        await settled(running, pane)
        pane.focus()
        await running.press("alt+up", "space")
        assert "folded" not in running.shown()
        await running.press("alt+up", "space")
        assert "hidden thought" in running.shown()


@pytest.mark.parametrize(("key", "words"), [("o", "Last words."), ("t", "## You\n\nplease\n")])
async def test_a_block_and_the_transcript_open_on_a_page(key: str, words: str) -> None:
    pane = ConversationPane()
    async with opened(pane) as running:
        await answered(running, pane)
        await running.press(key)
        (asked,) = running.of_kind(TextOpened)
        assert asked.text.startswith(words)
        await running.press("T")
        (edit,) = running.of_kind(TextEditAsked)
        assert ANSWER.strip("\n") in edit.text


async def test_a_run_that_got_nowhere_is_asked_for_again() -> None:
    pane = ConversationPane()
    async with opened(pane) as running:
        pane.show_user("please\nall of it")
        pane.show_run_end("error", "no network")
        await settled(running, pane)
        assert "F3 and then r sends the prompt again" in running.shown()
        pane.focus()
        await running.press("r")
        pane.show_user("please\nall of it")
        await settled(running, pane)
        assert "and then r" not in running.shown()
        await running.press("r")
        # Without a run that failed nothing is to be sent; what waits can still be sent at once.
        asked = [message.prompt for message in running.of_kind(RetryAsked)]
        assert asked == ["please\nall of it", ""]


async def test_a_run_that_broke_off_on_its_way_is_to_go_on() -> None:
    pane = ConversationPane()
    async with opened(pane) as running:
        pane.show_user("please")
        pane.show_call(CallId("1"), "grep", "a", "ok")
        pane.show_run_end("max_turns", "50 turns")
        await settled(running, pane)
        assert "F3 and then r goes on" in running.shown()
        pane.focus()
        await running.press("r")
        assert [message.prompt for message in running.of_kind(RetryAsked)] == ["Go on."]


async def test_a_run_that_ended_well_is_not_tried_again() -> None:
    pane = ConversationPane()
    async with opened(pane) as running:
        pane.show_user("please")
        pane.show_run_end("error", "no network")
        pane.show_user("again")
        pane.show_run_end("completed", "")
        await settled(running, pane)
        pane.focus()
        await running.press("r")
        assert [message.prompt for message in running.of_kind(RetryAsked)] == [""]
        assert "and then r" not in running.shown()


async def test_in_the_whole_app_an_error_is_retried_by_key(open_app: OpenApp) -> None:
    async with open_app() as running:
        running.agent.submit("add a flag")
        running.agent.emit(
            lambda head: NoticeRaised(head=head, level=NoticeLevel.ERROR, text="Rate limit.")
        )
        running.agent.end_run(Ending.ERROR, "HTTP 429")
        await running.until(lambda: "sends the prompt again" in running.shown())
        await running.press("f3", "r")
        await running.until(lambda: running.agent.submitted == ["add a flag"] * 2)
        await running.press("r")
        assert running.agent.submitted == ["add a flag"] * 2


async def test_in_the_whole_app_a_quote_comes_below_the_draft(open_app: OpenApp) -> None:
    async with open_app() as running:
        running.agent.start_run("go")
        running.agent.emit(lambda head: TextStreamed(head=head, text="The answer."))
        running.agent.end_run()
        await running.until(lambda: "The answer." in running.shown())
        await running.press(*"draft")
        await running.press("f3", "alt+up", "alt+up", "alt+up", "q")
        await running.until(lambda: running.main.area.focused_place is Place.PROMPT)
        assert running.main.prompt.draft == "draft\n\n> The answer.\n\n"


async def test_the_palette_leads_to_the_conversation_from_anywhere(open_app: OpenApp) -> None:
    async with open_app(size=WIDE) as running:
        running.agent.start_run("go on then")
        await running.until(lambda: "go on then" in running.shown())
        await running.press("f5", "ctrl+p")
        await running.until_screen(CommandPalette)
        await running.press(*"whole transcript in the pager")
        await running.until(lambda: "t there" in running.shown())
        await running.press("down", "enter")
        await running.until_screen(PagerScreen)
        await running.until(lambda: "## You" in running.shown())
        await running.press("escape")
        await running.until(lambda: running.main.area.focused_place is Place.TOOLS)
        await running.app.run_action("screen.conversation('fold')")
        await running.until(lambda: running.main.area.focused_place is Place.CONVERSATION)


async def test_the_last_answer_is_copied_from_the_prompt(open_app: OpenApp) -> None:
    async with open_app() as running:
        await running.press(*"/copy", "enter", "enter")
        await running.until(lambda: "There is no answer yet." in running.shown())
        running.agent.start_run("go")
        running.agent.emit(lambda head: TextStreamed(head=head, text="One.\n\nTwo."))
        running.agent.end_run()
        await running.until(lambda: "Two." in running.shown())
        await running.press(*"/copy", "enter", "enter")
        await running.until(lambda: running.app.clipboard == "One.\n\nTwo.")
        assert running.main.prompt.editor.has_focus
        assert not running.agent.submitted


async def test_how_a_run_ended_is_not_what_is_copied_without_a_cursor() -> None:
    pane = ConversationPane()
    async with opened(pane) as running:
        pane.append_text("The answer.")
        pane.show_run_end("completed", "")
        await settled(running, pane)
        pane.focus()
        await running.press("y")
        assert running.app.clipboard == "The answer."
