"""Bring back a session file that was removed while its session ran.

Owns the copy of what the open file still holds to its place. Proven by
tests/unit/sessions/test_lost_file.py.
"""

import os
from pathlib import Path

from caramelo_tui.workspace.private_files import make_private_folder, open_private

_CHUNK_BYTES = 1024 * 1024


def is_lost(descriptor: int) -> bool:
    """Whether an open file has no name any more."""
    return os.fstat(descriptor).st_nlink == 0


def brought_back(descriptor: int, path: Path) -> int:
    """Return the descriptor of a new file at ``path`` that holds what the nameless one does.

    The old descriptor stays open, and is the caller's to close.

    Raises:
        OSError: If it cannot be written, or something else has the name by now; nothing is left
            of it then.
    """
    make_private_folder(path.parent)
    flags = os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW
    fresh = open_private(path, flags)
    try:
        place = 0
        while data := os.pread(descriptor, _CHUNK_BYTES, place):
            place += len(data)
            view = memoryview(data)
            while view:
                view = view[os.write(fresh, view) :]
    except BaseException:
        os.close(fresh)
        path.unlink(missing_ok=True)
        raise
    return fresh
