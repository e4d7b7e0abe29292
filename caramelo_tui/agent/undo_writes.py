"""Write what an undo or a redo makes of files.

Owns the order for each file: the journal first, then the file, and the entry made void where the
file could not be written. One file that fails does not keep the others. Blocks. Proven by
tests/unit/agent/test_undo.py and tests/property/test_undo.py.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from caramelo_tui.agent import undo_texts
from caramelo_tui.domain.diffs import FileDiff
from caramelo_tui.domain.errors import StaleFile, ToolFailure
from caramelo_tui.domain.files import ChangeKind, FileChange, FileStamp
from caramelo_tui.domain.ids import CallId
from caramelo_tui.domain.system_faults import reason_of
from caramelo_tui.domain.undo import SwitchedHunk
from caramelo_tui.workspace.file_io import FileStore, content_hash
from caramelo_tui.workspace.journal import Journal
from caramelo_tui.workspace.journal_entries import EntryKind, RecordedChange
from caramelo_tui.workspace.undo_history import FileChangePlan, UndoHistory


@dataclass(frozen=True, slots=True, kw_only=True)
class WrittenUndo:
    """What became of the files."""

    files: tuple[FileDiff, ...]
    """Those that are other ones now."""
    changes: tuple[FileChange, ...]
    """The same, by what happened to them."""
    stamps: dict[str, FileStamp | None]
    hunks: tuple[SwitchedHunk, ...]
    problems: tuple[str, ...]
    """A sentence for each file that could not be written."""


class UndoWriter:
    """Writes the files of one session's undos."""

    def __init__(self, journal: Journal, files: FileStore, history: UndoHistory) -> None:
        self._journal = journal
        self._files = files
        self._history = history

    def write(
        self, plans: Sequence[FileChangePlan], *, operation: CallId, is_redo: bool
    ) -> WrittenUndo:
        """Write files as they were planned; a file that is another one by now is left alone."""
        done: list[FileChangePlan] = []
        stamps: dict[str, FileStamp | None] = {}
        problems: list[str] = []
        for plan in plans:
            try:
                stamps[plan.path] = self._write_one(plan, operation, is_redo=is_redo)
            except StaleFile:
                problems.append(undo_texts.moved_on(plan.path))
            except ToolFailure as failure:
                problems.append(undo_texts.not_written(plan.path, str(failure)))
            except OSError as error:
                problems.append(undo_texts.not_written(plan.path, reason_of(error)))
            else:
                done.append(plan)
        written = [plan for plan in done if plan.after != plan.current]
        switches = [switch for plan in done for switch in plan.switches]
        return WrittenUndo(
            files=tuple(
                FileDiff(path=plan.path, before=plan.current, after=plan.after, applied=())
                for plan in written
            ),
            changes=tuple(FileChange(path=plan.path, kind=_kind(plan)) for plan in written),
            stamps={plan.path: stamps[plan.path] for plan in written},
            hunks=self._history.switched(switches),
            problems=tuple(problems),
        )

    def _write_one(
        self, plan: FileChangePlan, operation: CallId, *, is_redo: bool
    ) -> FileStamp | None:
        """Record and write one file.

        Raises:
            StaleFile: If it is not the file of the plan any more.
            ToolFailure: If it cannot be written.
            OSError: If its image could not be kept.
        """
        facts = self._files.facts(plan.path)
        entry = self._journal.record_change(
            RecordedChange(
                call_id=operation,
                path=plan.path,
                before=plan.current,
                after=plan.after,
                kind=EntryKind.REDO if is_redo else EntryKind.UNDO,
                switches=plan.switches,
                redone=plan.redone,
                mode=facts.mode if facts.exists else None,
            )
        )
        try:
            return self._put(plan)
        except BaseException:
            self._journal.void(entry)
            raise

    def _put(self, plan: FileChangePlan) -> FileStamp | None:
        expected = None if plan.current is None else content_hash(plan.current)
        if plan.after == plan.current:
            return None
        if plan.after is not None:
            return self._files.write_atomic(
                plan.path, plan.after, expected_hash=expected, new_mode=plan.mode
            )
        if expected is not None:
            self._files.remove(plan.path, expected_hash=expected)
        return None


def _kind(plan: FileChangePlan) -> ChangeKind:
    if plan.current is None:
        return ChangeKind.CREATED
    return ChangeKind.DELETED if plan.after is None else ChangeKind.MODIFIED
