"""The question about a commit, a request or another action."""

from dataclasses import replace

import pytest

from caramelo_tui.domain.approvals import ActionRequest, CommandAction, CommandAnswer
from caramelo_tui.domain.tool_calls import Action, ActionFact, ActionKind
from caramelo_tui.ui.main_screen import MainScreen
from caramelo_tui.ui.screens.action_approval import ActionApproval
from caramelo_tui.ui.screens.command_approval import CommandApproval
from tests.pilot.conftest import OpenApp
from tests.pilot.driving import (
    COMMIT,
    GUARD_S,
    OpenedApp,
    action_request,
    command_request,
)

LONG = replace(COMMIT, body="\n".join(f"line {number}" for number in range(80)) + "\nTAIL-MARK")
FETCH = Action(
    kind=ActionKind.FETCH,
    title="GET https://\u0430pple.example.test/",
    facts=(
        ActionFact(label="host", value="\u0430pple.example.test"),
        ActionFact(label="sent as", value="xn--pple-43d.example.test"),
    ),
)


async def ask(
    running: OpenedApp, request: ActionRequest | None = None, *, ready: bool = True
) -> ActionApproval:
    """Ask about an action and wait until the question is drawn."""
    running.agent.start_run()
    running.agent.ask(request or action_request())
    await running.until_screen(ActionApproval)
    await running.settle()
    if ready:
        running.clock.move(GUARD_S)
    screen = running.app.screen
    assert isinstance(screen, ActionApproval)
    return screen


def only_answer(running: OpenedApp) -> CommandAnswer:
    ((_approval_id, answer),) = running.agent.answers
    assert isinstance(answer, CommandAnswer)
    return answer


@pytest.mark.parametrize(
    ("key", "action"),
    [
        ("y", CommandAction.RUN),
        ("n", CommandAction.DENY),
        ("enter", CommandAction.DENY),
        ("escape", CommandAction.STOP),
    ],
)
async def test_each_answer_has_its_key(open_app: OpenApp, key: str, action: CommandAction) -> None:
    async with open_app() as running:
        await ask(running)
        await running.press(key)
        await running.until_screen(MainScreen)
        assert only_answer(running) == CommandAnswer(action=action)


@pytest.mark.parametrize("key", ["y", "n", "m", "enter", "escape"])
async def test_no_key_answers_in_the_first_half_second(open_app: OpenApp, key: str) -> None:
    async with open_app() as running:
        await ask(running, ready=False)
        running.clock.move(0.4)
        await running.press(key)
        assert running.agent.answers == []
        assert isinstance(running.app.screen, ActionApproval)


async def test_enter_never_says_yes(open_app: OpenApp) -> None:
    async with open_app() as running:
        screen = await ask(running)
        await running.press("left")
        running.clock.move(GUARD_S)
        assert screen.marked_answer == CommandAction.RUN
        await running.press("enter")
        assert running.agent.answers == []
        running.clock.move(GUARD_S)
        await running.until(lambda: "Enter never says yes" in running.shown())


@pytest.mark.parametrize("key", ["e", "b"])
async def test_an_action_cannot_be_edited_or_blocked(open_app: OpenApp, key: str) -> None:
    async with open_app() as running:
        await ask(running)
        await running.press(key)
        await running.settle()
        # No answer, so it was typed for the prompt.
        assert running.main.prompt.draft == key
        assert running.agent.answers == []


async def test_a_denial_takes_a_remark_along(open_app: OpenApp) -> None:
    async with open_app() as running:
        await ask(running)
        await running.press("m", *"not yet", "enter")
        await running.until(lambda: running.agent.answers)
        assert only_answer(running) == CommandAnswer(action=CommandAction.DENY, remark="not yet")


@pytest.mark.parametrize("size", [(80, 24), (40, 12)])
async def test_the_end_must_have_been_seen(open_app: OpenApp, size: tuple[int, int]) -> None:
    async with open_app(size=size) as running:
        screen = await ask(running, action_request(LONG))
        await running.press("y")
        assert running.agent.answers == []
        running.clock.move(GUARD_S)
        await running.press("end")
        await running.until(lambda: screen.subject.is_end_shown)
        assert "TAIL-MARK" in running.shown()
        running.clock.move(GUARD_S)
        await running.press("y")
        await running.until(lambda: running.agent.answers)
        assert only_answer(running).action is CommandAction.RUN


async def test_a_request_to_the_web_shows_both_forms_of_its_host(open_app: OpenApp) -> None:
    request = action_request(
        FETCH, tool="web_fetch", reason="The host looks like another.", agent_title="Read docs"
    )
    async with open_app() as running:
        await ask(running, request)
        shown = running.shown()
        for text in (
            "Read docs asks: Send this request? (web_fetch)",
            "<U+0430>pple.example.test",
            "xn--pple-43d.example.test",
            "⚠ look-alike characters",
            "asked by the sub-agent Read docs",
            "The host looks like another.",
        ):
            assert text in shown


async def test_everything_of_a_small_one_can_be_reached_at_40_by_12(open_app: OpenApp) -> None:
    async with open_app(size=(40, 12)) as running:
        await ask(running, action_request(FETCH, tool="web_fetch", agent_title="Read docs"))
        seen = running.shown()
        for _ in range(6):
            await running.press("down", "shift+down")
            seen += running.shown()
        for text in ("xn--pple-43d", "look-alike", "Read docs", "git_commit always asks."):
            assert text in seen


async def test_commands_and_actions_follow_each_other(open_app: OpenApp) -> None:
    async with open_app() as running:
        await ask(running)
        running.agent.ask(command_request(approval_id="ask-2"))
        await running.until(lambda: "1 more waiting" in running.shown())
        await running.press("y")
        await running.until_screen(CommandApproval)
        await running.settle()
        running.clock.move(GUARD_S)
        await running.press("n")
        await running.until_screen(MainScreen)
        actions = [a.action for _, a in running.agent.answers if isinstance(a, CommandAnswer)]
        assert actions == [CommandAction.RUN, CommandAction.DENY]


async def test_an_interrupt_takes_the_question_away(open_app: OpenApp) -> None:
    async with open_app() as running:
        await ask(running)
        await running.press("ctrl+c")
        await running.until_screen(MainScreen)
        assert running.agent.answers == []
