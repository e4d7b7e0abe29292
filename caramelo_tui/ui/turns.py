"""Name a turn of the session.

Owns the one way in which panes say when something happened: the run, and the turn within it.
Pure. Proven by tests/unit/ui/test_turns.py.
"""

from dataclasses import dataclass, replace


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class Turn:
    """One turn of one run; turns are ordered by time."""

    run: int = 0
    """Run within the session, from 1; 0 before the first."""
    number: int = 0
    """Turn within the run, from 1; 0 before the first."""

    @property
    def title(self) -> str:
        """How a person reads it, such as ``run 2 · turn 3``."""
        return f"run {self.run} · turn {self.number}"

    def next_run(self) -> "Turn":
        """Return the place before the first turn of the next run."""
        return Turn(run=self.run + 1)

    def in_run(self, number: int) -> "Turn":
        """Return a turn of the same run."""
        return replace(self, number=number)
