"""Put what goes wrong with a path into words for the model.

Owns the failures that the file layer tells apart and the texts for the errors of the
operating system. Proven by tests/unit/workspace/test_path_failures.py.
"""

import contextlib
import errno
import stat
from collections.abc import Generator

from caramelo_tui.domain.errors import PathRefused, ToolFailure
from caramelo_tui.domain.system_faults import reason_of


class MissingPath(ToolFailure):
    """Nothing stands at the path, or a folder of it is missing."""


class NotAFolder(ToolFailure):
    """A part of the path that should be a folder is none."""


def failure_of(error: OSError, shown: str) -> ToolFailure:
    """Put an operating system error into words for the model.

    Args:
        error: What the system call raised.
        shown: The path as it was asked for; stands in the text.

    Returns:
        The failure to raise; ``MissingPath`` and ``NotAFolder`` for these two causes.
    """
    match error.errno:
        case errno.ENOENT:
            return MissingPath(f"{shown} does not exist.")
        case errno.ENOTDIR:
            return NotAFolder(f"{shown}: a part of the path is not a folder.")
        case errno.EISDIR:
            return ToolFailure(f"{shown} is a folder, not a file.")
        case errno.ELOOP:
            return PathRefused(shown, "it became a link while it was being used")
        case errno.ENAMETOOLONG:
            return PathRefused(shown, "the path is too long")
        case _:
            return ToolFailure(f"{shown}: {reason_of(error)}.")


@contextlib.contextmanager
def errors_as_failures(shown: str) -> Generator[None]:
    """Turn an ``OSError`` of the body into the ``ToolFailure`` of ``failure_of``."""
    try:
        yield
    except OSError as error:
        failure = failure_of(error, shown)
        raise failure from error


def kind_in_words(mode: int) -> str:
    """Say what stands behind a mode of ``stat`` that is not a regular file."""
    names = {
        stat.S_IFDIR: "a folder",
        stat.S_IFLNK: "a link",
        stat.S_IFIFO: "a FIFO (named pipe)",
        stat.S_IFSOCK: "a socket",
        stat.S_IFCHR: "a device",
        stat.S_IFBLK: "a device",
    }
    return names.get(stat.S_IFMT(mode), "of an unknown kind")
