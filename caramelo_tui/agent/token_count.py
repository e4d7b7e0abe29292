"""Count the tokens of a session, sub-agents included.

Owns the one running total. Proven by tests/unit/agent/test_run_loop.py and
tests/unit/agent/test_subagents.py.
"""

from caramelo_tui.domain.usage import Usage


class TokenCount:
    """The session's tokens so far, or those of one agent within it."""

    def __init__(self, session: "TokenCount | None" = None) -> None:
        """Start at nothing.

        Args:
            session: The count that this one is a part of; ``None``: it is the session's.
        """
        self._session = session
        self._spent = Usage()

    @property
    def total(self) -> Usage:
        """All turns of all agents of the session."""
        return self._spent if self._session is None else self._session.total

    @property
    def spent(self) -> Usage:
        """All turns of this agent and its sub-agents, of nobody who works beside it."""
        return self._spent

    def add(self, usage: Usage) -> None:
        """Add one turn, here and to the session."""
        self._spent += usage
        if self._session is not None:
            self._session.add(usage)
