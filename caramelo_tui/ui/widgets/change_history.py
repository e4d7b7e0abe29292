"""Keep what became of changes, to be shown below one another.

Owns the entries of the applied list: what calls wrote, what was rejected or not applied, what
changed from outside; and how they become sections. Pure. Proven by
tests/unit/ui/test_change_history.py.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from caramelo_tui.domain.diffs import ChangeSet, FileDiff, Hunk
from caramelo_tui.domain.files import ChangeKind, FileChange
from caramelo_tui.domain.ids import CallId
from caramelo_tui.ui.widgets.diff_sections import (
    FileSection,
    HunkSection,
    ListSection,
    Section,
    TextSection,
)
from caramelo_tui.ui.widgets.hunk_rows import Fate, HunkRows

_KIND_SIGNS = {ChangeKind.CREATED: "A", ChangeKind.MODIFIED: "M", ChangeKind.DELETED: "D"}


@dataclass(frozen=True, slots=True, kw_only=True)
class FileEntry:
    """One file of one call and what became of its hunks."""

    call_id: CallId
    path: str
    turn: int | None
    """``None`` when the call never got to write."""
    hunks: tuple[tuple[Hunk, Fate], ...]
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class OutsideEntry:
    """Files that something else changed."""

    changes: tuple[FileChange, ...]


@dataclass(frozen=True, slots=True)
class _Kept:
    """An entry with its parts, made once so that colours are not worked out again."""

    entry: FileEntry | OutsideEntry
    sections: tuple[Section, ...]
    """Hunks of a file, without the file's head, or the whole list of outside changes."""


class ChangeHistory:
    """Entries in the order in which they happened."""

    def __init__(self) -> None:
        self._kept: list[_Kept] = []

    @property
    def entries(self) -> tuple[FileEntry | OutsideEntry, ...]:
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

    def add_applied(self, changes: ChangeSet, *, turn: int) -> None:
        """Add what a call wrote; it takes the place of what was kept for the call before."""
        self._kept = [
            kept
            for kept in self._kept
            if not (isinstance(kept.entry, FileEntry) and kept.entry.call_id == changes.call_id)
        ]
        for diff in changes.files:
            self._add(_applied_entry(diff, changes.call_id, turn))

    def add_unapplied(self, call_id: CallId, path: str, hunks: Sequence[Hunk], fate: Fate) -> None:
        """Add hunks that were rejected or withdrawn, so that they stay visible."""
        if hunks:
            pairs = tuple((hunk, fate) for hunk in hunks)
            self._add(FileEntry(call_id=call_id, path=path, turn=None, hunks=pairs))

    def add_outside(self, changes: Sequence[FileChange]) -> None:
        """Add files that changed from outside; neighbouring reports become one list."""
        last = self._kept[-1].entry if self._kept else None
        if isinstance(last, OutsideEntry):
            self._kept.pop()
            known = {change.path: change for change in (*last.changes, *changes)}
            changes = tuple(known.values())
        self._add(OutsideEntry(changes=tuple(changes)))

    def sections(self) -> list[Section]:
        """Return all entries as sections, with a title for each turn."""
        sections: list[Section] = []
        turn: int | None = None
        for group in self._groups():
            entry = group[0].entry
            if isinstance(entry, FileEntry):
                if entry.turn not in {None, turn}:
                    turn = entry.turn
                    sections.append(TextSection(f"turn {turn}", "secondary", "bold"))
                sections.append(_file_head(group))
            for kept in group:
                sections += kept.sections
        return sections

    def _groups(self) -> list[list[_Kept]]:
        """Return neighbouring calls on one file together, everything else alone."""
        groups: list[list[_Kept]] = []
        for kept in self._kept:
            last = groups[-1][-1].entry if groups else None
            if last is not None and _belongs(last, kept.entry):
                groups[-1].append(kept)
            else:
                groups.append([kept])
        return groups

    def _add(self, entry: FileEntry | OutsideEntry) -> None:
        sections = (
            _outside_sections(entry) if isinstance(entry, OutsideEntry) else _hunk_sections(entry)
        )
        self._kept.append(_Kept(entry, tuple(sections)))


def _applied_entry(diff: FileDiff, call_id: CallId, turn: int) -> FileEntry:
    pairs = [(hunk, Fate.APPLIED) for hunk in diff.applied]
    pairs += [(hunk, Fate.REJECTED) for hunk in diff.rejected]
    pairs.sort(key=lambda pair: pair[0].old_start)
    note = "new file" if diff.before is None else "deleted" if diff.after is None else ""
    return FileEntry(call_id=call_id, path=diff.path, turn=turn, hunks=tuple(pairs), note=note)


def _belongs(last: FileEntry | OutsideEntry, entry: FileEntry | OutsideEntry) -> bool:
    if isinstance(last, OutsideEntry) or isinstance(entry, OutsideEntry):
        return False
    return (last.path, last.turn) == (entry.path, entry.turn)


def _file_head(group: Sequence[_Kept]) -> FileSection:
    """Return the head of one file for the calls that changed it in a row."""
    entries = [kept.entry for kept in group if isinstance(kept.entry, FileEntry)]
    hunks = [
        section for kept in group for section in kept.sections if isinstance(section, HunkSection)
    ]
    fates = tuple(section.fate() for section in hunks)
    counts = [
        section.rows.plan.changed_counts
        for section, fate in zip(hunks, fates, strict=True)
        if fate is Fate.APPLIED
    ]
    return FileSection(
        path=entries[0].path,
        note=" · ".join(dict.fromkeys(entry.note for entry in entries if entry.note)),
        added=sum(added for added, _removed in counts),
        removed=sum(removed for _added, removed in counts),
        fates=lambda: fates,
    )


def _hunk_sections(entry: FileEntry) -> list[Section]:
    return [_settled_hunk(hunk, entry.path, fate) for hunk, fate in entry.hunks]


def _settled_hunk(hunk: Hunk, path: str, fate: Fate) -> HunkSection:
    return HunkSection(
        hunk=hunk, path=path, rows=HunkRows(hunk, path), fate=lambda: fate, stop=hunk.id
    )


def _outside_sections(entry: OutsideEntry) -> list[Section]:
    rows = tuple(
        (_KIND_SIGNS[change.kind], change.path, change.kind.value) for change in entry.changes
    )
    title = TextSection("changed outside of the agent", "warning", "bold", sign="! ")
    return [title, ListSection(rows=rows)]
