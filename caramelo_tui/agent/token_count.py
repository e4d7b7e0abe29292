"""Count the tokens of a session, sub-agents included.

Owns the one running total. Proven by tests/unit/agent/test_run_loop.py and
tests/unit/agent/test_subagents.py.
"""

from caramelo_tui.domain.usage import Usage


class TokenCount:
    """The session's tokens so far; shared by an agent and its sub-agents."""

    def __init__(self) -> None:
        self._total = Usage()

    @property
    def total(self) -> Usage:
        """All turns of all agents."""
        return self._total

    def add(self, usage: Usage) -> None:
        """Add one turn."""
        self._total += usage
