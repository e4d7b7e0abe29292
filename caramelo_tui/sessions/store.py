"""Write a session's events to its file as things happen, and read such a file.

Owns the session file: JSON Lines, a header line first, then one event a line, appended and
never rewritten; 0600 in 0700. A crash at any byte costs at most the line it falls into. Never
in the way of the run: a full disk costs one notice. Proven by
tests/unit/sessions/test_store.py.
"""

import asyncio
import contextlib
import errno
import fcntl
import json
import logging
import os
import time
from collections.abc import AsyncIterable, Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from caramelo_tui.domain.agent_events import (
    AgentEvent,
    RunEnded,
    TextStreamed,
    ThinkingStreamed,
    ToolCallStreamed,
    ToolOutputStreamed,
)
from caramelo_tui.domain.ids import SessionId
from caramelo_tui.domain.tool_calls import JsonValue
from caramelo_tui.sessions.codec import FORMAT_VERSION, UnknownEvent, decode_event, encode_line
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
from caramelo_tui.workspace.private_files import make_private_folder, open_private

LOCK_TRIES = 5
LOCK_WAIT_S = 0.02
"""A tenth of a second in all: who has the session open keeps it far longer."""
BATCH_S = 0.1
"""Streamed pieces may wait so long for company; nothing else waits."""

_log = logging.getLogger(__name__)

_PIECES = (TextStreamed, ThinkingStreamed, ToolCallStreamed, ToolOutputStreamed)


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
        if os.fstat(self._descriptor).st_size == 0:
            data = f"{self._header.line()}\n".encode("ascii") + data
        self._write(self._descriptor, data)

    def sync(self) -> None:
        """Force what was appended onto the disk.

        Raises:
            OSError: If the disk refuses.
        """
        if self._descriptor is not None:
            os.fsync(self._descriptor)

    def close(self) -> None:
        """Close the file; idempotent."""
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None

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
            os.write(descriptor, b"\n")

    @staticmethod
    def _write(descriptor: int, data: bytes) -> None:
        size = os.fstat(descriptor).st_size
        view = memoryview(data)
        try:
            while view:
                view = view[os.write(descriptor, view) :]
        except OSError:
            with contextlib.suppress(OSError):
                # A half-written line would be read as torn; without it the retry is clean.
                os.ftruncate(descriptor, size)
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


class SessionRecorder:
    """Reader of the event stream that keeps every event on disk.

    What could not be written is kept and tried again with the next event, so that a disk that
    was full for a while leaves no gap.
    """

    def __init__(
        self,
        file: SessionFile,
        *,
        on_trouble: Callable[[str], None],
        batch_s: float = BATCH_S,
        saved_seq: int = 0,
    ) -> None:
        """Create a recorder; nothing is opened before the first event.

        Args:
            file: Where to.
            on_trouble: Told once, in a sentence for the user, when the file cannot be
                written; called on the event loop.
            batch_s: Seconds that streamed pieces may wait for company.
            saved_seq: Number of the last event that the file has already.
        """
        self._file = file
        self.saved_seq = saved_seq
        """Number of the last event that is in the file."""
        self._on_trouble = on_trouble
        self._batch_s = batch_s
        self._unsaved: list[AgentEvent] = []
        self._has_told = False
        self._is_ending = False
        self._has_news = asyncio.Event()
        self._must_hurry = asyncio.Event()

    async def record(self, events: AsyncIterable[AgentEvent]) -> None:
        """Write events until they end; then sync and close the file.

        Cancelled, it first writes what it has taken.
        """
        writer = asyncio.create_task(self._write_batches(), name="session writer")
        try:
            async for event in events:
                self._unsaved.append(event)
                self._has_news.set()
                if not isinstance(event, _PIECES):
                    self._must_hurry.set()
        finally:
            self._is_ending = True
            self._has_news.set()
            self._must_hurry.set()
            await asyncio.shield(writer)

    async def _write_batches(self) -> None:
        try:
            while not self._is_ending:
                await self._has_news.wait()
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(self._must_hurry.wait(), self._batch_s)
                self._has_news.clear()
                self._must_hurry.clear()
                await self._flush()
            await self._flush()
        finally:
            await asyncio.to_thread(self._file.close)

    async def _flush(self) -> None:
        batch, self._unsaved = self._unsaved, []
        if not batch:
            return
        try:
            await asyncio.to_thread(self._save, batch)
            self.saved_seq = batch[-1].head.seq
        except OSError as error:
            self._unsaved = [*batch, *self._unsaved]
            if not self._has_told:
                self._has_told = True
                self._on_trouble(
                    f"The session file cannot be written ({error.strerror or error}). The run "
                    "goes on; what happens now is not kept until there is room again."
                )

    def _save(self, batch: Sequence[AgentEvent]) -> None:
        """Write a batch; runs in a thread, since encoding a large diff takes its time."""
        self._file.append([encode_line(event) for event in batch])
        if any(isinstance(event, RunEnded) for event in batch):
            self._file.sync()


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
