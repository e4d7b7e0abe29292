"""A proposal is edited in the person's own editor, shown again, and sent as edited."""

from pathlib import Path

import pytest

from caramelo_tui.domain.approvals import ApprovalOutcome, ReviewAnswer
from caramelo_tui.domain.ids import ApprovalId
from caramelo_tui.ui.proposal_editing import edit_proposal
from caramelo_tui.ui.widgets.review_state import ReviewState
from tests.doubles.clocks import ManualClock
from tests.doubles.fake_agent import FakeAgent
from tests.pilot.conftest import plan_for
from tests.pilot.driving import OpenedApp
from tests.pilot.lending_app import LendingApp, editor_script
from tests.unit.ui.drawing import numbered, review, write

BEFORE = numbered(12)
REVIEW = review(
    write(BEFORE, numbered(12, line_2="two"), path="a.py", call_id="one"),
    write(None, "new\n", path="b.py", call_id="two"),
    approval_id="r1",
)
SWAP = "path.write_text(path.read_text().replace('two', 'zwei').replace('line 9', 'neun'))"


async def in_review(running: OpenedApp) -> None:
    await running.until(lambda: not running.main.status.view.is_starting)
    running.agent.start_run()
    running.agent.ask(REVIEW)
    await running.until(lambda: running.bench.changes.has_waiting)
    await running.press("ctrl+o")
    await running.until(lambda: "waiting 2 files" in running.shown())


async def test_the_edited_version_is_shown_undecided_and_sent(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("VISUAL", editor_script(tmp_path, SWAP))
    agent = FakeAgent(folders={".": ()})
    app = LendingApp(plan_for(agent))
    async with app.run_test(size=(80, 40), notifications=True) as pilot:
        running = OpenedApp(app=app, pilot=pilot, agent=agent, clock=ManualClock())
        await in_review(running)
        await running.press("a")
        await running.press("k", "e")
        await running.until(lambda: "edited by you" in running.shown())
        text = running.shown()
        assert "+ zwei" in text
        assert "+ neun" in text
        assert running.bench.changes.waiting_counts == (2, 3, 3)
        assert (app.lent, app.returned) == (1, 1)
        await running.press("Y", "s")
        await running.until(lambda: agent.answers)
        _approval, answer = agent.answers[0]
        assert isinstance(answer, ReviewAnswer)
        assert dict(answer.edited) == {"one": numbered(12, line_2="zwei", line_9="neun")}
        assert dict(answer.accepted) == {"one:0": True, "one:1": True, "two:0": True}
    await app.close_agent()


async def test_an_unchanged_text_changes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("VISUAL", editor_script(tmp_path, "pass"))
    agent = FakeAgent(folders={".": ()})
    app = LendingApp(plan_for(agent))
    async with app.run_test(size=(80, 40), notifications=True) as pilot:
        running = OpenedApp(app=app, pilot=pilot, agent=agent, clock=ManualClock())
        await in_review(running)
        await running.press("a", "k", "e")
        await running.until(lambda: "the proposal is as it was" in running.shown())
        assert "edited by you" not in running.shown()
        assert running.bench.changes.waiting_counts == (2, 2, 1)
    await app.close_agent()


async def test_a_review_that_ended_meanwhile_takes_no_text(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("VISUAL", editor_script(tmp_path, SWAP))
    app = LendingApp(plan_for(FakeAgent(folders={".": ()})))
    state = ReviewState(REVIEW)
    hunk = state.hunk_ids[0]
    async with app.run_test(notifications=True):
        state.is_sent = True
        assert "not taken" in await edit_proposal(app, state, hunk)
        assert not state.has_edits
    await app.close_agent()


async def test_bytes_that_are_no_text_are_not_edited() -> None:
    app = LendingApp(plan_for(FakeAgent(folders={".": ()})))
    odd = review(write(None, "x\n", call_id="one"))
    broken = odd.writes[0].proposal
    object.__setattr__(broken, "after", b"\xff\n")
    state = ReviewState(odd)
    async with app.run_test():
        assert await edit_proposal(app, state, state.hunk_ids[0]) == (
            "only UTF-8 text can be edited"
        )
        assert app.lent == 0
    await app.close_agent()


async def test_an_edited_version_that_is_gone_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("VISUAL", editor_script(tmp_path, SWAP))
    agent = FakeAgent(folders={".": ()})
    app = LendingApp(plan_for(agent))
    async with app.run_test(size=(80, 40), notifications=True) as pilot:
        running = OpenedApp(app=app, pilot=pilot, agent=agent, clock=ManualClock())
        await in_review(running)
        await running.press("e")
        await running.until(lambda: "edited by you" in running.shown())
        agent.settle(ApprovalId("r1"), ApprovalOutcome.REPLACED)
        await running.until(
            lambda: any("without what you edited" in n.message for n in app._notifications)
        )
    await app.close_agent()
