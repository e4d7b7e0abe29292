"""Prove that nothing below a folder has changed since an answer was made.

Owns the queue of events that such proofs are read from, and when it proves nothing. No thread
waits for it: whoever asks reads the queue to its end first, so that a proof knows of every change
whose system call has returned, and an idle program costs nothing. Blocks; thread-safe. Proven by
tests/unit/workspace/test_tree_watch.py and tests/contract/test_no_stale_answer.py.

Not heard of, and said so in docs/cache.md: stores into a shared memory map, and writes through a
hard link that was made outside of the workspace after the answer.
"""

import errno
import os
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from caramelo_tui.domain.tool_calls import CacheScope
from caramelo_tui.workspace.folder_watches import ROOT, FolderWatches, is_below
from caramelo_tui.workspace.git_surroundings import GitSurroundings
from caramelo_tui.workspace.inotify import Inotify
from caramelo_tui.workspace.mounts import MountTable, is_local, mounted_below
from caramelo_tui.workspace.outside_states import (
    OutsideState,
    Unprovable,
    are_as_they_were,
    states_of,
)
from caramelo_tui.workspace.tree_scopes import ChangeLog, TreeScope, decides_what_is_searched

_WORK_S = 0.3
"""Longest time that one call waits for new folders to be watched; a large tree takes several."""
_REST_S = 60.0
"""After a tree could not be watched, it is not tried again for so long."""
_PASSING = frozenset({errno.ENOENT, errno.ENOTDIR, errno.ESTALE})
"""Errors of a tree that changed just now."""
_MOST_FOLDERS = 50_000
_WATCH_LIMIT = Path("/proc/sys/fs/inotify/max_user_watches")


