"""Say what a run needs of the skills of a session.

Owns the protocol, and its empty form for an agent without skills. Proven by
tests/unit/agent/test_run_loop.py.
"""

from typing import Protocol


class RunSkills(Protocol):
    """Who knows the skills that a prompt activates."""

    def begin_run(self, prompt: str) -> tuple[str, ...]:
        """Activate the skills that a prompt triggers; return what the model is told of them."""
        ...

    def end_run(self) -> None:
        """Put to rest what was active for this run only."""
        ...


class NoSkills:
    """For an agent without skills."""

    def begin_run(self, prompt: str) -> tuple[str, ...]:  # noqa: ARG002 - the protocol's parameter
        """Return nothing."""
        return ()

    def end_run(self) -> None:
        """Do nothing."""
