"""Work out which rows of the file tree are visible.

Owns the loaded folders, which are open, what is hidden, and the filters. A row is made when it is
looked at: a folder of 100,000 files opens and filters at once. Pure. Proven by
tests/unit/ui/test_tree_rows.py.
"""

from bisect import bisect_right
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import overload

from caramelo_tui.domain.files import FileKind, FolderEntry
from caramelo_tui.domain.git_state import GitStates
from caramelo_tui.ui.panes.tree_paths import FoundPaths, SearchedPaths, without

ROOT = "."
"""Path of the workspace itself; its entries have bare names as paths."""
SHOWN_MATCHES = 2_000
"""Matches of a filter that are shown; of more there is only the count."""


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
    is_skipped: bool = False
    """Whether searches leave it out, or git ignores it, or what lies above it."""

    @property
    def is_link(self) -> bool:
        """Whether the entry is a symbolic link."""
        return self.kind is FileKind.LINK


def _nothing(_path: str) -> bool:
    return False


@dataclass(slots=True)
class _Block:
    """Neighbouring rows of one folder."""

    folder: str
    entries: Sequence[FolderEntry]
    depth: int
    is_skipped: bool = False
    open_paths: Collection[str] = field(default=())
    ignored: Callable[[str], bool] = _nothing

    def row(self, index: int) -> TreeRow:
        entry = self.entries[index]
        path = _joined(self.folder, entry.name)
        return TreeRow(
            path=path,
            name=entry.name,
            depth=self.depth,
            kind=entry.kind,
            is_folder=_is_folder(entry),
            is_open=path in self.open_paths,
            is_skipped=self.is_skipped or entry.is_skipped or self.ignored(path),
        )


class VisibleRows(Sequence[TreeRow]):
    """Rows from top to bottom, each made when it is asked for."""

    def __init__(self, blocks: Iterable[_Block] = ()) -> None:
        self._blocks: list[_Block] = []
        self._starts: list[int] = []
        self._count = 0
        for block in blocks:
            self._blocks.append(block)
            self._starts.append(self._count)
            self._count += len(block.entries)

    def __len__(self) -> int:
        """Count the rows."""
        return self._count

    @overload
    def __getitem__(self, index: int) -> TreeRow: ...

    @overload
    def __getitem__(self, index: slice) -> tuple[TreeRow, ...]: ...

    def __getitem__(self, index: int | slice) -> TreeRow | tuple[TreeRow, ...]:
        """Make one row, or several.

        Raises:
            IndexError: If there is no such row.
        """
        if isinstance(index, slice):
            return tuple(self[at] for at in range(*index.indices(self._count)))
        at = index + self._count if index < 0 else index
        if not 0 <= at < self._count:
            raise IndexError(index)
        number = bisect_right(self._starts, at) - 1
        return self._blocks[number].row(at - self._starts[number])

    def place_of(self, path: str) -> int | None:
        """Return the index of a path, or ``None`` when it has no row."""
        folder, _slash, name = path.rpartition("/")
        for block, start in zip(self._blocks, self._starts, strict=True):
            if block.folder == (folder or ROOT):
                for at, entry in enumerate(block.entries):
                    if entry.name == name:
                        return start + at
        return None


def folded_words(words: str) -> str:
    """Return a filter as it is compared."""
    return words.casefold().strip()


