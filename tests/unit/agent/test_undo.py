"""Undo and redo, from the wish to the files."""

import os
from collections.abc import Mapping
from pathlib import Path

import pytest

from caramelo_tui.agent.event_stream import EventStream
from caramelo_tui.agent.undo import Undo, UndoRoom
from caramelo_tui.agent.undo_port import (
    NoUndo,
    Redo,
    Rewind,
    UndoFile,
    UndoHunk,
    UndoLastRun,
    UndoLastTurn,
    UndoPlan,
    UndoWish,
)
from caramelo_tui.domain.agent_events import (
    ChangesUndone,
    FilesChanged,
    NoticeLevel,
    NoticeRaised,
    RunStarted,
)
from caramelo_tui.domain.decisions import ApprovalMode
from caramelo_tui.domain.files import ChangeKind, ChangeOrigin, FileStamp
from caramelo_tui.domain.ids import CallId, CountingIds, RunId, SessionId, TurnId
from caramelo_tui.domain.undo import ConflictChoice, UndoScope
from caramelo_tui.workspace.file_io import FileStore
from caramelo_tui.workspace.journal import Journal
from caramelo_tui.workspace.journal_entries import EntryKind, RecordedChange
from caramelo_tui.workspace.sandbox import Sandbox
from tests.doubles.clocks import ManualClock

TEN = "".join(f"{n}\n" for n in range(1, 11))


class World:
    """A workspace, its journal and its undo."""

    def __init__(self, folder: Path) -> None:
        self.root = folder / "work"
        self.root.mkdir()
        self.clock = ManualClock()
        self.events = EventStream(self.clock)
        self.dropped = 0
        self.known: dict[str, FileStamp | None] = {}
        self.state = folder / "state"
        self.open()

    def open(self) -> None:
        """Begin, or begin again as after a new start of the program."""
        self.files = FileStore(Sandbox(self.root))
        self.journal = Journal(self.state, self.clock)
        self.undo = Undo(
            UndoRoom(
                journal=self.journal,
                files=self.files,
                events=self.events,
                cache=self,
                remember=self.remember,
                ids=CountingIds(),
            )
        )

    def drop_all(self) -> None:
        self.dropped += 1

    def remember(self, known: Mapping[str, FileStamp | None]) -> None:
        self.known.update(known)

    def text(self, path: str) -> str | None:
        file = self.root / path
        return file.read_text() if file.exists() else None

    def put(self, path: str, text: str | None) -> None:
        """Change a file from outside."""
        file = self.root / path
        if text is None:
            file.unlink()
        else:
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text)

    def agent_writes(  # noqa: PLR0913 - one line says a whole call
        self,
        path: str,
        text: str | None,
        *,
        turn: str = "t1",
        run: str = "r1",
        call: str = "c1",
        kind: EntryKind = EntryKind.CALL,
        mode: int | None = None,
    ) -> None:
        before = self.text(path)
        self.journal.record_change(
            RecordedChange(
                call_id=CallId(call),
                turn_id=TurnId(turn),
                run_id=RunId(run),
                path=path,
                before=None if before is None else before.encode(),
                after=None if text is None else text.encode(),
                kind=kind,
                mode=mode,
            )
        )
        self.put(path, text)

    def prompt(self, run: str, text: str) -> None:
        self.events.begin_run(RunId(run))
        self.events.emit(
            lambda head: RunStarted(
                head=head,
                session_id=SessionId("s"),
                prompt=text,
                provider="p",
                model="m",
                mode=ApprovalMode.REVIEW,
                profile="caramelo",
                is_trusted=True,
            )
        )
        self.events.end_run()

    async def do(self, wish: UndoWish, **choices: ConflictChoice) -> UndoPlan:
        plan = await self.undo.plan(wish)
        by_path = {path.replace("__", "."): choice for path, choice in choices.items()}
        assert not plan.problem, plan.problem
        assert await self.undo.carry_out(plan.id, by_path) == ""
        return plan

    @property
    def last_notice(self) -> str:
        found = [e.text for e in self.events.events if isinstance(e, NoticeRaised)]
        return found[-1]


@pytest.fixture
def world(tmp_path: Path) -> World:
    return World(tmp_path)


