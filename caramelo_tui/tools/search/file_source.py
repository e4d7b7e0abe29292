"""Feed the files of a search, in order, opened safely and cheaply.

Owns which files a search looks at: skipped folders, the size limit, binary files, and the
counts of what was left out. Files are opened relative to their folder's descriptor, which is
held while the walk stays in it: as safe as opening each from the root, and several times
faster on large trees. Proven by tests/unit/tools/search/test_file_source.py.
"""

import codecs
import contextlib
import os
from collections.abc import Callable, Generator, Iterable, Iterator
from dataclasses import dataclass

from caramelo_tui.domain.errors import ToolFailure
from caramelo_tui.domain.files import ResolvedPath
from caramelo_tui.domain.system_faults import reason_of
from caramelo_tui.workspace.file_io import FileStore
from caramelo_tui.workspace.ignore_rules import SKIPPED_FOLDERS
from caramelo_tui.workspace.sandbox import Sandbox, open_regular_at

SIZE_LIMIT_BYTES = 262_144
"""Larger files are not searched (256 KB), unless another limit is given."""

_UTF16_MARKS = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


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
    with contextlib.closing(_Reader(files.sandbox, counts)) as reader:
        for path in files.walk_paths(start.relative, skipped=SKIPPED_FOLDERS, look_up=look_up):
            look_up()
            yield from reader.source_of(path, start)


def named_files(
    files: FileStore,
    start: ResolvedPath,
    counts: SourceCounts,
    *,
    paths: Iterable[str],
    size_limit_bytes: int,
    look_up: Callable[[], object],
) -> Generator[SourceFile]:
    """Yield those of the named files that can be searched, in the order given.

    UTF-16 with a byte order mark comes as UTF-8. Close the iteration when it is not read to its
    end: it holds a folder open.

    Args:
        files: The workspace.
        start: The folder or file that was asked for.
        counts: Counted up while the iteration goes on.
        paths: Workspace-relative; each is opened without following links.
        size_limit_bytes: Larger files are left out.
        look_up: Called for every file; what it raises ends the iteration.
    """
    reader = _Reader(files.sandbox, counts, size_limit_bytes, knows_utf16=True)
    with contextlib.closing(reader):
        for path in paths:
            look_up()
            yield from reader.source_of(path, start)


def shown_path(path: str, start: ResolvedPath) -> str:
    """Return a path found below ``start`` with the part that was asked for as it was asked."""
    if start.shown == start.relative:
        return path
    below = path if start.relative == "." else path.removeprefix(start.relative).lstrip("/")
    return "/".join(part for part in (start.shown, below) if part and part != ".") or "."


class _Reader:
    """Reads files through the folder of the last one, held open."""

    def __init__(
        self,
        sandbox: Sandbox,
        counts: SourceCounts,
        limit_bytes: int = SIZE_LIMIT_BYTES,
        *,
        knows_utf16: bool = False,
    ) -> None:
        self._sandbox = sandbox
        self._counts = counts
        self._limit_bytes = limit_bytes
        self._knows_utf16 = knows_utf16
        self._folder: str | None = None
        self._descriptor = -1
        self._held = contextlib.ExitStack()

    def source_of(self, path: str, start: ResolvedPath) -> Iterator[SourceFile]:
        """Yield the file if it can be searched, else count why not."""
        try:
            data = self._read(path)
        except ToolFailure:
            self._counts.unreadable += 1
            return
        if data is None:
            self._counts.too_large += 1
            return
        if self._knows_utf16 and data.startswith(_UTF16_MARKS):
            data = data.decode("utf-16", "replace").encode()
        if b"\0" in data:
            self._counts.binary += 1
        else:
            yield SourceFile(path=shown_path(path, start), data=data)

    def close(self) -> None:
        """Let the folder go."""
        self._folder = None
        self._held.close()

    def _read(self, path: str) -> bytes | None:
        """Return the bytes of a regular file; ``None`` if they are more than the limit.

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
            if os.fstat(descriptor).st_size > self._limit_bytes:
                return None
            # It may have grown since.
            data = _read_up_to(descriptor, self._limit_bytes + 1)
        except OSError as error:
            msg = f"{path}: {reason_of(error)}."
            raise ToolFailure(msg) from error
        finally:
            os.close(descriptor)
        return data if len(data) <= self._limit_bytes else None


def _read_up_to(descriptor: int, missing: int) -> bytes:
    parts: list[bytes] = []
    # A short read is not yet the end; a file that grows meanwhile has none.
    while missing > 0 and (part := os.read(descriptor, missing)):
        parts.append(part)
        missing -= len(part)
    return b"".join(parts)
