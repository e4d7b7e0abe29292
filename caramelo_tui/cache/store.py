"""Keep answers of read-only calls and give them back only when they are proven fresh.

Owns the bounded store of cached answers. An answer depends on files and folders whose stamps it
was made from, or on all below a folder; each hit looks at the disk, or at what the kernel heard of
it, again. Policy and approval come before it, never after. It blocks for a few ``stat`` calls.
Proven by tests/unit/cache/test_store.py, tests/unit/cache/test_tree_answers.py and
tests/property/test_cache_truth.py.
"""

import math
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import Protocol

from caramelo_tui.domain.errors import ToolFailure
from caramelo_tui.domain.files import FileStamp
from caramelo_tui.workspace.file_io import FileStore
from caramelo_tui.workspace.stamps import is_settled
from caramelo_tui.workspace.tree_scopes import TreeScope, touches
from caramelo_tui.workspace.tree_watch import TreeMark

_OVERHEAD_BYTES = 512
"""Rough cost of an entry besides its texts."""
_MOST_COMPARISONS = 50_000
"""Of changed paths with kept answers; they take some 50 ms."""


class TreeProofs(Protocol):
    """Who hears of every change below the workspace."""

    def begin(self, scope: TreeScope) -> TreeMark | None:
        """Return a mark of now, before anything is read; ``None``: changes could go unseen."""
        ...

    def holds(self, mark: TreeMark) -> bool:
        """Whether nothing that the mark's scope shows has changed since, by anybody."""
        ...

    def close(self) -> None:
        """Hear of nothing from now on; idempotent."""
        ...


class _NoProofs:
    """Hears of nothing: answers that show a tree are not kept."""

    def begin(self, scope: TreeScope) -> TreeMark | None:
        del scope
        return None

    def holds(self, mark: TreeMark) -> bool:
        del mark
        return False

    def close(self) -> None:
        return None


@dataclass(frozen=True, slots=True, kw_only=True)
class CacheCounts:
    """How a cache does."""

    hits: int
    """Look-ups that were answered."""
    misses: int
    """Look-ups that were not."""
    entries: int
    kept_bytes: int
    """Size of all kept answers."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CachedAnswer:
    """An answer that a run would give again now."""

    text: str
    """The text for the model, as the run gave it."""
    is_truncated: bool
    age_s: float
    """Seconds since the run."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Dependency:
    """A file or folder as it was when an answer was begun."""

    path: str
    """Workspace-relative resolved path."""
    is_folder: bool
    stamp: FileStamp


