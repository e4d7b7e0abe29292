"""List the stored sessions of a workspace.

Owns what is found out about a session file without reading it as events: its header, the first
and the last run, how many there are, and whether it ends as it should. Each file is read once,
as bytes, and only a few of its lines as JSON; a damaged one is listed with what is wrong. Changes
nothing. Proven by tests/unit/sessions/test_catalogue.py.
"""

import fcntl
import os
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from caramelo_tui.domain.agent_events import RunStarted
from caramelo_tui.domain.ids import SessionId
from caramelo_tui.domain.sessions import SessionSummary, SessionTrouble
from caramelo_tui.domain.system_faults import reason_of
from caramelo_tui.domain.tool_calls import JsonValue
from caramelo_tui.sessions.codec import FORMAT_VERSION, decode_event
from caramelo_tui.sessions.json_shapes import MOMENT, ShapeError, object_of
from caramelo_tui.sessions.store import SessionHeader, header_of

SUFFIX = ".jsonl"
"""End of a session file's name; what stands before it is the session's id."""
SCANNED_BYTES = 64 * 1024 * 1024
"""Start of a file that is read; what a larger one holds behind is not counted."""
CUT_LINE = "the last line is cut off"
"""The problem of a session whose program ended in the middle of a write; the rest is sound."""
LAST = "last"
"""Names the session in which something happened last."""

# Quotes are escaped in JSON texts: nothing that was said looks like the begin of a line.
_RUN_STARTED = b'{"type":"RunStarted'
_CALL_STARTED = b'{"type":"ToolCallStarted'
_RUN_ENDED = b'{"type":"RunEnded'


def session_files(folder: Path) -> tuple[Path, ...]:
    """Return the session files of a workspace's folder, in the order of their names.

    Raises:
        SessionTrouble: If the folder cannot be read; one that does not exist is empty.
    """
    try:
        with os.scandir(folder) as entries:
            return tuple(
                sorted(
                    Path(entry.path)
                    for entry in entries
                    if entry.name.endswith(SUFFIX) and entry.is_file(follow_symlinks=False)
                )
            )
    except FileNotFoundError:
        return ()
    except OSError as error:
        msg = f"the stored sessions cannot be read: {error}"
        raise SessionTrouble(msg) from error


def list_sessions(folder: Path) -> tuple[SessionSummary, ...]:
    """Return the sessions of a workspace's folder, the one that was active last first. Blocks.

    Those in which nothing was asked or run are left out.

    Raises:
        SessionTrouble: If the folder cannot be read.
    """
    found = (_summary_or_gone(path) for path in session_files(folder))
    sessions = [one for one in found if one is not None and not one.is_empty]
    return tuple(sorted(sessions, key=lambda summary: summary.active_at, reverse=True))


def find_session(folder: Path, name: str) -> Path:
    """Return the file of a session by its id, the beginning of its id, or ``last``. Blocks.

    Raises:
        SessionTrouble: If there is none, or several begin so.
    """
    if name == LAST:
        newest = newest_session(folder)
        if newest is None:
            raise SessionTrouble("there is no stored session of this folder")
        return folder / f"{newest.id}{SUFFIX}"
    paths = session_files(folder)
    exact = [path for path in paths if path.stem == name]
    near = exact or [path for path in paths if name and path.stem.startswith(name)]
    if len(near) == 1:
        return near[0]
    what = "several sessions begin" if near else "no stored session of this folder begins"
    msg = f"{what} with {name!r}; `caramelo sessions list` shows them"
    raise SessionTrouble(msg)


def newest_session(folder: Path) -> SessionSummary | None:
    """Return the session that was written last and holds something; ``None``: none does. Blocks.

    Raises:
        SessionTrouble: If the folder cannot be read.
    """
    files = sorted(
        session_files(folder), key=lambda path: (_written_at(path), path.name), reverse=True
    )
    found = (_summary_or_gone(path) for path in files)
    return next((one for one in found if one is not None and not one.is_empty), None)


def _written_at(path: Path) -> int:
    try:
        return path.stat(follow_symlinks=False).st_mtime_ns
    except OSError:
        return 0


