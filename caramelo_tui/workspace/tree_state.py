"""Turn raw watcher events into what really happened to files.

Owns the set of known file names, and compares it with the disk when an event names a path:
events are hints, late, merged and without order; the disk is the truth. It starts no thread
and waits for nothing. Proven by tests/unit/workspace/test_tree_state.py.
"""

import os
import stat
from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

from caramelo_tui.domain.errors import ToolFailure
from caramelo_tui.domain.files import ChangeKind, FileChange, FileStamp
from caramelo_tui.workspace.ignore_rules import SKIPPED_FOLDERS, is_hidden_from_watch, is_temporary
from caramelo_tui.workspace.own_writes import OwnWrites
from caramelo_tui.workspace.sandbox import Sandbox
from caramelo_tui.workspace.stamps import stamp_of

_T = TypeVar("_T")
_REMEMBERED_STAMPS = 20_000
"""Paths whose last seen state is kept, so that one change is not reported twice."""


class TreeState:
    """The file names of the workspace, as last seen; not thread-safe."""

    def __init__(self, sandbox: Sandbox, own_writes: OwnWrites) -> None:
        self._sandbox = sandbox
        self._own_writes = own_writes
        self._files: dict[str, set[str]] = {}
        self._folders: dict[str, set[str]] = {}
        self._seen: dict[str, FileStamp] = {}
        self._new_folders: list[str] = []

    def load(self) -> None:
        """Learn the names of all files that are there now."""
        for folder, names in self._readable_folders():
            for name in names:
                self._learn(_joined(folder, name))

    def look_at(self, path: str, *, is_new: bool) -> list[FileChange]:
        """Compare one path with what was known of it.

        Args:
            path: Workspace-relative path that an event named.
            is_new: Whether the event says that it was made or moved here; then a folder is
                searched for files that got in before it was watched.

        Returns:
            Changes that were not our own, by path.
        """
        if is_hidden_from_watch(path):
            return []
        status = self._status(path)
        if status is None:
            return self._gone(path)
        if not stat.S_ISDIR(status.st_mode):
            # A folder may have stood here before.
            return [*self._gone_below(path), *self._present(path, stamp_of(status))]
        changes = self._gone_file(path)
        if is_new and _parted(path)[1] not in SKIPPED_FOLDERS:
            self._new_folders.append(path)
            changes += self._compared_below(path)
        return changes

    def take_new_folders(self) -> list[str]:
        """Return the new folders found since the last call; look into them once more later."""
        taken, self._new_folders = self._new_folders, []
        return taken

    def look_for_new(self, folder: str) -> list[FileChange]:
        """Report the files at and below a folder that were not known yet."""
        return [
            change
            for path, status in self._found_below(folder)
            if not self._knows(path)
            for change in self._present(path, stamp_of(status))
        ]

    def folders_to_watch(self) -> list[str]:
        """Return all folders below the root that can be read and are not skipped."""
        return [folder for folder, _ in self._readable_folders() if folder != "."]

    def look_at_all(self, *, since_ns: int) -> list[FileChange]:
        """Compare the whole tree, after events were lost.

        Args:
            since_ns: Files whose ``ctime_ns`` is at or after this moment may have changed
                unseen.
        """
        return self._compared_below(".", since_ns=since_ns)

    def _compared_below(self, folder: str, *, since_ns: int = 0) -> list[FileChange]:
        changes: list[FileChange] = []
        found: set[str] = set()
        for path, status in self._found_below(folder):
            found.add(path)
            if not self._knows(path) or status.st_ctime_ns >= since_ns:
                changes += self._present(path, stamp_of(status))
        for path in set(self._known_below(folder)) - found:
            changes += self._gone_file(path)
        return sorted(changes, key=lambda change: change.path)

    def _present(self, path: str, stamp: FileStamp) -> list[FileChange]:
        kind = ChangeKind.MODIFIED if self._knows(path) else ChangeKind.CREATED
        self._learn(path)
        if self._seen.get(path) == stamp:
            return []
        if len(self._seen) >= _REMEMBERED_STAMPS:
            self._seen.clear()
        self._seen[path] = stamp
        if self._own_writes.is_own(path, stamp):
            return []
        self._own_writes.forget_deletion(path)
        return [FileChange(path=path, kind=kind)]

    def _gone(self, path: str) -> list[FileChange]:
        return [*self._gone_file(path), *self._gone_below(path)]

    def _gone_below(self, folder: str) -> list[FileChange]:
        if folder not in self._files and folder not in self._folders:
            return []
        gone = sorted(self._known_below(folder))
        changes = [change for path in gone for change in self._gone_file(path)]
        self._forget_folder(folder)
        return changes

    def _gone_file(self, path: str) -> list[FileChange]:
        if not self._knows(path):
            return []
        folder, name = _parted(path)
        self._files[folder].discard(name)
        self._seen.pop(path, None)
        if self._own_writes.is_own(path, None):
            return []
        return [FileChange(path=path, kind=ChangeKind.DELETED)]

    def _knows(self, path: str) -> bool:
        folder, name = _parted(path)
        return name in self._files.get(folder, ())

    def _learn(self, path: str) -> None:
        folder, name = _parted(path)
        self._files.setdefault(folder, set()).add(name)
        while folder != ".":
            parent, name = _parted(folder)
            siblings = self._folders.setdefault(parent, set())
            if name in siblings:
                return
            siblings.add(name)
            folder = parent

    def _forget_folder(self, folder: str) -> None:
        pending = [folder]
        while pending:
            current = pending.pop()
            self._files.pop(current, None)
            pending += [_joined(current, name) for name in self._folders.pop(current, ())]
        parent, name = _parted(folder)
        self._folders.get(parent, set()).discard(name)

    def _known_below(self, folder: str) -> Iterator[str]:
        pending = [folder]
        while pending:
            current = pending.pop()
            yield from (_joined(current, name) for name in self._files.get(current, ()))
            pending += [_joined(current, name) for name in self._folders.get(current, ())]

    def _readable_folders(self) -> Iterator[tuple[str, list[str]]]:
        """Yield each folder with the names of its files, without a look at the files.

        The kinds come with the listing; ``stat`` on each file would take five times longer.
        """
        pending = ["."]
        while pending:
            folder = pending.pop()
            entries = self._listed(folder, _kinds)
            if entries is None:
                continue
            yield folder, [name for name, is_folder in entries if not is_folder]
            pending += [
                _joined(folder, name)
                for name, is_folder in entries
                if is_folder and name not in SKIPPED_FOLDERS
            ]

    def _found_below(self, folder: str) -> Iterator[tuple[str, os.stat_result]]:
        pending = [folder]
        while pending:
            current = pending.pop()
            for name, status in self._listed(current, _statuses) or ():
                path = _joined(current, name)
                if not stat.S_ISDIR(status.st_mode):
                    yield path, status
                elif name not in SKIPPED_FOLDERS:
                    pending.append(path)

    def _listed(
        self, folder: str, take: Callable[[Iterable["os.DirEntry[str]"]], Iterator[_T]]
    ) -> list[_T] | None:
        """Return what a folder holds; ``None`` when it is gone again or cannot be read."""
        try:
            descriptor = self._sandbox.open_folder(folder)
        except ToolFailure:
            return None
        try:
            with os.scandir(descriptor) as entries:
                return list(take(entry for entry in entries if not is_temporary(entry.name)))
        except OSError:
            return None
        finally:
            os.close(descriptor)

    def _status(self, path: str) -> os.stat_result | None:
        try:
            with self._sandbox.open_parent(path) as (folder, name):
                return os.stat(name, dir_fd=folder, follow_symlinks=False)
        except (ToolFailure, OSError):
            return None


def _kinds(entries: Iterable["os.DirEntry[str]"]) -> Iterator[tuple[str, bool]]:
    for entry in entries:
        yield entry.name, entry.is_dir(follow_symlinks=False)


def _statuses(entries: Iterable["os.DirEntry[str]"]) -> Iterator[tuple[str, os.stat_result]]:
    for entry in entries:
        try:
            yield entry.name, entry.stat(follow_symlinks=False)
        except FileNotFoundError:
            # It vanished between the listing and the look.
            continue


def _parted(path: str) -> tuple[str, str]:
    folder, _, name = path.rpartition("/")
    return folder or ".", name


def _joined(folder: str, name: str) -> str:
    return name if folder == "." else f"{folder}/{name}"
