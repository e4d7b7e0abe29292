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
from collections.abc import Mapping
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
    run_id: RunId | None
    """``None`` outside a run, for a call made by hand."""
    turn_id: TurnId | None
    """``None`` outside a turn."""
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
    at, call_id, path = fields.get("at"), fields.get("call_id"), fields.get("path")
    if not isinstance(at, int | float) or not isinstance(call_id, str) or not isinstance(path, str):
        return None
    run_id, turn_id = _text_or_none(fields, "run_id"), _text_or_none(fields, "turn_id")
    return JournalEntry(
        at=float(at),
        run_id=None if run_id is None else RunId(run_id),
        turn_id=None if turn_id is None else TurnId(turn_id),
        call_id=CallId(call_id),
        path=path,
        before_hash=_text_or_none(fields, "before"),
        after_hash=_text_or_none(fields, "after"),
    )


def _text_or_none(fields: Mapping[str, object], key: str) -> str | None:
    value = fields.get(key)
    return value if isinstance(value, str) else None
