"""ctrl+c and quitting."""

from caramelo_tui.domain.approvals import ProposedWrite, ReviewRequest
from caramelo_tui.domain.diffs import Hunk, WholeContent, WriteProposal
from caramelo_tui.domain.ids import ApprovalId, CallId, HunkId
from caramelo_tui.ui.main_screen import MainScreen
from caramelo_tui.ui.screens.confirm_quit import ConfirmQuitScreen, loss_text
from tests.pilot.conftest import OpenApp


def review() -> ReviewRequest:
    """Return a review of one new file."""
    call = CallId("c1")
    hunk = Hunk(id=HunkId("c1:0"), old_start=1, old_lines=(), new_start=1, new_lines=("x\n",))
    proposal = WriteProposal(
        call_id=call,
        path="new.py",
        shown_path="new.py",
        edit=WholeContent(content="x\n", can_overwrite=False),
        before=None,
        after=b"x\n",
        hunks=(hunk,),
        base_hash=None,
    )
    write = ProposedWrite(
        call_id=call, fingerprint="f", tool="file_write", proposal=proposal, reason="r"
    )
    return ReviewRequest(id=ApprovalId("r1"), writes=(write,))


async def test_the_first_press_stops_the_run_and_arms(open_app: OpenApp) -> None:
    async with open_app() as running:
        running.agent.start_run()
        await running.settle()
        await running.press("ctrl+c")
        await running.until(lambda: "ctrl+c again quits" in running.shown())
        assert running.agent.interrupts == 1
        assert not running.app._exit


async def test_the_empty_prompt_says_who_waits_for_whom(open_app: OpenApp) -> None:
    async with open_app() as running:
        running.agent.start_run()
        await running.until(lambda: "The agent works." in running.shown())
        running.agent.ask(review())
        await running.until(lambda: "It waits for you: ctrl+o." in running.shown())
        await running.press("ctrl+c")
        await running.until(lambda: "Ask for a change." in running.shown())


async def test_after_an_interrupt_the_hunks_stay_and_can_be_asked_for_again(
    open_app: OpenApp,
) -> None:
    async with open_app() as running:
        running.agent.start_run()
        running.agent.ask(review())
        await running.until(lambda: running.main.undecided_hunks == 1)
        await running.press("ctrl+c", "f4")
        await running.until(lambda: "p propose again" in running.shown())
        assert "not applied" in running.shown()
        await running.press("p")
        await running.until(lambda: running.agent.submitted)
        assert "`new.py` again" in running.agent.submitted[0]
        assert running.agent.is_running


async def test_a_draft_survives_an_interrupt_and_queued_prompts_come_before_it(
    open_app: OpenApp,
) -> None:
    async with open_app() as running:
        for text in ("run", "queued one", "queued two"):
            await running.press(*text, "enter")
        await running.press(*"draft", "ctrl+c")
        await running.settle()
        assert running.main.prompt.draft == "queued one\n\nqueued two\n\ndraft"
        assert running.agent.queue == []
        assert running.agent.submitted == ["run"]


async def test_idle_with_a_draft_it_clears_and_up_brings_it_back(open_app: OpenApp) -> None:
    async with open_app() as running:
        await running.press(*"draft", "ctrl+c")
        assert running.main.prompt.draft == ""
        assert not running.app._exit
        await running.press("up")
        assert running.main.prompt.draft == "draft"


async def test_two_presses_within_two_seconds_quit(open_app: OpenApp) -> None:
    async with open_app() as running:
        await running.press("ctrl+c")
        running.clock.move(1.5)
        await running.press("ctrl+c")
        await running.until(lambda: running.app._exit)
        assert running.app.return_code == 0


async def test_a_late_second_press_arms_again(open_app: OpenApp) -> None:
    async with open_app() as running:
        await running.press("ctrl+c")
        running.clock.move(2.5)
        await running.press("ctrl+c")
        assert not running.app._exit


async def test_the_armed_word_goes_away_by_itself(open_app: OpenApp) -> None:
    async with open_app() as running:
        await running.press("ctrl+c")
        assert "again quits" in running.shown()
        running.clock.move(2.5)
        await running.until(lambda: "again quits" not in running.shown())


async def test_it_works_in_every_pane_and_dialog(open_app: OpenApp) -> None:
    async with open_app() as running:
        running.agent.start_run()
        await running.press("f5", "f1", "ctrl+c")
        assert running.agent.interrupts == 1


async def test_quitting_with_undecided_hunks_asks_once(open_app: OpenApp) -> None:
    async with open_app() as running:
        running.agent.start_run()
        running.agent.ask(review())
        await running.until(lambda: running.main.undecided_hunks == 1)
        running.app.action_leave()
        await running.until_screen(ConfirmQuitScreen)
        await running.until(lambda: "1 hunk is undecided" in running.shown())
        await running.press("escape")
        await running.until_screen(MainScreen)
        assert not running.app._exit
        running.app.action_leave()
        await running.until_screen(ConfirmQuitScreen)
        await running.press("enter")
        await running.until_screen(MainScreen)
        running.app.action_leave()
        await running.until_screen(ConfirmQuitScreen)
        await running.press("q")
        await running.until(lambda: running.app._exit)


async def test_ctrl_c_twice_leaves_the_question_about_quitting(open_app: OpenApp) -> None:
    async with open_app() as running:
        await running.press(*"run", "enter")
        await running.press(*"queued", "enter")
        running.app.action_leave()
        await running.until_screen(ConfirmQuitScreen)
        await running.press("ctrl+c", "ctrl+c")
        await running.until(lambda: running.app._exit)


def test_what_would_be_lost_is_said_in_words() -> None:
    assert loss_text(3, 1) == (
        "3 hunks are undecided; nothing of it is written. 1 queued prompt was not sent."
    )


async def test_typing_between_two_presses_keeps_the_draft_and_the_app(open_app: OpenApp) -> None:
    async with open_app() as running:
        await running.press("ctrl+c")
        await running.until(lambda: "ctrl+c again quits" in running.shown())
        await running.press(*"new")
        await running.until(lambda: "ctrl+c again quits" not in running.shown())
        await running.press("ctrl+c")
        await running.until(lambda: "ctrl+c again quits" in running.shown())
        assert not running.app._exit
        await running.press("up")
        assert running.main.prompt.draft == "new"


async def test_a_cleared_draft_leaves_quitting_armed(open_app: OpenApp) -> None:
    async with open_app() as running:
        await running.press(*"new", "ctrl+c")
        await running.until(lambda: "ctrl+c again quits" in running.shown())
        await running.press("ctrl+c")
        await running.until(lambda: running.app._exit)
