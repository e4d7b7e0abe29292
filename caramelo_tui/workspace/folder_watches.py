"""Keep every folder of a tree watched, also those that come and go.

Owns which folder has which watch, and what stands in them that leads out of the tree: links,
files with several names, and git's pointers. Not thread-safe; the tree watch holds the lock.
Proven by tests/unit/workspace/test_folder_watches.py.

A folder is watched first and listed then: what is made in it in between is seen by one of the
two. Changes in a folder before it was watched go unseen, so nothing may be kept as long as one
is pending.
"""

import errno
import os
import stat
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from caramelo_tui.workspace import inotify
from caramelo_tui.workspace.ignore_rules import SKIPPED_FOLDERS
from caramelo_tui.workspace.inotify import Inotify, InotifyEvent
from caramelo_tui.workspace.tree_scopes import is_skipped

ROOT = "."
_APPEARED = inotify.CREATED | inotify.MOVED_TO | inotify.ATTRIBUTES
_WENT = inotify.DELETED | inotify.MOVED_FROM
_ROOT_IS_GONE = inotify.DELETED_SELF | inotify.MOVED_SELF | inotify.IGNORED
_LOSS = inotify.OVERFLOWED | inotify.UNMOUNTED
_GONE = frozenset({errno.ENOENT, errno.ENOTDIR, errno.ELOOP})
_GIT_POINTERS = frozenset({".git", "alternates"})
"""Files of these names can make git look elsewhere."""


class TooManyFolders(OSError):
    """The tree has more folders than may be watched."""


@dataclass(slots=True)
class Finds:
    """Names in one folder by which something outside can change an answer."""

    links: set[str] = field(default_factory=set[str])
    shared: set[str] = field(default_factory=set[str])
    """Files with several hard links: somebody can write them by a name that is not watched."""
    git_pointers: set[str] = field(default_factory=set[str])


