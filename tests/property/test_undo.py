"""Any sequence of edits, outside changes, undos and redos leaves what a model predicts.

The model knows files as slots with values, and nothing of lines, diffs or merges.
"""

import asyncio
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from caramelo_tui.agent.event_stream import EventStream
from caramelo_tui.agent.undo import Undo, UndoRoom
from caramelo_tui.agent.undo_port import (
    Redo,
    UndoFile,
    UndoHunk,
    UndoLastRun,
    UndoLastTurn,
    UndoPlan,
    UndoWish,
)
from caramelo_tui.domain.ids import CallId, CountingIds, RunId, TurnId
from caramelo_tui.domain.undo import ConflictChoice
from caramelo_tui.workspace.file_io import FileStore
from caramelo_tui.workspace.journal import Journal
from caramelo_tui.workspace.sandbox import Sandbox
from tests.doubles.clocks import ManualClock

PATHS = ("a", "b")
SLOTS = 4
_LINES_BETWEEN = 5
Content = tuple[int, ...] | None
VALUES = st.integers(min_value=0, max_value=2)
EDITS = st.dictionaries(st.integers(min_value=0, max_value=SLOTS - 1), VALUES, min_size=1)
CHOICES = st.sampled_from(ConflictChoice)


def as_bytes(content: Content) -> bytes | None:
    """Return a file in which changes of different slots lie too far apart to touch."""
    if content is None:
        return None
    return "".join(
        f"slot {slot} = {value}\n" + "".join(f"{slot}.{n}\n" for n in range(_LINES_BETWEEN))
        for slot, value in enumerate(content)
    ).encode()


@dataclass
class Change:
    """A write of the model's, as it was recorded."""

    call: CallId
    turn: TurnId
    run: RunId
    path: str
    before: Content
    after: Content
    active: set[int] = field(default_factory=set[int])

    @property
    def is_whole(self) -> bool:
        return self.before is None or self.after is None

    @property
    def parts(self) -> set[int]:
        if self.before is None or self.after is None:
            return {0}
        return {slot for slot in range(SLOTS) if self.before[slot] != self.after[slot]}

    def with_parts(self, active: set[int]) -> Content:
        if self.before is None or self.after is None:
            return self.after if active else self.before
        pairs = enumerate(zip(self.before, self.after, strict=True))
        return tuple(new if slot in active else old for slot, (old, new) in pairs)


def moved(current: Content, since: Content, to: Content) -> tuple[Content, int]:
    """Return what becomes of a file, and in how many slots it is disputed."""
    if current in {since, to}:
        return to, 0
    if since == to:
        return current, 0
    if current is None or since is None or to is None:
        return to, 1
    slots: list[int] = []
    conflicts = 0
    for now, old, new in zip(current, since, to, strict=True):
        conflicts += old != new and now not in {old, new}
        slots.append(now if old == new else new)
    return tuple(slots), conflicts


@dataclass
class Operation:
    """An undo of one file that was carried out."""

    path: str
    before: Content
    after: Content
    parts: list[tuple[Change, set[int]]]


