"""Tell where a path of a command points, without touching the disk.

Owns vital folders, devices and the border of the workspace, all by text. Pure. Proven by
tests/unit/policy/test_places.py.
"""

import posixpath
import re
import unicodedata
from fnmatch import fnmatchcase

from caramelo_tui.policy.shell_parts import Surroundings
from caramelo_tui.policy.shell_quotes import UNKNOWN
from caramelo_tui.policy.shell_words import Field

_BLOCK_DEVICE = re.compile(
    r"/dev/(?:sd[a-z]|hd[a-z]|vd[a-z]|xvd[a-z]|nvme\d|mmcblk|r?disk|loop\d|dm-|md\d|mapper/|"
    r"zram|ram\d|sr\d|nbd|rbd|mtdblock|dasd|pmem|bcache|drbd|block/)"
)
_FREE_DEVICES = frozenset({"/dev/null", "/dev/stdout", "/dev/stderr", "/dev/fd/1", "/dev/fd/2"})
"""Where output may go without being asked: nowhere, or where it would go anyway."""
_HARMLESS_DEVICES = frozenset({"null", "zero", "full", "random", "urandom", "stdin", "stdout",
                               "stderr", "tty", "console"})  # fmt: skip
_HARMLESS_DEVICE_FOLDERS = ("/dev/fd/", "/dev/pts/", "/dev/shm/", "/dev/tcp/", "/dev/udp/")  # noqa: S108 - compared, not used
_STDIN = re.compile(r"/dev/stdin|/(?:dev|proc/[^/]+)/fd/0")
_DESCRIPTOR = re.compile(r"/(?:dev|proc/[^/]+)/fd/.+")
_BRACKETS = re.compile(r"\[[^\]]*\]")


def absolute(target: Field, cwd: str | None) -> str | None:
    """Return a word as an absolute path, dots removed; ``None`` when only the shell knows.

    Links are not followed: the text is all there is.
    """
    text = target.text
    if not text or UNKNOWN in text:
        return None
    if not text.startswith("/"):
        if cwd is None:
            return None
        text = posixpath.join(cwd, text)
    # POSIX lets exactly two leading slashes stand; here they mean the root like any other.
    return posixpath.normpath("/" + text.lstrip("/"))


def is_vital(target: Field, cwd: str | None, surroundings: Surroundings) -> bool:
    """Whether removing this would take the root of the disk, a home or the workspace's parent.

    What contains one of them counts, and so does all of what it contains (``/*``).
    """
    path = absolute(target, cwd)
    if path is None:
        return False
    folded = _folded(path)
    vital = {
        _folded(folder)
        for start in (surroundings.home, posixpath.dirname(surroundings.root))
        for folder in (start, *_ancestors(start))
    }
    if folded in vital:
        return True
    if not target.has_glob:
        return False
    parent, name = posixpath.split(folded)
    if _is_everything(name) and parent in vital:
        return True
    wanted = folded.split("/")
    return any(_matches_parts(folder.split("/"), wanted) for folder in vital)


def is_disk_root(target: Field, cwd: str | None) -> bool:
    """Whether this is ``/``, or all that stands in it."""
    path = absolute(target, cwd)
    if path is None:
        return False
    parent, name = posixpath.split(path)
    return path == "/" or (target.has_glob and parent == "/" and _is_everything(name))


def is_block_device(path: str) -> bool:
    """Whether a path names a disk or a part of one."""
    return _BLOCK_DEVICE.match(_folded(path)) is not None


def is_device(path: str) -> bool:
    """Whether a path names a device that data should not be written to."""
    if not path.startswith("/dev/") or path.startswith(_HARMLESS_DEVICE_FOLDERS):
        return False
    return path.removeprefix("/dev/") not in _HARMLESS_DEVICES


def is_standard_input(word: str) -> bool:
    """Whether a file's name stands for standard input."""
    return word == "-" or _STDIN.fullmatch(_tidied(word)) is not None


def is_descriptor_file(word: str) -> bool:
    """Whether a file's name stands for an open file of which only the shell knows."""
    return _DESCRIPTOR.fullmatch(_tidied(word)) is not None


def workspace_path(path: str, surroundings: Surroundings) -> str | None:
    """Return an absolute path relative to the workspace; ``None`` when it lies outside."""
    root = surroundings.root.rstrip("/")
    if path == root:
        return "."
    return path.removeprefix(root + "/") if path.startswith(root + "/") else None


def is_free_to_write(path: str, surroundings: Surroundings) -> bool:
    """Whether a path outside the workspace is nobody's: temporary folders and ``/dev/null``.

    Other devices are not: a terminal, for one, is somebody's.
    """
    if workspace_path(path, surroundings) is not None:
        # The workspace may itself lie below a temporary folder, as the demo's does.
        return False
    if path.startswith("/dev/"):
        return path in _FREE_DEVICES
    return any(path.startswith(folder + "/") for folder in surroundings.temp_folders)


def _tidied(word: str) -> str:
    return posixpath.normpath("/" + word.lstrip("/")) if word.startswith("/") else word


def _ancestors(folder: str) -> list[str]:
    found: list[str] = []
    while folder not in {"/", ""}:
        folder = posixpath.dirname(folder)
        found.append(folder)
    return found


def _is_everything(name: str) -> bool:
    bare = _BRACKETS.sub("?", name)
    return bool(bare) and not bare.strip("*?.") and ("*" in bare or "?" in bare)


def _matches_parts(parts: list[str], wanted: list[str]) -> bool:
    return len(parts) == len(wanted) and all(map(fnmatchcase, parts, wanted))


def _folded(path: str) -> str:
    # Some disks ignore letter case; removing ``/USERS`` would remove ``/Users`` there.
    return unicodedata.normalize("NFC", path).casefold()