def summary_of(path: Path) -> SessionSummary:
    """Return what a list shows of a session file. Blocks.

    Raises:
        OSError: If it cannot be read.
    """
    with path.open("rb") as file:
        status = os.fstat(file.fileno())
        data = file.read(SCANNED_BYTES)
        is_open = _is_locked(file.fileno())
    summary = SessionSummary(
        id=SessionId(path.stem),
        started_at=status.st_mtime,
        active_at=status.st_mtime,
        size=status.st_size,
        is_open=is_open,
    )
    # A line that was cut has not happened.
    whole = data[: data.rfind(b"\n") + 1]
    return _with_problem(_with_counts(summary, whole), data)


def _summary_or_gone(path: Path) -> SessionSummary | None:
    try:
        return summary_of(path)
    except FileNotFoundError:
        return None
    except OSError as error:
        problem = f"cannot be read ({reason_of(error)})"
        return SessionSummary(
            id=SessionId(path.stem), started_at=0.0, active_at=0.0, problem=problem
        )


def _is_locked(descriptor: int) -> bool:
    """Whether a program has the session open; it holds the lock exclusively."""
    try:
        fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    except OSError:
        # A file system without locks tells nothing.
        return False
    fcntl.flock(descriptor, fcntl.LOCK_UN)
    return False


def _with_counts(summary: SessionSummary, data: bytes) -> SessionSummary:
    last_at = data.rfind(_RUN_STARTED)
    summary = replace(
        summary,
        runs=data.count(_RUN_STARTED),
        is_empty=last_at < 0 and _CALL_STARTED not in data,
        is_unended=last_at >= 0 and data.find(_RUN_ENDED, last_at) < 0,
    )
    first = _run_at(data, data.find(_RUN_STARTED))
    last = _run_at(data, last_at) or first
    if first is not None:
        summary = replace(summary, first_prompt=first.prompt)
    if last is not None:
        summary = replace(summary, provider=last.provider, model=last.model)
    active_at = _last_time(data)
    return summary if active_at is None else replace(summary, active_at=active_at)


def _with_problem(summary: SessionSummary, data: bytes) -> SessionSummary:
    """Say what is wrong with a file, as far as its first and its last line tell."""
    header = _header(data)
    if header is None:
        # Killed while it was made, it holds nothing that anybody saw.
        is_empty = b"\n" not in data
        return replace(summary, problem="the first line is damaged", is_empty=is_empty)
    summary = replace(summary, started_at=header.started_at)
    if header.format_version > FORMAT_VERSION:
        return replace(summary, problem="a later version of Caramelo wrote it")
    if not data.endswith(b"\n") and not summary.is_open:
        return replace(summary, problem=CUT_LINE)
    return summary


def _header(data: bytes) -> SessionHeader | None:
    value = _object(data[: data.find(b"\n") + 1])
    if value is None:
        return None
    try:
        return header_of(value)
    except ShapeError:
        return None


def _run_at(data: bytes, at: int) -> RunStarted | None:
    """Return the run whose line begins at ``at``; ``None`` for -1 and a damaged line."""
    if at < 0:
        return None
    end = data.find(b"\n", at)
    value = _object(data[at : end if end >= 0 else len(data)])
    event = None if value is None else decode_event(value)
    return event if isinstance(event, RunStarted) else None


def _last_time(data: bytes) -> float | None:
    """Return when the last whole event happened."""
    for line in _lines_from_end(data):
        value = _object(line)
        try:
            return MOMENT.decode(None if value is None else value.get("at"))
        except ShapeError:
            # The line before it may tell.
            continue
    return None


def _lines_from_end(data: bytes, most: int = 3) -> Iterator[bytes]:
    end = len(data)
    for _ in range(most):
        begin = data.rfind(b"\n", 0, max(end - 1, 0)) + 1
        if end <= begin:
            return
        yield data[begin:end]
        end = begin


def _object(line: bytes) -> dict[str, JsonValue] | None:
    try:
        return object_of(line)
    except ShapeError:
        return None
