"""Keep what became of changes, to be shown below one another.

Owns the entries of the applied list: what calls wrote, what was rejected or not applied, what
commands and others changed; and how they become sections: the newest turn first, and in a turn
each file once, in the model's order. Pure. Proven by tests/unit/ui/test_change_history.py.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from caramelo_tui.domain.agent_events import ChangesUndone
from caramelo_tui.domain.diffs import ChangeSet, FileDiff, Hunk
from caramelo_tui.domain.files import ChangeKind, ChangeOrigin, FileChange
from caramelo_tui.domain.ids import CallId
from caramelo_tui.domain.undo import SwitchedHunk
from caramelo_tui.ui.turns import Turn
from caramelo_tui.ui.widgets.change_totals import ChangeTotals
from caramelo_tui.ui.widgets.diff_sections import (
    FileSection,
    HunkSection,
    ListSection,
    Section,
    TextSection,
)
from caramelo_tui.ui.widgets.hunk_rows import Fate, HunkRows

_KIND_SIGNS = {ChangeKind.CREATED: "A", ChangeKind.MODIFIED: "M", ChangeKind.DELETED: "D"}

_DISK_TITLES = {
    ChangeOrigin.AGENT: ("  ", "written by the agent", "secondary"),
    ChangeOrigin.COMMAND: ("$ ", "changed while a command ran", "secondary"),
    ChangeOrigin.EXTERNAL: ("! ", "changed outside of the agent", "warning"),
    ChangeOrigin.UNDO: ("↶ ", "taken back or put back by you", "secondary"),
}
"""Sign, words and colour for each origin."""
_OF_A_TURN = frozenset({ChangeOrigin.AGENT, ChangeOrigin.COMMAND})


@dataclass(frozen=True, slots=True, kw_only=True)
class FileEntry:
    """One file of one call and what became of its hunks."""

    call_id: CallId
    path: str
    turn: Turn
    hunks: tuple[tuple[Hunk, Fate], ...]
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class DiskEntry:
    """Files that something other than a write call changed."""

    origin: ChangeOrigin
    turn: Turn | None
    """``None`` for what happened from outside, which belongs to no turn."""
    changes: tuple[FileChange, ...]


@dataclass(frozen=True, slots=True)
class _Kept:
    """An entry with its parts, made once so that colours are not worked out again."""

    entry: FileEntry | DiskEntry
    sections: tuple[Section, ...]
    """A file's hunks without the file's head, or a whole list of paths."""


@dataclass(slots=True)
class _Block:
    """What is shown under one title: a turn, or what came from outside between two."""

    turn: Turn | None
    kept: list[_Kept] = field(default_factory=list[_Kept])


class ChangeHistory:
    """Entries in the order in which they happened."""

    def __init__(self) -> None:
        self.totals = ChangeTotals()
        self._kept: list[_Kept] = []
        self._places: dict[CallId, int] = {}

    @property
    def entries(self) -> tuple[FileEntry | DiskEntry, ...]:
        """All entries, oldest first."""
        return tuple(kept.entry for kept in self._kept)

    @property
    def applied_files(self) -> int:
        """Different files with at least one applied hunk."""
        return len(
            {
                entry.path
                for entry in self.entries
                if isinstance(entry, FileEntry)
                and any(fate is Fate.APPLIED for _hunk, fate in entry.hunks)
            }
        )

    @property
    def is_empty(self) -> bool:
        """Whether nothing happened yet."""
        return not self._kept

    def expect(self, calls: Sequence[CallId]) -> None:
        """Note the model's order of calls; those never named follow in the order they come."""
        for call_id in calls:
            self._places.setdefault(call_id, len(self._places))

    def add_applied(self, changes: ChangeSet, *, turn: Turn) -> None:
        """Add what a call wrote; it takes the place of what was kept for the call before."""
        self._kept = [
            kept
            for kept in self._kept
            if not (isinstance(kept.entry, FileEntry) and kept.entry.call_id == changes.call_id)
        ]
        self.totals.add(changes)
        for diff in changes.files:
            self._add(_applied_entry(diff, changes.call_id, turn))

    def add_unapplied(
        self, call_id: CallId, path: str, hunks: Sequence[Hunk], *, fate: Fate, turn: Turn
    ) -> None:
        """Add hunks that were rejected or withdrawn, so that they stay visible."""
        if hunks:
            pairs = tuple((hunk, fate) for hunk in hunks)
            self._add(FileEntry(call_id=call_id, path=path, turn=turn, hunks=pairs))

    def mark_undone(self, event: ChangesUndone) -> None:
        """Show hunks as taken back, or as applied again."""
        fate = Fate.APPLIED if event.is_redo else Fate.UNDONE
        self.totals.add(event.changes)
        self._kept = [_with_fate(kept, event.hunks, fate) for kept in self._kept]

    def add_disk(
        self, changes: Sequence[FileChange], *, origin: ChangeOrigin, turn: Turn | None
    ) -> None:
        """Add files that commands or others changed; neighbouring reports become one list."""
        turn = turn if origin in _OF_A_TURN else None
        last = self._kept[-1].entry if self._kept else None
        if isinstance(last, DiskEntry) and (last.origin, last.turn) == (origin, turn):
            self._kept.pop()
            changes = _merged(last.changes, changes)
        if changes:
            self._add(DiskEntry(origin=origin, turn=turn, changes=tuple(changes)))

    def sections(self) -> list[Section]:
        """Return all entries as sections, the newest turn first, each under its title."""
        sections: list[Section] = []
        for block in reversed(self._blocks()):
            if block.turn is not None:
                sections.append(TextSection(block.turn.title, "secondary", "bold"))
            for group in self._groups(block):
                if isinstance(group[0].entry, FileEntry):
                    sections.append(_file_head(group))
                for kept in group:
                    sections += kept.sections
        return sections

    def disk_sections(self) -> list[Section]:
        """Return what commands and others changed in all, the last ones first, without turns."""
        merged: dict[ChangeOrigin, tuple[FileChange, ...]] = {}
        for entry in self.entries:
            if isinstance(entry, DiskEntry):
                known = merged.pop(entry.origin, ())
                merged[entry.origin] = _merged(known, entry.changes)
        return [
            section
            for origin, changes in reversed(merged.items())
            if changes
            for section in _disk_sections(DiskEntry(origin=origin, turn=None, changes=changes))
        ]

    def _blocks(self) -> list[_Block]:
        blocks: list[_Block] = []
        by_turn: dict[Turn, _Block] = {}
        for kept in self._kept:
            turn = kept.entry.turn
            block = by_turn.get(turn) if turn is not None else None
            if block is None:
                block = _Block(turn)
                blocks.append(block)
                if turn is not None:
                    by_turn[turn] = block
            block.kept.append(kept)
        return blocks

    def _groups(self, block: _Block) -> list[list[_Kept]]:
        """Return a turn's calls by file, in the model's order, then what commands changed."""
        by_path: dict[str, list[_Kept]] = {}
        lists: list[list[_Kept]] = []
        for kept in sorted(block.kept, key=self._place):
            if isinstance(kept.entry, FileEntry):
                by_path.setdefault(kept.entry.path, []).append(kept)
            else:
                lists.append([kept])
        return [*by_path.values(), *lists]

    def _place(self, kept: _Kept) -> int:
        entry = kept.entry
        return self._places[entry.call_id] if isinstance(entry, FileEntry) else 0

    def _add(self, entry: FileEntry | DiskEntry) -> None:
        if isinstance(entry, DiskEntry):
            self._kept.append(_Kept(entry, tuple(_disk_sections(entry))))
            return
        self.expect((entry.call_id,))
        self._kept.append(_Kept(entry, tuple(_hunk_sections(entry))))