@dataclass(frozen=True, slots=True, kw_only=True)
class TreeMark:
    """A moment that answers are compared with."""

    scope: TreeScope
    generation: int
    states: tuple[OutsideState, ...]
    """What no event tells of."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Open:
    """What is there while the tree is watched."""

    queue: Inotify
    watches: FolderWatches
    mounts: MountTable
    identity: tuple[int, int]


class TreeWatch:
    """The changes below one workspace."""

    def __init__(
        self,
        root: Path,
        *,
        environment: Mapping[str, str],
        now_ns: Callable[[], int] = time.time_ns,
        new_queue: Callable[[], Inotify] = Inotify,
    ) -> None:
        """Watch nothing yet; the first ``begin`` does.

        Args:
            root: The workspace, resolved.
            environment: The variables that git and searches are started with.
            now_ns: The system's clock that file stamps come from.
            new_queue: Opens a queue of events.
        """
        self._root = str(root)
        self._surroundings = GitSurroundings(root=root, environment=environment)
        self._now_ns = now_ns
        self._new_queue = new_queue
        self._lock = threading.RLock()
        self._log = ChangeLog()
        self._open: _Open | None = None
        self._rests_until = 0.0
        self._is_too_wide = False
        self._is_closed = False

    @property
    def is_watching(self) -> bool:
        """Whether changes are being heard of now."""
        return self._open is not None

    def begin(self, scope: TreeScope) -> TreeMark | None:
        """Return a mark of now, to be taken before anything is read.

        Returns:
            ``None`` when a later change could go unseen: no inotify, a file system that others
            can change, a folder that cannot be watched or is not yet, something outside that
            decides and cannot be followed, or that changed in the last 50 ms.
        """
        with self._lock:
            if not self._is_ready(scope):
                return None
            generation = self._log.generation
        now_ns = self._now_ns()
        try:
            states = states_of(self._outside(scope), links=self._links(scope), now_ns=now_ns)
        except Unprovable:
            return None
        return TreeMark(scope=scope, generation=generation, states=states)

    def holds(self, mark: TreeMark) -> bool:
        """Whether nothing that the mark's scope shows has changed since, by anybody."""
        with self._lock:
            if not self._drained() or self._log.is_touched_since(mark.generation, mark.scope):
                return False
        return are_as_they_were(mark.states)

    def close(self) -> None:
        """Watch no more; idempotent."""
        with self._lock:
            self._is_closed = True
            self._lose()

    def _is_ready(self, scope: TreeScope) -> bool:
        enters_skipped = scope.kind is not CacheScope.SOURCES
        if self._is_closed or (enters_skipped and self._is_too_wide):
            return False
        if not (self._drained() or self._reopened()) or self._open is None:
            return False
        watches = self._open.watches
        if enters_skipped:
            watches.widen()
        return self._worked(watches) and _is_covered(watches, scope)

    def _reopened(self) -> bool:
        if time.monotonic() < self._rests_until:
            return False
        try:
            self._open = self._opened()
        except OSError:
            self._rests_until = time.monotonic() + _REST_S
            return False
        return True

    def _opened(self) -> _Open:
        status = os.stat(self._root)  # noqa: PTH116 - one call for both numbers
        mounts = MountTable()
        if not is_local(self._root, mounts.mounts):
            mounts.close()
            msg = f"{self._root} is on a file system that others can change unheard"
            raise OSError(msg)
        try:
            queue = self._new_queue()
        except OSError:
            mounts.close()
            raise
        mounted = mounted_below(self._root, mounts.mounts)
        watches = FolderWatches(
            self._root,
            queue,
            touch=self._log.add,
            left_out=frozenset(place[len(self._root.rstrip("/")) + 1 :] for place in mounted),
            most_folders=_most_folders(),
        )
        return _Open(
            queue=queue, watches=watches, mounts=mounts, identity=(status.st_dev, status.st_ino)
        )

    def _drained(self) -> bool:
        """Take in all events so far; ``False``, and all is lost, when one went missing."""
        if self._open is None:
            return False
        watches = self._open.watches
        if not self._is_same_tree() or not self._all_taken(self._open):
            self._lose()
            return False
        # New folders are watched at once. Marks from before stay good while that takes its time:
        # the folder's coming has touched all that it is part of.
        return watches.is_complete or self._worked(watches) or self.is_watching

    def _all_taken(self, what: _Open) -> bool:
        try:
            return all(map(what.watches.take, what.queue.events()))
        except OSError:
            # The queue is broken, whoever broke it.
            return False

    def _worked(self, watches: FolderWatches) -> bool:
        """Watch what is pending; whether it is done."""
        try:
            watches.work(_WORK_S)
        except OSError as error:
            self._lose()
            if error.errno in _PASSING:
                return False
            if watches.is_wide:
                # The skipped folders are often most of a tree; the rest may still be watched.
                self._is_too_wide = True
            else:
                self._rests_until = time.monotonic() + _REST_S
            return False
        return watches.is_complete

    def _is_same_tree(self) -> bool:
        if self._open is None or self._open.mounts.has_changed():
            return False
        try:
            status = os.stat(self._root)  # noqa: PTH116 - one call for both numbers
        except OSError:
            return False
        return (status.st_dev, status.st_ino) == self._open.identity

    def _lose(self) -> None:
        """Take every mark so far for worthless; the next ``begin`` watches anew."""
        self._log.lose()
        if self._open is not None:
            self._open.queue.close()
            self._open.mounts.close()
            self._open = None

    def _outside(self, scope: TreeScope) -> Iterator[str]:
        """Yield the absolute paths whose state counts besides the events.

        Raises:
            Unprovable: If it cannot be told which.
        """
        with self._lock:
            if self._open is None:
                raise Unprovable(self._root)
            watches = self._open.watches
            shared = [path for path in watches.shared_files(ROOT) if _counts(path, scope)]
            pointers = list(watches.git_pointers()) if scope.kind is CacheScope.GIT else []
        yield from (f"{self._root}/{path}" for path in shared)
        if scope.kind is CacheScope.TREE:
            yield from self._surroundings.ignore_files()
        if scope.kind is CacheScope.GIT:
            self._raise_if_elsewhere(pointers)
            yield from self._surroundings.configurations()

    def _links(self, scope: TreeScope) -> list[str]:
        """Return the absolute paths of links that an answer can follow or describe.

        Raises:
            Unprovable: If a folder of the repository is really somewhere else.
        """
        with self._lock:
            if self._open is None or scope.kind is CacheScope.SOURCES:
                return []
            links = [path for path in self._open.watches.links(ROOT) if _counts(path, scope)]
        if scope.kind is CacheScope.GIT:
            # Git shows the links of the workspace as such; only its own it follows.
            links = [path for path in links if path.startswith(".git/")]
        found = [f"{self._root}/{path}" for path in links]
        for path in found if scope.kind is CacheScope.GIT else ():
            if os.path.isdir(path):  # noqa: PTH112 - a text
                raise Unprovable(path)
        return found

    def _raise_if_elsewhere(self, pointers: list[str]) -> None:
        """See that the repository and those in it are all below the root.

        Raises:
            Unprovable: If one of them is not.
        """
        git = f"{self._root}/.git"
        # A link counts as no folder here: where it leads is not watched.
        if os.path.islink(git) or not os.path.isdir(git):  # noqa: PTH112, PTH114 - texts
            raise Unprovable(git)
        for pointer in pointers:
            if pointer.endswith("objects/info/alternates"):
                raise Unprovable(pointer)
            if pointer.rpartition("/")[2] == ".git" and not self._stays_inside(pointer):
                raise Unprovable(pointer)

    def _stays_inside(self, pointer: str) -> bool:
        """Whether the ``.git`` file of a submodule leads into the root's own ``.git`` folder."""
        path = Path(self._root, pointer)
        try:
            word, _, target = path.read_text("utf-8", "surrogateescape").strip().partition(" ")
        except OSError:
            return False
        leads_to = os.path.realpath(path.parent / target)
        return word == "gitdir:" and leads_to.startswith(f"{self._root}/.git/")


def _counts(path: str, scope: TreeScope) -> bool:
    """Whether a link, or a file with another name, can change an answer of the scope."""
    if is_below(path, scope.folder):
        # Nothing follows or shows the links in there, and some installers make thousands.
        return "node_modules" not in path.split("/")
    return scope.kind is CacheScope.TREE and decides_what_is_searched(path)


def _is_covered(watches: FolderWatches, scope: TreeScope) -> bool:
    if scope.kind is CacheScope.SOURCES:
        return watches.is_covered(scope.folder, enters_skipped=False)
    if scope.kind is CacheScope.TREE and ".git" in scope.folder.split("/"):
        return False
    return watches.is_covered(scope.folder, enters_skipped=True)


def _most_folders() -> int:
    """Return how many watches may be taken: half of the user's, the rest is for others."""
    try:
        return min(_MOST_FOLDERS, int(_WATCH_LIMIT.read_text("ascii")) // 2)
    except (OSError, ValueError):
        return _MOST_FOLDERS
