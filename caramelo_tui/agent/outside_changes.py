"""Tell the model which files it knows have changed on disk.

Owns what the model has seen of files and which of them have been touched since. The disk decides:
a file is told of when it is another one than the model saw, whoever changed it and whenever the
watcher said so, also between a read and the end of its turn. Changes by commands count as well:
what a formatter did to a file is as new to the model as what the user did. Proven by
tests/unit/agent/test_outside_changes.py.
"""

from collections.abc import Callable, Iterable, Mapping

from caramelo_tui.domain.files import FileChange, FileStamp
from caramelo_tui.domain.messages import UserMessage
from caramelo_tui.domain.screen_text import visible

_MAX_NAMED = 50
"""Files named in one note; the rest is counted. A checkout can change thousands."""


class OutsideChanges:
    """Changes of known files since the last note."""

    def __init__(self, stamp_of: Callable[[str], FileStamp | None]) -> None:
        """Know nothing yet.

        Args:
            stamp_of: Returns the stamp of a file by its workspace-relative path, ``None`` where
                there is none; never raises.
        """
        self._stamp_of = stamp_of
        self._seen: dict[str, FileStamp | None] = {}
        self._touched: set[str] = set()

    @property
    def known_paths(self) -> tuple[str, ...]:
        """The files that the model knows, by workspace-relative path."""
        return tuple(self._seen)

    def remember(self, known: Mapping[str, FileStamp | None]) -> None:
        """Take note of files as the model now knows them.

        Args:
            known: Workspace-relative POSIX paths that a call read or wrote successfully, with
                the stamp of what the model knows; ``None`` for what is no file, such as a folder.
        """
        self._seen.update(known)

    def add(self, changes: Iterable[FileChange]) -> None:
        """Take changes on disk, also of files that the model does not know (yet)."""
        self._touched.update(change.path for change in changes)

    def take_note(self) -> UserMessage | None:
        """Return one note about what changed since the last one, and forget it.

        Looks at each known file that was touched.
        """
        touched, self._touched = self._touched, set()
        rows: list[str] = []
        for path in sorted(self._seen) if touched else ():
            if not _is_touched(path, touched):
                continue
            now = self._stamp_of(path)
            if now != self._seen[path]:
                self._seen[path] = now
                word = "deleted" if now is None else "changed"
                rows.append(f"- {visible(path, keeps_newlines=False)}: {word}")
        if not rows:
            return None
        if len(rows) > _MAX_NAMED:
            rows = [*rows[:_MAX_NAMED], f"- and {len(rows) - _MAX_NAMED} more"]
        head = "Note: these files, which you have read, have changed on disk since."
        return UserMessage(text="\n".join([head, *rows]), is_note=True)


def _is_touched(path: str, touched: set[str]) -> bool:
    """Whether a path or a folder above it was touched: a folder that goes takes its files along."""
    while path:
        if path in touched:
            return True
        path = path.rpartition("/")[0]
    return False
