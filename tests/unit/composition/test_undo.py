"""Where checkpoints lie, and undo of whole agents."""

import json
from pathlib import Path

from caramelo_tui.agent.undo_port import Redo, Rewind, UndoLastTurn
from caramelo_tui.composition.undo import session_journal, tidy_up
from caramelo_tui.domain.agent_events import ApprovalRequested, RunEnded
from caramelo_tui.domain.approvals import CommandAction, CommandAnswer, CommandRequest
from caramelo_tui.domain.decisions import ApprovalMode
from caramelo_tui.domain.ids import CallId, SessionId
from caramelo_tui.sessions.opening import open_session
from caramelo_tui.workspace.checkpoint_cleanup import KeepRule
from caramelo_tui.workspace.journal_entries import RecordedChange
from tests.doubles.agent_worlds import asks, says
from tests.doubles.clocks import ManualClock
from tests.unit.composition.test_resume import WRITE, ask, last, sent, sitting, until, until_runs


def test_the_sessions_of_a_workspace_share_contents_and_nothing_else(tmp_path: Path) -> None:
    root, checkpoints = tmp_path / "work", tmp_path / "state"
    change = RecordedChange(call_id=CallId("c"), path="a", before=None, after=b"same")
    for name in ("one", "two"):
        journal = session_journal(checkpoints, root, SessionId(name), ManualClock())
        assert journal.entries() == ()
        journal.record_change(change)
        again = session_journal(checkpoints, root, SessionId(name), ManualClock())
        (entry,) = again.entries()
        assert entry.after_hash is not None
        assert again.blob(entry.after_hash) == b"same"
    blobs = [path for path in checkpoints.rglob("blobs/*/*") if path.is_file()]
    assert len(blobs) == 1
    assert not root.exists()


async def test_a_session_taken_up_again_undoes_what_it_did_before(tmp_path: Path) -> None:
    (tmp_path / "project").mkdir()
    made = tmp_path / "project" / "b.txt"
    async with sitting(tmp_path, [asks(WRITE), says("done")]) as (agent, _models):
        agent.set_mode(ApprovalMode.AUTO)
        await ask(agent, "write it")
        assert made.exists()
    opened = open_session(last(tmp_path))
    async with sitting(tmp_path, [says("again")], opened) as (agent, models):
        (point,) = await agent.undo.rewind_points()
        assert (point.prompt, point.files) == ("write it", 1)
        plan = await agent.undo.plan(Rewind(run_id=point.run_id))
        assert plan.prompt == "write it"
        assert await agent.undo.carry_out(plan.id, {}) == ""
        assert not made.exists()
        await ask(agent, "and now")
        assert any("took changes of this session back" in str(message) for message in sent(models))
    # Untold at the end of a sitting, it is told in the next one; told once, not again.
    opened = open_session(last(tmp_path))
    async with sitting(tmp_path, [says("again")], opened) as (agent, models):
        await ask(agent, "once more")
        assert str(sent(models)).count("took changes of this session back") == 1
        plan = await agent.undo.plan(Redo())
        assert await agent.undo.carry_out(plan.id, {}) == ""
    assert made.read_text() == "one\ntwo\n"
    opened = open_session(last(tmp_path))
    async with sitting(tmp_path, [says("again")], opened) as (agent, models):
        await ask(agent, "last")
        assert str(sent(models)).count("put changes of this session back") == 1


async def test_a_fork_undoes_what_its_runs_did_and_no_more(tmp_path: Path) -> None:
    root = tmp_path / "project"
    root.mkdir()
    later = ("c2", "file_write", json.dumps({"path": "later.txt", "content": "x"}))
    script = [asks(WRITE), says("done"), asks(later), says("done")]
    async with sitting(tmp_path, script) as (agent, _models):
        agent.set_mode(ApprovalMode.AUTO)
        await ask(agent, "first")
        fork = await agent.sessions.fork()
        agent.submit("second")
        await until_runs(agent, 2)
    assert (root / "later.txt").exists()
    forked = last(tmp_path).with_name(f"{fork.id}.jsonl")
    async with sitting(tmp_path, [says("again")], open_session(forked)) as (agent, _models):
        plan = await agent.undo.plan(UndoLastTurn())
        assert [file.path for file in plan.files] == ["b.txt"]
        assert await agent.undo.carry_out(plan.id, {}) == ""
    assert not (root / "b.txt").exists()
    assert (root / "later.txt").exists()


async def test_what_a_command_did_goes_back_with_its_turn(tmp_path: Path) -> None:
    root = tmp_path / "project"
    root.mkdir()
    (root / "a.txt").write_text("a\n")
    (root / "gone.txt").write_text("gone\n")
    command = "printf 'A\\n' > a.txt; mv gone.txt moved.txt"
    bash = ("c1", "bash", json.dumps({"command": command}))
    async with sitting(tmp_path, [asks(bash), says("done")]) as (agent, _models):
        agent.submit("run it")
        asked = (await until(agent, ApprovalRequested))[-1]
        assert isinstance(asked, ApprovalRequested)
        request = asked.request
        assert isinstance(request, CommandRequest)
        agent.answer(request.id, CommandAnswer(action=CommandAction.RUN))
        await until(agent, RunEnded)
        assert sorted(path.name for path in root.iterdir()) == ["a.txt", "moved.txt"]
        plan = await agent.undo.plan(UndoLastTurn())
        assert [file.path for file in plan.files] == ["a.txt", "gone.txt", "moved.txt"]
        assert await agent.undo.carry_out(plan.id, {}) == ""
    assert sorted(path.name for path in root.iterdir()) == ["a.txt", "gone.txt"]
    assert (root / "a.txt").read_text() == "a\n"
    assert (root / "gone.txt").read_text() == "gone\n"


class WallClock(ManualClock):
    """A clock that a test puts to any time."""

    at = 0.0

    def now(self) -> float:
        return self.at


def test_a_clock_that_jumps_ten_years_and_back_removes_no_checkpoint(tmp_path: Path) -> None:
    day_s, rule, clock = 86_400.0, KeepRule(days=30, size_bytes=0), WallClock()
    journal = session_journal(tmp_path, tmp_path / "work", SessionId("one"), ManualClock())
    entry = journal.record_change(
        RecordedChange(call_id=CallId("c"), path="a", before=b"kept", after=b"new")
    )
    written_at = (journal.folder / "journal.jsonl").stat().st_mtime
    for days in (0, 1, 3650, 3650.5, 2):
        clock.at = written_at + days * day_s
        tidy_up(tmp_path, rule, tmp_path / "another", clock=clock)
    assert journal.blob(str(entry.before_hash)) == b"kept"
    assert journal.folder.exists()
    # What is really old goes, the rule's size too.
    for days in (4, 10, 16, 22, 28, 34):
        clock.at = written_at + days * day_s
        tidy_up(tmp_path, rule, tmp_path / "another", clock=clock)
    assert not journal.folder.exists()
