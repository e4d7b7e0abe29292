"""Hear from Linux what happens in folders.

Owns the binding of ``inotify``: one queue of events for any number of folders, in the order in
which things happened. An event stands in the queue before the system call that caused it has
returned to its caller, so whoever has read the queue to its end knows of all earlier changes.
Decides nothing. Proven by tests/unit/workspace/test_inotify.py.

Sources, read 2026-11-30: inotify(7) and inotify_add_watch(2) of the Linux man-pages project.
"""

import errno
import fcntl
import os
import struct
import termios
from collections.abc import Iterator
from dataclasses import dataclass
from typing import cast

MODIFIED = 0x0000_0002
ATTRIBUTES = 0x0000_0004
CLOSED_AFTER_WRITE = 0x0000_0008
MOVED_FROM = 0x0000_0040
MOVED_TO = 0x0000_0080
CREATED = 0x0000_0100
DELETED = 0x0000_0200
DELETED_SELF = 0x0000_0400
MOVED_SELF = 0x0000_0800
UNMOUNTED = 0x0000_2000
OVERFLOWED = 0x0000_4000
IGNORED = 0x0000_8000
IS_FOLDER = 0x4000_0000
_ONLY_FOLDERS = 0x0100_0000
_NO_LINKS = 0x0200_0000

_WATCHED = (
    MODIFIED
    | ATTRIBUTES
    | CLOSED_AFTER_WRITE
    | MOVED_FROM
    | MOVED_TO
    | CREATED
    | DELETED
    | DELETED_SELF
    | MOVED_SELF
    | _ONLY_FOLDERS
    | _NO_LINKS
)
_HEAD = struct.Struct("iIII")
"""Watch, mask, cookie of a move, and length of the name that follows, padded with NUL."""
_WAITING = struct.Struct("i")


@dataclass(frozen=True, slots=True)
class InotifyEvent:
    """One thing that happened."""

    watch: int
    """From ``Inotify.watch``; -1 when events were lost."""
    mask: int
    """Bits of this module."""
    name: str
    """Entry of the watched folder; empty when it is about the folder itself."""


class Inotify:
    """One queue of events; not thread-safe."""

    def __init__(self) -> None:
        """Open the queue.

        Raises:
            OSError: If the system has none, or no more of them for this user.
        """
        import ctypes  # noqa: PLC0415 - paid for by the first question about a tree only

        self._last_errno = ctypes.get_errno
        library = ctypes.CDLL(None, use_errno=True)
        try:
            self._add, self._remove = library.inotify_add_watch, library.inotify_rm_watch
            initialise = library.inotify_init1
        except AttributeError as error:
            msg = "this system has no inotify"
            raise OSError(errno.ENOSYS, msg) from error
        self._add.argtypes = [ctypes.c_int, ctypes.c_char_p, ctypes.c_uint32]
        self._descriptor = cast("int", initialise(os.O_NONBLOCK | os.O_CLOEXEC))
        if self._descriptor < 0:
            number = self._last_errno()
            raise OSError(number, os.strerror(number), "inotify_init1")

    def watch(self, folder: str) -> int:
        """Have what happens in a folder (not below it) queued; return the number of the watch.

        A folder that is watched already, by whatever path, keeps its number.

        Args:
            folder: Absolute path; its last part must be no link.

        Raises:
            OSError: If it is no folder, may not be read, or the system has no more watches.
        """
        watch = cast("int", self._add(self._descriptor, os.fsencode(folder), _WATCHED))
        if watch < 0:
            number = self._last_errno()
            raise OSError(number, os.strerror(number), folder)
        return watch

    def unwatch(self, number: int) -> None:
        """Hear no more of a folder; nothing happens when it is gone already."""
        self._remove(self._descriptor, number)

    def events(self) -> Iterator[InotifyEvent]:
        """Yield what is in the queue now, oldest first, and take it out; never waits.

        Raises:
            OSError: If the queue was closed.
        """
        if self._descriptor < 0:
            raise OSError(errno.EBADF, os.strerror(errno.EBADF), "inotify")
        waiting = _WAITING.unpack(fcntl.ioctl(self._descriptor, termios.FIONREAD, bytes(4)))[0]
        while waiting > 0:
            data = os.read(self._descriptor, waiting)
            waiting -= len(data)
            yield from _decoded(data)

    def close(self) -> None:
        """End all watches; idempotent."""
        descriptor, self._descriptor = self._descriptor, -1
        if descriptor >= 0:
            os.close(descriptor)


def _decoded(data: bytes) -> Iterator[InotifyEvent]:
    position = 0
    while position < len(data):
        watch, mask, _cookie, length = _HEAD.unpack_from(data, position)
        position += _HEAD.size
        name = data[position : position + length].rstrip(b"\0")
        position += length
        yield InotifyEvent(watch, mask, os.fsdecode(name))
