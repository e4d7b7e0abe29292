"""Remember which writes were our own.

Owns the identities of files as this program left them, so that the watcher does not report
them as outside changes. Thread-safe: writers and the watcher's thread both use it. Proven by
tests/unit/workspace/test_own_writes.py.
"""

import threading
from dataclasses import replace

from caramelo_tui.domain.files import FileStamp


class OwnWrites:
    """Tell our own writes from those of others."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._expected: dict[str, FileStamp] = {}
        self._settled: dict[str, FileStamp | None] = {}

    def expect(self, path: str, stamp: FileStamp) -> None:
        """Announce that the file with this stamp is about to get the name ``path``.

        Must come before the rename: the watcher may see the new file before the writer goes
        on. The rename changes ``ctime_ns``, which is therefore not compared.
        """
        with self._lock:
            self._expected[path] = replace(stamp, ctime_ns=0)

    def withdraw(self, path: str) -> None:
        """Say that the announced write did not happen."""
        with self._lock:
            self._expected.pop(path, None)

    def settle(self, path: str, stamp: FileStamp | None) -> None:
        """Note how our own write left ``path``; ``None``: we deleted it."""
        with self._lock:
            self._expected.pop(path, None)
            self._settled[path] = stamp

    def forget_deletion(self, path: str) -> None:
        """Say that somebody else made the file again: its next end is not ours."""
        with self._lock:
            if path in self._settled and self._settled[path] is None:
                del self._settled[path]

    def is_own(self, path: str, stamp: FileStamp | None) -> bool:
        """Whether ``path``, as it is on disk now, was left so by us.

        Args:
            path: Workspace-relative.
            stamp: What is on disk; ``None``: nothing.
        """
        with self._lock:
            if path in self._settled and self._settled[path] == stamp:
                return True
            expected = self._expected.get(path)
            return (
                expected is not None
                and stamp is not None
                and expected == replace(stamp, ctime_ns=0)
            )
