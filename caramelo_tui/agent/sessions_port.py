"""What the user interface may ask about stored sessions.

Owns that part of ``AgentPort``. Going on with another session is the app's affair: it ends this
agent and begins with one that has the other session. Proven by
tests/unit/agent/test_stored_sessions.py and tests/pilot/test_sessions.py.
"""

from pathlib import Path
from typing import Protocol

from caramelo_tui.domain.agent_events import AgentEvent
from caramelo_tui.domain.ids import CallId, RunId, SessionId
from caramelo_tui.domain.sessions import (
    ExportForm,
    Fork,
    SessionSummary,
    SessionTrouble,
    StoredCall,
)


class SessionsPort(Protocol):
    """The stored sessions of the workspace."""

    @property
    def current(self) -> SessionId | None:
        """The session of this agent; ``None`` when nothing is kept."""
        ...

    @property
    def earlier(self) -> tuple[AgentEvent, ...]:
        """What happened before the session was taken up, in order; empty for a new one.

        The event readers do not get these again.
        """
        ...

    @property
    def unkept(self) -> str:
        """What of this session could not be kept, in sentences, once the agent is closed.

        Empty: all of it is kept, as it should be.
        """
        ...

    async def list(self, words: str = "") -> tuple[SessionSummary, ...]:
        """Return the sessions, the one that was active last first.

        Args:
            words: Only those in which one prompt or answer holds all of them; empty: all.

        Raises:
            SessionTrouble: If they cannot be read.
        """
        ...

    async def fork(self, *, before: RunId | None = None) -> Fork:
        """Begin a stored session with what this one holds, which stays as it is.

        Args:
            before: The first run that is left out; ``None``: everything is taken.

        Raises:
            SessionTrouble: If that cannot be done.
        """
        ...

    async def export(self, form: ExportForm, target: str = "") -> Path:
        """Write this session to a new file that only the user can read.

        Args:
            form: As what.
            target: Path of the file, from the workspace's root where it is relative; empty: a
                name made of the session's, in the root.

        Raises:
            SessionTrouble: If there is such a file already, or it cannot be written.
        """
        ...

    async def call(self, call_id: CallId) -> StoredCall | None:
        """Return what is kept of an ended call of this session; ``None`` when nothing is.

        Args:
            call_id: Of the main agent or a sub-agent, from any sitting.
        """
        ...


class NoSessions:
    """For an agent of which nothing is kept."""

    @property
    def current(self) -> SessionId | None:
        """No session."""
        return None

    @property
    def earlier(self) -> tuple[AgentEvent, ...]:
        """Nothing."""
        return ()

    @property
    def unkept(self) -> str:
        """Nothing was to be kept."""
        return ""

    async def list(self, words: str = "") -> tuple[SessionSummary, ...]:
        """Return none."""
        del words
        return ()

    async def fork(self, *, before: RunId | None = None) -> Fork:
        """Refuse.

        Raises:
            SessionTrouble: Always.
        """
        del before
        raise SessionTrouble(_NOT_KEPT)

    async def call(self, call_id: CallId) -> StoredCall | None:
        """Return nothing."""
        del call_id
        return None

    async def export(self, form: ExportForm, target: str = "") -> Path:
        """Refuse.

        Raises:
            SessionTrouble: Always.
        """
        del form, target
        raise SessionTrouble(_NOT_KEPT)


_NOT_KEPT = "this session is not kept"
