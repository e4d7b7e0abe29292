"""Say how the files of a workspace stand against the last commit.

Owns the values that the file tree and the changes show of git. Pure. Proven by
tests/unit/tools/git/test_work_tree.py.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from caramelo_tui.domain.diffs import Hunk


class GitState(StrEnum):
    """How one path stands; the value is git's own letter for it."""

    MODIFIED = "M"
    ADDED = "A"
    DELETED = "D"
    UNTRACKED = "?"
    CONFLICT = "U"


@dataclass(frozen=True, slots=True, kw_only=True)
class GitStates:
    """All that is not as in the last commit; what is not named is clean."""

    states: Mapping[str, GitState] = field(default_factory=dict[str, GitState])
    """By workspace-relative path; a folder that is new as a whole stands for what is in it."""
    ignored: frozenset[str] = frozenset()
    """Paths that git ignores; a folder stands for what is in it. No path ends in ``/``."""
    branch: str = ""
    """Where HEAD stands: a branch, or the start of a commit's name; unsafe as it is."""

    @property
    def branch_text(self) -> str:
        """The branch, with a star when something is not as in its last commit; else empty."""
        return f"{self.branch}*" if self.branch and self.states else self.branch

    def of(self, path: str) -> GitState | None:
        """Return the state of a path, ``None`` for a clean or ignored one."""
        found = self.states.get(path)
        while found is None and "/" in path:
            path = path.rpartition("/")[0]
            above = self.states.get(path)
            found = above if above is GitState.UNTRACKED else None
        return found


@dataclass(frozen=True, slots=True, kw_only=True)
class HeadFile:
    """One file that differs from the last commit."""

    path: str
    """Workspace-relative."""
    hunks: tuple[Hunk, ...] = ()
    note: str = ""
    """What is said of it besides, such as ``new file`` or ``binary``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HeadChanges:
    """All files that differ from the last commit, new ones last."""

    files: tuple[HeadFile, ...] = ()
    is_whole: bool = True
    """``False`` when there is more than is shown."""