class UndoMachine(RuleBasedStateMachine):
    """The program beside the model."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = tempfile.TemporaryDirectory()
        base = Path(self.folder.name)
        self.root = base / "work"
        self.root.mkdir()
        self.loop = asyncio.new_event_loop()
        clock = ManualClock()
        self.journal = Journal(base / "state", clock)
        self.undo = Undo(
            UndoRoom(
                journal=self.journal,
                files=FileStore(Sandbox(self.root)),
                events=EventStream(clock),
                cache=self,
                remember=lambda _known: None,
                ids=CountingIds(),
            )
        )
        self.disk: dict[str, Content] = dict.fromkeys(PATHS)
        self.changes: list[Change] = []
        self.undone: list[list[Operation]] = []
        self.kept: set[TurnId] = set()
        self.count = 0

    def drop_all(self) -> None:
        """Stand in for the cache."""

    def teardown(self) -> None:
        self.loop.close()
        self.folder.cleanup()

    def put(self, path: str, content: Content) -> None:
        self.disk[path] = content
        data = as_bytes(content)
        if data is not None:
            (self.root / path).write_bytes(data)
        else:
            (self.root / path).unlink(missing_ok=True)

    @rule(path=st.sampled_from(PATHS), edits=EDITS, is_new_turn=st.booleans(), ends=st.booleans())
    def agent_writes(
        self, path: str, edits: dict[int, int], *, is_new_turn: bool, ends: bool
    ) -> None:
        before = self.disk[path]
        slots = list(before or (0,) * SLOTS)
        for slot, value in edits.items():
            slots[slot] = value
        after = tuple(slots)
        if after == before:
            return
        self.count += 1
        turns = [change.turn for change in self.changes]
        turn = turns[-1] if turns and not is_new_turn else TurnId(f"t{self.count}")
        run = RunId(f"r{turn}") if ends else RunId("r")
        if turns and turn == turns[-1]:
            run = self.changes[-1].run
        change = Change(CallId(f"c{self.count}"), turn, run, path, before, after)
        change.active = change.parts
        self.journal.record(
            call_id=change.call,
            turn_id=turn,
            run_id=run,
            path=path,
            before=as_bytes(before),
            after=as_bytes(after),
        )
        self.changes.append(change)
        self.kept.discard(turn)
        self.put(path, after)

    @rule(path=st.sampled_from(PATHS), edits=EDITS)
    def others_write(self, path: str, edits: dict[int, int]) -> None:
        slots = list(self.disk[path] or (0,) * SLOTS)
        for slot, value in edits.items():
            slots[slot] = value
        self.put(path, tuple(slots))

    @rule(path=st.sampled_from(PATHS))
    def others_delete(self, path: str) -> None:
        self.put(path, None)

    @precondition(lambda self: self.changes)
    @rule(data=st.data(), choice=CHOICES)
    def undo_hunk(self, data: st.DataObject, choice: ConflictChoice) -> None:
        change = data.draw(st.sampled_from(self.changes))
        slot = data.draw(st.sampled_from(sorted(change.parts)))
        wish = UndoHunk(
            call_id=change.call,
            path=change.path,
            old_start=slot * (_LINES_BETWEEN + 1) + 1,
            old_count=1,
        )
        part = {slot} & change.active
        self.carry_out(wish, [(change, part)] if part else [], choice)

    @rule(path=st.sampled_from(PATHS), choice=CHOICES)
    def undo_file(self, path: str, choice: ConflictChoice) -> None:
        wanted = [change for change in self.changes if change.path == path]
        self.carry_out(UndoFile(path=path, call_id=None), self.applied(wanted), choice)

    @rule(choice=CHOICES)
    def undo_run(self, choice: ConflictChoice) -> None:
        runs = [change.run for change in self.changes if change.active]
        wanted = [change for change in self.changes if runs and change.run == runs[-1]]
        self.carry_out(UndoLastRun(), self.applied(wanted), choice)

    @rule(choice=CHOICES)
    def undo_turn(self, choice: ConflictChoice) -> None:
        passed = set(self.kept)
        while True:
            turns = [c.turn for c in self.changes if c.active and c.turn not in passed]
            parts = self.applied([c for c in self.changes if turns and c.turn == turns[-1]])
            if not parts or self.predicted(parts)[1]:
                break
            passed.add(turns[-1])
        self.carry_out(UndoLastTurn(), parts, choice)

    @rule(choice=CHOICES)
    def redo(self, choice: ConflictChoice) -> None:
        plan = self.plan(Redo())
        waiting = self.undone[-1] if self.undone else []
        steps = {op.path: moved(self.disk[op.path], op.after, op.before) for op in waiting}
        changed = {p: s for p, s in steps.items() if s[1] or s[0] != self.disk[p]}
        assert bool(plan.problem) == (not changed)
        if plan.problem:
            return
        self.write(plan, choice)
        left: list[Operation] = []
        for op in waiting:
            content, conflicts = steps[op.path]
            if conflicts and choice is ConflictChoice.KEEP:
                left.append(op)
                continue
            self.disk[op.path] = content
            for change, parts in op.parts:
                change.active |= parts
        self.undone.pop()
        if left:
            self.undone.append(left)

    @rule()
    def undo_then_redo_is_identity(self) -> None:
        plan = self.plan(UndoLastRun())
        if plan.problem or any(file.conflicts for file in plan.files):
            return
        before = {path: self.on_disk(path) for path in PATHS}
        self.write(plan, ConflictChoice.KEEP)
        self.write(self.plan(Redo()), ConflictChoice.KEEP)
        assert {path: self.on_disk(path) for path in PATHS} == before

    @invariant()
    def files_are_as_predicted(self) -> None:
        for path in PATHS:
            assert self.on_disk(path) == as_bytes(self.disk[path])

    # --- the model's side --------------------------------------------------------------

    def applied(self, changes: list[Change]) -> list[tuple[Change, set[int]]]:
        return [(change, set(change.active)) for change in changes if change.active]

    def predicted(
        self, parts: list[tuple[Change, set[int]]]
    ) -> tuple[dict[str, tuple[Content, int]], set[str]]:
        """Return what becomes of each file with its conflicts, and which files are in a plan."""
        files: dict[str, tuple[Content, int]] = {}
        for change, taken in reversed(parts):
            content, conflicts = files.get(change.path, (self.disk[change.path], 0))
            since = change.with_parts(change.active)
            content, more = moved(content, since, change.with_parts(change.active - taken))
            files[change.path] = content, conflicts + more
        shown = {p for p, (content, n) in files.items() if n or content != self.disk[p]}
        return files, shown

    def carry_out(
        self, wish: UndoWish, parts: list[tuple[Change, set[int]]], choice: ConflictChoice
    ) -> None:
        files, shown = self.predicted(parts)
        plan = self.plan(wish)
        assert bool(plan.problem) == (not shown)
        if plan.problem:
            return
        assert {file.path: bool(file.conflicts) for file in plan.files} == {
            path: bool(files[path][1]) for path in shown
        }
        self.write(plan, choice)
        done: list[Operation] = []
        for path, (content, conflicts) in files.items():
            taken = [(change, part) for change, part in parts if change.path == path]
            if conflicts and choice is ConflictChoice.KEEP:
                if isinstance(wish, UndoLastTurn):
                    self.kept.add(parts[0][0].turn)
                continue
            done.append(Operation(path, self.disk[path], content, taken))
            self.disk[path] = content
            for change, part in taken:
                change.active -= part
        if done:
            self.undone.append(done)

    # --- the program's side ------------------------------------------------------------

    def plan(self, wish: UndoWish) -> UndoPlan:
        return self.loop.run_until_complete(self.undo.plan(wish))

    def write(self, plan: UndoPlan, choice: ConflictChoice) -> None:
        choices = {file.path: choice for file in plan.files}
        self.loop.run_until_complete(self.undo.carry_out(plan.id, choices))

    def on_disk(self, path: str) -> bytes | None:
        file = self.root / path
        return file.read_bytes() if file.exists() else None


UndoMachine.TestCase.settings = settings(max_examples=40, stateful_step_count=20, deadline=None)
TestUndo = UndoMachine.TestCase
