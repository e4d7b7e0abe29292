"""Open a stored session to go on with it.

Owns that one program at a time has a session, that a file of a later version is left alone, and
how a fork's file is made of another one's beginning. Reads no meaning into the events. Proven by
tests/unit/sessions/test_opening.py.
"""

import os
import shutil
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from caramelo_tui.domain.agent_events import AgentEvent
from caramelo_tui.domain.ids import SessionId
from caramelo_tui.domain.sessions import SessionTrouble
from caramelo_tui.domain.system_faults import reason_of
from caramelo_tui.domain.tool_calls import JsonValue
from caramelo_tui.sessions.catalogue import SUFFIX
from caramelo_tui.sessions.codec import FORMAT_VERSION, UnknownEvent
from caramelo_tui.sessions.json_shapes import ShapeError, object_of
from caramelo_tui.sessions.lines import stored_lines
from caramelo_tui.sessions.store import (
    SessionFile,
    SessionHeader,
    StoredSession,
    load_events,
)
from caramelo_tui.workspace.private_files import make_private_folder, open_private

_MOST_EVENTS = 2**53
"""More than any session has."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenedSession:
    """A stored session that this program has now, and nobody else."""

    header: SessionHeader
    events: tuple[AgentEvent, ...]
    """Those that this version knows, in order; the file keeps the others."""
    last_seq: int
    """Highest number in the file; 0 when it has no event."""
    problems: tuple[str, ...]
    """What could not be read, a sentence each."""
    file: SessionFile
    """Open and locked; further events are appended to it."""


def open_session(path: Path) -> OpenedSession:
    """Take a session, so that its file can be gone on with. Blocks.

    Raises:
        SessionTrouble: If another program has it, or it cannot be read.
    """
    file = SessionFile(path, _NO_HEADER)
    try:
        file.take()
        stored = load_events(path)
        header = _known_header(stored)
    except BlockingIOError as error:
        file.close()
        msg = f"the session {path.stem} is open in another Caramelo; close it there, or fork it"
        raise SessionTrouble(msg) from error
    except OSError as error:
        file.close()
        msg = f"the session {path.stem} cannot be read: {reason_of(error)}"
        raise SessionTrouble(msg) from error
    except SessionTrouble:
        file.close()
        raise
    return OpenedSession(
        # The name of the file counts: whatever a line of it says names no other path.
        header=replace(header, session_id=SessionId(path.stem)),
        events=tuple(event for event in stored.events if not isinstance(event, UnknownEvent)),
        last_seq=max(map(_seq_of, stored.events), default=0),
        problems=(*stored.problems, *_unread(stored)),
        file=file,
    )


def fork_session(source: Path, new_id: SessionId, *, before: int | None, now: float) -> Path:
    """Begin a session with what another one holds; the other is not touched. Blocks.

    Args:
        source: The file of the other.
        new_id: Names the new one, in the same folder.
        before: Number of the first event that is left out; ``None``: all are taken.
        now: Seconds since the Unix epoch, UTC.

    Returns:
        The new file.

    Raises:
        SessionTrouble: If the other cannot be read, or the new one not written.
    """
    target = source.with_name(f"{new_id}{SUFFIX}")
    try:
        header = _known_header(load_events(source), needs_header=False)
        fork = replace(header, session_id=new_id, started_at=now, forked_from=header.session_id)
        _write_new(target, fork, _lines_before(source, before))
        _link_outputs(source, target)
    except OSError as error:
        msg = f"the session {source.stem} cannot be forked: {reason_of(error)}"
        raise SessionTrouble(msg) from error
    return target


_NO_HEADER = SessionHeader(session_id=SessionId(""), workspace="", started_at=0.0)
"""Stands in until the header is read; a file that is there has one and gets none."""


def _known_header(stored: StoredSession, *, needs_header: bool = True) -> SessionHeader:
    """Return the header.

    Raises:
        SessionTrouble: If it is damaged, or of a later version.
    """
    header = stored.header
    if header is None:
        if not needs_header:
            return _NO_HEADER
        raise SessionTrouble(
            "the session's first line is damaged; `caramelo sessions export` reads the rest"
        )
    if header.format_version > FORMAT_VERSION:
        msg = (
            f"the session was written by a later version of Caramelo (format "
            f"{header.format_version}, this one knows {FORMAT_VERSION}): update Caramelo"
        )
        raise SessionTrouble(msg)
    return header


def _seq_of(event: AgentEvent | UnknownEvent) -> int:
    return _seq(event.data.get("seq") if isinstance(event, UnknownEvent) else event.head.seq)


def _seq(value: JsonValue) -> int:
    """Return a number of an event; 0 for what cannot be one, which nothing could be counted on."""
    if not isinstance(value, int) or isinstance(value, bool):
        return 0
    return value if 0 <= value < _MOST_EVENTS else 0


def _unread(stored: StoredSession) -> tuple[str, ...]:
    count = sum(isinstance(event, UnknownEvent) for event in stored.events)
    if not count:
        return ()
    events = "1 event" if count == 1 else f"{count} events"
    return (f"{events} of another version of Caramelo: kept in the file, not shown.",)


def _lines_before(source: Path, before: int | None) -> Iterator[bytes]:
    """Yield the whole lines of events below a number, as they are."""
    with source.open("rb") as file:
        for number, line in enumerate(stored_lines(file)):
            if line is None:
                continue
            if not line.endswith(b"\n"):
                return
            try:
                data = object_of(line)
            except ShapeError:
                continue
            if number == 0 and data.get("type") == "Session":
                continue
            if before is not None and _seq(data.get("seq")) >= before:
                return
            yield line


def _write_new(target: Path, header: SessionHeader, lines: Iterator[bytes]) -> None:
    make_private_folder(target.parent)
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW
    with os.fdopen(open_private(target, flags), "wb") as file:
        try:
            file.write(f"{header.line()}\n".encode("ascii"))
            file.writelines(lines)
            file.flush()
            os.fsync(file.fileno())
        except BaseException:
            target.unlink(missing_ok=True)
            raise


def _link_outputs(source: Path, target: Path) -> None:
    """Let the fork have the kept outputs; they never change, so both names can be one file."""
    outputs = source.with_suffix(".output")
    if outputs.is_dir():
        shutil.copytree(outputs, target.with_suffix(".output"), copy_function=os.link)
