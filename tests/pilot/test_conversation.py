"""The conversation streams, scrolls, follows, and opens what it names."""

import pytest

from caramelo_tui.domain.ids import CallId
from caramelo_tui.ui.panes.conversation import ConversationPane
from caramelo_tui.ui.widgets.block_answer import AnswerBlock
from caramelo_tui.ui.widgets.conversation_blocks import CallBlock, ThinkingBlock
from caramelo_tui.ui.widgets.conversation_view import ConversationView
from tests.doubles.clocks import ManualClock
from tests.pilot.pane_app import Opened, opened

PARAGRAPH = "Some words about the change that was asked for, over more than one line.\n\n"


async def settled(running: Opened, pane: ConversationPane) -> None:
    await running.until(lambda: pane.view.is_settled and pane.view._tick_timer is None)
    await running.settle()


async def test_a_turn_is_shown_in_the_order_in_which_it_came() -> None:
    pane = ConversationPane()
    async with opened(pane) as running:
        pane.show_user("please [/] change [@click=app.quit]it[/]")
        pane.begin_answer()
        pane.append_text("I look at **src")
        pane.append_text("/cli.py** first.")
        pane.end_answer(is_incomplete=False)
        pane.show_call(CallId("1"), "file_read", "src/cli.py", "running")
        pane.show_call(CallId("2"), "grep", "json", "ok", is_cached=True)
        pane.update_call(CallId("1"), "file_read", "src/cli.py", "ok", duration_ms=12)
        pane.show_notice("warning", "b.py changed outside")
        pane.show_run_end("completed", "2 turns")
        await settled(running, pane)
        text = running.shown()
        order = [
            "you  please [/] change [@click=app.quit]it[/]",
            "I look at src/cli.py first.",
            "✓ file_read   src/cli.py",
            "= grep        json",
            "! b.py changed outside",
            "── completed · 2 turns",
        ]
        places = [text.index(words) for words in order]
        assert places == sorted(places)
        assert "12 ms" in text


async def test_an_empty_conversation_says_what_to_do() -> None:
    async with opened(ConversationPane()) as running:
        await running.settle()
        assert "Say below what should be changed" in running.shown()


async def test_a_call_keeps_its_place_behind_text_that_still_streams() -> None:
    pane = ConversationPane()
    async with opened(pane) as running:
        pane.append_text("before ")
        pane.show_call(CallId("1"), "bash", "make", "streaming")
        pane.append_text("after")
        await settled(running, pane)
        text = running.shown()
        assert text.index("before") < text.index("bash") < text.index("after")


async def test_an_answer_that_broke_off_says_so() -> None:
    pane = ConversationPane()
    async with opened(pane) as running:
        pane.append_text("half a sent")
        pane.end_answer(is_incomplete=True)
        await settled(running, pane)
        assert "The answer broke off here" in running.shown()


async def test_thinking_folds_with_its_length_and_opens_by_enter() -> None:
    clock = ManualClock()
    pane = ConversationPane(monotonic=clock.monotonic)
    async with opened(pane) as running:
        pane.append_thinking("first thought\n")
        pane.append_thinking("second thought")
        await running.until(lambda: "second thought" in running.shown())
        clock.seconds += 4
        pane.append_text("Answer.")
        await settled(running, pane)
        assert "thought for 4.0 s · 28 characters" in running.shown()
        assert "second thought" not in running.shown()
        pane.focus()
        await running.press("alt+up", "alt+up", "enter")
        assert "second thought" in running.shown()
        await running.press("enter")
        assert "second thought" not in running.shown()


async def test_enter_on_a_call_asks_to_open_it() -> None:
    pane = ConversationPane()
    async with opened(pane) as running:
        pane.show_user("go")
        pane.show_call(CallId("1"), "grep", "a", "ok")
        pane.show_call(CallId("2"), "grep", "b", "ok")
        await settled(running, pane)
        pane.focus()
        await running.press("alt+up", "alt+up", "enter")
        assert [message.call_id for message in running.of_kind(ConversationPane.CallOpened)] == [
            "1"
        ]


