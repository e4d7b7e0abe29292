"""A rule that blocks commands, made at the question about one."""

from caramelo_tui.domain.approvals import CommandAction, CommandAnswer
from caramelo_tui.domain.decisions import CommandPart
from caramelo_tui.ui.main_screen import MainScreen
from caramelo_tui.ui.screens.command_approval import CommandApproval
from tests.pilot.conftest import OpenApp
from tests.pilot.driving import GUARD_S, OpenedApp, command_request

COMMAND = "cd sub && git push --force origin"
PARTS = (
    CommandPart(text="cd sub"),
    CommandPart(text="git push --force origin", risks=("sends commits to a remote",)),
)


async def ask(running: OpenedApp) -> None:
    running.agent.start_run()
    running.agent.ask(command_request(COMMAND, parts=PARTS))
    await running.until_screen(CommandApproval)
    await running.settle()
    running.clock.move(GUARD_S)


async def test_the_rule_is_suggested_explained_taken_and_the_command_denied(
    open_app: OpenApp,
) -> None:
    async with open_app() as running:
        await ask(running)
        await running.press("b")
        await running.until(lambda: "that runs git with push as its first word." in running.shown())
        await running.press(*" --force")
        await running.until(lambda: " --force." in running.shown())
        await running.press("enter")
        await running.until_screen(MainScreen)
        assert running.agent.rules.blocked == [("git push --force", COMMAND)]
        ((_id, answer),) = running.agent.answers
        assert isinstance(answer, CommandAnswer)
        assert answer.action is CommandAction.DENY
        assert "`git push --force`" in answer.remark


async def test_a_rule_that_is_not_taken_says_why_and_can_be_written_again(
    open_app: OpenApp,
) -> None:
    async with open_app() as running:
        running.agent.rules.refusal = "npm would not refuse this command"
        await ask(running)
        await running.press("b", "enter")
        await running.until(lambda: "! npm would not refuse this command" in running.shown())
        assert running.agent.answers == []
        running.agent.rules.refusal = ""
        await running.press("enter")
        await running.until(lambda: running.agent.rules.blocked)
        assert running.agent.rules.blocked == [("git push", COMMAND)]


async def test_esc_goes_back_to_the_question_which_is_guarded_anew(open_app: OpenApp) -> None:
    async with open_app() as running:
        await ask(running)
        await running.press("b", "escape")
        await running.until(lambda: "that runs git" not in running.shown())
        await running.press("y")
        assert running.agent.answers == []
        assert running.agent.rules.blocked == []
        running.clock.move(GUARD_S)
        await running.press("n")
        await running.until_screen(MainScreen)


async def test_an_empty_rule_is_not_even_asked_for(open_app: OpenApp) -> None:
    async with open_app() as running:
        await ask(running)
        await running.press("b", *["backspace"] * len("git push"), "enter")
        await running.until(lambda: "An empty rule refuses nothing." in running.shown())
        assert running.agent.rules.blocked == []


async def test_the_rule_fits_on_a_small_screen(open_app: OpenApp) -> None:
    async with open_app(size=(40, 12)) as running:
        await ask(running)
        await running.press("b")
        await running.until(lambda: "Refuses every command" in running.shown())
        shown = running.shown()
        assert "git push" in shown
        assert "enter blocks, denies" in shown
