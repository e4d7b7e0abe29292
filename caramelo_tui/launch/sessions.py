"""List, show and export stored sessions, and find the one that is gone on with.

Owns what is said of sessions outside of them; nothing of a session is changed. Proven by
tests/unit/test_launch_sessions.py and tests/e2e/test_resume.py.
"""

import json
import shutil
import sys
from datetime import datetime
from pathlib import Path

from caramelo_tui.agent.stored_sessions import write_export
from caramelo_tui.command_line import ExportFlag, SessionAction, SessionsOptions
from caramelo_tui.domain.errors import ConfigError
from caramelo_tui.domain.screen_text import visible
from caramelo_tui.domain.sessions import ExportForm, SessionSummary, SessionTrouble
from caramelo_tui.domain.system_faults import reason_of
from caramelo_tui.launch.start import Start, begin, keep_apart, workspace_root
from caramelo_tui.sessions.catalogue import find_session, list_sessions
from caramelo_tui.sessions.export import export_session, plain_text
from caramelo_tui.sessions.folders import workspace_folder
from caramelo_tui.sessions.searching import search_sessions
from caramelo_tui.sessions.store import StoredSession, load_events

LISTING_WIDTH = 100
"""Widest row of the list, in cells."""
_FORMS = {
    ExportFlag.MARKDOWN: ExportForm.MARKDOWN,
    ExportFlag.JSON: ExportForm.JSON,
    ExportFlag.HTML: ExportForm.HTML,
}


def run_sessions(options: SessionsOptions) -> int:
    """Do what is asked about stored sessions and return the exit code.

    Raises:
        ConfigError: If there is no such folder or session.
        SessionTrouble: If the sessions cannot be read, or an export not written.
    """
    start = begin(options.common)
    root = workspace_root(options.workspace)
    keep_apart(root, start)
    folder = workspace_folder(start.locations.sessions, root)
    if options.action is SessionAction.LIST:
        return _list(folder, options)
    path = stored_session(start, root, options.session)
    if options.action is SessionAction.SHOW:
        sys.stdout.write(plain_text(_loaded(path)))
        return 0
    return _export(path, options)


def stored_session(start: Start, root: Path, name: str) -> Path:
    """Return the file of a session of a folder, by the begin of its id or ``last``.

    Raises:
        ConfigError: If there is none, or several begin so.
    """
    try:
        return find_session(workspace_folder(start.locations.sessions, root), name)
    except SessionTrouble as error:
        raise ConfigError("session", "", str(error)) from error


def _loaded(path: Path) -> StoredSession:
    """Return what a session's file holds.

    Raises:
        SessionTrouble: If it cannot be read.
    """
    try:
        return load_events(path)
    except OSError as error:
        msg = f"the session {path.stem} cannot be read: {reason_of(error)}"
        raise SessionTrouble(msg) from error


def _list(folder: Path, options: SessionsOptions) -> int:
    sessions = search_sessions(folder, list_sessions(folder), options.words)
    if options.is_json:
        sys.stdout.write("".join(f"{_json_line(session)}\n" for session in sessions))
        return 0
    width = min(shutil.get_terminal_size().columns, LISTING_WIDTH)
    for session in sessions:
        sys.stdout.write(f"{_row(session, width)}\n")
    if not sessions:
        what = "in which all these words were said" if options.words else "of this folder"
        sys.stderr.write(f"caramelo: there is no stored session {what}\n")
    return 0


def _row(session: SessionSummary, width: int) -> str:
    prompts = f"{session.runs} prompt" + ("" if session.runs == 1 else "s")
    state = "open" if session.is_open else "cut off" if session.is_unended else ""
    said = session.problem or session.excerpt or session.first_prompt
    parts = (
        visible(session.id, keeps_newlines=False),
        _local_time(session.active_at),
        prompts,
        *((state,) if state else ()),
        visible(" ".join(said.split()), keeps_newlines=False),
    )
    row = "  ".join(parts)
    return row if len(row) <= width else f"{row[: max(width - 1, 0)]}…"


def _local_time(at: float) -> str:
    try:
        return f"{datetime.fromtimestamp(at).astimezone():%Y-%m-%d %H:%M}"
    except (OverflowError, ValueError, OSError):
        return "unknown time"


def _json_line(session: SessionSummary) -> str:
    return json.dumps(
        {
            "id": session.id,
            "started_at": session.started_at,
            "active_at": session.active_at,
            "first_prompt": session.first_prompt,
            "prompts": session.runs,
            "provider": session.provider,
            "model": session.model,
            "bytes": session.size,
            "is_cut_off": session.is_unended and not session.is_open,
            "is_open": session.is_open,
            "problem": session.problem,
            "excerpt": session.excerpt,
        }
    )


def _export(path: Path, options: SessionsOptions) -> int:
    text = export_session(_loaded(path), _FORMS[options.form])
    if options.output is None:
        sys.stdout.write(text)
        return 0
    try:
        write_export(text, options.output.expanduser())
    except (RuntimeError, ValueError) as error:
        # A home that nobody has; a NUL.
        msg = f"{options.output} is no path of a file: {error}"
        raise SessionTrouble(msg) from error
    except OSError as error:
        msg = f"{options.output} was not written: {reason_of(error)}"
        raise SessionTrouble(msg) from error
    return 0
