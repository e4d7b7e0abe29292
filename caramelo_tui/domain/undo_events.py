"""Name the event of a change that was taken back.

Owns that member of ``AgentEvent``. Proven by tests/property/test_codec.py.
"""

from dataclasses import dataclass

from caramelo_tui.domain.diffs import ChangeSet
from caramelo_tui.domain.event_head import AgentEventBase
from caramelo_tui.domain.undo import SwitchedHunk, UndoScope


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangesUndone(AgentEventBase):
    """The user took changes back, or put them back; the files are written."""

    scope: UndoScope
    """What was asked for; of a redo: what the undo was asked for."""
    is_redo: bool
    """Whether changes are there again that had been taken back."""
    changes: ChangeSet
    """Both contents of every file that is another one now; without hunks."""
    hunks: tuple[SwitchedHunk, ...]
    """What is taken back, or there again."""
