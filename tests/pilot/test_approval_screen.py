"""The question about a command: what answers it, and what never does."""

import pytest
from textual.events import Paste

from caramelo_tui.domain.approvals import CommandAction, CommandAnswer
from caramelo_tui.domain.decisions import CommandPart
from caramelo_tui.ui.main_screen import MainScreen
from caramelo_tui.ui.screens.approval import ApprovalScreen
from tests.pilot.conftest import OpenApp
from tests.pilot.driving import GUARD_S, OpenedApp, command_request

LONG = " ".join(f"word{number:03}" for number in range(400)) + " && echo TAIL-MARK"


async def ask(running: OpenedApp, command: str = "pytest -q", *, ready: bool = True) -> None:
    """Ask about a command and wait until the question is drawn."""
    running.agent.start_run()
    running.agent.ask(command_request(command))
    await running.until_screen(ApprovalScreen)
    await running.settle()
    if ready:
        running.clock.move(GUARD_S)


def screen_of(running: OpenedApp) -> ApprovalScreen:
    screen = running.app.screen
    assert isinstance(screen, ApprovalScreen)
    return screen


def only_answer(running: OpenedApp) -> CommandAnswer:
    ((_approval_id, answer),) = running.agent.answers
    assert isinstance(answer, CommandAnswer)
    return answer


async def test_y_runs_the_command_once(open_app: OpenApp) -> None:
    async with open_app() as running:
        await ask(running)
        await running.press("y")
        await running.until_screen(MainScreen)
        assert only_answer(running) == CommandAnswer(action=CommandAction.RUN)


async def test_n_denies_and_esc_stops(open_app: OpenApp) -> None:
    async with open_app() as running:
        await ask(running)
        await running.press("n")
        await running.until(lambda: running.agent.answers)
        running.agent.ask(command_request("ls", approval_id="ask-2"))
        await running.until_screen(ApprovalScreen)
        await running.settle()
        running.clock.move(GUARD_S)
        await running.press("escape")
        await running.until(lambda: len(running.agent.answers) == 2)
        actions = [a.action for _, a in running.agent.answers if isinstance(a, CommandAnswer)]
        assert actions == [CommandAction.DENY, CommandAction.STOP]


async def test_deny_is_marked_first(open_app: OpenApp) -> None:
    async with open_app() as running:
        await ask(running)
        assert screen_of(running).marked_answer == CommandAction.DENY


@pytest.mark.parametrize("key", ["y", "n", "escape", "enter", "e", "m"])
async def test_no_key_answers_in_the_first_half_second(open_app: OpenApp, key: str) -> None:
    async with open_app() as running:
        await ask(running, ready=False)
        running.clock.move(0.4)
        await running.press(key)
        assert running.agent.answers == []
        assert isinstance(running.app.screen, ApprovalScreen)


async def test_a_question_is_guarded_anew_when_the_terminal_comes_back(open_app: OpenApp) -> None:
    async with open_app() as running:
        await ask(running)
        assert screen_of(running).can_approve
        running.app._resume_signal()
        await running.until(lambda: not screen_of(running).can_approve)
        running.clock.move(0.5)
        assert screen_of(running).can_approve


async def test_each_key_makes_answers_wait_half_a_second_more(open_app: OpenApp) -> None:
    async with open_app() as running:
        await ask(running)
        await running.press("x")
        running.clock.move(0.4)
        await running.press("y")
        running.clock.move(0.4)
        await running.press("y")
        assert running.agent.answers == []
        running.clock.move(GUARD_S)
        await running.press("y")
        assert only_answer(running).action is CommandAction.RUN


async def test_what_is_typed_meanwhile_goes_to_the_draft(open_app: OpenApp) -> None:
    async with open_app() as running:
        await running.press("f", "i")
        await ask(running, ready=False)
        await running.press("x", "space", "y")
        await running.settle()
        assert running.main.prompt.draft == "fix y"
        assert running.agent.answers == []


