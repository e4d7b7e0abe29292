"""Questions, reviews and what happens around them."""

from caramelo_tui.domain.approvals import ReviewAnswer
from caramelo_tui.domain.ids import HunkId
from caramelo_tui.ui.main_screen import MainScreen
from caramelo_tui.ui.pane_layout import Place
from caramelo_tui.ui.screens.approval import ApprovalScreen
from caramelo_tui.ui.screens.confirm_quit import ConfirmQuitScreen
from tests.pilot.conftest import OpenApp
from tests.pilot.driving import GUARD_S, WIDE, command_request
from tests.pilot.test_interrupt import review


async def test_a_review_waits_without_taking_the_focus(open_app: OpenApp) -> None:
    async with open_app() as running:
        running.agent.start_run()
        await running.press(*"typing")
        running.agent.ask(review())
        await running.until(lambda: "3 Changes ?1" in running.shown())
        await running.press(*"on")
        assert running.main.prompt.draft == "typingon"
        assert "? 1 waiting  ctrl+o" in running.shown()


async def test_ctrl_o_goes_to_the_review_and_settling_answers_it(open_app: OpenApp) -> None:
    async with open_app(size=WIDE) as running:
        running.agent.start_run()
        running.agent.ask(review())
        await running.until(lambda: "? 1 waiting" in running.shown())
        await running.press("ctrl+o")
        assert running.main.area.focused_place is Place.CHANGES
        running.bench.changes.post_message(
            running.bench.changes.ReviewSettled(
                review().id, ReviewAnswer(accepted={HunkId("c1:0"): True})
            )
        )
        await running.until(lambda: running.agent.answers)
        await running.until(lambda: "waiting" not in running.shown().splitlines()[-1])


async def test_a_review_that_is_over_is_not_answered(open_app: OpenApp) -> None:
    async with open_app(size=WIDE) as running:
        running.bench.settle_review(review().id, ReviewAnswer())
        await running.until(lambda: "nothing was written" in running.shown())


async def test_an_interrupt_withdraws_review_and_question(open_app: OpenApp) -> None:
    async with open_app(size=WIDE) as running:
        running.agent.start_run()
        running.agent.ask(review())
        running.agent.ask(command_request())
        await running.until_screen(ApprovalScreen)
        await running.press("ctrl+c")
        await running.until_screen(MainScreen)
        assert running.agent.answers == []
        assert not running.bench.changes.has_waiting
        assert running.main.status.view.waiting == 0


async def test_a_question_withdrawn_under_another_screen_goes_when_it_is_in_front(
    open_app: OpenApp,
) -> None:
    async with open_app() as running:
        running.agent.start_run()
        running.agent.queue.append("later")
        running.agent.ask(command_request())
        await running.until_screen(ApprovalScreen)
        running.app.action_leave()
        await running.until_screen(ConfirmQuitScreen)
        running.agent.interrupt()
        await running.settle()
        assert isinstance(running.app.screen, ConfirmQuitScreen)
        await running.press("escape")
        await running.until_screen(MainScreen)
        assert running.agent.answers == []


async def test_the_focus_is_where_it_was_after_a_question(open_app: OpenApp) -> None:
    async with open_app(size=WIDE) as running:
        running.agent.start_run()
        await running.press("f5")
        running.agent.ask(command_request())
        await running.until_screen(ApprovalScreen)
        await running.settle()
        running.clock.move(GUARD_S)
        await running.press("n")
        await running.until_screen(MainScreen)
        assert running.main.area.focused_place is Place.TOOLS
        assert running.bench.tools.rows.has_focus


async def test_sending_brings_the_conversation_back_on_a_narrow_screen(open_app: OpenApp) -> None:
    async with open_app() as running:
        await running.press("f5", "escape", *"go", "enter")
        await running.until(lambda: running.main.area.is_shown(Place.CONVERSATION))
        assert running.main.prompt.editor.has_focus
