"""Keep what every call changed: before and after, and by whom.

Owns the append-only journal of one session and its store of file contents, named by their
hash; the source of attribution and of undo. Everything is private to the user and lies
outside the workspace and outside the user's git. Proven by
tests/unit/workspace/test_journal.py.
"""

import logging
import os
import re
import threading
from pathlib import Path

from caramelo_tui.domain.errors import CarameloError
from caramelo_tui.domain.ids import CallId, Clock, RunId, TurnId
from caramelo_tui.workspace.disk_steps import sync, write_all
from caramelo_tui.workspace.file_io import content_hash
from caramelo_tui.workspace.journal_entries import (
    EntryKind,
    JournalEntry,
    RecordedChange,
    Switch,
    entry_line,
    read_line,
    void_line,
)
from caramelo_tui.workspace.private_files import (
    make_private_folder,
    open_private,
    sync_entries,
    sync_private,
    write_private,
)

__all__ = [
    "EntryKind",
    "Journal",
    "JournalDamaged",
    "JournalEntry",
    "RecordedChange",
    "Switch",
]

_log = logging.getLogger(__name__)

JOURNAL_NAME = "journal.jsonl"
"""File of the entries, in the session's folder."""
BLOBS_NAME = "blobs"
"""Folder of the contents."""
_HASH = re.compile(r"[0-9a-f]{64}")


class JournalDamaged(CarameloError):
    """A stored content is missing or is not what its name says."""


