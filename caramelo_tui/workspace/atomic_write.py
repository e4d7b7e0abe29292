"""Replace or create one file so that nobody ever sees half of it.

Owns the write itself: temporary file in the same folder, synced, compared with what the
change was worked out on, then put in place. It does not decide whether the write is allowed
or needed. Proven by tests/unit/workspace/test_atomic_write.py.
"""

import contextlib
import hashlib
import os
import stat
import threading
from collections.abc import Callable, Generator
from dataclasses import dataclass
from enum import StrEnum

from caramelo_tui.domain.errors import PathRefused, StaleFile, ToolFailure
from caramelo_tui.domain.files import FileStamp
from caramelo_tui.domain.system_faults import is_of_the_machine
from caramelo_tui.workspace.disk_steps import sync, write_all
from caramelo_tui.workspace.ignore_rules import temporary_name
from caramelo_tui.workspace.leftovers import hold_temporary
from caramelo_tui.workspace.own_writes import OwnWrites
from caramelo_tui.workspace.path_failures import errors_as_failures
from caramelo_tui.workspace.sandbox import Sandbox, open_regular_at, sync_folder
from caramelo_tui.workspace.stamps import stamp_of

WHOLE_FILE_LIMIT_BYTES = 67_108_864
"""64 MB: a whole file is held in memory up to here; above it is refused with the limit named."""
_CHUNK_BYTES = 1_048_576
_TEMPORARY_FLAGS = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW


class WriteStep(StrEnum):
    """The places within a write where a test can step in."""

    PATH_CHECK = "path_check"
    """After the path was resolved again."""
    EXISTS_CHECK = "exists_check"
    """After it was looked whether the file exists."""
    WRITE = "write"
    """Before the first byte goes to the temporary file."""
    FLUSH = "flush"
    """Before the temporary file is synced."""
    RENAME = "rename"
    """Before the last comparison, which the renaming follows at once."""


StepHook = Callable[[WriteStep, str], None]
"""Called with the step and the workspace-relative path; may raise ``OSError``."""


def no_hook(step: WriteStep, path: str) -> None:
    """Let every step pass."""


class FileAppeared(StaleFile):
    """A file stands where a new one was to be written."""

    def __init__(self, path: str) -> None:
        super().__init__(path)
        self.args = (f"{path} already exists; nothing was written. Use file_edit instead.",)


class PathLocks:
    """One lock per path, kept only while somebody holds or wants it."""

    def __init__(self) -> None:
        self._guard = threading.Lock()
        self._locks: dict[str, tuple[threading.Lock, int]] = {}

    @contextlib.contextmanager
    def hold(self, path: str) -> Generator[None]:
        """Keep other writers of ``path`` out of the ``with`` block."""
        with self._guard:
            lock, users = self._locks.get(path, (threading.Lock(), 0))
            self._locks[path] = (lock, users + 1)
        try:
            with lock:
                yield
        finally:
            with self._guard:
                lock, users = self._locks.pop(path)
                if users > 1:
                    self._locks[path] = (lock, users - 1)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Target:
    """The entry of an open folder that is to be written."""

    folder: int
    """Descriptor of the folder."""
    name: str
    path: str
    """Workspace-relative, for messages and hooks."""


class AtomicWriter:
    """Write whole files; on any failure the old file stays and nothing else is left."""

    def __init__(
        self, sandbox: Sandbox, *, own_writes: OwnWrites, step_hook: StepHook = no_hook
    ) -> None:
        self._sandbox = sandbox
        self._own_writes = own_writes
        self._step_hook = step_hook
        self._locks = PathLocks()

    def write(
        self, path: str, data: bytes, *, expected_hash: str | None, new_mode: int | None = None
    ) -> FileStamp:
        """Write ``data`` if the file is still the expected one; see ``FileStore.write_atomic``."""
        may_create = expected_hash is None
        with self._locks.hold(path), errors_as_failures(path):
            self._check_path(path)
            with self._sandbox.open_parent(path, creates_parents=may_create) as (folder, name):
                target = _Target(folder=folder, name=name, path=path)
                return self._put(target, data, expected_hash, new_mode)

    def remove(self, path: str, *, expected_hash: str) -> None:
        """Delete the file if it is still the expected one; see ``FileStore.remove``.

        Raises:
            StaleFile: If it is not.
        """
        with self._locks.hold(path), errors_as_failures(path):
            self._check_path(path)
            with self._sandbox.open_parent(path) as (folder, name):
                target = _Target(folder=folder, name=name, path=path)
                _refuse_unexpected(target, _status_of(target), expected_hash)
                self._step_hook(WriteStep.RENAME, path)
                if _hash_of(target) != expected_hash:
                    raise StaleFile(path)
                # Announced first: the watcher may see it before we go on.
                self._own_writes.settle(path, None)
                try:
                    os.unlink(name, dir_fd=folder)
                except BaseException:
                    self._own_writes.forget_deletion(path)
                    raise
                sync_folder(folder)

    def _check_path(self, path: str) -> None:
        # Resolved again: it must still lead where it was found to lead.
        if self._sandbox.resolve(f"./{path}").relative != path:
            raise PathRefused(path, "it became a link since it was checked; nothing was written")
        self._step_hook(WriteStep.PATH_CHECK, path)

    def _put(
        self, target: _Target, data: bytes, expected_hash: str | None, new_mode: int | None
    ) -> FileStamp:
        old = _status_of(target)
        _refuse_unexpected(target, old, expected_hash)
        self._step_hook(WriteStep.EXISTS_CHECK, target.path)
        temporary = temporary_name(target.name)
        # A new file gets its mode from the kernel, which applies the umask without our
        # reading it; a replaced one must not be readable by more people for a moment.
        descriptor = os.open(
            temporary, _TEMPORARY_FLAGS, 0o666 if old is None else 0o600, dir_fd=target.folder
        )
        try:
            # Held as long as it is written: who tidies up leaves alone what somebody holds.
            hold_temporary(descriptor)
            self._fill(descriptor, data, target.path)
            if old is not None:
                os.fchmod(descriptor, _kept_mode(old))
            elif new_mode is not None:
                os.fchmod(descriptor, new_mode & 0o777)
            self._flush(descriptor, target.path)
            self._publish(target, temporary, descriptor, expected_hash)
            stamp = stamp_of(os.fstat(descriptor))
            self._own_writes.settle(target.path, stamp)
        except BaseException:
            self._own_writes.withdraw(target.path)
            with contextlib.suppress(FileNotFoundError):
                os.unlink(temporary, dir_fd=target.folder)
            raise
        finally:
            os.close(descriptor)
        sync_folder(target.folder)
        return stamp

    def _fill(self, descriptor: int, data: bytes, path: str) -> None:
        self._step_hook(WriteStep.WRITE, path)
        write_all(descriptor, data)

    def _flush(self, descriptor: int, path: str) -> None:
        self._step_hook(WriteStep.FLUSH, path)
        sync(descriptor)

    def _publish(
        self, target: _Target, temporary: str, descriptor: int, expected_hash: str | None
    ) -> None:
        # The name is given as late as possible, directly after the last look.
        self._step_hook(WriteStep.RENAME, target.path)
        self._own_writes.expect(target.path, stamp_of(os.fstat(descriptor)))
        if expected_hash is None:
            _publish_new(target, temporary)
            return
        if _hash_of(target) != expected_hash:
            raise StaleFile(target.path)
        os.rename(temporary, target.name, src_dir_fd=target.folder, dst_dir_fd=target.folder)


