"""Say what is taken back, and which changes that concerns.

Owns the values that undo and redo leave in events. Proven by tests/unit/domain/test_undo.py.
"""

from dataclasses import dataclass
from enum import StrEnum

from caramelo_tui.domain.ids import CallId


class UndoScope(StrEnum):
    """How much is taken back at once."""

    HUNK = "hunk"
    FILE = "file"
    TURN = "turn"
    RUN = "run"
    REST = "rest"
    """Everything since a prompt, that prompt's run included."""


class ConflictChoice(StrEnum):
    """What becomes of a file in which others changed the same lines."""

    KEEP = "keep"
    """The file stays as it is."""
    RESTORE = "restore"
    """The lines in dispute go back; what others changed elsewhere in the file stays."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SwitchedHunk:
    """One applied hunk that was taken back, or put back again."""

    call_id: CallId
    path: str
    """Workspace-relative."""
    old_start: int
    """First line before the call's change, as ``Hunk.old_start``; 0: the whole file."""
    old_count: int
    """Lines that the change replaced; 0 for a pure insertion."""

    def covers(self, call_id: CallId, path: str, *, old_start: int, old_count: int) -> bool:
        """Whether a hunk of a call is meant; touching is enough, since hunks lie apart."""
        if (call_id, path) != (self.call_id, self.path):
            return False
        if self.old_start == 0:
            return True
        own_end, end = self.old_start + self.old_count, old_start + old_count
        return self.old_start <= end and old_start <= own_end
