"""Read and write the files of the workspace, byte for byte.

Owns every access to file content; decodes nothing and decides nothing. All paths are taken
as resolved by the sandbox and opened through it. Every method blocks: call it from a
thread. Proven by tests/unit/workspace/test_file_io.py.
"""

import contextlib
import hashlib
import os
import stat
from collections.abc import Collection, Generator, Iterator
from dataclasses import dataclass
from typing import BinaryIO

from caramelo_tui.domain.errors import ToolFailure
from caramelo_tui.domain.files import FileKind, FileStamp, FolderEntry, ResolvedPath
from caramelo_tui.workspace import listing
from caramelo_tui.workspace.atomic_write import (
    WHOLE_FILE_LIMIT_BYTES,
    AtomicWriter,
    FileAppeared,
    StepHook,
    WriteStep,
    is_writable,
    no_hook,
)
from caramelo_tui.workspace.listing import LookUp, WalkedFile, kind_of, never_end
from caramelo_tui.workspace.own_writes import OwnWrites
from caramelo_tui.workspace.path_failures import MissingPath, errors_as_failures
from caramelo_tui.workspace.sandbox import Sandbox
from caramelo_tui.workspace.stamps import stamp_of

__all__ = [
    "WHOLE_FILE_LIMIT_BYTES",
    "FileAppeared",
    "FileBytes",
    "FileFacts",
    "FileStore",
    "StepHook",
    "WalkedFile",
    "WriteStep",
    "content_hash",
    "no_hook",
]

_CHUNK_BYTES = 1_048_576
_READ_TRIES = 3


def content_hash(data: bytes) -> str:
    """Return the SHA-256 of ``data`` in hexadecimal."""
    return hashlib.sha256(data).hexdigest()


@dataclass(frozen=True, slots=True, kw_only=True)
class FileBytes:
    """Content of a file and the stamp it had before it was read."""

    data: bytes
    """All bytes, or the first ``limit_bytes``."""
    stamp: FileStamp


@dataclass(frozen=True, slots=True, kw_only=True)
class FileFacts:
    """What is known of a path without reading the file."""

    exists: bool
    kind: FileKind = FileKind.OTHER
    """Meaningless when nothing exists."""
    mode: int = 0
    """Permission bits."""
    hard_links: int = 0
    """Names of the file on its file system."""
    is_writable: bool = False
    """Whether the user may write it; always ``False`` for a file without a write bit."""
    size: int = 0
    """Bytes."""


_NOTHING = FileFacts(exists=False)


