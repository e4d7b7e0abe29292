"""Take changes back, and put them back again, for the user.

Owns the way from a wish to a plan, and from a plan that was shown to the files: through the file
store, with the image kept first, and told to the cache, the model and everybody who reads events.
It asks nobody: an undo is the user's own act. Proven by tests/unit/agent/test_undo.py and
tests/property/test_undo.py.
"""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol, assert_never

from caramelo_tui.agent import undo_texts
from caramelo_tui.agent.event_stream import EventStream
from caramelo_tui.agent.undo_port import (
    PlannedFile,
    Redo,
    Rewind,
    RewindPoint,
    UndoFile,
    UndoHunk,
    UndoLastRun,
    UndoLastTurn,
    UndoPlan,
    UndoWish,
)
from caramelo_tui.agent.undo_writes import UndoWriter, WrittenUndo
from caramelo_tui.domain.agent_events import (
    AgentEvent,
    ChangesUndone,
    FilesChanged,
    NoticeLevel,
    RunStarted,
)
from caramelo_tui.domain.diffs import ChangeSet
from caramelo_tui.domain.errors import ToolFailure
from caramelo_tui.domain.files import ChangeOrigin, FileStamp
from caramelo_tui.domain.ids import CallId, IdSource, RunId, TurnId
from caramelo_tui.domain.undo import ConflictChoice, UndoScope
from caramelo_tui.workspace.diffing import decode, hunks_between
from caramelo_tui.workspace.file_io import FileStore
from caramelo_tui.workspace.journal import Journal, JournalDamaged
from caramelo_tui.workspace.journal_entries import JournalEntry, Switch
from caramelo_tui.workspace.undo_history import FileChangePlan, UndoHistory, Unplanned

_SPARED_TURNS = 50
"""Newest turns that are looked through for one of which something is left on disk."""


class CacheDrops(Protocol):
    """Who forgets cached answers."""

    def drop_all(self) -> None:
        """Forget everything."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class UndoRoom:
    """What an undo works with."""

    journal: Journal
    files: FileStore
    events: EventStream
    cache: CacheDrops
    remember: Callable[[Mapping[str, FileStamp | None]], None]
    """Takes what the model knows of files; see ``OutsideChanges.remember``."""
    ids: IdSource
    earlier: tuple[AgentEvent, ...] = ()
    """What happened in the session before it was taken up again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Chosen:
    """What a wish comes to."""

    scope: UndoScope
    switches: tuple[Switch, ...] = ()
    undo: tuple[JournalEntry, ...] = ()
    """For a redo: what it takes back."""
    turn_id: TurnId | None = None
    run_id: RunId | None = None
    problem: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Held:
    """A plan that was shown, with what it would write."""

    id: str
    chosen: _Chosen
    files: tuple[FileChangePlan, ...]


