"""Keep what files were before a command changes them.

Owns the picture of the tree: which files there are, their stamps, and their contents in the
journal's store. A command can write anything, so the picture is taken before it and compared
after it; what is known by its stamp is not read again. Above the limits it is given up: part of a
tree cannot be put back whole. Blocks. Proven by tests/unit/workspace/test_checkpoints.py.
"""

import os
import stat
import time
from dataclasses import dataclass

from caramelo_tui.domain.errors import ToolFailure
from caramelo_tui.domain.files import FileStamp
from caramelo_tui.workspace.file_io import FileStore
from caramelo_tui.workspace.ignore_rules import SKIPPED_FOLDERS, is_temporary
from caramelo_tui.workspace.journal import Journal
from caramelo_tui.workspace.sandbox import Sandbox
from caramelo_tui.workspace.stamps import is_settled, stamp_of

FILES_LIMIT = 2_000
"""Files of a tree; above, nothing is kept for commands."""
FILE_LIMIT_BYTES = 1_048_576
"""1 MB: larger files are left out, each by itself."""
TREE_LIMIT_BYTES = 67_108_864
"""64 MB of all files that are kept; above, nothing is kept for commands."""

DEPTH_LIMIT = 100
"""Folders within folders; each holds a descriptor open, and deeper ones are left out."""
_FOLDER_FLAGS = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC


class TreeTooLarge(Exception):
    """The tree is above a limit; the text says which."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FileImage:
    """A file as it is in the picture."""

    stamp: FileStamp
    mode: int
    """Permission bits."""
    content: str | None
    """Hash of what is in the journal's store; ``None``: too large or unreadable, not kept."""
    is_settled: bool
    """Whether a later change must show in the stamp; else the file is read again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CommandChange:
    """One file that is another one after a command."""

    path: str
    before: str | None
    """Hash of the content before; ``None``: there was no file."""
    after: bytes | None
    """``None``: there is no file."""
    mode: int | None
    """Permission bits before."""


class TreePictures:
    """The tree of one session, as it was last looked at."""

    def __init__(self, sandbox: Sandbox, files: FileStore, journal: Journal) -> None:
        """Look at nothing yet."""
        self._sandbox = sandbox
        self._files = files
        self._journal = journal
        self._known: dict[str, FileImage] = {}

    def take(self) -> None:
        """Take the picture before a command; only what is new since the last one is read.

        Raises:
            TreeTooLarge: If the tree is above a limit; nothing is kept of it then.
            OSError: If a content could not be stored.
        """
        self._take(self._found())

    def changes(self) -> tuple[tuple[CommandChange, ...], tuple[str, ...]]:
        """Compare the tree with the picture, and take the new picture.

        Returns:
            What changed, by path, and the paths that changed without an image of both sides.

        Raises:
            TreeTooLarge: If the tree is above a limit now.
            OSError: If a content could not be stored.
        """
        before, found = self._known, self._found()
        self._take(found)
        changed = sorted(
            path
            for path in {*before, *self._known}
            # What is known by its stamp is the very same image.
            if before.get(path) is not self._known.get(path)
            and _is_other(before.get(path), self._known.get(path))
        )
        kept = [path for path in changed if self._has_images(before.get(path), path)]
        changes = tuple(self._change(path, before.get(path)) for path in kept)
        return changes, tuple(path for path in changed if path not in set(kept))

    def _take(self, found: dict[str, os.stat_result]) -> None:
        now_ns = time.time_ns()
        self._known = {path: self._image(path, at, now_ns) for path, at in found.items()}

    def _has_images(self, before: FileImage | None, path: str) -> bool:
        now = self._known.get(path)
        return all(image is None or image.content is not None for image in (before, now))

    def _change(self, path: str, before: FileImage | None) -> CommandChange:
        now = self._known.get(path)
        after = None if now is None or now.content is None else self._journal.blob(now.content)
        return CommandChange(
            path=path,
            before=None if before is None else before.content,
            after=after,
            mode=None if before is None else before.mode,
        )

    def _image(self, path: str, status: os.stat_result, now_ns: int) -> FileImage:
        known = self._known.get(path)
        if known is not None and known.is_settled and _is_same(known.stamp, status):
            return known
        stamp = stamp_of(status)
        return FileImage(
            stamp=stamp,
            mode=stat.S_IMODE(status.st_mode),
            content=self._kept(path, status.st_size),
            is_settled=is_settled(stamp, now_ns),
        )

    def _kept(self, path: str, size: int) -> str | None:
        """Store a content that is not too large, and return its hash.

        Raises:
            OSError: If it could not be stored.
        """
        if size > FILE_LIMIT_BYTES:
            return None
        try:
            data = self._files.read_bytes(path, limit_bytes=FILE_LIMIT_BYTES + 1).data
        except ToolFailure:
            return None
        if len(data) > FILE_LIMIT_BYTES:
            # It grew since it was found.
            return None
        # A power cut may lose it, the end of the program does not: a thousand syncs take minutes.
        return self._journal.keep(data, is_synced=False)

    def _found(self) -> dict[str, os.stat_result]:
        """Return the regular files of the tree with their status.

        Raises:
            TreeTooLarge: If there are too many, or too much of them.
        """
        found = _Found()
        try:
            found.look_below(self._sandbox.open_folder("."), "")
        except ToolFailure:
            # The whole workspace is gone: no file is there.
            return {}
        return found.files


def _is_same(stamp: FileStamp, status: os.stat_result) -> bool:
    """Whether a file has this stamp; the field that differs most often comes first."""
    return (
        stamp.ctime_ns == status.st_ctime_ns
        and stamp.mtime_ns == status.st_mtime_ns
        and stamp.inode == status.st_ino
        and stamp.size == status.st_size
        and stamp.device == status.st_dev
    )


def _is_other(before: FileImage | None, now: FileImage | None) -> bool:
    if before is None or now is None:
        return before is not now
    if before.content is None or now.content is None:
        return before.stamp != now.stamp
    return before.content != now.content


class _Found:
    """The files of a tree, as many as may be kept; links are not followed."""

    def __init__(self) -> None:
        self.files: dict[str, os.stat_result] = {}
        self._bytes = 0

    def look_below(self, descriptor: int, prefix: str) -> None:
        """Take the files below an open folder, which is closed then.

        Folders are opened from their parents: to look up each whole path takes most of the time.

        Raises:
            TreeTooLarge: If there are too many, or too much of them.
        """
        try:
            for entry in _entries(descriptor):
                if entry.is_dir(follow_symlinks=False):
                    if entry.name not in SKIPPED_FOLDERS and prefix.count("/") < DEPTH_LIMIT:
                        self._look_into(entry, descriptor, prefix)
                elif entry.is_file(follow_symlinks=False) and not is_temporary(entry.name):
                    self._take(entry, prefix)
        finally:
            os.close(descriptor)

    def _look_into(self, entry: "os.DirEntry[str]", parent: int, prefix: str) -> None:
        try:
            descriptor = os.open(entry.name, _FOLDER_FLAGS, dir_fd=parent)
        except OSError:
            # What cannot be opened, or goes while we look, cannot be put back either.
            return
        self.look_below(descriptor, f"{prefix}{entry.name}/")

    def _take(self, entry: "os.DirEntry[str]", prefix: str) -> None:
        try:
            status = entry.stat(follow_symlinks=False)
        except OSError:
            return
        self.files[prefix + entry.name] = status
        if len(self.files) > FILES_LIMIT:
            msg = f"it has more than {FILES_LIMIT:,} files"
            raise TreeTooLarge(msg)
        self._bytes += status.st_size if status.st_size <= FILE_LIMIT_BYTES else 0
        if self._bytes > TREE_LIMIT_BYTES:
            msg = f"its files have more than {TREE_LIMIT_BYTES // 1_048_576} MB"
            raise TreeTooLarge(msg)


def _entries(descriptor: int) -> list["os.DirEntry[str]"]:
    try:
        with os.scandir(descriptor) as entries:
            return list(entries)
    except OSError:
        return []
