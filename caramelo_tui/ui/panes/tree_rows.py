"""Work out which rows of the file tree are visible.

Owns the loaded folders, which are open, and the filters. Pure. Proven by
tests/unit/ui/test_tree_rows.py.
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from caramelo_tui.domain.files import FileKind, FolderEntry

ROOT = "."
"""Path of the workspace itself; its entries have bare names as paths."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TreeRow:
    """One visible row."""

    path: str
    """Workspace-relative."""
    name: str
    depth: int
    """Folders above it, from 0."""
    kind: FileKind
    is_folder: bool
    """A folder, or a link that leads to one inside the workspace."""
    is_open: bool = False

    @property
    def is_link(self) -> bool:
        """Whether the entry is a symbolic link."""
        return self.kind is FileKind.LINK


class TreeRows:
    """The loaded part of the workspace as rows."""

    def __init__(self) -> None:
        self._folders: dict[str, tuple[FolderEntry, ...]] = {}
        self._open: set[str] = set()
        self._touched: frozenset[str] = frozenset()
        self._rows: tuple[TreeRow, ...] | None = None
        self._indexes: dict[str, int] | None = None
        self.words = ""
        """The filter; empty for none."""
        self.is_touched_only = False
        """Whether only touched files and their folders are shown."""

    @property
    def rows(self) -> tuple[TreeRow, ...]:
        """The visible rows, from top to bottom."""
        if self._rows is None:
            self._rows = tuple(self._walk(ROOT, 0))
        return self._rows

    def is_loaded(self, path: str) -> bool:
        """Return whether the entries of a folder are known."""
        return path in self._folders

    @property
    def has_unread_folders(self) -> bool:
        """Whether a folder inside the workspace was never opened, so that filters miss it."""
        return any(
            entry.kind is FileKind.FOLDER and _joined(folder, entry.name) not in self._folders
            for folder, entries in self._folders.items()
            for entry in entries
        )

    def nearest_loaded(self, path: str) -> str | None:
        """Return the deepest loaded folder above ``path``, if any."""
        while path and path != ROOT:
            path = path.rpartition("/")[0] or ROOT
            if path in self._folders:
                return path
        return None

    def index_of(self, path: str) -> int | None:
        """Return the row of a path, or ``None`` when it is not visible."""
        if self._indexes is None:
            self._indexes = {row.path: index for index, row in enumerate(self.rows)}
        return self._indexes.get(path)

    def load(self, path: str, entries: Sequence[FolderEntry]) -> None:
        """Take the entries of a folder, in the order in which they are shown."""
        self._folders[path] = tuple(entries)
        self._forget()

    def unload(self, path: str) -> None:
        """Close a folder and forget it with everything below."""
        below = f"{path}/"
        for known in [p for p in self._folders if p == path or p.startswith(below)]:
            del self._folders[known]
        self._open = {p for p in self._open if p != path and not p.startswith(below)}
        self._forget()

    def toggle(self, path: str) -> None:
        """Open a closed folder, close an open one."""
        self._open ^= {path}
        self._forget()

    def filter(self, words: str) -> None:
        """Show only entries whose path holds every word, and the folders above them."""
        self.words = words.casefold().strip()
        self._forget()

    def set_touched(self, touched: Collection[str]) -> None:
        """Take the touched paths for the filter that shows only these."""
        self._touched = frozenset(touched)
        if self.is_touched_only:
            self._forget()

    def toggle_touched_only(self, touched: Collection[str]) -> None:
        """Show only touched files, or all again."""
        self.is_touched_only = not self.is_touched_only
        self._touched = frozenset(touched)
        self._forget()

    def _forget(self) -> None:
        self._rows = None
        self._indexes = None

    def _walk(self, folder: str, depth: int) -> Iterator[TreeRow]:
        """Yield the visible rows inside ``folder``; filtered rows open what is loaded."""
        is_filtered = bool(self.words) or self.is_touched_only
        words = self.words.split()
        for entry in self._folders.get(folder, ()):
            path = _joined(folder, entry.name)
            is_folder = entry.kind is FileKind.FOLDER or entry.leads_to_folder
            is_open = path in self._open
            # A link to a folder opens only by hand: a filter must not walk in circles.
            below: list[TreeRow] = []
            if is_folder and (is_open or (is_filtered and entry.kind is FileKind.FOLDER)):
                below = list(self._walk(path, depth + 1))
            if is_filtered and not below and not self._is_wanted(path, words):
                continue
            yield TreeRow(
                path=path,
                name=entry.name,
                depth=depth,
                kind=entry.kind,
                is_folder=is_folder,
                is_open=is_open or (is_filtered and bool(below)),
            )
            yield from below

    def _is_wanted(self, path: str, words: Sequence[str]) -> bool:
        if self.is_touched_only and path not in self._touched:
            return False
        folded = path.casefold()
        return all(word in folded for word in words)


def _joined(folder: str, name: str) -> str:
    return name if folder == ROOT else f"{folder}/{name}"
