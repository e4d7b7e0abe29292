"""Keep what every call changed: before and after, and by whom.

Owns the append-only journal of one session and its store of file contents, named by their
hash; the source of attribution and of undo. Everything is private to the user and lies
outside the workspace and outside the user's git. Proven by
tests/unit/workspace/test_journal.py.
"""

import json
import os
import re
import threading
from dataclasses import dataclass
from pathlib import Path
from typing import cast

from caramelo_tui.domain.errors import CarameloError
from caramelo_tui.domain.ids import CallId, Clock, RunId, TurnId
from caramelo_tui.workspace.file_io import content_hash
from caramelo_tui.workspace.private_files import make_private_folder, open_private, write_private

_LOG_NAME = "journal.jsonl"
_BLOBS_NAME = "blobs"
_HASH = re.compile(r"[0-9a-f]{64}")


class JournalDamaged(CarameloError):
    """A stored content is missing or is not what its name says."""


@dataclass(frozen=True, slots=True, kw_only=True)
class JournalEntry:
    """One file changed by one call."""

    at: float
    """Seconds since the Unix epoch, UTC."""
    run_id: RunId
    turn_id: TurnId
    call_id: CallId
    path: str
    """Workspace-relative resolved path."""
    before_hash: str | None
    """Hash of the content before, to be read with ``Journal.blob``; ``None``: no file."""
    after_hash: str | None
    """Hash of the content after; ``None``: the file was deleted."""


class Journal:
    """The journal of one session.

    Thread-safe within one process; one process writes a folder at a time.
    """

    def __init__(self, folder: Path, clock: Clock, *, workspace: Path | None = None) -> None:
        """Open the journal in ``folder``, made on the first record.

        Args:
            folder: Where the journal and the contents are kept.
            clock: Gives the time of entries.
            workspace: Root of the workspace, to be sure that ``folder`` lies outside of it.

        Raises:
            ValueError: If ``folder`` lies inside ``workspace``.
        """
        if workspace is not None and folder.resolve().is_relative_to(workspace.resolve()):
            msg = f"the journal must not lie in the workspace: {folder}"
            raise ValueError(msg)
        self._folder = folder
        self._clock = clock
        self._lock = threading.Lock()
        self._entries = list(_read_entries(folder / _LOG_NAME))
        self._last = {entry.path: entry for entry in self._entries}

    def record(
        self,
        *,
        call_id: CallId,
        turn_id: TurnId,
        run_id: RunId,
        path: str,
        before: bytes | None,
        after: bytes | None,
    ) -> JournalEntry:
        """Store both contents and append an entry; on disk when it returns. Blocks.

        Args:
            call_id: The call that changes the file.
            turn_id: Its turn.
            run_id: Its run.
            path: Workspace-relative resolved path.
            before: Content before; ``None``: no file.
            after: Content after; ``None``: deleted.

        Raises:
            OSError: If it cannot be stored; then the change must not be made.
        """
        entry = JournalEntry(
            at=self._clock.now(),
            run_id=run_id,
            turn_id=turn_id,
            call_id=call_id,
            path=path,
            before_hash=self._store(before),
            after_hash=self._store(after),
        )
        with self._lock:
            self._append(entry)
            self._entries.append(entry)
            self._last[path] = entry
        return entry

    def entries(self) -> tuple[JournalEntry, ...]:
        """Return all entries, oldest first."""
        with self._lock:
            return tuple(self._entries)

    def origin_of(self, path: str) -> JournalEntry | None:
        """Return the last entry for a path: who changed it; ``None``: nobody here did."""
        with self._lock:
            return self._last.get(path)

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

    def _store(self, data: bytes | None) -> str | None:
        if data is None:
            return None
        content = content_hash(data)
        path = self._blob_path(content)
        if not path.exists():
            write_private(path, data)
        return content

    def _blob_path(self, content: str) -> Path:
        return self._folder / _BLOBS_NAME / content[:2] / content

    def _append(self, entry: JournalEntry) -> None:
        make_private_folder(self._folder)
        descriptor = open_private(
            self._folder / _LOG_NAME, os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_NOFOLLOW
        )
        try:
            line = f"{json.dumps(_as_json(entry))}\n".encode()
            # After a crash the last line may lack its end; the new one must not join it.
            start = b"" if _ends_with_newline(descriptor) else b"\n"
            os.write(descriptor, start + line)
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def _ends_with_newline(descriptor: int) -> bool:
    size = os.fstat(descriptor).st_size
    return size == 0 or os.pread(descriptor, 1, size - 1) == b"\n"


def _as_json(entry: JournalEntry) -> dict[str, float | str | None]:
    return {
        "at": entry.at,
        "run_id": entry.run_id,
        "turn_id": entry.turn_id,
        "call_id": entry.call_id,
        "path": entry.path,
        "before": entry.before_hash,
        "after": entry.after_hash,
    }


def _read_entries(log: Path) -> list[JournalEntry]:
    try:
        lines = log.read_bytes().split(b"\n")
    except FileNotFoundError:
        return []
    entries = (_parse(line) for line in lines if line)
    return [entry for entry in entries if entry is not None]


def _parse(line: bytes) -> JournalEntry | None:
    """Return the entry of one line; ``None`` for one that a crash cut off."""
    try:
        raw: object = json.loads(line)
    except ValueError:
        return None
    if not isinstance(raw, dict):
        return None
    fields = cast("dict[str, object]", raw)
    texts = [fields.get(key) for key in ("run_id", "turn_id", "call_id", "path")]
    hashes = [fields.get(key) for key in ("before", "after")]
    at = fields.get("at")
    if not isinstance(at, int | float) or not all(isinstance(text, str) for text in texts):
        return None
    if not all(value is None or isinstance(value, str) for value in hashes):
        return None
    run_id, turn_id, call_id, path = (str(text) for text in texts)
    before, after = (None if value is None else str(value) for value in hashes)
    return JournalEntry(
        at=float(at),
        run_id=RunId(run_id),
        turn_id=TurnId(turn_id),
        call_id=CallId(call_id),
        path=path,
        before_hash=before,
        after_hash=after,
    )
