"""Say which changes below the workspace an answer must not outlive.

Owns the rule which changed path touches which kind of answer, and the numbered log of changes
that it is asked about. Pure. Proven by tests/unit/workspace/test_tree_scopes.py.
"""

from collections import deque
from dataclasses import dataclass

from caramelo_tui.domain.tool_calls import CacheScope
from caramelo_tui.workspace.ignore_rules import SKIPPED_FOLDERS

_IGNORE_FILES = frozenset({".gitignore", ".ignore", ".rgignore"})
"""They decide, also from far above a folder, which of its files are searched."""
_GIT = ".git"
_IGNORES_IN_GIT = ("config", "info/")
"""What in a ``.git`` folder decides which files are searched."""
MOST_CHANGES = 4_096
"""Changes that are remembered; what is older than the oldest counts as touched."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TreeScope:
    """The part of the workspace that an answer shows."""

    kind: CacheScope
    """Any but ``STAMPS``."""
    folder: str
    """Workspace-relative resolved path of the folder (or single file); for ``GIT`` the root."""


def is_skipped(path: str) -> bool:
    """Whether a workspace-relative path is a skipped folder or lies in one."""
    return not SKIPPED_FOLDERS.isdisjoint(path.split("/"))


def decides_what_is_searched(path: str) -> bool:
    """Whether a file by this workspace-relative path can keep others from being searched."""
    return path.rpartition("/")[2] in _IGNORE_FILES or path.startswith(f"{_GIT}/info/")


def touches(path: str, scope: TreeScope) -> bool:
    """Whether a change at a workspace-relative path can change an answer of this scope.

    A path stands for all below it: a folder that is moved takes its files along. A final slash
    says that a folder came, went or got other attributes. Listing files by ignore rules starts at
    the root wherever the search does, and counts the folders that it could not read.
    """
    if path.endswith("/"):
        return scope.kind is CacheScope.TREE or touches(path[:-1], scope)
    if scope.kind is CacheScope.GIT:
        return not _is_git_lock(path)
    *folders, name = path.split("/")
    if scope.kind is CacheScope.SOURCES:
        return SKIPPED_FOLDERS.isdisjoint(folders) and _overlap(path, scope.folder)
    if _GIT in folders:
        inside = "/".join([*folders, name][folders.index(_GIT) + 1 :])
        return inside.startswith(_IGNORES_IN_GIT) or inside == "info"
    return name == _GIT or name in _IGNORE_FILES or _overlap(path, scope.folder)


def _overlap(path: str, folder: str) -> bool:
    return (
        "." in {path, folder}
        or path == folder
        or path.startswith(f"{folder}/")
        or folder.startswith(f"{path}/")
    )


def _is_git_lock(path: str) -> bool:
    # A lock says that somebody may be about to change something; the change has its own event.
    return path.endswith(".lock") and _GIT in path.split("/")


class ChangeLog:
    """The latest changes, numbered; not thread-safe."""

    def __init__(self, most: int = MOST_CHANGES) -> None:
        """Start empty.

        Args:
            most: Changes that are remembered.
        """
        self._most = most
        self._rows: deque[tuple[int, str]] = deque()
        self._forgotten = 0
        self._generation = 0

    @property
    def generation(self) -> int:
        """Number of the latest change."""
        return self._generation

    def add(self, path: str) -> None:
        """Note a change at a workspace-relative path."""
        self._generation += 1
        if self._rows and self._rows[-1][1] == path:
            self._rows.pop()
        self._rows.append((self._generation, path))
        if len(self._rows) > self._most:
            self._forgotten = self._rows.popleft()[0]

    def lose(self) -> None:
        """Note that changes went unseen: everything counts as touched until now."""
        self._generation += 1
        self._forgotten = self._generation
        self._rows.clear()

    def is_touched_since(self, generation: int, scope: TreeScope) -> bool:
        """Whether a change after ``generation`` can have changed an answer of the scope."""
        if generation < self._forgotten:
            return True
        for number, path in reversed(self._rows):
            if number <= generation:
                return False
            if touches(path, scope):
                return True
        return False
