"""Tell the model which files it knows have changed on disk.

Owns the set of files that the model has seen and the changes it has not been told of. Changes
by commands count as well: what a formatter did to a file is as new to the model as what the
user did. The agent's own writes never arrive here: the watcher keeps them back. Proven by
tests/unit/agent/test_outside_changes.py.
"""

from collections.abc import Iterable

from caramelo_tui.domain.files import ChangeKind, FileChange
from caramelo_tui.domain.messages import UserMessage
from caramelo_tui.domain.screen_text import visible

_MAX_NAMED = 50
"""Files named in one note; the rest is counted. A checkout can change thousands."""


class OutsideChanges:
    """Changes of known files since the last note."""

    def __init__(self) -> None:
        self._known: set[str] = set()
        self._untold: dict[str, ChangeKind] = {}

    def remember(self, paths: Iterable[str]) -> None:
        """Take note that the model now knows these files as they are on disk.

        Args:
            paths: Workspace-relative POSIX paths that a call read or wrote successfully.
        """
        for path in paths:
            self._known.add(path)
            self._untold.pop(path, None)

    def add(self, changes: Iterable[FileChange]) -> None:
        """Take changes on disk; those of files that the model never saw are let go."""
        for change in changes:
            if change.path in self._known:
                self._untold[change.path] = change.kind
            if change.kind is ChangeKind.DELETED:
                inside = f"{change.path}/"
                gone = [path for path in self._known if path.startswith(inside)]
                self._untold.update(dict.fromkeys(gone, ChangeKind.DELETED))

    def take_note(self) -> UserMessage | None:
        """Return one note about what changed since the last one, and forget it."""
        if not self._untold:
            return None
        rows = [
            f"- {visible(path, keeps_newlines=False)}: {_word(kind)}"
            for path, kind in sorted(self._untold.items())
        ]
        self._untold.clear()
        if len(rows) > _MAX_NAMED:
            rows = [*rows[:_MAX_NAMED], f"- and {len(rows) - _MAX_NAMED} more"]
        head = "Note: these files, which you have read, have changed on disk since."
        return UserMessage(text="\n".join([head, *rows]), is_note=True)


def _word(kind: ChangeKind) -> str:
    return "deleted" if kind is ChangeKind.DELETED else "changed"