class TreeRows:
    """The workspace as rows: the loaded folders, or what a filter leaves of all paths."""

    def __init__(self) -> None:
        self._folders: dict[str, tuple[FolderEntry, ...]] = {}
        self._open: set[str] = set()
        self._touched: frozenset[str] = frozenset()
        self._listed: tuple[str, ...] | None = None
        self._searched: SearchedPaths | None = None
        self._found: FoundPaths | None = None
        self._rows: VisibleRows | None = None
        self._ignored: frozenset[str] = frozenset()
        self.words = ""
        """The filter; empty for none."""
        self.is_touched_only = False
        """Whether only touched files and their folders are shown."""
        self.hides_skipped = False
        """Whether what searches leave out, or git ignores, is hidden."""
        self.states: GitStates | None = None
        """How files stand against git; ``None`` where there is no repository."""
        self.finds_ignored = False
        """Whether the filter also finds what git ignores."""
        self.matches = 0
        """Paths that a filter leaves, those that are not shown included."""

    @property
    def rows(self) -> VisibleRows:
        """The visible rows, from top to bottom."""
        if self._rows is None:
            blocks = self._matches() if self.is_filtered else self._walk(ROOT, 0)
            self._rows = VisibleRows(blocks)
        return self._rows

    @property
    def is_filtered(self) -> bool:
        """Whether rows are what a filter leaves, instead of what was opened."""
        return bool(self.words) or self.is_touched_only

    @property
    def is_listed(self) -> bool:
        """Whether the filter knows the paths of folders that were never opened."""
        return self._listed is not None

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
        return self.rows.place_of(path)

    def load(self, path: str, entries: Sequence[FolderEntry]) -> None:
        """Take the entries of a folder, in the order in which they are shown."""
        self._folders[path] = tuple(entries)
        self._forget(keeps_paths=self.is_listed)

    def unload(self, path: str) -> None:
        """Close a folder and forget it with everything below."""
        below = f"{path}/"
        for known in [p for p in self._folders if p == path or p.startswith(below)]:
            del self._folders[known]
        self._open = {p for p in self._open if p != path and not p.startswith(below)}
        self._forget(keeps_paths=self.is_listed)

    def toggle(self, path: str) -> None:
        """Open a closed folder, close an open one."""
        self._open ^= {path}
        self._forget()

    def open_to(self, path: str) -> tuple[str, ...]:
        """Open the folders above a path, and it too; return those that are not loaded yet."""
        parts = path.split("/")
        folders = ["/".join(parts[:count]) for count in range(1, len(parts) + 1)]
        self._open.update(folders)
        self._forget()
        return tuple(folder for folder in folders if folder not in self._folders)

    def list_paths(self, paths: Sequence[str] | None) -> None:
        """Take all paths of the workspace for the filters.

        Args:
            paths: Workspace-relative, sorted so that a folder stands before what is in it;
                folders end in ``/``. ``None``: they are out of date.
        """
        self._listed = None if paths is None else tuple(paths)
        self._forget(keeps_paths=False)

    def filter(self, words: str, found: FoundPaths | None = None) -> None:
        """Show only paths that hold every word, and the folders above them.

        Args:
            words: The filter; empty lifts it.
            found: What ``searched`` gave for these words, where that was asked before.
        """
        self.words = folded_words(words)
        self._forget()
        if found is not None and found.words == self.words:
            self._found = found

    @property
    def leaves_ignored_out(self) -> bool:
        """Whether there is something that the filter does not find because git ignores it."""
        return self.is_listed and not self.finds_ignored and bool(self._ignored)

    def take_states(self, states: GitStates | None) -> None:
        """Take how files stand against git."""
        self.states = states
        self._ignored = frozenset() if states is None else states.ignored
        self._forget(keeps_paths=False)

    def toggle_ignored(self) -> None:
        """Have the filter find what git ignores, or leave it out again."""
        self.finds_ignored = not self.finds_ignored
        self._forget(keeps_paths=False)

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

    def toggle_skipped(self) -> None:
        """Hide what searches leave out, or show it again."""
        self.hides_skipped = not self.hides_skipped
        self._forget()

    def _forget(self, *, keeps_paths: bool = True) -> None:
        self._rows = None
        if not keeps_paths:
            self._searched = None
        self._found = None

    # --- what was opened ---------------------------------------------------------------

    def _walk(self, folder: str, depth: int, *, is_skipped: bool = False) -> Iterator[_Block]:
        """Yield the rows of a folder, divided where an open one stands among them."""
        entries = self._folders.get(folder, ())
        if self.hides_skipped:
            entries = tuple(
                entry
                for entry in entries
                if not entry.is_skipped and _joined(folder, entry.name) not in self._ignored
            )
        start = 0
        for at, entry in enumerate(entries):
            if not _is_folder(entry):
                continue
            path = _joined(folder, entry.name)
            if path in self._open:
                yield self._block(folder, entries[start : at + 1], depth, is_skipped=is_skipped)
                start = at + 1
                is_below = is_skipped or entry.is_skipped or path in self._ignored
                yield from self._walk(path, depth + 1, is_skipped=is_below)
        if start < len(entries):
            yield self._block(folder, entries[start:], depth, is_skipped=is_skipped)

    def _block(
        self, folder: str, entries: Sequence[FolderEntry], depth: int, *, is_skipped: bool
    ) -> _Block:
        return _Block(folder, entries, depth, is_skipped, self._open, self._ignored.__contains__)

    # --- what a filter leaves ----------------------------------------------------------

    def _matches(self) -> list[_Block]:
        """Return the rows of matching paths and the folders above, as many as are shown."""
        if self.is_touched_only:
            found = SearchedPaths(tuple(sorted(self._touched))).find(self.words)
        else:
            found = self._found or self.searched.find(self.words)
        self.matches = len(found.chosen)
        return _tree_of([found.paths[at] for at in found.chosen[:SHOWN_MATCHES]])

    @property
    def searched(self) -> SearchedPaths:
        """What the filter searches; may be asked in a thread."""
        if self._searched is None:
            self._searched = SearchedPaths(self._paths())
        return self._searched

    def _paths(self) -> Sequence[str]:
        """Return all known paths: those that were listed, else those of the loaded folders."""
        paths = self._listed if self._listed is not None else tuple(self._loaded_below(ROOT))
        if self.finds_ignored or not self._ignored:
            return paths
        return tuple(without(paths, self._ignored))

    def _loaded_below(self, folder: str) -> Iterator[str]:
        for entry in self._folders.get(folder, ()):
            path = _joined(folder, entry.name)
            yield f"{path}/" if entry.kind is FileKind.FOLDER else path
            # A link to a folder opens only by hand: a filter must not walk in circles.
            if entry.kind is FileKind.FOLDER:
                yield from self._loaded_below(path)


def _tree_of(paths: Iterable[str]) -> list[_Block]:
    """Return rows for some paths, with the folders above them; all folders are open."""
    blocks: list[_Block] = []
    shown: set[str] = set()
    for path in paths:
        parts = path.rstrip("/").split("/")
        for depth in range(len(parts)):
            above = "/".join(parts[: depth + 1])
            if above in shown:
                continue
            shown.add(above)
            is_folder = depth < len(parts) - 1 or path.endswith("/")
            kind = FileKind.FOLDER if is_folder else FileKind.FILE
            entry = FolderEntry(name=parts[depth], kind=kind, size=0)
            folder = "/".join(parts[:depth]) or ROOT
            blocks.append(_Block(folder, (entry,), depth, open_paths=(above,)))
    return blocks


def _is_folder(entry: FolderEntry) -> bool:
    return entry.kind is FileKind.FOLDER or entry.leads_to_folder


def _joined(folder: str, name: str) -> str:
    return name if folder == ROOT else f"{folder}/{name}"
