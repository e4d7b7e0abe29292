"""Work out from the journal what is applied, what was taken back, and what an undo would do.

Owns the state of every recorded change, the choice of entries by hunk, file, turn and run, and
the plan for each file. Reads the journal and the contents that it is given; writes nothing.
Blocks. Proven by tests/unit/workspace/test_undo_history.py and tests/property/test_undo.py.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from caramelo_tui.domain.diffs import Hunk
from caramelo_tui.domain.errors import ToolFailure
from caramelo_tui.domain.ids import CallId, RunId, TurnId
from caramelo_tui.domain.undo import SwitchedHunk
from caramelo_tui.workspace.journal import Journal, JournalDamaged
from caramelo_tui.workspace.journal_entries import EntryKind, JournalEntry, Switch
from caramelo_tui.workspace.undo_images import ChangeImages, Step, images_of, moved

Reader = Callable[[str], bytes | None]
"""Returns a file's content as it is, ``None`` where there is none; may raise ``ToolFailure``."""
_KEPT_IMAGES = 64
"""Changes of which the contents are kept in memory, to be asked about again."""
_CHANGES = frozenset({EntryKind.CALL, EntryKind.COMMAND})


@dataclass(frozen=True, slots=True, kw_only=True)
class FileChangePlan:
    """What an undo or a redo would make of one file."""

    path: str
    current: bytes | None
    """The file as it is; ``None``: none."""
    after: bytes | None
    """The file then; in a conflict with the recorded lines in the places in dispute."""
    conflicts: int
    """Places that others changed otherwise since; above 0 the user chooses."""
    is_merged: bool
    """Whether others changed the file since, and what they did elsewhere in it stays."""
    switches: tuple[Switch, ...]
    redone: tuple[int, ...] = ()
    mode: int | None = None
    """Permission bits for a file that is made again; ``None``: the usual ones."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Unplanned:
    """A file that cannot be read, or of which a stored content is missing or damaged."""

    path: str
    problem: str


class UndoHistory:
    """The journal as a past that can be changed."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self._images: dict[int, ChangeImages] = {}

    # --- what there is -----------------------------------------------------------------

    def applied(self) -> tuple[JournalEntry, ...]:
        """Return the changes of calls and commands that are not wholly taken back, oldest first."""
        undone = self._undone()
        return tuple(
            entry
            for entry in self._journal.entries()
            if entry.kind in _CHANGES and self._is_applied(entry, undone)
        )

    def last_turn(self, without: Iterable[TurnId | None] = ()) -> TurnId | None:
        """Return the newest turn with an applied change; ``None``: there is none."""
        passed = set(without)
        for entry in reversed(self.applied()):
            if entry.turn_id is not None and entry.turn_id not in passed:
                return entry.turn_id
        return None

    def last_run(self) -> RunId | None:
        """Return the newest run with an applied change."""
        found = (entry.run_id for entry in reversed(self.applied()) if entry.run_id is not None)
        return next(found, None)

    def last_undo(self) -> tuple[JournalEntry, ...]:
        """Return the entries of the newest undo that was not redone; empty: there is none."""
        entries = self._journal.entries()
        redone = {number for entry in entries for number in entry.redone}
        left = [e for e in entries if e.kind is EntryKind.UNDO and e.number not in redone]
        return tuple(entry for entry in left if entry.call_id == left[-1].call_id)

    def runs(self) -> tuple[RunId, ...]:
        """Return the runs that changed files, oldest first, also those that were taken back."""
        known = (entry.run_id for entry in self._journal.entries() if entry.kind in _CHANGES)
        return tuple(dict.fromkeys(run for run in known if run is not None))

    def parts_at(
        self, call_id: CallId, path: str, *, old_start: int, old_count: int
    ) -> tuple[Switch, ...]:
        """Return the applied parts of a call's change that a hunk on the screen stands for."""
        wanted: list[Switch] = []
        undone = self._undone()
        for entry in self.applied():
            if (entry.call_id, entry.path) != (call_id, path):
                continue
            hunks = self.images(entry).hunks
            parts = tuple(
                index
                for index, hunk in enumerate(hunks)
                if _touches(hunk, old_start, old_count)
                and index not in undone.get(entry.number, ())
            )
            if parts or not hunks:
                wanted.append(Switch(number=entry.number, parts=parts or (0,)))
        return tuple(wanted)

    def all_parts(self, entries: Iterable[JournalEntry]) -> tuple[Switch, ...]:
        """Return everything that is still applied of these entries."""
        undone = self._undone()
        switches = (
            Switch(
                number=entry.number,
                parts=tuple(sorted(self._parts(entry) - undone.get(entry.number, set()))),
            )
            for entry in entries
        )
        return tuple(switch for switch in switches if switch.parts)

    def images(self, entry: JournalEntry) -> ChangeImages:
        """Return both contents of an entry, with its hunks.

        Raises:
            JournalDamaged: If one of them is gone.
        """
        known = self._images.get(entry.number)
        if known is None:
            if len(self._images) >= _KEPT_IMAGES:
                self._images.clear()
            known = images_of(self._blob(entry.before_hash), self._blob(entry.after_hash))
            self._images[entry.number] = known
        return known

    def switched(self, switches: Iterable[Switch]) -> tuple[SwitchedHunk, ...]:
        """Return what parts are as hunks of their calls."""
        entries = {entry.number: entry for entry in self._journal.entries()}
        found: list[SwitchedHunk] = []
        for switch in switches:
            entry = entries.get(switch.number)
            if entry is not None:
                found += self._hunks_of(entry, switch)
        return tuple(found)

    # --- what would be done ------------------------------------------------------------

    def plan_undo(
        self, switches: Sequence[Switch], read: Reader
    ) -> tuple[FileChangePlan | Unplanned, ...]:
        """Return what taking parts back would make of each file, in the order of the paths."""
        entries = {entry.number: entry for entry in self._journal.entries()}
        by_path: dict[str, list[Switch]] = {}
        for switch in switches:
            by_path.setdefault(entries[switch.number].path, []).append(switch)
        undone = self._undone()
        return tuple(
            self._plan_file(path, by_path[path], entries, undone, read) for path in sorted(by_path)
        )

    def plan_redo(
        self, undo: Sequence[JournalEntry], read: Reader
    ) -> tuple[FileChangePlan | Unplanned, ...]:
        """Return what putting back what an undo took would make of each file."""
        return tuple(
            self._plan_back(entry, read) for entry in sorted(undo, key=lambda entry: entry.path)
        )

    def _plan_file(
        self,
        path: str,
        switches: Sequence[Switch],
        entries: dict[int, JournalEntry],
        undone: dict[int, set[int]],
        read: Reader,
    ) -> FileChangePlan | Unplanned:
        conflicts, is_merged, mode = 0, False, None
        try:
            content = current = read(path)
            for switch in sorted(switches, key=lambda switch: -switch.number):
                entry = entries[switch.number]
                step = self._taken_back(entry, switch, undone.get(entry.number, set()), content)
                content = step.content
                conflicts += step.conflicts
                is_merged = is_merged or step.is_merged
                mode = entry.mode if content is not None else mode
        except (JournalDamaged, ToolFailure) as problem:
            return Unplanned(path=path, problem=str(problem))
        return FileChangePlan(
            path=path,
            current=current,
            after=content,
            conflicts=conflicts,
            is_merged=is_merged,
            switches=tuple(switches),
            mode=mode,
        )

    def _taken_back(
        self, entry: JournalEntry, switch: Switch, undone: set[int], content: bytes | None
    ) -> Step:
        images = self.images(entry)
        active = self._parts(entry) - undone
        since = images.with_parts(active)
        return moved(content, since=since, to=images.with_parts(active - set(switch.parts)))

    def _plan_back(self, entry: JournalEntry, read: Reader) -> FileChangePlan | Unplanned:
        try:
            current = read(entry.path)
            since, to = self._blob(entry.after_hash), self._blob(entry.before_hash)
        except (JournalDamaged, ToolFailure) as problem:
            return Unplanned(path=entry.path, problem=str(problem))
        step = moved(current, since=since, to=to)
        return FileChangePlan(
            path=entry.path,
            current=current,
            after=step.content,
            conflicts=step.conflicts,
            is_merged=step.is_merged,
            switches=entry.switches,
            redone=(entry.number,),
            mode=entry.mode,
        )

    # --- state -------------------------------------------------------------------------

    def _undone(self) -> dict[int, set[int]]:
        """Return the parts of each entry that are taken back at the moment."""
        undone: dict[int, set[int]] = {}
        for entry in self._journal.entries():
            for switch in entry.switches:
                parts = undone.setdefault(switch.number, set())
                if entry.kind is EntryKind.UNDO:
                    parts.update(switch.parts)
                else:
                    parts.difference_update(switch.parts)
        return undone

    def _is_applied(self, entry: JournalEntry, undone: dict[int, set[int]]) -> bool:
        if entry.before_hash == entry.after_hash:
            return False
        taken = undone.setdefault(entry.number, set())
        return not taken or bool(self._parts(entry) - taken)

    def _parts(self, entry: JournalEntry) -> frozenset[int]:
        try:
            return self.images(entry).parts
        except JournalDamaged:
            # It is asked about as a whole; the plan says why it cannot be taken back.
            return frozenset({0})

    def _hunks_of(self, entry: JournalEntry, switch: Switch) -> list[SwitchedHunk]:
        try:
            hunks = self.images(entry).hunks
        except JournalDamaged:
            # The place of the hunks is lost with the content: the file is meant.
            hunks = ()
        ranges = [
            (hunks[part].old_start, len(hunks[part].old_lines)) if hunks else (0, 0)
            for part in switch.parts
            # A line of the journal that was damaged may name any.
            if not hunks or 0 <= part < len(hunks)
        ]
        return [
            SwitchedHunk(call_id=entry.call_id, path=entry.path, old_start=start, old_count=count)
            for start, count in ranges
        ]

    def _blob(self, content: str | None) -> bytes | None:
        return None if content is None else self._journal.blob(content)


def _touches(hunk: Hunk, old_start: int, old_count: int) -> bool:
    end = hunk.old_start + len(hunk.old_lines)
    return hunk.old_start <= old_start + old_count and old_start <= end
