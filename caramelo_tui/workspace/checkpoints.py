"""Keep what files were before a command changes them.

Owns the picture of the tree: which files there are, their stamps, and their contents in the
journal's store. A command can write anything, so the picture is taken before it and compared
after it; what is known by its stamp is not read again. Above the limits it is given up: part of a
tree cannot be put back whole. Blocks. Proven by tests/unit/workspace/test_checkpoints.py.
"""

import os
import stat
import time
from collections.abc import Collection, Iterator
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
        changed = [
            path
            for path in sorted({*before, *self._known})
            if _is_other(before.get(path), self._known.get(path))
        ]
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
        stamp = stamp_of(status)
        known = self._known.get(path)
        if known is not None and known.is_settled and known.stamp == stamp:
            return known
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
        found: dict[str, os.stat_result] = {}
        total = 0
        for path, status in _walk(self._sandbox, "."):
            found[path] = status
            if len(found) > FILES_LIMIT:
                msg = f"it has more than {FILES_LIMIT:,} files"
                raise TreeTooLarge(msg)
            total += status.st_size if status.st_size <= FILE_LIMIT_BYTES else 0
            if total > TREE_LIMIT_BYTES:
                msg = f"its files have more than {TREE_LIMIT_BYTES // 1_048_576} MB"
                raise TreeTooLarge(msg)
        return found


def _is_other(before: FileImage | None, now: FileImage | None) -> bool:
    if before is None or now is None:
        return before is not now
    if before.content is None or now.content is None:
        return before.stamp != now.stamp
    return before.content != now.content


def _walk(
    sandbox: Sandbox, path: str, skipped: Collection[str] = SKIPPED_FOLDERS
) -> Iterator[tuple[str, os.stat_result]]:
    """Yield the regular files below a folder; links are not followed, what vanishes is left out."""
    try:
        descriptor = sandbox.open_folder(path)
    except ToolFailure:
        return
    prefix = "" if path == "." else f"{path}/"
    folders: list[str] = []
    try:
        with os.scandir(descriptor) as entries:
            for entry in entries:
                if entry.is_dir(follow_symlinks=False):
                    if entry.name not in skipped:
                        folders.append(prefix + entry.name)
                elif entry.is_file(follow_symlinks=False) and not is_temporary(entry.name):
                    status = _status_of(entry)
                    if status is not None:
                        yield prefix + entry.name, status
    except OSError:
        # A folder that cannot be listed cannot be put back either; the rest can.
        return
    finally:
        os.close(descriptor)
    for folder in folders:
        yield from _walk(sandbox, folder, skipped)


def _status_of(entry: "os.DirEntry[str]") -> os.stat_result | None:
    try:
        return entry.stat(follow_symlinks=False)
    except OSError:
        return None