async def test_the_last_turn_goes_back_and_comes_again(world: World) -> None:
    world.put("a", "one\n")
    world.agent_writes("a", "two\n", turn="t1")
    world.agent_writes("a", "three\n", turn="t2", call="c2")
    world.agent_writes("new/b", "made\n", turn="t2", call="c3")
    plan = await world.do(UndoLastTurn())
    assert [(f.path, f.added_lines, f.removed_lines, f.is_removed) for f in plan.files] == [
        ("a", 1, 1, False),
        ("new/b", 0, 1, True),
    ]
    assert (world.text("a"), world.text("new/b")) == ("two\n", None)
    await world.do(UndoLastTurn())
    assert world.text("a") == "one\n"
    assert (await world.undo.plan(UndoLastTurn())).problem.startswith("There is no turn left")
    await world.do(Redo())
    assert world.text("a") == "two\n"
    await world.do(Redo())
    assert (world.text("a"), world.text("new/b")) == ("three\n", "made\n")
    assert (await world.undo.plan(Redo())).problem == "There is no undo that could be taken back."


async def test_everybody_is_told(world: World) -> None:
    world.put("a", "one\n")
    world.agent_writes("a", "two\n")
    await world.do(UndoLastTurn())
    undone, changed, notice = world.events.events
    assert isinstance(undone, ChangesUndone)
    assert (undone.scope, undone.is_redo) == (UndoScope.TURN, False)
    assert [(f.path, f.before, f.after) for f in undone.changes.files] == [
        ("a", b"two\n", b"one\n")
    ]
    assert [(h.call_id, h.path, h.old_start, h.old_count) for h in undone.hunks] == [
        ("c1", "a", 1, 1)
    ]
    assert isinstance(changed, FilesChanged)
    assert changed.origin is ChangeOrigin.UNDO
    assert [(c.path, c.kind) for c in changed.changes] == [("a", ChangeKind.MODIFIED)]
    assert isinstance(notice, NoticeRaised)
    assert (notice.level, notice.text) == (NoticeLevel.INFO, "Took changes back in 1 file.")
    assert world.dropped == 1
    assert world.known == {"a": world.files.stamp("a")}


async def test_one_hunk_goes_back_and_the_others_stay(world: World) -> None:
    world.put("a", TEN)
    world.agent_writes("a", TEN.replace("2\n", "two\n").replace("8\n", "eight\n"))
    hunk = UndoHunk(call_id=CallId("c1"), path="a", old_start=8, old_count=1)
    plan = await world.undo.plan(hunk)
    assert plan.needs_no_question
    await world.undo.carry_out(plan.id, {})
    assert world.text("a") == TEN.replace("2\n", "two\n")
    again = await world.undo.plan(hunk)
    assert again.problem.startswith("This hunk is taken back already")
    # What is left of the turn can still be taken back, and nothing else is.
    await world.do(UndoLastTurn())
    assert world.text("a") == TEN
    await world.do(Redo())
    await world.do(Redo())
    assert world.text("a") == TEN.replace("2\n", "two\n").replace("8\n", "eight\n")


async def test_a_file_goes_back_by_turn_or_for_the_session(world: World) -> None:
    world.put("a", "one\n")
    world.put("b", "b\n")
    world.agent_writes("a", "two\n", turn="t1", call="c1")
    world.agent_writes("a", "three\n", turn="t2", call="c2")
    world.agent_writes("b", "B\n", turn="t2", call="c3")
    await world.do(UndoFile(path="a", call_id=CallId("c2")))
    assert (world.text("a"), world.text("b")) == ("two\n", "B\n")
    await world.do(Redo())
    await world.do(UndoFile(path="a", call_id=None))
    assert (world.text("a"), world.text("b")) == ("one\n", "B\n")
    gone = await world.undo.plan(UndoFile(path="a", call_id=None))
    assert gone.problem == "No change of this file is left to take back."


async def test_a_run_and_all_since_a_prompt(world: World) -> None:
    world.put("a", "0\n")
    for number, run in enumerate(("r1", "r2", "r3"), start=1):
        world.prompt(run, f"prompt {number}")
        world.agent_writes("a", f"{number}\n", turn=f"t{number}", run=run, call=f"c{number}")
    points = await world.undo.rewind_points()
    assert [(p.run_id, p.prompt, p.files) for p in points] == [
        ("r1", "prompt 1", 1),
        ("r2", "prompt 2", 1),
        ("r3", "prompt 3", 1),
    ]
    plan = await world.do(UndoLastRun())
    assert (plan.scope, plan.prompt) == (UndoScope.RUN, "prompt 3")
    assert world.text("a") == "2\n"
    await world.do(Rewind(run_id=RunId("r1")))
    assert world.text("a") == "0\n"
    assert [p.files for p in await world.undo.rewind_points()] == [0, 0, 0]
    await world.do(Redo())
    assert world.text("a") == "2\n"


