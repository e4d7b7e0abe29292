"""Tell files apart by what the kernel says without reading them.

Owns the stamp of a file or folder and the rule when a stamp can be trusted. A stamp sees
every write that went through a system call; it cannot see stores into a shared memory map
before the writer's ``msync``. Proven by tests/unit/workspace/test_stamps.py.
"""

import os

from caramelo_tui.domain.files import FileStamp

SETTLING_NS = 50_000_000
"""Nanoseconds. The kernel stamps with a coarse clock (one tick, 1 to 10 ms): two changes within
a tick get the same ``ctime_ns``, so a younger stamp does not prove that nothing came after it."""


def stamp_of(status: os.stat_result) -> FileStamp:
    """Return the stamp held in a result of ``stat``."""
    return FileStamp(
        device=status.st_dev,
        inode=status.st_ino,
        size=status.st_size,
        mtime_ns=status.st_mtime_ns,
        ctime_ns=status.st_ctime_ns,
    )


def is_settled(stamp: FileStamp, now_ns: int) -> bool:
    """Whether any change after ``now_ns`` must show in the stamp.

    Only ``ctime_ns`` is looked at: programs can set ``mtime_ns`` to anything.

    Args:
        stamp: Stamp taken at ``now_ns``.
        now_ns: Nanoseconds since the epoch when the stamp was taken, by the system's clock.
    """
    return now_ns - stamp.ctime_ns >= SETTLING_NS