class Journal:
    """The journal of one session.

    Thread-safe within one process; one process writes a folder at a time.
    """

    def __init__(
        self,
        folder: Path,
        clock: Clock,
        *,
        workspace: Path | None = None,
        blobs: Path | None = None,
    ) -> None:
        """Open the journal in ``folder``, made on the first record.

        Args:
            folder: Where the journal is kept.
            clock: Gives the time of entries.
            workspace: Root of the workspace, to be sure that ``folder`` lies outside of it.
            blobs: Where contents are kept, such as a folder that the sessions of a workspace
                share; ``None``: in ``folder``.

        Raises:
            ValueError: If ``folder`` lies inside ``workspace``.
        """
        if workspace is not None and folder.resolve().is_relative_to(workspace.resolve()):
            msg = f"the journal must not lie in the workspace: {folder}"
            raise ValueError(msg)
        self._folder = folder
        self._blobs = blobs or folder / BLOBS_NAME
        self._clock = clock
        self._lock = threading.Lock()
        self._blob_lock = threading.Lock()
        self._entries: dict[int, JournalEntry] = {}
        self._count = 0
        self._unreadable: OSError | None = None
        self._durable: set[str] = set()
        """Contents that this process forced to the disk."""
        self._read()

    @property
    def folder(self) -> Path:
        """Where the entries are kept."""
        return self._folder

    def record(
        self,
        *,
        call_id: CallId,
        turn_id: TurnId | None,
        run_id: RunId | None,
        path: str,
        before: bytes | None,
        after: bytes | None,
    ) -> JournalEntry:
        """Store both contents and append an entry; on disk when it returns. Blocks.

        Args:
            call_id: The call that changes the file.
            turn_id: Its turn, if any.
            run_id: Its run, if any.
            path: Workspace-relative resolved path.
            before: Content before; ``None``: no file.
            after: Content after; ``None``: deleted.

        Raises:
            OSError: If it cannot be stored; then the change must not be made.
        """
        return self.record_change(
            RecordedChange(
                call_id=call_id,
                turn_id=turn_id,
                run_id=run_id,
                path=path,
                before=before,
                after=after,
            )
        )

    def record_change(self, change: RecordedChange) -> JournalEntry:
        """Store both contents of any change and append its entry, as ``record``. Blocks.

        Raises:
            OSError: If it cannot be stored; then the change must not be made.
        """
        before, after = self.keep(change.before), self.keep(change.after)
        with self._lock:
            entry = JournalEntry(
                at=self._clock.now(),
                run_id=change.run_id,
                turn_id=change.turn_id,
                call_id=change.call_id,
                path=change.path,
                before_hash=before,
                after_hash=after,
                number=self._count,
                kind=change.kind,
                switches=change.switches,
                redone=change.redone,
                mode=change.mode,
            )
            self._append(entry_line(entry))
            self._count += 1
            self._entries[entry.number] = entry
        return entry

    def void(self, *entries: JournalEntry) -> None:
        """Say that recorded changes did not happen after all; they are no entries any more.

        Never raises: where that cannot be stored, the log has it, and a later start of the program
        finds entries of which nothing is on disk.
        """
        numbers = tuple(entry.number for entry in entries)
        with self._lock:
            for number in numbers:
                self._entries.pop(number, None)
            try:
                self._append(void_line(numbers))
            except OSError as error:
                _log.warning("the journal could not be told what did not happen: %s", error)

    def entries(self) -> tuple[JournalEntry, ...]:
        """Return all entries, oldest first."""
        with self._lock:
            return tuple(self._entries.values())

    @property
    def count(self) -> int:
        """The number that the next entry gets."""
        with self._lock:
            return self._count

    def blob(self, content: str) -> bytes:
        """Return the content with this hash.

        Raises:
            JournalDamaged: If it is missing or damaged.
        """
        if not _HASH.fullmatch(content):
            msg = f"not a content hash: {content!r}"
            raise JournalDamaged(msg)
        try:
            data = self._blob_path(content).read_bytes()
        except OSError as error:
            msg = f"stored content {content} cannot be read: {error.strerror}"
            raise JournalDamaged(msg) from error
        if content_hash(data) != content:
            msg = f"stored content {content} is damaged"
            raise JournalDamaged(msg)
        return data

    def keep(self, data: bytes | None, *, is_synced: bool = True) -> str | None:
        """Store a content and return its hash; ``None`` for none. Blocks.

        Args:
            data: The content.
            is_synced: Whether it survives a power cut; the end of this process it does anyway.

        Raises:
            OSError: If it cannot be stored.
        """
        if data is None:
            return None
        content = content_hash(data)
        path = self._blob_path(content)
        with self._blob_lock:
            if not _has_size(path, len(data)):
                write_private(path, data, is_synced=is_synced)
            else:
                # Used again: the clean-up goes by the age.
                os.utime(path)
                if is_synced and content not in self._durable:
                    # A picture of the tree, or another program, may have left it unsynced.
                    sync_private(path)
            if is_synced:
                self._durable.add(content)
        return content

    def _blob_path(self, content: str) -> Path:
        return self._blobs / content[:2] / content

    def _append(self, text: str) -> None:
        if self._unreadable is not None:
            raise self._unreadable
        make_private_folder(self._folder, is_synced=True)
        descriptor = open_private(
            self._folder / JOURNAL_NAME, os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_NOFOLLOW
        )
        size = os.fstat(descriptor).st_size
        try:
            # After a crash the last line may lack its end; the new one must not join it.
            start = b"" if _ends_with_newline(descriptor) else b"\n"
            write_all(descriptor, start + f"{text}\n".encode())
            sync(descriptor)
            if size == 0:
                sync_entries(self._folder)
        except OSError:
            self._take_back(descriptor, size)
            raise
        finally:
            os.close(descriptor)

    def _take_back(self, descriptor: int, size: int) -> None:
        """Remove a line that could not be made to last: its number goes to another one."""
        try:
            os.ftruncate(descriptor, size)
        except OSError as error:
            # Entries count by their place, and whether that line has one is not known.
            _log.warning("the journal takes no more entries: %s", error)
            self._unreadable = error

    def _read(self) -> None:
        try:
            lines = (self._folder / JOURNAL_NAME).read_bytes().split(b"\n")
        except FileNotFoundError:
            return
        except OSError as error:
            # Entries count by their place: none can be added to what is not known.
            _log.warning("the journal cannot be read: %s", error)
            self._unreadable = error
            return
        for line in lines:
            found = read_line(line, self._count) if line else None
            if isinstance(found, JournalEntry):
                self._entries[found.number] = found
                self._count += 1
            elif found is not None:
                for number in found:
                    self._entries.pop(number, None)


def _has_size(path: Path, size: int) -> bool:
    """Whether a content is there; one that a power cut emptied is not."""
    try:
        return path.stat().st_size == size
    except FileNotFoundError:
        return False


def _ends_with_newline(descriptor: int) -> bool:
    size = os.fstat(descriptor).st_size
    return size == 0 or os.pread(descriptor, 1, size - 1) == b"\n"