async def test_a_change_from_outside_stays_where_it_touches_nothing(world: World) -> None:
    world.put("a", TEN)
    world.agent_writes("a", TEN.replace("2\n", "two\n"))
    world.put("a", TEN.replace("2\n", "two\n").replace("9\n", "mine\n"))
    plan = await world.do(UndoLastTurn())
    assert [(f.is_merged, f.conflicts) for f in plan.files] == [(True, 0)]
    assert world.text("a") == TEN.replace("9\n", "mine\n")


async def test_a_conflict_is_kept_without_a_choice_and_goes_back_with_one(world: World) -> None:
    world.put("a", TEN)
    world.put("b", "b\n")
    world.agent_writes("b", "early\n", turn="t0", call="c0")
    world.agent_writes("a", TEN.replace("2\n", "two\n"))
    mine = TEN.replace("2\n", "mine\n").replace("9\n", "mine too\n")
    world.put("a", mine)
    plan = await world.undo.plan(UndoLastTurn())
    assert [(f.path, f.conflicts) for f in plan.files] == [("a", 1)]
    assert await world.undo.carry_out(plan.id, {}) == ""
    assert world.text("a") == mine
    assert world.last_notice == "All files are kept as they are; nothing was written."
    plan = await world.undo.plan(UndoFile(path="a", call_id=None))
    await world.undo.carry_out(plan.id, {"a": ConflictChoice.RESTORE})
    assert world.text("a") == TEN.replace("9\n", "mine too\n")
    # What was lost in it comes back with the undo of the undo.
    await world.do(Redo())
    assert world.text("a") == mine


async def test_a_turn_that_was_kept_does_not_stand_before_the_next_undo(world: World) -> None:
    world.put("a", "a\n")
    world.put("b", "b\n")
    world.agent_writes("b", "early\n", turn="t0", call="c0")
    world.agent_writes("a", "late\n")
    world.put("a", "mine\n")
    plan = await world.undo.plan(UndoLastTurn())
    await world.undo.carry_out(plan.id, {"a": ConflictChoice.KEEP})
    await world.do(UndoLastTurn())
    assert (world.text("a"), world.text("b")) == ("mine\n", "b\n")


async def test_a_turn_of_which_nothing_is_left_on_disk_is_passed_over(world: World) -> None:
    world.put("a", "a\n")
    world.put("b", "b\n")
    world.agent_writes("b", "B\n", turn="t0", call="c0")
    world.agent_writes("a", "A\n")
    world.put("a", "a\n")
    plan = await world.do(UndoLastTurn())
    assert [f.path for f in plan.files] == ["b"]


async def test_a_file_that_moves_between_plan_and_writing_is_left_alone(world: World) -> None:
    world.put("a", "a\n")
    world.put("b", "b\n")
    world.agent_writes("a", "A\n")
    world.agent_writes("b", "B\n", call="c2")
    plan = await world.undo.plan(UndoLastTurn())
    world.put("a", "mine\n")
    assert await world.undo.carry_out(plan.id, {}) == ""
    assert (world.text("a"), world.text("b")) == ("mine\n", "b\n")
    assert "a was changed just now and is left alone" in world.last_notice
    # It is not taken for undone.
    assert [f.path for f in (await world.undo.plan(UndoLastTurn())).files] == ["a"]


async def test_nothing_is_planned_or_written_while_a_run_is_under_way(world: World) -> None:
    world.put("a", "a\n")
    world.agent_writes("a", "A\n")
    plan = await world.undo.plan(UndoLastTurn())
    world.events.begin_run(RunId("r2"))
    assert "A run is under way" in (await world.undo.plan(UndoLastTurn())).problem
    world.events.end_run()
    fresh = await world.undo.plan(UndoLastTurn())
    assert "not the newest" in await world.undo.carry_out(plan.id, {})
    fresh = await world.undo.plan(UndoLastTurn())
    world.events.begin_run(RunId("r2"))
    assert "A run is under way" in await world.undo.carry_out(fresh.id, {})
    assert world.text("a") == "A\n"