def is_writable(status: os.stat_result, folder: int, name: str) -> bool:
    """Whether the user may write the file.

    A file without any write bit is read-only for root too, as its owner meant it.
    """
    if not status.st_mode & 0o222:
        return False
    return os.access(
        name, os.W_OK, dir_fd=folder, effective_ids=os.access in os.supports_effective_ids
    )


def _status_of(target: _Target) -> os.stat_result | None:
    try:
        return os.stat(target.name, dir_fd=target.folder, follow_symlinks=False)
    except FileNotFoundError:
        return None


def _refuse_unexpected(
    target: _Target, old: os.stat_result | None, expected_hash: str | None
) -> None:
    if old is None:
        if expected_hash is not None:
            raise StaleFile(target.path)
        return
    if expected_hash is None:
        raise FileAppeared(target.path)
    if not stat.S_ISREG(old.st_mode):
        raise StaleFile(target.path)
    if not is_writable(old, target.folder, target.name):
        msg = f"{target.path} is read-only; nothing was written."
        raise ToolFailure(msg)
    if _hash_of(target) != expected_hash:
        raise StaleFile(target.path)


def _kept_mode(old: os.stat_result) -> int:
    """Return the mode bits that the new file gets.

    Set-id bits are not carried over to a file that then belongs to somebody else.
    """
    is_ours = old.st_uid == os.geteuid()
    return stat.S_IMODE(old.st_mode) & (0o7777 if is_ours else 0o777)


def _hash_of(target: _Target) -> str | None:
    """Return the hash of what stands there now; ``None`` when it is gone or too large.

    Raises:
        ToolFailure: If that cannot be found out.
    """
    try:
        descriptor = open_regular_at(target.folder, target.name, target.path)
    except ToolFailure as failure:
        if isinstance(failure.__cause__, OSError) and is_of_the_machine(failure.__cause__):
            # The disk fails, or no file can be opened: that says nothing of this one.
            raise
        # Gone, a link, or no file any more: in any case not the expected content.
        return None
    digest = hashlib.sha256()
    left = WHOLE_FILE_LIMIT_BYTES
    with os.fdopen(descriptor, "rb") as file:
        while chunk := file.read(_CHUNK_BYTES):
            digest.update(chunk)
            left -= len(chunk)
            if left < 0:
                # No change was worked out on so much; and a file that grows has no end.
                return None
    return digest.hexdigest()


def _publish_new(target: _Target, temporary: str) -> None:
    # Unlike a rename, a link fails when the name is taken.
    folders = {"src_dir_fd": target.folder, "dst_dir_fd": target.folder}
    try:
        os.link(temporary, target.name, **folders, follow_symlinks=False)
    except FileExistsError as error:
        raise FileAppeared(target.path) from error
    except OSError:
        _claim_and_rename(target, temporary)
        return
    # The file is there with all of its content: that its other name stays is no failure of the
    # write, and the next start removes it.
    with contextlib.suppress(OSError):
        os.unlink(temporary, dir_fd=target.folder)


def _claim_and_rename(target: _Target, temporary: str) -> None:
    # For file systems without hard links: claim the name, then rename over the claim.
    try:
        os.close(os.open(target.name, _TEMPORARY_FLAGS, 0o600, dir_fd=target.folder))
    except FileExistsError as error:
        raise FileAppeared(target.path) from error
    try:
        os.rename(temporary, target.name, src_dir_fd=target.folder, dst_dir_fd=target.folder)
    except BaseException:
        os.unlink(target.name, dir_fd=target.folder)
        raise