async def test_a_paste_goes_to_the_draft_and_never_answers(open_app: OpenApp) -> None:
    async with open_app() as running:
        await ask(running)
        running.app.post_message(_paste("y\n"))
        await running.until(lambda: running.main.prompt.draft)
        assert running.main.prompt.draft == "y\n"
        assert running.agent.answers == []


@pytest.mark.parametrize("key", ["enter", "space"])
async def test_enter_and_space_never_run_even_with_run_marked(open_app: OpenApp, key: str) -> None:
    async with open_app() as running:
        await ask(running)
        await running.press("left", "left")
        assert screen_of(running).marked_answer == CommandAction.RUN
        running.clock.move(GUARD_S)
        await running.press(key)
        running.clock.move(GUARD_S)
        await running.press(key)
        assert running.agent.answers == []
        assert isinstance(running.app.screen, ApprovalScreen)


async def test_enter_takes_a_marked_answer_that_does_not_run(open_app: OpenApp) -> None:
    async with open_app() as running:
        await ask(running)
        await running.press("enter")
        await running.until(lambda: running.agent.answers)
        assert only_answer(running).action is CommandAction.DENY


async def test_a_long_command_runs_only_after_its_end_was_seen(open_app: OpenApp) -> None:
    async with open_app() as running:
        await ask(running, LONG)
        assert "word399" not in running.shown()
        await running.press("y")
        assert running.agent.answers == []
        assert "scroll to the end" in running.shown() or "finish typing" in running.shown()
        running.clock.move(GUARD_S)
        await running.press("end")
        await running.until(lambda: "word399 && echo" in running.shown())
        running.clock.move(GUARD_S)
        await running.until(lambda: screen_of(running).can_approve)
        await running.press("y")
        assert only_answer(running).action is CommandAction.RUN


async def test_what_an_answer_waits_for_is_said(open_app: OpenApp) -> None:
    async with open_app() as running:
        await ask(running, LONG, ready=False)
        await running.until(lambda: "ready in 0.5 s" in running.shown())
        running.clock.move(0.3)
        await running.press("x")
        await running.until(lambda: "finish typing" in running.shown())
        running.clock.move(GUARD_S)
        await running.until(lambda: "scroll to the end" in running.shown())


@pytest.mark.parametrize("size", [(80, 24), (40, 12)])
async def test_nothing_lies_over_the_command_and_its_answers(
    open_app: OpenApp, size: tuple[int, int]
) -> None:
    async with open_app(size=size) as running:
        running.app.notify("IN-THE-WAY", markup=False)
        await ask(running, LONG)
        running.app.notify("IN-THE-WAY", markup=False)
        await running.settle()
        assert "IN-THE-WAY" not in running.shown()
        assert "n deny" in running.shown().lower()


async def test_an_edited_command_is_shown_again_before_it_runs(open_app: OpenApp) -> None:
    async with open_app() as running:
        await ask(running, "echo one")
        await running.press("e")
        await running.press("backspace", "backspace", "backspace", "t", "w", "o", "enter")
        await running.settle()
        assert running.agent.answers == []
        assert "echo two" in running.shown()
        assert "edited by you" in running.shown()
        await running.press("y")
        assert running.agent.answers == []
        running.clock.move(GUARD_S)
        await running.press("y")
        await running.until(lambda: running.agent.answers)
        assert only_answer(running) == CommandAnswer(action=CommandAction.EDIT, command="echo two")


