"""Create the program's own files and folders so that only the user can read them.

Owns the modes 0600 and 0700 (R21): files are created so, whatever the umask, not changed
afterwards. Proven by tests/unit/workspace/test_private_files.py.
"""

import contextlib
import os
from pathlib import Path

from caramelo_tui.workspace.disk_steps import sync, write_all

PRIVATE_FOLDER_MODE = 0o700
"""Only the user may enter; sessions hold file contents."""
PRIVATE_FILE_MODE = 0o600
"""Only the user may read."""


def make_private_folder(folder: Path, *, is_synced: bool = False) -> Path:
    """Create ``folder`` and its missing parents with mode 0700 and return it.

    Args:
        folder: The folder.
        is_synced: Whether it is to survive a power cut.

    Raises:
        OSError: If it cannot be created.
    """
    missing = [part for part in (folder, *folder.parents) if not part.exists()]
    for part in reversed(missing):
        # mkdir's mode is subject to the umask, which may only take rights away; 0700 stays.
        part.mkdir(mode=PRIVATE_FOLDER_MODE, exist_ok=True)
        if is_synced:
            sync_entries(part.parent)
    return folder


def open_private(path: Path, flags: int) -> int:
    """Open a file of ours with mode 0600, created so whatever the umask; return the descriptor.

    Raises:
        OSError: If it cannot be opened.
    """
    return os.open(path, flags | os.O_CLOEXEC, PRIVATE_FILE_MODE)


def sync_entries(folder: Path) -> None:
    """Make changed names in a folder last through a power cut, where that is possible."""
    # Some file systems cannot sync a folder; the names are right all the same.
    with contextlib.suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        try:
            sync(descriptor)
        finally:
            os.close(descriptor)


def sync_private(path: Path) -> None:
    """Make a file that is there, and its name, last through a power cut.

    Raises:
        OSError: If the disk refuses.
    """
    descriptor = open_private(path, os.O_RDONLY | os.O_NOFOLLOW)
    try:
        sync(descriptor)
    finally:
        os.close(descriptor)
    sync_entries(path.parent)


def write_private(path: Path, data: bytes, *, is_synced: bool = True) -> None:
    """Replace ``path`` by ``data`` atomically; on failure the old file stays.

    Args:
        path: The file.
        data: All of its new content.
        is_synced: Whether it is to survive a power cut too.

    Raises:
        OSError: If it cannot be written; no temporary file is left.
    """
    make_private_folder(path.parent, is_synced=is_synced)
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        descriptor = open_private(temporary, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
        try:
            write_all(descriptor, data)
            if is_synced:
                sync(descriptor)
        finally:
            os.close(descriptor)
        temporary.replace(path)
        if is_synced:
            sync_entries(path.parent)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
