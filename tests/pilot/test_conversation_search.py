"""The conversation is searched by its text, and every match can be reached."""

from caramelo_tui.domain.ids import CallId
from caramelo_tui.ui.panes.conversation import ConversationPane
from tests.pilot.conftest import OpenApp
from tests.pilot.pane_app import Opened, opened
from tests.pilot.test_conversation import settled


async def filled(running: Opened, pane: ConversationPane) -> None:
    pane.show_user("where is the Needle")
    for number in range(100):
        word = "needle" if number % 20 == 0 else "hay"
        pane.append_text(f"Paragraph {number} has a {word}.\n\n")
    pane.end_answer(is_incomplete=False)
    pane.show_call(CallId("1"), "grep", "needle", "ok")
    await settled(running, pane)
    pane.focus()


def shown_styles(pane: ConversationPane, words: str) -> list[str]:
    """Return the background of each time the words are drawn, the head aside."""
    body = pane.view._frame[len(pane.view.head_strips()) :]
    return [
        part.style.bgcolor.name
        for strip in body
        for part in strip
        if part.text.lower() == words and part.style and part.style.bgcolor
    ]


async def test_matches_are_counted_and_walked_round() -> None:
    pane = ConversationPane()
    async with opened(pane) as running:
        await filled(running, pane)
        await running.press("home", "slash", *"needle")
        assert "/needle  match 1 of 7" in running.shown()
        await running.press("enter")
        assert pane.view.has_focus
        await running.press("n")
        assert "match 2 of 7" in running.shown()
        assert "Paragraph 0 has a needle." in running.shown()
        await running.press("n", "n")
        assert "match 4 of 7" in running.shown()
        assert "Paragraph 40 has a needle." in running.shown()
        await running.press("N", "N", "N", "N")
        assert "match 7 of 7" in running.shown()
        assert "✓ grep" in running.shown()
        await running.press("n")
        assert "match 1 of 7" in running.shown()


async def test_a_search_begins_where_the_view_stands() -> None:
    pane = ConversationPane()
    async with opened(pane) as running:
        await filled(running, pane)
        pane.view.scroll_to_block(50)
        await running.press("slash", *"needle", "enter")
        assert "match 5 of 7" in running.shown()
        assert "Paragraph 60 has a needle." in running.shown()


async def test_the_match_that_is_looked_at_stands_out_from_the_others() -> None:
    pane = ConversationPane()
    async with opened(pane) as running:
        await filled(running, pane)
        await running.press("home", "slash", *"needle", "enter")
        colors = pane.view.palette.colors
        assert shown_styles(pane, "needle") == [colors["primary"], colors["secondary"]]
        await running.press("n")
        assert shown_styles(pane, "needle") == [colors["secondary"], colors["primary"]]
        await running.press("escape")
        assert shown_styles(pane, "needle") == []


async def test_escape_ends_the_search_first_and_then_goes_back() -> None:
    pane = ConversationPane()
    async with opened(pane) as running:
        await filled(running, pane)
        await running.press("slash", *"needle", "enter", "escape")
        assert "match" not in running.shown()
        assert pane.view.blocks.search is None
        assert pane.view.has_focus
        await running.press("slash", *"hay", "escape")
        assert pane.view.blocks.search is None
        assert pane.view.has_focus


async def test_what_is_not_there_is_said() -> None:
    pane = ConversationPane()
    async with opened(pane) as running:
        await filled(running, pane)
        await running.press("slash", *"[/b]", "enter")
        assert "/[/b]  nothing found" in running.shown()
        await running.press("n", "N")
        assert "nothing found" in running.shown()


async def test_what_comes_during_a_search_is_counted_too() -> None:
    pane = ConversationPane()
    async with opened(pane) as running:
        await filled(running, pane)
        await running.press("slash", *"needle", "enter")
        pane.append_text("One more nee")
        pane.append_text("dle in the stream")
        pane.show_call(CallId("1"), "grep", "hay", "ok")
        await settled(running, pane)
        assert "of 7" in running.shown()
        pane.append_text(", and a needle.\n\nEnd.")
        await settled(running, pane)
        assert "of 8" in running.shown()
        pane.clear()
        await running.settle()
        assert "match" not in running.shown()


async def test_a_match_in_what_is_folded_unfolds_it() -> None:
    pane = ConversationPane()
    async with opened(pane) as running:
        pane.append_thinking("a secret thought")
        pane.append_text("- a\n" * 30 + "- secret item\n" + "- b\n" * 30)
        pane.end_answer(is_incomplete=False)
        await settled(running, pane)
        pane.focus()
        await running.press("alt+up", "space")
        assert "folded" in running.shown()
        await running.press("home", "slash", *"secret", "enter")
        assert "a secret thought" in running.shown()
        await running.press("n")
        assert "secret item" in running.shown()
        assert "folded" not in running.shown()


async def test_n_without_a_search_begins_one() -> None:
    pane = ConversationPane()
    async with opened(pane) as running:
        await filled(running, pane)
        await running.press("n", *"hay", "enter")
        assert "of 95" in running.shown()


async def test_in_the_whole_app_escape_leaves_the_search_before_the_pane(
    open_app: OpenApp,
) -> None:
    async with open_app() as running:
        running.agent.start_run("find the needle")
        await running.until(lambda: "find the needle" in running.shown())
        await running.press("f3", "slash", *"needle", "enter")
        await running.until(lambda: "match 1 of 1" in running.shown())
        await running.press("escape")
        assert running.bench.conversation.view.has_focus
        await running.press("escape")
        assert running.main.prompt.editor.has_focus