def _merged(known: Sequence[FileChange], changes: Sequence[FileChange]) -> tuple[FileChange, ...]:
    """Return each path once, with what happened to it over both reports.

    A file that was made and then written is a new file; one that was made and deleted again
    is no change at all.
    """
    merged = {change.path: change for change in known}
    for change in changes:
        before = merged.pop(change.path, None)
        was_made = before is not None and before.kind is ChangeKind.CREATED
        if was_made and change.kind is ChangeKind.DELETED:
            continue
        kept = before if was_made and before is not None else _after(before, change)
        merged[change.path] = kept
    return tuple(merged.values())


def _after(before: FileChange | None, change: FileChange) -> FileChange:
    """Return what a change means after another; deleted and made again is modified."""
    if (
        before is not None
        and before.kind is ChangeKind.DELETED
        and change.kind is ChangeKind.CREATED
    ):
        return FileChange(path=change.path, kind=ChangeKind.MODIFIED)
    return change


def _applied_entry(diff: FileDiff, call_id: CallId, turn: Turn) -> FileEntry:
    pairs = [(hunk, Fate.APPLIED) for hunk in diff.applied]
    pairs += [(hunk, Fate.REJECTED) for hunk in diff.rejected]
    pairs.sort(key=lambda pair: pair[0].old_start)
    note = "new file" if diff.before is None else "deleted" if diff.after is None else ""
    return FileEntry(call_id=call_id, path=diff.path, turn=turn, hunks=tuple(pairs), note=note)


