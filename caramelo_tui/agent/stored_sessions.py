"""List, fork and export the sessions of a workspace, for the agent that writes one of them.

Owns that what is forked or exported is whole: everything that happened is on disk before the file
is read. All reading and writing is done in threads. Proven by
tests/unit/agent/test_stored_sessions.py.
"""

import asyncio
import logging
import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from caramelo_tui.agent.event_stream import EventStream
from caramelo_tui.domain.agent_events import AgentEvent, RunStarted
from caramelo_tui.domain.ids import CallId, Clock, RunId, SessionId
from caramelo_tui.domain.screen_text import visible
from caramelo_tui.domain.sessions import (
    ExportForm,
    Fork,
    SessionSummary,
    SessionTrouble,
    StoredCall,
)
from caramelo_tui.domain.system_faults import reason_of
from caramelo_tui.sessions.calls import find_call
from caramelo_tui.sessions.catalogue import SUFFIX, list_sessions
from caramelo_tui.sessions.export import default_name, export_session
from caramelo_tui.sessions.opening import fork_session
from caramelo_tui.sessions.searching import search_sessions
from caramelo_tui.sessions.store import load_events
from caramelo_tui.workspace.private_files import open_private

_log = logging.getLogger(__name__)

LOOK_AGAIN_S = 0.02
"""Seconds between two looks at whether everything is on disk."""
LOOKS = 100
"""Two seconds in all; a disk that takes longer refuses to write."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionPlace:
    """Where a session is kept."""

    folder: Path
    """Of the workspace's sessions."""
    root: Path
    """The workspace."""
    current: SessionId
    saved_seq: Callable[[], int]
    """Number of the last event that is on disk."""
    new_id: Callable[[], SessionId]
    unkept: Callable[[], str] = str
    """What of the session could not be kept, once it has ended."""


class StoredSessions:
    """The ``SessionsPort`` of an agent whose session is kept."""

    def __init__(
        self,
        place: SessionPlace,
        events: EventStream,
        clock: Clock,
        *,
        earlier: tuple[AgentEvent, ...] = (),
    ) -> None:
        self._place = place
        self._events = events
        self._clock = clock
        self._earlier = earlier

    @property
    def current(self) -> SessionId | None:
        """The session of this agent."""
        return self._place.current

    @property
    def earlier(self) -> tuple[AgentEvent, ...]:
        """What happened before the session was taken up, in order."""
        return self._earlier

    @property
    def unkept(self) -> str:
        """What of this session could not be kept, once it has ended; empty: all of it is."""
        return self._place.unkept()

    async def list(self, words: str = "") -> tuple[SessionSummary, ...]:
        """Return the sessions, the one that was active last first.

        Raises:
            SessionTrouble: If they cannot be read.
        """
        return await asyncio.to_thread(self._list, words)

    def _list(self, words: str) -> tuple[SessionSummary, ...]:
        folder = self._place.folder
        return search_sessions(folder, list_sessions(folder), words)

    async def fork(self, *, before: RunId | None = None) -> Fork:
        """Begin a stored session with what this one holds.

        Raises:
            SessionTrouble: If that cannot be done.
        """
        begun = None if before is None else self._begin_of(before)
        await self._until_saved()
        new_id, now = self._place.new_id(), self._clock.now()
        seq = None if begun is None else begun.head.seq
        await asyncio.to_thread(fork_session, self._file, new_id, before=seq, now=now)
        return Fork(id=new_id, prompt="" if begun is None else begun.prompt)

    def _begin_of(self, run_id: RunId) -> RunStarted:
        """Return how a run began.

        Raises:
            SessionTrouble: If the session has no such run.
        """
        for event in (*self._earlier, *self._events.landmarks):
            if isinstance(event, RunStarted) and event.head.run_id == run_id:
                return event
        raise SessionTrouble("the session has no such prompt")

    async def export(self, form: ExportForm, target: str = "") -> Path:
        """Write this session to a new file that only the user can read.

        Raises:
            SessionTrouble: If there is such a file already, or it cannot be written.
        """
        await self._until_saved()
        name = target or default_name(self._file, form)
        return await asyncio.to_thread(self._export, form, name)

    async def call(self, call_id: CallId) -> StoredCall | None:
        """Return what the session file has of an ended call; ``None`` when that is nothing."""
        try:
            return await asyncio.to_thread(find_call, self._file, call_id)
        except OSError as error:
            _log.warning("the session file cannot be read: %s", error)
            return None

    def _export(self, form: ExportForm, name: str) -> Path:
        path = self._place.root / name
        try:
            path = self._place.root / Path(name).expanduser()
            write_export(export_session(load_events(self._file), form), path)
        except (RuntimeError, ValueError) as error:
            # A home that nobody has; a NUL.
            msg = f"{visible(name, keeps_newlines=False)} is no path of a file: {error}"
            raise SessionTrouble(msg) from error
        except OSError as error:
            msg = f"{path} was not written: {reason_of(error)}"
            raise SessionTrouble(msg) from error
        return path

    @property
    def _file(self) -> Path:
        return self._place.folder / f"{self._place.current}{SUFFIX}"

    async def _until_saved(self) -> None:
        """Wait until all that happened so far is on disk.

        Raises:
            SessionTrouble: If the session file cannot be written.
        """
        last = self._events.last_seq
        for _ in range(LOOKS):
            if self._place.saved_seq() >= last:
                return
            await asyncio.sleep(LOOK_AGAIN_S)
        raise SessionTrouble("the session file cannot be written: not all of it is on disk")


def write_export(text: str, path: Path) -> None:
    """Write a text to a new file that only the user can read. Blocks.

    Raises:
        OSError: If there is such a file, or it cannot be written; nothing is left of it then.
    """
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW
    with os.fdopen(open_private(path, flags), "wb") as file:
        try:
            file.write(text.encode("utf-8", "surrogateescape"))
        except BaseException:
            path.unlink(missing_ok=True)
            raise
