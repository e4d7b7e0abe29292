"""Feed the files of a search, in order, opened safely and cheaply.

Owns which files a search looks at: skipped folders, the size limit, binary files, and the
counts of what was left out. Files are opened relative to their folder's descriptor, which is
held while the walk stays in it: as safe as opening each from the root, and several times
faster on large trees. Proven by tests/unit/tools/search/test_file_source.py.
"""

import contextlib
import os
from collections.abc import Callable, Generator
from dataclasses import dataclass

from caramelo_tui.domain.errors import ToolFailure
from caramelo_tui.domain.files import ResolvedPath
from caramelo_tui.workspace.file_io import FileStore
from caramelo_tui.workspace.ignore_rules import SKIPPED_FOLDERS
from caramelo_tui.workspace.sandbox import Sandbox, open_regular_at

SIZE_LIMIT_BYTES = 262_144
"""Larger files are not searched (256 KB)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceFile:
    """A text file to be searched."""

    path: str
    """Workspace-relative path as the model would name it (a link in the asked path is kept)."""
    data: bytes


@dataclass(slots=True, kw_only=True)
class SourceCounts:
    """What the walk met so far."""

    too_large: int = 0
    binary: int = 0
    unreadable: int = 0
    """Vanished, replaced by something else, or without permission."""


def text_files(
    files: FileStore,
    start: ResolvedPath,
    counts: SourceCounts,
    *,
    look_up: Callable[[], object],
) -> Generator[SourceFile]:
    """Yield the searchable files at and below ``start``, by code point of the path.

    Close the iteration when it is not read to its end: it holds a folder open.

    Args:
        files: The workspace.
        start: A folder, or a file.
        counts: Counted up while the iteration goes on.
        look_up: Called for every file and folder met, also for those left out; what it raises
            ends the iteration. It must raise no ``ToolFailure``.

    Raises:
        ToolFailure: If nothing that can be read stands at ``start``.
    """
    with contextlib.closing(_OpenFolder(files.sandbox)) as folder:
        for found in files.walk(start.relative, skipped=SKIPPED_FOLDERS, look_up=look_up):
            look_up()
            if found.size > SIZE_LIMIT_BYTES:
                counts.too_large += 1
                continue
            try:
                data = folder.read(found.path)
            except ToolFailure:
                counts.unreadable += 1
                continue
            if len(data) > SIZE_LIMIT_BYTES:
                counts.too_large += 1
            elif b"\0" in data:
                counts.binary += 1
            else:
                yield SourceFile(path=shown_path(found.path, start), data=data)


def shown_path(path: str, start: ResolvedPath) -> str:
    """Return a path found below ``start`` with the part that was asked for as it was asked."""
    if start.shown == start.relative:
        return path
    below = path if start.relative == "." else path.removeprefix(start.relative).lstrip("/")
    return "/".join(part for part in (start.shown, below) if part and part != ".") or "."


class _OpenFolder:
    """The folder of the last file, held open."""

    def __init__(self, sandbox: Sandbox) -> None:
        self._sandbox = sandbox
        self._folder: str | None = None
        self._descriptor = -1
        self._held = contextlib.ExitStack()

    def read(self, path: str) -> bytes:
        """Return the start of a regular file, one byte more than the limit at most.

        Raises:
            ToolFailure: If it is no regular file or cannot be read.
        """
        folder, _, name = path.rpartition("/")
        if folder != self._folder:
            self.close()
            self._descriptor, _ = self._held.enter_context(self._sandbox.open_parent(path))
            self._folder = folder
        descriptor = open_regular_at(self._descriptor, name, path)
        try:
            return _read_all(descriptor)
        except OSError as error:
            msg = f"{path}: {error.strerror}."
            raise ToolFailure(msg) from error
        finally:
            os.close(descriptor)

    def close(self) -> None:
        """Let the folder go."""
        self._folder = None
        self._held.close()


def _read_all(descriptor: int) -> bytes:
    parts: list[bytes] = []
    missing = SIZE_LIMIT_BYTES + 1
    # A short read is not yet the end; a file that grows meanwhile has none.
    while missing > 0 and (part := os.read(descriptor, missing)):
        parts.append(part)
        missing -= len(part)
    return b"".join(parts)