class FolderWatches:
    """The watches of one tree."""

    def __init__(
        self,
        root: str,
        queue: Inotify,
        *,
        touch: Callable[[str], None],
        left_out: frozenset[str] = frozenset(),
        most_folders: int = 50_000,
    ) -> None:
        """Watch nothing yet; ``work`` begins with the root.

        Args:
            root: Absolute resolved path.
            queue: Where events come from.
            touch: Told the workspace-relative path of every change, with a final slash when a
                folder came, went or got other attributes.
            left_out: Workspace-relative paths that cannot be watched, such as mount points.
            most_folders: Folders that are watched at most.
        """
        self._root = root
        self._queue = queue
        self._touch = touch
        self._most_folders = most_folders
        self._folders: dict[str, int] = {}
        self._children: dict[str, set[str]] = {}
        self._paths: dict[int, str] = {}
        self._finds: dict[str, Finds] = {}
        self._pending = [ROOT]
        self._skipped: set[str] = set()
        self._is_wide = False
        self._mounts = left_out
        self._blind: set[str] = set(left_out)

    @property
    def is_wide(self) -> bool:
        """Whether the skipped folders are taken in."""
        return self._is_wide

    @property
    def is_complete(self) -> bool:
        """Whether every folder that should be watched is."""
        return not self._pending

    def widen(self) -> None:
        """Take in the skipped folders as well, from the next ``work`` on."""
        if not self._is_wide:
            self._is_wide = True
            self._pending += sorted(self._skipped)
            self._skipped.clear()

    def work(self, seconds: float) -> None:
        """Watch what is pending, for about so long.

        Raises:
            OSError: If the system has no more watches, the root cannot be watched, or a folder
                that was moved is still known by its old path; watch the whole tree anew.
            TooManyFolders: If there are more than may be watched.
        """
        end = time.monotonic() + seconds
        while self._pending:
            self._attach(self._pending.pop())
            if time.monotonic() >= end:
                return

    def take(self, event: InotifyEvent) -> bool:
        """Learn from one event; return ``False`` if events were lost and all is to be done anew.

        New folders are pending afterwards.
        """
        if event.mask & _LOSS:
            return False
        folder = self._paths.get(event.watch)
        if folder is None:
            # What was still queued of a folder that is not watched any more.
            return True
        if not event.name:
            return self._take_own(folder, event.mask)
        path = joined(folder, event.name)
        if event.mask & _WENT:
            self._forget(folder, event.name)
        elif event.mask & _APPEARED:
            self._learn(folder, event.name, is_folder=bool(event.mask & inotify.IS_FOLDER))
        self._touch(f"{path}/" if event.mask & inotify.IS_FOLDER else path)
        return True

    def is_covered(self, path: str, *, enters_skipped: bool) -> bool:
        """Whether every change at and below a path is heard of."""
        if self._pending or (is_skipped(path) if not enters_skipped else not self._is_wide):
            return False
        if path not in self._folders and parted(path)[0] not in self._folders:
            return False
        return not any(
            is_below(blind, path) or is_below(path, blind)
            for blind in self._blind
            if enters_skipped or not is_skipped(blind)
        )

    def links(self, path: str) -> Iterator[str]:
        """Yield the links at and below a path."""
        return self._found(path, lambda finds: finds.links)

    def shared_files(self, path: str) -> Iterator[str]:
        """Yield the files with several names, but not those in skipped folders."""
        return self._found(path, lambda finds: finds.shared)

    def git_pointers(self) -> Iterator[str]:
        """Yield the files that can make git look elsewhere."""
        return self._found(ROOT, lambda finds: finds.git_pointers)

    def _found(self, path: str, names: Callable[[Finds], set[str]]) -> Iterator[str]:
        for folder, finds in self._finds.items():
            for name in names(finds):
                found = joined(folder, name)
                if is_below(found, path):
                    yield found

    def _take_own(self, folder: str, mask: int) -> bool:
        if folder == ROOT and mask & _ROOT_IS_GONE:
            return False
        if mask & inotify.IGNORED:
            self._forget(*parted(folder))
        self._touch(folder)
        return True

    def _learn(self, folder: str, name: str, *, is_folder: bool) -> None:
        path = joined(folder, name)
        self._clear_finds(folder, name)
        if is_folder:
            self._enter(path)
            return
        try:
            status = os.lstat(self._absolute(path))
        except OSError:
            # It is gone again, which has its own event.
            return
        is_link = stat.S_ISLNK(status.st_mode)
        self._note(folder, name, is_link=is_link, names=status.st_nlink)

    def _note(self, folder: str, name: str, *, is_link: bool, names: int) -> None:
        if not is_link and names <= 1 and name not in _GIT_POINTERS:
            return
        finds = self._finds.setdefault(folder, Finds())
        if is_link:
            finds.links.add(name)
        elif names > 1:
            finds.shared.add(name)
        if name in _GIT_POINTERS:
            finds.git_pointers.add(name)

    def _clear_finds(self, folder: str, name: str) -> None:
        finds = self._finds.get(folder)
        if finds is not None:
            finds.links.discard(name)
            finds.shared.discard(name)
            finds.git_pointers.discard(name)

    def _enter(self, path: str) -> None:
        """Have a folder watched, unless it is one that is skipped for now."""
        if path in self._mounts:
            return
        self._blind.discard(path)
        if not self._is_wide and parted(path)[1] in SKIPPED_FOLDERS:
            self._skipped.add(path)
        else:
            self._pending.append(path)

    def _attach(self, path: str) -> None:
        try:
            watch = self._queue.watch(self._absolute(path))
        except OSError as error:
            if path == ROOT or error.errno not in {*_GONE, errno.EACCES, errno.ENAMETOOLONG}:
                raise
            if error.errno not in _GONE:
                self._blind.add(path)
            return
        if self._paths.get(watch, path) != path:
            # It was moved here, and the event of its going is still in the queue.
            msg = f"{path} is still known as {self._paths[watch]}"
            raise OSError(errno.ESTALE, msg)
        parent, name = parted(path)
        if path != ROOT and parent not in self._folders:
            # The folder above went meanwhile; whatever stands there now will be listed.
            self._queue.unwatch(watch)
            return
        self._know(path, watch)
        if path != ROOT:
            self._children.setdefault(parent, set()).add(name)
        self._list(path)

    def _know(self, path: str, watch: int) -> None:
        known = self._folders.get(path)
        if known is None:
            if len(self._folders) >= self._most_folders:
                msg = f"more than {self._most_folders} folders"
                raise TooManyFolders(msg)
        elif known != watch:
            # Another folder by the same name; the event of the old one's going is to come.
            self._paths.pop(known, None)
            self._queue.unwatch(known)
        self._folders[path] = watch
        self._paths[watch] = path

    def _list(self, path: str) -> None:
        # The kinds come with the listing; the number of names costs a look at each file.
        counts_names = not is_skipped(path)
        try:
            with os.scandir(self._absolute(path)) as entries:
                for entry in entries:
                    if entry.is_dir(follow_symlinks=False):
                        self._enter(joined(path, entry.name))
                        continue
                    is_link = entry.is_symlink()
                    names = _names_of(entry) if counts_names and not is_link else 1
                    self._note(path, entry.name, is_link=is_link, names=names)
        except OSError as error:
            # A folder that vanished has its own event.
            if error.errno not in _GONE:
                self._blind.add(path)

    def _forget(self, folder: str, name: str) -> None:
        """Drop all that is known at and below an entry that went."""
        path = joined(folder, name)
        self._clear_finds(folder, name)
        self._blind -= {blind for blind in self._blind - self._mounts if is_below(blind, path)}
        self._skipped -= {skipped for skipped in self._skipped if is_below(skipped, path)}
        self._children.get(folder, set()).discard(name)
        going = [path]
        while going:
            current = going.pop()
            watch = self._folders.pop(current, None)
            if watch is None:
                continue
            going += [joined(current, child) for child in self._children.pop(current, ())]
            self._finds.pop(current, None)
            self._paths.pop(watch, None)
            self._queue.unwatch(watch)

    def _absolute(self, path: str) -> str:
        return self._root if path == ROOT else f"{self._root}/{path}"


def _names_of(entry: "os.DirEntry[str]") -> int:
    try:
        return entry.stat(follow_symlinks=False).st_nlink
    except FileNotFoundError:
        # It vanished between the listing and the look, which has its own event.
        return 0


def parted(path: str) -> tuple[str, str]:
    """Return the folder and the name of a workspace-relative path."""
    folder, _, name = path.rpartition("/")
    return folder or ROOT, name


def joined(folder: str, name: str) -> str:
    """Return the workspace-relative path of a name in a folder."""
    return name if folder == ROOT else f"{folder}/{name}"


def is_below(path: str, folder: str) -> bool:
    """Whether a workspace-relative path is a folder or lies in it, at any depth."""
    return folder in {ROOT, path} or path.startswith(f"{folder}/")
