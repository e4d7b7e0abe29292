"""Append lines to a session's file, and read such a file.

Owns the session file: JSON Lines, a header line first, then one event a line, appended and
never rewritten; 0600 in 0700. A crash at any byte costs at most the line it falls into. When it is
written, and what a full disk means, is the recorder's. Proven by tests/unit/sessions/test_store.py.
"""

import contextlib
import errno
import fcntl
import json
import logging
import os
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from caramelo_tui.domain.agent_events import AgentEvent
from caramelo_tui.domain.ids import SessionId
from caramelo_tui.domain.tool_calls import JsonValue
from caramelo_tui.sessions.codec import FORMAT_VERSION, UnknownEvent, decode_event
from caramelo_tui.sessions.json_shapes import (
    COUNT,
    MOMENT,
    TEXT,
    ShapeError,
    as_object,
    name_of,
    object_of,
    optional,
    record,
)
from caramelo_tui.sessions.lines import LONGEST_LINE, stored_lines
from caramelo_tui.sessions.lost_file import brought_back, is_lost
from caramelo_tui.workspace.disk_steps import sync, write_all
from caramelo_tui.workspace.private_files import make_private_folder, open_private

LOCK_TRIES = 5
LOCK_WAIT_S = 0.02
"""A tenth of a second in all: who has the session open keeps it far longer."""
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionHeader:
    """First line of a session file."""

    session_id: SessionId
    workspace: str
    """Absolute resolved root."""
    started_at: float
    """Seconds since the Unix epoch, UTC."""
    format_version: int = FORMAT_VERSION
    forked_from: SessionId | None = None
    """The session whose beginning this one shares."""

    def line(self) -> str:
        """Return the header as one line of ASCII JSON, without the line end."""
        fields = as_object(_HEADER.encode(self))
        return json.dumps({"type": _HEADER_TYPE, **fields}, separators=(",", ":"))


_HEADER_TYPE = "Session"
_HEADER = record(
    SessionHeader,
    session_id=name_of(SessionId),
    workspace=TEXT,
    started_at=MOMENT,
    format_version=COUNT,
    forked_from=optional(name_of(SessionId)),
)


def header_of(data: Mapping[str, JsonValue]) -> SessionHeader:
    """Return the header that a stored object is.

    Raises:
        ShapeError: If it is none.
    """
    if data.get("type") != _HEADER_TYPE:
        raise ShapeError("the first line is no header of a session")
    return _HEADER.decode(dict(data))


class SessionFile:
    """An append-only file of lines; blocking, for one thread at a time."""

    def __init__(self, path: Path, header: SessionHeader) -> None:
        self._path = path
        self._header = header
        self._descriptor: int | None = None
        self._is_torn = False

    @property
    def path(self) -> Path:
        """Where the file is, or will be."""
        return self._path

    def take(self) -> None:
        """Open a file that is there and keep every other program from it.

        Raises:
            BlockingIOError: If another program has it.
            OSError: If it cannot be opened.
        """
        self._descriptor = self._open(0)

    def append(self, lines: list[str]) -> None:
        """Append whole lines, or nothing.

        The file is created, with its header, by the first call: a session in which nothing
        happened leaves no file.

        Raises:
            OSError: If it cannot be written; what was written of ``lines`` is taken back.
        """
        data = "".join(f"{line}\n" for line in lines).encode("ascii")
        if self._descriptor is None:
            self._descriptor = self._open(os.O_CREAT)
        self._bring_back(self._descriptor)
        if os.fstat(self._descriptor).st_size == 0:
            data = f"{self._header.line()}\n".encode("ascii") + data
        if self._is_torn:
            self._end_torn_line(self._descriptor)
            self._is_torn = False
        self._write(self._descriptor, data)

    def sync(self) -> None:
        """Force what was appended onto the disk.

        Raises:
            OSError: If the disk refuses.
        """
        if self._descriptor is not None:
            sync(self._descriptor)

    def close(self) -> None:
        """Close the file, which has its name then though somebody removed it; idempotent."""
        if self._descriptor is None:
            return
        try:
            self._bring_back(self._descriptor)
        except OSError as error:
            _log.warning("the session file is gone: %s", error)
        finally:
            os.close(self._descriptor)
            self._descriptor = None

    def _bring_back(self, descriptor: int) -> None:
        """Put the file where it belongs if it was removed, with all that it holds."""
        if is_lost(descriptor):
            self._descriptor = brought_back(descriptor, self._path)
            os.close(descriptor)
            lock_session(self._descriptor)

    def _open(self, more_flags: int) -> int:
        make_private_folder(self._path.parent)
        flags = os.O_RDWR | os.O_APPEND | os.O_NOFOLLOW | more_flags
        descriptor = open_private(self._path, flags)
        try:
            lock_session(descriptor)
            self._end_torn_line(descriptor)
        except OSError:
            os.close(descriptor)
            raise
        return descriptor

    @staticmethod
    def _end_torn_line(descriptor: int) -> None:
        """Keep a line that a crash cut from swallowing the next one."""
        size = os.fstat(descriptor).st_size
        if size and os.pread(descriptor, 1, size - 1) != b"\n":
            write_all(descriptor, b"\n")

    def _write(self, descriptor: int, data: bytes) -> None:
        size = os.fstat(descriptor).st_size
        try:
            write_all(descriptor, data)
        except OSError:
            self._is_torn = True
            with contextlib.suppress(OSError):
                # A half-written line would be read as torn; without it the retry is clean.
                os.ftruncate(descriptor, size)
                self._is_torn = False
            raise


def lock_session(descriptor: int) -> None:
    """Keep other programs from a session while its file is open; a crash gives it back.

    Raises:
        BlockingIOError: If another program has it.
    """
    for _ in range(LOCK_TRIES):
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            # A list that looks whether the session is open holds the lock for an instant.
            time.sleep(LOCK_WAIT_S)
        except OSError as error:
            # A file system without locks: two programs would append line by line, none is torn.
            _log.debug("the session is not locked: %s", error)
            return
        else:
            return
    raise BlockingIOError(errno.EWOULDBLOCK, "the session is open in another program")


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredSession:
    """What a session file holds."""

    header: SessionHeader | None
    """``None`` when the first line is damaged."""
    events: tuple[AgentEvent | UnknownEvent, ...]
    problems: tuple[str, ...]
    """What was left out and why, a sentence each; empty for a sound file."""


def load_events(path: Path, *, longest_line: int = LONGEST_LINE) -> StoredSession:
    """Read a session file as far as it is sound.

    Args:
        path: The file.
        longest_line: Bytes above which a line is left out.

    Raises:
        OSError: If it cannot be read.
    """
    header: SessionHeader | None = None
    events: list[AgentEvent | UnknownEvent] = []
    problems: list[str] = []
    with path.open("rb") as file:
        for number, line in enumerate(stored_lines(file, longest=longest_line), start=1):
            if line is None:
                problems.append(f"Line {number} is too long and was left out.")
                continue
            if not line.endswith(b"\n"):
                problems.append(f"Line {number} is incomplete and was left out.")
                continue
            try:
                data = object_of(line)
                if data.get("type") == _HEADER_TYPE:
                    header = _HEADER.decode(data)
                else:
                    events.append(decode_event(data))
            except ShapeError as error:
                problems.append(f"Line {number} cannot be read and was left out: {error}")
    return StoredSession(header=header, events=tuple(events), problems=tuple(problems))