async def test_the_cursor_is_marked_only_with_the_focus() -> None:
    pane = ConversationPane()
    async with opened(pane) as running:
        pane.show_call(CallId("1"), "grep", "a", "ok")
        await settled(running, pane)
        pane.focus()
        await running.press("alt+up")
        assert "▌ ✓ grep" in running.shown()
        running.app.set_focus(None)
        await running.settle()
        assert "▌ ✓ grep" not in running.shown()


async def test_the_mouse_can_do_it_too() -> None:
    pane = ConversationPane()
    async with opened(pane) as running:
        pane.show_call(CallId("1"), "grep", "a", "ok")
        await settled(running, pane)
        await running.pilot.click(pane.view, offset=(10, 0))
        await running.pilot.click(pane.view, offset=(10, 0))
        await running.settle()
        assert running.of_kind(ConversationPane.CallOpened)


async def test_scrolling_up_stays_and_counts_what_comes() -> None:
    pane = ConversationPane()
    async with opened(pane) as running:
        pane.append_text(PARAGRAPH * 40)
        await settled(running, pane)
        assert pane.view.follows
        pane.focus()
        await running.press("pageup", "pageup")
        assert not pane.view.follows
        before = pane.view._frame[:-1]
        pane.append_text("New words.\n\n" * 20)
        await settled(running, pane)
        # Only the line under the mark and the bar may differ.
        assert [strip.text[:-1] for strip in pane.view._frame[:-1]] == [
            strip.text[:-1] for strip in before
        ]
        assert pane.view.unseen_lines >= 38
        assert f"↓ {pane.view.unseen_lines} new lines · end to follow" in running.shown()
        await running.press("end")
        assert pane.view.follows
        assert "end to follow" not in running.shown()
        pane.append_text("The very last words.")
        await settled(running, pane)
        assert "The very last words." in running.shown()


async def test_home_and_end_and_the_wheel_reach_everything() -> None:
    pane = ConversationPane()
    async with opened(pane) as running:
        pane.append_text("".join(f"Paragraph {number}.\n\n" for number in range(100)))
        await settled(running, pane)
        pane.focus()
        await running.press("home")
        assert "Paragraph 0." in running.shown()
        await running.press("down", "down", "up")
        assert "Paragraph 0." not in running.shown()
        await running.press("end")
        assert "Paragraph 99." in running.shown()


