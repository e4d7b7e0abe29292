"""Make void what a killed program recorded, but did not write any more.

Owns the comparison of a journal's end with the files: a change is recorded before its file is
written, so the last ones may not have happened. Whoever takes a session up does this first, or an
undo would take back what never was. Blocks. Proven by tests/unit/workspace/test_journal_repair.py
and tests/crash/.
"""

from collections.abc import Sequence

from caramelo_tui.domain.errors import ToolFailure
from caramelo_tui.workspace.file_io import FileStore, content_hash
from caramelo_tui.workspace.journal import Journal
from caramelo_tui.workspace.journal_entries import EntryKind, JournalEntry

MOST_ENTRIES = 200
"""Newest entries that are looked at; writes that were under way at once are far fewer."""


def void_unwritten(journal: Journal, files: FileStore) -> tuple[JournalEntry, ...]:
    """Void the last changes that the files do not show, and return them, oldest first.

    A change whose file is what it was before it has not happened, or somebody else took it back
    since: either way nothing of it is left to undo. What cannot be read is left as recorded.
    """
    unwritten = tuple(
        entry
        for path, entries in _ends(journal.entries()).items()
        for entry in _unwritten(entries, files, path)
    )
    if unwritten:
        journal.void(*sorted(unwritten, key=lambda entry: entry.number))
    return unwritten


def _ends(entries: Sequence[JournalEntry]) -> dict[str, list[JournalEntry]]:
    """Return, for each file of the last run or undo, its last entries, oldest first."""
    ends: dict[str, list[JournalEntry]] = {}
    for entry in entries[-MOST_ENTRIES:]:
        if _act(entry) == _act(entries[-1]) and entry.kind is not EntryKind.COMMAND:
            ends.setdefault(entry.path, []).append(entry)
    return ends


def _act(entry: JournalEntry) -> str:
    """Name what changed files in one go: a run, or an undo."""
    return entry.run_id or entry.call_id


def _unwritten(
    entries: Sequence[JournalEntry], files: FileStore, path: str
) -> Sequence[JournalEntry]:
    try:
        found = files.read_if_exists(path)
    except ToolFailure:
        return ()
    now = None if found is None else content_hash(found.data)
    if entries[-1].after_hash == now:
        return ()
    for place in range(len(entries) - 1, -1, -1):
        if entries[place].before_hash == now:
            # Writes to one file are recorded one by one, and written once.
            return entries[place:]
        if place and entries[place - 1].after_hash != entries[place].before_hash:
            # Somebody else wrote in between.
            break
    return ()