class Undo:
    """The undo of one session."""

    def __init__(self, room: UndoRoom) -> None:
        """Wire it; nothing is read before it is asked."""
        self._room = room
        self._history = UndoHistory(room.journal)
        self._writer = UndoWriter(room.journal, room.files, self._history)
        self._held: _Held | None = None
        self._kept_turns: set[TurnId | None] = set()
        self._writing: asyncio.Task[str] | None = None

    async def plan(self, wish: UndoWish) -> UndoPlan:
        """Return what would be done; a new plan makes the one before void."""
        self._held = None
        if self._room.events.run_id is not None:
            return UndoPlan(id="", scope=UndoScope.TURN, problem=undo_texts.RUNNING)
        try:
            return await asyncio.to_thread(self._plan, wish)
        except (ToolFailure, JournalDamaged) as failure:
            return UndoPlan(id="", scope=UndoScope.TURN, problem=str(failure))

    async def carry_out(self, plan_id: str, choices: Mapping[str, ConflictChoice]) -> str:
        """Write what a plan showed; a caller that is cancelled leaves the writing to go on."""
        held, self._held = self._held, None
        if held is None or held.id != plan_id:
            return undo_texts.VOID
        if self._room.events.run_id is not None:
            return undo_texts.RUNNING
        self._writing = asyncio.create_task(self._carry_out(held, choices), name="undo")
        return await asyncio.shield(self._writing)

    async def rewind_points(self) -> tuple[RewindPoint, ...]:
        """Return the prompts so far, oldest first."""
        return await asyncio.to_thread(self._rewind_points)

    # --- plans, in a thread ------------------------------------------------------------

    def _plan(self, wish: UndoWish) -> UndoPlan:
        passed = set(self._kept_turns)
        for _ in range(_SPARED_TURNS):
            chosen = self._choose(wish, passed)
            if chosen.problem:
                break
            planned = self._planned(chosen)
            if any(_changes_something(file) for file in planned):
                return self._shown(chosen, planned)
            if chosen.turn_id is None:
                return self._nothing(chosen, undo_texts.ALREADY_SO)
            # Of that turn nothing is left on disk: the one before it is meant.
            passed.add(chosen.turn_id)
        else:
            return UndoPlan(id="", scope=UndoScope.TURN, problem=undo_texts.NO_TURN)
        return self._nothing(chosen, chosen.problem)

    def _choose(self, wish: UndoWish, passed: set[TurnId | None]) -> _Chosen:
        match wish:
            case UndoHunk():
                return self._choose_hunk(wish)
            case UndoFile():
                return self._choose_file(wish)
            case UndoLastTurn():
                return self._choose_turn(passed)
            case UndoLastRun():
                run_id = self._history.last_run()
                return self._choose_runs(UndoScope.RUN, {run_id} - {None}, run_id)
            case Rewind(run_id=run_id):
                return self._choose_runs(UndoScope.REST, self._runs_since(run_id), run_id)
            case Redo():
                return self._choose_redo()
            case _:
                assert_never(wish)

    def _choose_hunk(self, wish: UndoHunk) -> _Chosen:
        switches = self._history.parts_at(
            wish.call_id, wish.path, old_start=wish.old_start, old_count=wish.old_count
        )
        problem = "" if switches else undo_texts.NO_HUNK
        return _Chosen(scope=UndoScope.HUNK, switches=switches, problem=problem)

    def _choose_file(self, wish: UndoFile) -> _Chosen:
        applied = [entry for entry in self._history.applied() if entry.path == wish.path]
        if wish.call_id is not None:
            turns = {e.turn_id for e in applied if e.call_id == wish.call_id}
            applied = [entry for entry in applied if entry.turn_id in turns]
        problem = "" if applied else undo_texts.NO_FILE
        switches = self._history.all_parts(applied)
        return _Chosen(scope=UndoScope.FILE, switches=switches, problem=problem)

    def _choose_turn(self, passed: set[TurnId | None]) -> _Chosen:
        turn_id = self._history.last_turn(passed)
        if turn_id is None:
            return _Chosen(scope=UndoScope.TURN, problem=undo_texts.NO_TURN)
        entries = [entry for entry in self._history.applied() if entry.turn_id == turn_id]
        return _Chosen(
            scope=UndoScope.TURN,
            switches=self._history.all_parts(entries),
            turn_id=turn_id,
            run_id=entries[0].run_id,
        )

    def _choose_runs(
        self, scope: UndoScope, runs: set[RunId | None], run_id: RunId | None
    ) -> _Chosen:
        entries = [entry for entry in self._history.applied() if entry.run_id in runs]
        problem = "" if entries else undo_texts.NO_RUN
        return _Chosen(
            scope=scope,
            switches=self._history.all_parts(entries),
            run_id=run_id,
            problem=problem,
        )

    def _choose_redo(self) -> _Chosen:
        undo = self._history.last_undo()
        problem = "" if undo else undo_texts.NO_UNDO
        return _Chosen(scope=UndoScope.TURN, undo=undo, problem=problem)

    def _runs_since(self, run_id: RunId) -> set[RunId | None]:
        """Return a run and all after it, as they began, or else as they changed files."""
        began = tuple(event.head.run_id for event in self._prompts())
        order = began if run_id in began else self._history.runs()
        return set(order[order.index(run_id) :]) - {None} if run_id in order else set()

    def _planned(self, chosen: _Chosen) -> tuple[FileChangePlan | Unplanned, ...]:
        if chosen.undo:
            return self._history.plan_redo(chosen.undo, self._read)
        return self._history.plan_undo(chosen.switches, self._read)

    def _shown(self, chosen: _Chosen, planned: Sequence[FileChangePlan | Unplanned]) -> UndoPlan:
        plan_id = self._room.ids.new("redo" if chosen.undo else "undo")
        files = tuple(file for file in planned if isinstance(file, FileChangePlan))
        self._held = _Held(id=plan_id, chosen=chosen, files=files)
        return UndoPlan(
            id=plan_id,
            scope=chosen.scope,
            is_redo=bool(chosen.undo),
            files=tuple(_planned_file(file) for file in planned if _changes_something(file)),
            prompt=self._prompt_of(chosen.run_id),
        )

    def _nothing(self, chosen: _Chosen, problem: str) -> UndoPlan:
        return UndoPlan(id="", scope=chosen.scope, is_redo=bool(chosen.undo), problem=problem)

    def _rewind_points(self) -> tuple[RewindPoint, ...]:
        applied = self._history.applied()
        points: list[RewindPoint] = []
        later: set[RunId | None] = set()
        for event in reversed(self._prompts()):
            later.add(event.head.run_id)
            paths = {entry.path for entry in applied if entry.run_id in later}
            if event.head.run_id is not None:
                points.append(
                    RewindPoint(
                        run_id=event.head.run_id,
                        prompt=event.prompt,
                        at=event.head.at,
                        files=len(paths),
                    )
                )
        return tuple(reversed(points))

    def _prompts(self) -> tuple[RunStarted, ...]:
        return tuple(
            event
            for event in (*self._room.earlier, *self._room.events.landmarks)
            if isinstance(event, RunStarted)
        )

    def _prompt_of(self, run_id: RunId | None) -> str:
        found = (event.prompt for event in self._prompts() if event.head.run_id == run_id)
        return next(found, "") if run_id is not None else ""

    def _read(self, path: str) -> bytes | None:
        found = self._room.files.read_if_exists(path)
        return None if found is None else found.data

    # --- what is done ------------------------------------------------------------------

    async def _carry_out(self, held: _Held, choices: Mapping[str, ConflictChoice]) -> str:
        wanted = [
            file
            for file in held.files
            if not file.conflicts or choices.get(file.path) is ConflictChoice.RESTORE
        ]
        kept = len(held.files) - len(wanted)
        if kept and not held.chosen.undo:
            # The user decided about that turn: the next undo is about the one before it.
            self._kept_turns.add(held.chosen.turn_id)
        if not wanted:
            self._room.events.raise_notice(NoticeLevel.INFO, undo_texts.ALL_KEPT)
            return ""
        is_redo = bool(held.chosen.undo)
        operation = CallId(held.id)
        done = await asyncio.to_thread(
            self._writer.write, wanted, operation=operation, is_redo=is_redo
        )
        if done.hunks or done.files:
            self._report(held, done, operation, kept=kept)
            return ""
        return " ".join(done.problems)

    def _report(self, held: _Held, done: WrittenUndo, operation: CallId, *, kept: int) -> None:
        room, is_redo = self._room, bool(held.chosen.undo)
        room.cache.drop_all()
        room.remember(done.stamps)
        if room.events.is_closed:
            return
        changes = ChangeSet(call_id=operation, files=done.files)
        room.events.emit(
            lambda head: ChangesUndone(
                head=head,
                scope=held.chosen.scope,
                is_redo=is_redo,
                changes=changes,
                hunks=done.hunks,
            ),
            is_in_run=False,
        )
        if done.changes:
            room.events.emit(
                lambda head: FilesChanged(
                    head=head, origin=ChangeOrigin.UNDO, changes=done.changes
                ),
                is_in_run=False,
            )
        level = NoticeLevel.WARNING if done.problems else NoticeLevel.INFO
        text = undo_texts.done(len(done.changes), is_redo=is_redo, kept=kept)
        room.events.raise_notice(level, " ".join((text, *done.problems)))


def _changes_something(file: FileChangePlan | Unplanned) -> bool:
    return isinstance(file, Unplanned) or bool(file.conflicts) or file.after != file.current


def _planned_file(file: FileChangePlan | Unplanned) -> PlannedFile:
    if isinstance(file, Unplanned):
        return PlannedFile(path=file.path, problem=file.problem)
    before, after = file.current or b"", file.after or b""
    is_text = b"\0" not in before and b"\0" not in after
    call_id = CallId(f"plan:{file.path}")
    hunks = hunks_between(decode(before), decode(after), call_id=call_id) if is_text else ()
    return PlannedFile(
        path=file.path,
        hunks=hunks,
        is_made=file.current is None and file.after is not None,
        is_removed=file.current is not None and file.after is None,
        conflicts=file.conflicts,
        is_merged=file.is_merged and not file.conflicts,
    )
