"""Name what the app is asked about its session.

Owns the message that changes what the panes show; the app carries it out. Proven by
tests/pilot/test_sessions.py.
"""

from textual.message import Message

from caramelo_tui.domain.ids import SessionId


class SessionAsked(Message):
    """The person wants to go on with another session, or to see all of this one."""

    def __init__(self, session_id: SessionId | None, *, draft: str = "") -> None:
        super().__init__()
        self.session_id = session_id
        """``None``: this one, from its first prompt."""
        self.draft = draft
        """Put before what stands in the prompt."""