async def test_the_bar_leads_to_any_place() -> None:
    pane = ConversationPane()
    async with opened(pane) as running:
        pane.append_text("".join(f"Paragraph {number}.\n\n" for number in range(400)))
        await settled(running, pane)
        width, height = pane.view.size
        await running.pilot.mouse_down(pane.view, offset=(width - 1, height // 2))
        assert 150 < pane.view.top[0] < 250
        await running.pilot.hover(pane.view, offset=(width - 1, 0))
        assert pane.view.top[0] == 0
        await running.pilot.mouse_up(pane.view, offset=(width - 1, height - 1))


async def test_a_resize_keeps_the_block_at_the_top() -> None:
    pane = ConversationPane()
    async with opened(pane, size=(100, 24)) as running:
        pane.append_text(PARAGRAPH * 60)
        await settled(running, pane)
        pane.view.scroll_to_block(20)
        await running.pilot.resize_terminal(50, 24)
        await running.settle()
        assert pane.view.top[0] == 20


async def test_a_finished_text_looks_the_same_however_it_came() -> None:
    text = "# Head\n\n- a\n- b\n\n```python\nx = 1\n```\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\nend"
    frames: list[list[str]] = []
    for step in (1, 5, len(text)):
        pane = ConversationPane()
        async with opened(pane) as running:
            for start in range(0, len(text), step):
                pane.append_text(text[start : start + step])
                await running.pilot.pause()
            pane.end_answer(is_incomplete=False)
            await settled(running, pane)
            frames.append([strip.text for strip in pane.view._frame])
    assert frames[0] == frames[1] == frames[2]


async def test_a_flood_is_taken_in_by_ticks_and_keeps_few_strips() -> None:
    pane = ConversationPane()
    async with opened(pane) as running:
        text = "".join(f"Some paragraph {number} of it all.\n\n" for number in range(8_000))
        pane.append_text(text)
        assert not pane.view.is_settled
        await settled(running, pane)
        assert len(pane.view.blocks) == 8_000
        assert len(pane.view._rendered) <= 300
        assert "paragraph 7999" in running.shown()
        await running.press("home")


async def test_nothing_ticks_when_nothing_comes() -> None:
    pane = ConversationPane()
    async with opened(pane) as running:
        pane.append_text("words")
        await settled(running, pane)
        assert pane.view._tick_timer is None
        assert [type(timer) for timer in pane.view._timers] == []


async def test_only_changed_lines_are_refreshed() -> None:
    pane = ConversationPane()
    async with opened(pane) as running:
        pane.append_text("First paragraph.\n\nSecond")
        await settled(running, pane)
        before = list(pane.view._frame)
        pane.append_text(" goes on")
        await settled(running, pane)
        same = [one is two for one, two in zip(before, pane.view._frame, strict=True)]
        assert same.count(False) == 1


async def test_ticks_are_rarer_while_somebody_types() -> None:
    clock = ManualClock()
    pane = ConversationPane(monotonic=clock.monotonic)
    async with opened(pane) as running:
        pane.note_key()
        pane.append_text("a")
        timer = pane.view._tick_timer
        assert timer is not None
        assert timer._interval == pytest.approx(1 / 8)
        await settled(running, pane)
        clock.seconds += 1
        pane.append_text("b")
        timer = pane.view._tick_timer
        assert timer is not None
        assert timer._interval == pytest.approx(1 / 15)
        await settled(running, pane)


async def test_a_theme_change_repaints_in_the_new_colours() -> None:
    pane = ConversationPane()
    async with opened(pane) as running:
        pane.append_text("words")
        await settled(running, pane)
        running.app.theme = "caramelo-light"
        await running.settle()
        style = next(iter(pane.view._frame[0])).style
        assert style is not None
        assert style.bgcolor is not None
        assert style.bgcolor.name == "#fbf6ee"


async def test_clearing_forgets_everything() -> None:
    pane = ConversationPane()
    async with opened(pane) as running:
        pane.show_user("a")
        pane.show_call(CallId("1"), "grep", "a", "ok")
        pane.append_text("b")
        await settled(running, pane)
        pane.clear()
        await running.settle()
        assert len(pane.view.blocks) == 0
        assert "Say below" in running.shown()


async def test_a_long_fence_gets_its_colours_as_a_whole_in_the_end() -> None:
    pane = ConversationPane()
    async with opened(pane) as running:
        pane.append_text("```python\nx = '''\n" + "inside\n" * 100 + "'''\n```\n\n")
        pane.end_answer(is_incomplete=False)
        await settled(running, pane)
        last = pane.view.blocks[len(pane.view.blocks) - 1]
        assert isinstance(last, AnswerBlock)
        fence = last.piece.fence
        assert fence is not None
        assert fence in last.parts.fences
        strips = [strip for strip in pane.view._frame if "inside" in strip.text]
        string = pane.view.palette.colors["syntax-string"]
        for strip in strips:
            styles = [s.style for s in strip if "inside" in s.text]
            assert [style.color.name for style in styles if style and style.color] == [string]


async def test_what_came_before_the_pane_was_there_is_shown() -> None:
    pane = ConversationPane()
    pane.show_user("early")
    pane.append_text("bird")
    async with opened(pane) as running:
        await running.until(lambda: pane.view.is_settled)
        await running.settle()
        assert "early" in running.shown()
        assert "bird" in running.shown()


async def test_blocks_can_be_looked_at_by_their_kind() -> None:
    pane = ConversationPane()
    async with opened(pane) as running:
        pane.append_thinking("hm")
        pane.append_text("a")
        pane.show_call(CallId("1"), "grep", "a", "ok")
        await settled(running, pane)
        assert [type(block) for block in pane.view.blocks] == [
            ThinkingBlock,
            AnswerBlock,
            CallBlock,
        ]
        assert isinstance(pane.view, ConversationView)