async def test_a_plan_is_carried_out_once(world: World) -> None:
    world.put("a", "a\n")
    world.agent_writes("a", "A\n")
    plan = await world.do(UndoLastTurn())
    assert "not the newest" in await world.undo.carry_out(plan.id, {})


async def test_a_deleted_file_comes_back_with_its_mode(world: World) -> None:
    world.put("run.sh", "#!/bin/sh\n")
    world.agent_writes("run.sh", None, kind=EntryKind.COMMAND, mode=0o755)
    plan = await world.do(UndoLastTurn())
    assert plan.files[0].is_made
    assert world.text("run.sh") == "#!/bin/sh\n"
    assert (world.root / "run.sh").stat().st_mode & 0o777 == 0o755


async def test_bytes_that_are_no_text_go_back_as_a_whole(world: World) -> None:
    world.put("a", "x\0y")
    world.agent_writes("a", "x\0z")
    await world.do(UndoLastTurn())
    assert world.text("a") == "x\0y"
    await world.do(Redo())
    world.put("a", "x\0mine")
    assert (await world.undo.plan(UndoLastTurn())).files[0].conflicts == 1


async def test_a_lost_image_is_said_and_the_other_files_go_back(world: World) -> None:
    world.put("a", "a\n")
    world.put("b", "b\n")
    world.agent_writes("a", "A\n")
    world.agent_writes("b", "B\n", call="c2")
    entry = world.journal.entries()[0]
    assert entry.before_hash is not None
    (world.state / "blobs" / entry.before_hash[:2] / entry.before_hash).unlink()
    plan = await world.do(UndoLastTurn())
    assert [(f.path, bool(f.problem)) for f in plan.files] == [("a", True), ("b", False)]
    assert (world.text("a"), world.text("b")) == ("A\n", "b\n")


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write any file")
async def test_a_folder_that_cannot_be_written_is_said(world: World) -> None:
    world.put("d/a", "a\n")
    world.agent_writes("d/a", "A\n")
    (world.root / "d").chmod(0o500)
    plan = await world.undo.plan(UndoLastTurn())
    assert "could not be written" in await world.undo.carry_out(plan.id, {})
    (world.root / "d").chmod(0o700)
    await world.do(UndoLastTurn())
    assert world.text("d/a") == "a\n"


async def test_a_read_only_file_is_said_and_is_not_taken_for_undone(world: World) -> None:
    world.put("a", "a\n")
    world.agent_writes("a", "A\n")
    (world.root / "a").chmod(0o444)
    plan = await world.undo.plan(UndoLastTurn())
    assert "read-only" in await world.undo.carry_out(plan.id, {})
    (world.root / "a").chmod(0o644)
    await world.do(UndoLastTurn())
    assert world.text("a") == "a\n"


async def test_a_new_start_knows_what_was_done_and_undone(world: World) -> None:
    world.put("a", "one\n")
    world.agent_writes("a", "two\n", turn="t1")
    world.agent_writes("a", "three\n", turn="t2", call="c2")
    await world.do(UndoLastTurn())
    world.open()
    await world.do(UndoLastTurn())
    assert world.text("a") == "one\n"
    world.open()
    await world.do(Redo())
    await world.do(Redo())
    assert world.text("a") == "three\n"


async def test_a_session_without_checkpoints_says_so() -> None:
    none = NoUndo()
    assert (await none.plan(Redo())).problem == "This session keeps no checkpoints."
    assert await none.carry_out("x", {}) == "This session keeps no checkpoints."
    assert await none.rewind_points() == ()


async def test_a_path_that_is_no_file_any_more_is_said_and_the_others_go_back(
    world: World,
) -> None:
    world.put("a", "a\n")
    world.put("b", "b\n")
    world.agent_writes("a", "A\n")
    world.agent_writes("b", "B\n", call="c2")
    (world.root / "a").unlink()
    (world.root / "a").symlink_to("b")
    plan = await world.do(UndoLastTurn())
    assert [(f.path, bool(f.problem)) for f in plan.files] == [("a", True), ("b", False)]
    assert (world.root / "a").is_symlink()
    assert world.text("b") == "b\n"