@dataclass(frozen=True, slots=True, kw_only=True)
class Ticket:
    """The right to store one answer, taken before the tool reads anything."""

    key: str
    generation: int
    """Of the cache when it was taken; any invalidation since makes it worthless."""
    dependencies: tuple[Dependency, ...]
    tree: TreeMark | None = None
    """For an answer that shows a tree."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Entry:
    text: str
    is_truncated: bool
    stored_at: float
    size: int
    run_s: float
    dependencies: tuple[Dependency, ...]
    tree: TreeMark | None


class CallCache:
    """Answers by key, the least recently used dropped first. Thread-safe."""

    def __init__(
        self,
        max_bytes: int,
        *,
        files: FileStore,
        trees: TreeProofs | None = None,
        now_ns: Callable[[], int] = time.time_ns,
        stopwatch: Callable[[], float] = time.perf_counter,
    ) -> None:
        """Make an empty cache.

        Args:
            max_bytes: Bound for the kept texts together; 0 keeps nothing.
            files: Looks at the disk.
            trees: Hears of changes; without it answers that show a tree are not kept.
            now_ns: The system's clock that file stamps come from.
            stopwatch: Seconds, to time proofs with.
        """
        self._max_bytes = max_bytes
        self._files = files
        self._trees = trees or _NoProofs()
        self._now_ns = now_ns
        self._stopwatch = stopwatch
        self._lock = threading.RLock()
        self._entries: OrderedDict[str, _Entry] = OrderedDict()
        self._bytes = 0
        self._generation = 0
        self._hits = 0
        self._misses = 0

    @property
    def counts(self) -> CacheCounts:
        """All counters at one moment."""
        with self._lock:
            return CacheCounts(
                hits=self._hits,
                misses=self._misses,
                entries=len(self._entries),
                kept_bytes=self._bytes,
            )

    def look_up(self, key: str, now: float) -> CachedAnswer | None:
        """Return the answer if all that it depends on is as it was; ``None`` else.

        An answer that shows a tree is not given either if proving it took longer than the run that
        made it: then running is the quicker way.

        Args:
            key: From ``cache_key``.
            now: Seconds, of the clock that ``store`` is given.
        """
        with self._lock:
            entry = self._entries.get(key)
        is_fresh, is_worth_it = self._proven(entry)
        if entry is None or not is_fresh:
            with self._lock:
                self._misses += 1
                # Only the entry that was found stale: a fresh one may stand there by now.
                if entry is not None and self._entries.get(key) is entry:
                    self._drop(key)
            return None
        with self._lock:
            if self._entries.get(key) is not entry or not is_worth_it:
                # Dropped while it was being proven: whoever dropped it knows more.
                self._misses += 1
                return None
            self._hits += 1
            self._entries.move_to_end(key)
        return CachedAnswer(
            text=entry.text, is_truncated=entry.is_truncated, age_s=max(0.0, now - entry.stored_at)
        )

    def begin_tree(self, key: str, *, scope: TreeScope) -> Ticket | None:
        """Note the state of a tree before a run, so that its answer can be kept.

        Args:
            key: From ``cache_key``.
            scope: What the answer will show.

        Returns:
            A ticket for ``store``; ``None`` when a later change could go unseen.
        """
        generation = self._generation
        tree = self._trees.begin(scope)
        if tree is None:
            return None
        return Ticket(key=key, generation=generation, dependencies=(), tree=tree)

    def begin(self, key: str, *, dependencies: Sequence[str]) -> Ticket | None:
        """Note the state of the disk before a run, so that its answer can be kept.

        Args:
            key: From ``cache_key``.
            dependencies: Workspace-relative resolved paths of all files and folders whose
                content the answer will show. A folder stands for its own entries only.

        Returns:
            A ticket for ``store``; ``None`` when the answer could not be proven later: without
            dependencies, with one that is missing or changed in the last 50 ms, or with a
            folder that holds links (where they lead is not in its stamp).
        """
        # The generation is taken before the look: a change in between must win over the store.
        generation = self._generation
        found = [self._look_at(path) for path in dependencies]
        known = tuple(item for item in found if item is not None)
        if not known or len(known) != len(found):
            return None
        return Ticket(key=key, generation=generation, dependencies=known)

    def store(
        self,
        ticket: Ticket | None,
        *,
        text: str,
        now: float,
        is_truncated: bool = False,
        run_s: float = math.inf,
    ) -> bool:
        """Keep the answer of a run, unless something changed since its ticket was taken.

        Errors are never to be stored.

        Args:
            ticket: From ``begin``; ``None`` stores nothing.
            text: The text for the model.
            now: Seconds, of any clock that does not go back.
            is_truncated: Whether a limit cut the text.
            run_s: Seconds that the run took.

        Returns:
            Whether it was kept.
        """
        if ticket is None or not self._is_fresh(ticket.dependencies, ticket.tree):
            return False
        size = len(text.encode("utf-8", "surrogatepass")) + len(ticket.key) + _OVERHEAD_BYTES
        if size > self._max_bytes:
            return False
        entry = _Entry(
            text=text,
            is_truncated=is_truncated,
            stored_at=now,
            size=size,
            run_s=run_s,
            dependencies=ticket.dependencies,
            tree=ticket.tree,
        )
        with self._lock:
            if self._generation != ticket.generation:
                return False
            self._drop(ticket.key)
            self._entries[ticket.key] = entry
            self._bytes += size
            while self._bytes > self._max_bytes:
                self._drop(next(iter(self._entries)))
        return True

    def drop_path(self, path: str) -> None:
        """Forget what depends on a path that changed: itself, its folder, all below it."""
        parent = path.rpartition("/")[0] or "."
        with self._lock:
            self._generation += 1
            for key, entry in list(self._entries.items()):
                by_stamp = any(_is_touched(item.path, path, parent) for item in entry.dependencies)
                if by_stamp or (entry.tree is not None and touches(path, entry.tree.scope)):
                    self._drop(key)

    def drop_paths(self, paths: Collection[str]) -> None:
        """Forget what depends on any of these paths; all of it where that is quicker to do.

        Another program may change ten thousand files at once, and the event loop waits.
        """
        with self._lock:
            if len(paths) * len(self._entries) > _MOST_COMPARISONS:
                self.drop_all()
                return
            for path in paths:
                self.drop_path(path)

    def drop_all(self) -> None:
        """Forget everything: a command ran, and nobody knows what it changed."""
        with self._lock:
            self._generation += 1
            self._entries.clear()
            self._bytes = 0

    def close(self) -> None:
        """Forget everything, and hear of no more changes; idempotent."""
        self.drop_all()
        self._trees.close()

    def _drop(self, key: str) -> None:
        entry = self._entries.pop(key, None)
        if entry is not None:
            self._bytes -= entry.size

    def _look_at(self, path: str) -> Dependency | None:
        taken_at = self._now_ns()
        stamp = self._files.stamp(path)
        is_folder = stamp is None
        if stamp is None:
            stamp = self._files.folder_stamp(path)
        if stamp is None or not is_settled(stamp, taken_at):
            return None
        if is_folder and self._holds_links(path):
            return None
        return Dependency(path=path, is_folder=is_folder, stamp=stamp)

    def _holds_links(self, path: str) -> bool:
        try:
            return self._files.holds_links(path)
        except ToolFailure:
            # It cannot be listed: nothing about it can be proven.
            return True

    def _proven(self, entry: _Entry | None) -> tuple[bool, bool]:
        """Return whether an entry is fresh, and whether the proof was quicker than the run."""
        if entry is None:
            return False, False
        began = self._stopwatch()
        is_fresh = self._is_fresh(entry.dependencies, entry.tree)
        proof_s = self._stopwatch() - began
        return is_fresh, entry.tree is None or proof_s <= entry.run_s

    def _is_fresh(self, dependencies: Sequence[Dependency], tree: TreeMark | None) -> bool:
        if tree is not None and not self._trees.holds(tree):
            return False
        return all(
            (
                self._files.folder_stamp(item.path)
                if item.is_folder
                else self._files.stamp(item.path)
            )
            == item.stamp
            for item in dependencies
        )


def _is_touched(dependency: str, path: str, parent: str) -> bool:
    return path == "." or dependency in {path, parent} or dependency.startswith(f"{path}/")
