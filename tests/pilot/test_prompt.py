"""Writing, sending, queueing, history and pastes."""

from pathlib import Path

import pytest
from textual.events import Key, Paste

from caramelo_tui.domain.agent_events import Ending
from caramelo_tui.ui.panes.prompt_editor import PromptEditor
from caramelo_tui.ui.start_plan import StartPlan
from tests.doubles.fake_agent import FakeAgent
from tests.pilot.conftest import OpenApp, plan_for
from tests.pilot.driving import NARROW, OpenedApp

LONG = "\n".join(f"line {number}" for number in range(1204))


async def paste(running: OpenedApp, text: str) -> None:
    running.app.post_message(Paste(text))
    await running.settle()


async def test_enter_sends_and_empties_the_prompt(open_app: OpenApp) -> None:
    async with open_app() as running:
        await running.press(*"fix it", "enter")
        assert running.agent.submitted == ["fix it"]
        assert running.main.prompt.draft == ""


async def test_an_empty_prompt_sends_nothing(open_app: OpenApp) -> None:
    async with open_app() as running:
        await running.press("enter", "space", "enter")
        assert running.agent.submitted == []


async def test_ctrl_j_shift_enter_and_a_trailing_backslash_make_lines(open_app: OpenApp) -> None:
    async with open_app() as running:
        await running.press("a", "ctrl+j", "b", "shift+enter", "c", "backslash", "enter", "d")
        assert running.main.prompt.draft == "a\nb\nc\nd"
        assert running.agent.submitted == []
        await running.press("enter")
        assert running.agent.submitted == ["a\nb\nc\nd"]


async def test_the_prompt_grows_with_its_lines(open_app: OpenApp) -> None:
    async with open_app() as running:
        before = running.main.prompt.region.height
        await running.press("a", "ctrl+j", "b", "ctrl+j", "c")
        await running.until(lambda: running.main.prompt.region.height == before + 2)


async def test_up_and_down_walk_through_what_was_sent(open_app: OpenApp) -> None:
    async with open_app() as running:
        for text in ("one", "two"):
            await running.press(*text, "enter")
            running.agent.end_run()
            await running.settle()
        await running.press(*"dra", "up")
        assert running.main.prompt.draft == "two"
        await running.press("up")
        assert running.main.prompt.draft == "one"
        await running.press("down", "down")
        assert running.main.prompt.draft == "dra"


async def test_prompts_come_back_at_the_next_start(open_app: OpenApp, tmp_path: Path) -> None:
    agent = FakeAgent()
    plan = StartPlan(
        workspace=Path("/home/project"),
        build_agent=plan_for(agent).build_agent,
        history_path=tmp_path / "history.jsonl",
    )
    async with open_app(plan=plan) as running:
        await running.press(*"once", "enter")
        await running.settle()
    async with open_app(plan=plan) as running:
        await running.press("up")
        assert running.main.prompt.draft == "once"


async def test_a_large_paste_folds_and_is_sent_whole(open_app: OpenApp) -> None:
    async with open_app() as running:
        await running.press(*"see ")
        await paste(running, LONG)
        assert running.main.prompt.draft == "see [paste 1,204 lines]"
        await running.press("enter")
        assert running.agent.submitted == [f"see {LONG}"]


async def test_a_folded_paste_can_be_opened(open_app: OpenApp) -> None:
    async with open_app() as running:
        await paste(running, LONG)
        await running.press("ctrl+e")
        await running.settle()
        assert running.main.prompt.draft == LONG


async def test_pasted_control_characters_never_reach_the_terminal(open_app: OpenApp) -> None:
    async with open_app() as running:
        await paste(running, "a\x1b]52;c;x\x07b")
        assert running.main.prompt.draft == "a<U+001B>]52;c;x<U+0007>b"
        assert "\x1b" not in running.shown()


async def test_enter_queues_while_the_agent_runs_and_shows_it(open_app: OpenApp) -> None:
    async with open_app() as running:
        await running.press(*"first", "enter")
        await running.press(*"second", "enter")
        await running.until(lambda: "queued  second" in running.shown())
        assert running.agent.submitted == ["first"]
        assert running.agent.queue == ["second"]
        assert "1 queued" in running.shown()


async def test_up_on_an_empty_prompt_takes_the_newest_back(open_app: OpenApp) -> None:
    async with open_app() as running:
        for text in ("run", "one", "two"):
            await running.press(*text, "enter")
        await running.press("up")
        await running.settle()
        assert running.main.prompt.draft == "two"
        assert running.agent.queue == ["one"]


async def test_the_queue_goes_on_by_itself_after_a_completed_run(open_app: OpenApp) -> None:
    async with open_app() as running:
        await running.press(*"one", "enter")
        await running.press(*"two", "enter")
        running.agent.end_run(Ending.COMPLETED)
        await running.until(lambda: running.agent.submitted == ["one", "two"])


async def test_after_any_other_ending_the_queue_waits_for_enter(open_app: OpenApp) -> None:
    async with open_app() as running:
        await running.press(*"one", "enter")
        await running.press(*"two", "enter")
        running.agent.end_run(Ending.ERROR, "no key")
        await running.until(lambda: "waits (enter sends)  two" in running.shown())
        assert running.agent.submitted == ["one"]
        await running.press("enter")
        await running.until(lambda: running.agent.submitted == ["one", "two"])


async def test_brackets_in_a_prompt_are_shown_as_typed(open_app: OpenApp) -> None:
    async with open_app() as running:
        await running.press(*"run", "enter")
        await paste(running, "[bold]x[/bold] [/")
        await running.press("enter")
        await running.until(lambda: "[bold]x[/bold] [/" in running.shown())


async def test_keys_of_a_burst_keep_their_order(open_app: OpenApp) -> None:
    async with open_app() as running:
        editor = running.main.prompt.query_one(PromptEditor)
        burst = [("a", "a"), ("x", "x"), ("backspace", None), ("b", "b"), ("enter", "\r")]
        for key, character in burst:
            editor.post_message(Key(key, character))
        await running.until(lambda: running.agent.submitted)
        assert running.agent.submitted == ["ab"]


async def test_a_key_behind_enter_belongs_to_the_next_text(open_app: OpenApp) -> None:
    async with open_app() as running:
        editor = running.main.prompt.query_one(PromptEditor)
        for key, character in [("g", "g"), ("o", "o"), ("enter", "\r"), ("x", "x")]:
            editor.post_message(Key(key, character))
        await running.until(lambda: running.agent.submitted)
        await running.settle()
        assert running.agent.submitted == ["go"]
        assert running.main.prompt.draft == "x"


@pytest.mark.parametrize("size", [NARROW, (60, 16)])
@pytest.mark.parametrize("text", ["short", "a\nb\nc\nd\ne\nf\ng\nh\ni"])
async def test_a_toast_never_lies_over_what_is_written(
    open_app: OpenApp, text: str, size: tuple[int, int]
) -> None:
    async with open_app(size=size) as running:
        running.main.prompt.set_draft(text)
        await running.settle()
        shown = running.shown().splitlines()
        top = running.main.prompt.region.y
        running.app.notify("IN-THE-WAY", markup=False)
        await running.until(lambda: "IN-THE-WAY" in running.shown())
        assert running.shown().splitlines()[top:] == shown[top:]