async def test_an_edited_command_runs_only_once_its_risks_were_shown(open_app: OpenApp) -> None:
    risky = CommandPart(text="rm -r two", risks=("removes files recursively",))
    async with open_app() as running:
        running.agent.parts_of = {"echo one; rm -r two": (CommandPart(text="echo one"), risky)}
        running.agent.may_explain.clear()
        await ask(running, "echo one")
        await running.press("e", *"; rm -r two", "enter")
        await running.until(lambda: running.agent.explained)
        running.clock.move(GUARD_S)
        await running.press("y")
        await running.settle()
        assert running.agent.answers == []
        assert "bash always asks." not in running.shown()
        running.agent.may_explain.set()
        await running.until(lambda: "⚠ removes files recursively" in running.shown())
        running.clock.move(GUARD_S)
        await running.press("y")
        await running.until(lambda: running.agent.answers)
        assert only_answer(running).command == "echo one; rm -r two"


async def test_escape_discards_the_edit(open_app: OpenApp) -> None:
    async with open_app() as running:
        await ask(running, "echo one")
        await running.press("e", "x", "escape")
        await running.settle()
        running.clock.move(GUARD_S)
        await running.press("y")
        await running.until(lambda: running.agent.answers)
        assert only_answer(running) == CommandAnswer(action=CommandAction.RUN)


async def test_a_remark_goes_with_the_denial(open_app: OpenApp) -> None:
    async with open_app() as running:
        await ask(running)
        await running.press("m")
        await running.press(*"use make", "enter")
        await running.until(lambda: running.agent.answers)
        assert only_answer(running) == CommandAnswer(action=CommandAction.DENY, remark="use make")


async def test_a_click_on_run_waits_for_the_guard_too(open_app: OpenApp) -> None:
    async with open_app() as running:
        await ask(running, ready=False)
        await running.pilot.click("#answers", offset=(2, 0))
        assert running.agent.answers == []
        running.clock.move(GUARD_S)
        await running.pilot.click("#answers", offset=(2, 0))
        await running.until(lambda: running.agent.answers)
        assert only_answer(running).action is CommandAction.RUN


async def test_ctrl_c_withdraws_the_question(open_app: OpenApp) -> None:
    async with open_app() as running:
        await ask(running, ready=False)
        await running.press("ctrl+c")
        await running.until_screen(MainScreen)
        assert running.agent.interrupts == 1
        assert running.agent.answers == []


async def test_two_ctrl_c_quit_from_inside(open_app: OpenApp) -> None:
    async with open_app() as running:
        await ask(running, ready=False)
        await running.press("ctrl+c", "ctrl+c")
        await running.until(lambda: running.app._exit)
        assert running.app.return_code == 0


async def test_the_next_question_is_shown_after_the_first(open_app: OpenApp) -> None:
    async with open_app() as running:
        running.agent.start_run()
        running.agent.ask(command_request("echo first", approval_id="a"))
        running.agent.ask(command_request("echo second", approval_id="b"))
        await running.until(lambda: "echo first" in running.shown())
        await running.settle()
        assert "1 more waiting" in running.shown()
        running.clock.move(GUARD_S)
        await running.press("y")
        await running.until(lambda: "echo second" in running.shown())
        await running.press("y")
        assert [i for i, _ in running.agent.answers] == ["a"]
        running.clock.move(GUARD_S)
        await running.press("n")
        await running.until(lambda: len(running.agent.answers) == 2)
        assert running.agent.answers[1] == ("b", CommandAnswer(action=CommandAction.DENY))


async def test_agent_folder_limit_parts_and_note_are_shown(open_app: OpenApp) -> None:
    async with open_app() as running:
        running.agent.start_run()
        running.agent.ask(
            command_request(
                "rm -rf build",
                cwd="/home/project/sub",
                parts=(CommandPart(text="rm -rf build", risks=("removes files recursively",)),),
                note="A write before it was rejected.",
                agent_title="Tidy the imports",
            )
        )
        await running.until_screen(ApprovalScreen)
        await running.settle()
        shown = running.shown()
        for text in (
            "Tidy the imports asks",
            "/home/project/sub (not the root)",
            "at most 30 s",
            "removes files recursively",
            "A write before it was rejected.",
            "bash always asks.",
            "1 line",
        ):
            assert text in shown


def _paste(text: str) -> Paste:
    return Paste(text)