class FileStore:
    """The files of one workspace."""

    def __init__(
        self,
        sandbox: Sandbox,
        *,
        step_hook: StepHook = no_hook,
        own_writes: OwnWrites | None = None,
    ) -> None:
        """Open the store.

        Args:
            sandbox: Opens every path.
            step_hook: Called between the steps of a write, for fault injection.
            own_writes: Where own writes are announced; the watcher's, when there is one.
        """
        self._sandbox = sandbox
        self._writer = AtomicWriter(
            sandbox, own_writes=own_writes or OwnWrites(), step_hook=step_hook
        )

    @property
    def sandbox(self) -> Sandbox:
        """The sandbox that all paths go through."""
        return self._sandbox

    def read_bytes(self, path: ResolvedPath | str, *, limit_bytes: int | None = None) -> FileBytes:
        """Return the content of a regular file.

        Args:
            path: Resolved path.
            limit_bytes: Read at most so many bytes; ``None``: all of it.

        Raises:
            MissingPath: If it does not exist.
            ToolFailure: If it is not a regular file, cannot be read, or is above 64 MB and
                no limit was given.
        """
        result = self._read_once(path, limit_bytes)
        for _ in range(_READ_TRIES - 1):
            # A writer in between would leave us with half of the old and half of the new.
            if result.stamp == self.stamp(path):
                break
            result = self._read_once(path, limit_bytes)
        return result

    def read_if_exists(self, path: ResolvedPath | str) -> FileBytes | None:
        """Return the content, or ``None`` when nothing stands at the path.

        Raises:
            ToolFailure: As ``read_bytes``, but for a missing file.
        """
        try:
            return self.read_bytes(path)
        except MissingPath:
            return None

    @contextlib.contextmanager
    def open_binary(self, path: ResolvedPath | str) -> Generator[BinaryIO]:
        """Hold a regular file open for reading.

        Yields:
            A buffered binary file, closed at the end of the block.

        Raises:
            MissingPath: If it does not exist.
            ToolFailure: If it is not a regular file or cannot be opened.
        """
        with os.fdopen(self._sandbox.open_regular(path), "rb") as file:
            yield file

    def stamp(self, path: ResolvedPath | str) -> FileStamp | None:
        """Return the stamp of a regular file; ``None`` if there is none. Never raises."""
        status = self._status(path)
        return stamp_of(status) if status and stat.S_ISREG(status.st_mode) else None

    def folder_stamp(self, path: ResolvedPath | str) -> FileStamp | None:
        """Return the stamp of a folder; ``None`` if there is none. Never raises.

        It changes when an entry is made, removed or renamed, not when a file is written.
        """
        try:
            descriptor = self._sandbox.open_folder(path)
        except ToolFailure:
            return None
        try:
            return stamp_of(os.fstat(descriptor))
        finally:
            os.close(descriptor)

    def facts(self, path: ResolvedPath | str) -> FileFacts:
        """Return what stands at a path.

        Raises:
            ToolFailure: If a part of the path is no folder or became a link.
        """
        if (path.relative if isinstance(path, ResolvedPath) else path) == ".":
            return FileFacts(exists=True, kind=FileKind.FOLDER)
        try:
            with (
                errors_as_failures(_shown(path)),
                self._sandbox.open_parent(path) as (folder, name),
            ):
                status = os.stat(name, dir_fd=folder, follow_symlinks=False)
                may_write = is_writable(status, folder, name)
        except MissingPath:
            return _NOTHING
        return FileFacts(
            exists=True,
            kind=kind_of(status.st_mode),
            mode=stat.S_IMODE(status.st_mode),
            hard_links=status.st_nlink,
            is_writable=may_write,
            size=status.st_size,
        )

    def write_atomic(
        self, path: str, data: bytes, *, expected_hash: str | None, new_mode: int | None = None
    ) -> FileStamp:
        """Replace or create a file so that everybody sees the old or the new one.

        The mode is kept. Writes to one path are serialised. On failure the old file is
        untouched, no temporary file stays, and parents made for it are removed again.

        Args:
            path: Workspace-relative resolved path.
            data: The whole new content.
            expected_hash: Hash of the content that the change was worked out on; ``None``:
                the file must not exist, and missing parents are made.
            new_mode: Permission bits of a file that is made; ``None``: the usual ones. Set-id
                bits are left out.

        Returns:
            The stamp of the file as it was left.

        Raises:
            StaleFile: If the file is not the expected one (``FileAppeared`` if it should not
                exist); work the change out again.
            PathRefused: If a part of the path became a link.
            ToolFailure: If it is read-only or the system refused the write.
        """
        return self._writer.write(path, data, expected_hash=expected_hash, new_mode=new_mode)

    def remove(self, path: str, *, expected_hash: str) -> None:
        """Delete a file; its folder stays.

        Args:
            path: Workspace-relative resolved path.
            expected_hash: Hash of the content that is to go.

        Raises:
            StaleFile: If the file is not the expected one.
            PathRefused: If a part of the path became a link.
            ToolFailure: If it is read-only or the system refused.
        """
        self._writer.remove(path, expected_hash=expected_hash)

    def list_folder(
        self, path: ResolvedPath | str, *, look_up: LookUp = never_end
    ) -> tuple[FolderEntry, ...]:
        """Return what stands in a folder, in no order; raises ``ToolFailure``.

        Args:
            path: Resolved path of the folder.
            look_up: Called for each entry; what it raises ends the listing.
        """
        return listing.list_folder(self._sandbox, path, look_up=look_up)

    def holds_links(self, path: str) -> bool:
        """Whether a folder has a symbolic link as an entry; raises ``ToolFailure``."""
        return listing.holds_links(self._sandbox, path)

    def walk(
        self, path: str, *, skipped: Collection[str], look_up: LookUp = never_end
    ) -> Iterator[WalkedFile]:
        """Yield the regular files at and below a path, by code point of the whole path.

        Args:
            path: Workspace-relative resolved path of a folder or file.
            skipped: Names of folders that are not entered; the start folder itself is.
            look_up: Called for each folder, also for one without files; what it raises ends
                the walk. It must raise no ``ToolFailure``.
        """
        return listing.walk(self._sandbox, path, skipped=skipped, look_up=look_up)

    def walk_paths(
        self, path: str, *, skipped: Collection[str], look_up: LookUp = never_end
    ) -> Iterator[str]:
        """Yield the paths of ``walk``, by the same rules, without a look at each file."""
        return listing.walk_paths(self._sandbox, path, skipped=skipped, look_up=look_up)

    def _status(self, path: ResolvedPath | str) -> os.stat_result | None:
        try:
            with self._sandbox.open_parent(path) as (folder, name):
                return os.stat(name, dir_fd=folder, follow_symlinks=False)
        except (ToolFailure, OSError):
            return None

    def _read_once(self, path: ResolvedPath | str, limit_bytes: int | None) -> FileBytes:
        limit = WHOLE_FILE_LIMIT_BYTES if limit_bytes is None else limit_bytes
        with errors_as_failures(_shown(path)), self.open_binary(path) as file:
            status = os.fstat(file.fileno())
            # One byte more tells whether there is more.
            data = _read_up_to(file, limit + 1)
        if limit_bytes is None and len(data) > limit:
            size = status.st_size
            msg = f"{_shown(path)} has {size} bytes; at most {limit} can be held at once."
            raise ToolFailure(msg)
        return FileBytes(data=data[:limit], stamp=stamp_of(status))


def _read_up_to(file: BinaryIO, limit: int) -> bytes:
    chunks: list[bytes] = []
    missing = limit
    while missing > 0 and (chunk := file.read(min(missing, _CHUNK_BYTES))):
        chunks.append(chunk)
        missing -= len(chunk)
    return b"".join(chunks)


def _shown(path: ResolvedPath | str) -> str:
    return path.asked if isinstance(path, ResolvedPath) else path
