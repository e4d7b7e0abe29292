"""What the user interface may ask of the past.

Owns the protocol of undo and redo and the values that pass over it: a wish, the plan that is
shown before anything is written, the answer. The session's undo implements it; tests of the UI
use a double. Does nothing itself. Proven by tests/pilot/test_undo.py and
tests/unit/agent/test_undo.py.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from caramelo_tui.domain.diffs import Hunk
from caramelo_tui.domain.ids import CallId, RunId
from caramelo_tui.domain.undo import ConflictChoice, UndoScope


@dataclass(frozen=True, slots=True, kw_only=True)
class UndoHunk:
    """Take one applied hunk back."""

    call_id: CallId
    path: str
    old_start: int
    """As in ``Hunk.old_start``."""
    old_count: int
    """Lines that it replaced."""


@dataclass(frozen=True, slots=True, kw_only=True)
class UndoFile:
    """Take back what was done to one file."""

    path: str
    call_id: CallId | None
    """A call of the turn that is meant; ``None``: the whole session."""


@dataclass(frozen=True, slots=True)
class UndoLastTurn:
    """Take the newest turn back that changed files and is not taken back yet."""


@dataclass(frozen=True, slots=True)
class UndoLastRun:
    """Take the newest such run back."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rewind:
    """Take back everything since a prompt, its own run included."""

    run_id: RunId


@dataclass(frozen=True, slots=True)
class Redo:
    """Put back what the newest undo took, that was not put back yet."""


UndoWish = UndoHunk | UndoFile | UndoLastTurn | UndoLastRun | Rewind | Redo
"""What can be asked for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedFile:
    """What would become of one file."""

    path: str
    """Workspace-relative."""
    hunks: tuple[Hunk, ...] = ()
    """From the file as it is to the file as it would be; in a conflict, when it is restored."""
    is_made: bool = False
    """Whether the file is there again then."""
    is_removed: bool = False
    """Whether it is gone then."""
    conflicts: int = 0
    """Places that were changed otherwise since; above 0 the user chooses what becomes of it."""
    is_merged: bool = False
    """Whether the file was changed since, and that change stays."""
    problem: str = ""
    """Why nothing can be done with it; empty: it can."""

    @property
    def added_lines(self) -> int:
        """Lines that come."""
        return sum(hunk.added_lines for hunk in self.hunks)

    @property
    def removed_lines(self) -> int:
        """Lines that go."""
        return sum(hunk.removed_lines for hunk in self.hunks)


@dataclass(frozen=True, slots=True, kw_only=True)
class UndoPlan:
    """What an undo or a redo would do; nothing is written yet."""

    id: str
    """Names it to ``carry_out``; empty when there is nothing to carry out."""
    scope: UndoScope
    is_redo: bool = False
    files: tuple[PlannedFile, ...] = ()
    """In the order of their paths."""
    prompt: str = ""
    """The prompt of the run that is meant, screen-unsafe; empty where several are meant."""
    problem: str = ""
    """Why nothing can be done at all, as a sentence; empty: it can."""

    @property
    def needs_no_question(self) -> bool:
        """Whether it is a single hunk without a conflict, which is undone at once."""
        return (
            self.scope is UndoScope.HUNK
            and not self.is_redo
            and not self.problem
            and not any(file.conflicts or file.problem for file in self.files)
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class RewindPoint:
    """A prompt that the files can go back to."""

    run_id: RunId
    prompt: str
    """Screen-unsafe."""
    at: float
    """Seconds since the Unix epoch, UTC."""
    files: int
    """Files that were changed since and are not taken back."""


class UndoPort(Protocol):
    """The past as the UI sees it. What goes wrong is in the values."""

    async def plan(self, wish: UndoWish) -> UndoPlan:
        """Return what would be done; a new plan makes the one before void."""
        ...

    async def carry_out(self, plan_id: str, choices: Mapping[str, ConflictChoice]) -> str:
        """Write what a plan showed; events and a notice say what was done.

        Args:
            plan_id: The newest plan's id.
            choices: What becomes of files with conflicts, by path; one without a choice is kept.

        Returns:
            Why nothing was written, as a sentence; empty: something was, or nothing had to be.
        """
        ...

    async def rewind_points(self) -> tuple[RewindPoint, ...]:
        """Return the prompts so far, oldest first."""
        ...


class NoUndo:
    """For a session that keeps no images."""

    async def plan(self, wish: UndoWish) -> UndoPlan:
        """Return that there is nothing to take back."""
        del wish
        return UndoPlan(id="", scope=UndoScope.TURN, problem="This session keeps no checkpoints.")

    async def carry_out(self, plan_id: str, choices: Mapping[str, ConflictChoice]) -> str:
        """Write nothing."""
        del plan_id, choices
        return "This session keeps no checkpoints."

    async def rewind_points(self) -> tuple[RewindPoint, ...]:
        """Return nothing."""
        return ()
