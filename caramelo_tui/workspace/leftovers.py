"""Find and remove the temporary files that a killed program left beside the user's files.

Owns what counts as such a file: a name as only our writes give, a regular file of this user, some
seconds old, and held by nobody, since a write holds a lock on its file to its end. Looks only into
folders in which sessions of the workspace recorded a write; follows no link. Never raises. Blocks.
Proven by tests/unit/workspace/test_leftovers.py and tests/crash/.
"""

import contextlib
import fcntl
import logging
import os
import stat
from collections.abc import Iterable, Iterator
from pathlib import Path

from caramelo_tui.domain.errors import ToolFailure
from caramelo_tui.workspace.ignore_rules import is_temporary
from caramelo_tui.workspace.journal_entries import JournalEntry, read_line
from caramelo_tui.workspace.sandbox import Sandbox

LEAST_AGE_S = 5.0
"""Seconds; between the making of a file and its lock lie microseconds."""
MOST_JOURNALS = 50
"""Newest journals that are read; a killed program wrote to its own last."""
MOST_FOLDERS = 2_000
"""Folders that are looked into in one start."""

_log = logging.getLogger(__name__)
_FLAGS = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC


def hold_temporary(descriptor: int) -> None:
    """Mark an open temporary file as in use, until it is closed or the program ends.

    Where the file system has no locks it is not marked; nothing is removed there either.
    """
    with contextlib.suppress(OSError):
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)


def written_folders(journals: Iterable[Path]) -> tuple[str, ...]:
    """Return the folders of the files that journals name, sorted, relative to the workspace.

    Args:
        journals: Files of journals; the newest are read.
    """
    newest = sorted(journals, key=_written_at, reverse=True)[:MOST_JOURNALS]
    folders = {path.rpartition("/")[0] or "." for journal in newest for path in _paths_of(journal)}
    return tuple(sorted(folders)[:MOST_FOLDERS])


def remove_leftovers(sandbox: Sandbox, folders: Iterable[str], *, now: float) -> tuple[str, ...]:
    """Remove what killed programs left in these folders and return the paths.

    Args:
        sandbox: Opens the folders.
        folders: Relative to the workspace.
        now: Seconds since the Unix epoch.
    """
    return tuple(path for folder in folders for path in _removed_of(sandbox, folder, now))


def _removed_of(sandbox: Sandbox, folder: str, now: float) -> Iterator[str]:
    try:
        descriptor = sandbox.open_folder(folder)
    except (ToolFailure, OSError):
        # It is gone, or a link by now.
        return
    try:
        with os.scandir(descriptor) as entries:
            names = sorted(entry.name for entry in entries if is_temporary(entry.name))
        for name in names:
            if _was_removed(descriptor, name, now):
                yield name if folder == "." else f"{folder}/{name}"
    except OSError as error:
        _log.debug("a folder was not looked through for temporary files: %s", error)
    finally:
        os.close(descriptor)


def _was_removed(folder: int, name: str, now: float) -> bool:
    """Remove one file if it is ours and nobody's any more."""
    try:
        descriptor = os.open(name, _FLAGS, dir_fd=folder)
    except OSError:
        # A link, or nothing that we may read: none of ours.
        return False
    try:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode) or status.st_uid != os.geteuid():
            return False
        if now - max(status.st_mtime, status.st_ctime) < LEAST_AGE_S:
            return False
        # Refused while its writer lives, and where there are no locks.
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        os.unlink(name, dir_fd=folder)
    except OSError as error:
        _log.debug("a temporary file was left: %s", error)
        return False
    else:
        return True
    finally:
        os.close(descriptor)


def _paths_of(journal: Path) -> Iterator[str]:
    try:
        lines = journal.read_bytes().split(b"\n")
    except OSError as error:
        _log.debug("a journal was not looked through: %s", error)
        return
    for line in lines:
        entry = read_line(line, 0) if line else None
        if isinstance(entry, JournalEntry):
            yield entry.path


def _written_at(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except OSError:
        return 0.0
