"""Remember what happened to each file, for the marks in the file tree.

Owns which paths were read, proposed, changed by the agent or a command, or changed from outside.
Pure. Proven by tests/unit/ui/test_touch_marks.py.
"""

from collections.abc import Iterable
from enum import StrEnum

from caramelo_tui.domain.diffs import ChangeSet
from caramelo_tui.domain.files import ChangeKind, ChangeOrigin, FileChange
from caramelo_tui.domain.git_state import GitState
from caramelo_tui.domain.ids import ApprovalId


class Mark(StrEnum):
    """One thing that happened to a file; the value is its sign."""

    READ = "r"
    PROPOSED = "?"
    MODIFIED = "M"
    ADDED = "A"
    DELETED = "D"
    COMMAND = "$"
    """The change came while a command ran."""
    OUTSIDE = "!"


MARK_WORDS = {
    Mark.READ: "the agent read it",
    Mark.PROPOSED: "a change of it waits for you",
    Mark.MODIFIED: "it was changed",
    Mark.ADDED: "it is new",
    Mark.DELETED: "it is gone",
    Mark.COMMAND: "it changed while a command ran",
    Mark.OUTSIDE: "it changed outside of the agent",
}
"""What each sign means, for people."""

_CHANGES = (Mark.MODIFIED, Mark.ADDED, Mark.DELETED)
_SHOWN_ORDER = (*_CHANGES, Mark.COMMAND, Mark.OUTSIDE, Mark.PROPOSED)
_ORIGIN_MARKS = {ChangeOrigin.COMMAND: Mark.COMMAND, ChangeOrigin.EXTERNAL: Mark.OUTSIDE}

_KIND_MARKS = {
    ChangeKind.CREATED: Mark.ADDED,
    ChangeKind.MODIFIED: Mark.MODIFIED,
    ChangeKind.DELETED: Mark.DELETED,
}


GIT_WORDS = {
    GitState.MODIFIED: "it differs from the last commit",
    GitState.ADDED: "it is new and staged",
    GitState.DELETED: "it is gone since the last commit",
    GitState.UNTRACKED: "git does not know it",
    GitState.CONFLICT: "a merge left a conflict in it",
}
"""What git's letters mean, for help."""


class TouchMarks:
    """The marks of all touched paths."""

    def __init__(self) -> None:
        self._marks: dict[str, set[Mark]] = {}
        self._proposals: dict[ApprovalId, frozenset[str]] = {}
        self._folder_counts: dict[str, int] | None = None

    @property
    def paths(self) -> frozenset[str]:
        """Every touched path."""
        return frozenset(self._marks)

    def text(self, path: str) -> str:
        """Return the signs of a path, such as ``M?``; ``r`` shows only by itself."""
        marks = self._marks.get(path, frozenset[Mark]())
        shown = "".join(mark for mark in _SHOWN_ORDER if mark in marks)
        return shown or (Mark.READ if Mark.READ in marks else "")

    def count_under(self, folder: str) -> int:
        """Return how many files below ``folder`` were changed or wait; reads do not count."""
        if self._folder_counts is None:
            self._folder_counts = self._count_folders()
        return self._folder_counts.get(folder, 0)

    def mark_read(self, path: str) -> None:
        """Note that the agent read a file."""
        self._add(path, Mark.READ)

    def mark_proposed(self, approval_id: ApprovalId, paths: Iterable[str]) -> None:
        """Note which files a review wants to change."""
        self._proposals[approval_id] = frozenset(paths)
        for path in self._proposals[approval_id]:
            self._add(path, Mark.PROPOSED)

    def settle(self, approval_id: ApprovalId) -> None:
        """Take back the marks of a review that is settled or withdrawn."""
        gone = self._proposals.pop(approval_id, frozenset[str]())
        still: frozenset[str] = frozenset[str]().union(*self._proposals.values())
        for path in gone - still:
            self._discard(path, Mark.PROPOSED)

    def mark_written(self, changes: ChangeSet) -> None:
        """Note what a call really wrote."""
        for file in changes.files:
            if file.before is None:
                self._set_change(file.path, Mark.ADDED)
            elif file.after is None:
                self._set_change(file.path, Mark.DELETED)
            else:
                self._set_change(file.path, Mark.MODIFIED)

    def mark_disk(self, origin: ChangeOrigin, changes: Iterable[FileChange]) -> None:
        """Note changes on disk; those by commands and from outside get a sign besides."""
        for change in changes:
            self._set_change(change.path, _KIND_MARKS[change.kind])
            sign = _ORIGIN_MARKS.get(origin)
            if sign is not None and change.path in self._marks:
                self._add(change.path, sign)

    def _set_change(self, path: str, mark: Mark) -> None:
        marks = self._marks.setdefault(path, set())
        if mark is Mark.DELETED and Mark.ADDED in marks:
            # It came and went: nothing is left of it but what still waits.
            for gone in marks - {Mark.PROPOSED}:
                self._discard(path, gone)
            return
        # A file that was added stays "added" however often it is written again.
        if mark is Mark.MODIFIED and Mark.ADDED in marks:
            mark = Mark.ADDED
        # One that was deleted and is back was there before.
        if mark is Mark.ADDED and Mark.DELETED in marks:
            mark = Mark.MODIFIED
        marks.difference_update(_CHANGES)
        self._add(path, mark)

    def _add(self, path: str, mark: Mark) -> None:
        self._marks.setdefault(path, set()).add(mark)
        self._folder_counts = None

    def _discard(self, path: str, mark: Mark) -> None:
        marks = self._marks.get(path)
        if marks is None:
            return
        marks.discard(mark)
        if not marks:
            del self._marks[path]
        self._folder_counts = None

    def _count_folders(self) -> dict[str, int]:
        counts: dict[str, int] = {}
        for path, marks in self._marks.items():
            if marks == {Mark.READ}:
                continue
            for folder in _folders_above(path):
                counts[folder] = counts.get(folder, 0) + 1
        return counts


def _folders_above(path: str) -> Iterable[str]:
    parts = path.split("/")[:-1]
    for count in range(len(parts), 0, -1):
        yield "/".join(parts[:count])