def _with_fate(kept: _Kept, hunks: Sequence[SwitchedHunk], fate: Fate) -> _Kept:
    """Return an entry with another fate for those of its written hunks that are meant."""
    entry = kept.entry
    if not isinstance(entry, FileEntry):
        return kept

    def fate_of(hunk: Hunk, was: Fate) -> Fate:
        is_meant = was in {Fate.APPLIED, Fate.UNDONE} and any(
            switched.covers(
                entry.call_id,
                entry.path,
                old_start=hunk.old_start,
                old_count=len(hunk.old_lines),
            )
            for switched in hunks
        )
        return fate if is_meant else was

    pairs = tuple((hunk, fate_of(hunk, was)) for hunk, was in entry.hunks)
    if pairs == entry.hunks:
        return kept
    changed = replace(entry, hunks=pairs)
    return _Kept(changed, tuple(_hunk_sections(changed)))


def _file_head(group: Sequence[_Kept]) -> FileSection:
    """Return the head of one file for the calls of a turn that changed it."""
    entries = [kept.entry for kept in group if isinstance(kept.entry, FileEntry)]
    pairs = [pair for entry in entries for pair in entry.hunks]
    fates = tuple(fate for _hunk, fate in pairs)
    applied = [hunk for hunk, fate in pairs if fate is Fate.APPLIED]
    # Where nothing was written, the head says what was proposed, struck out.
    counted = applied or [hunk for hunk, _fate in pairs]
    return FileSection(
        path=entries[0].path,
        note=" · ".join(dict.fromkeys(entry.note for entry in entries if entry.note)),
        added=sum(hunk.added_lines for hunk in counted),
        removed=sum(hunk.removed_lines for hunk in counted),
        is_struck=bool(pairs) and not applied,
        fates=lambda: fates,
    )


def _hunk_sections(entry: FileEntry) -> list[Section]:
    return [_settled_hunk(hunk, entry.path, fate) for hunk, fate in entry.hunks]


def _settled_hunk(hunk: Hunk, path: str, fate: Fate) -> HunkSection:
    return HunkSection(
        hunk=hunk, path=path, rows=HunkRows(hunk, path), fate=lambda: fate, stop=hunk.id
    )


def _disk_sections(entry: DiskEntry) -> list[Section]:
    sign, words, color = _DISK_TITLES[entry.origin]
    rows = tuple(
        (_KIND_SIGNS[change.kind], change.path, change.kind.value) for change in entry.changes
    )
    return [TextSection(words, color, "bold", sign=sign), ListSection(rows=rows)]
