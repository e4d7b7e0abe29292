"""Keep what the user says to a run that is under way.

Owns the prompts that wait for the run's next turn, in order. The run loop takes them before its
next request; what is left when the run ends is the controller's. Proven by
tests/unit/agent/test_steering.py.
"""

from collections.abc import Callable


def nobody() -> None:
    """Tell no one."""


class Steering:
    """Prompts for the next turn, oldest first."""

    def __init__(self) -> None:
        self._waiting: list[str] = []
        self._taken = nobody

    @property
    def waiting(self) -> tuple[str, ...]:
        """What was not given to the model yet."""
        return tuple(self._waiting)

    def on_taken(self, tell: Callable[[], None]) -> None:
        """Have somebody told whenever prompts went out."""
        self._taken = tell

    def add(self, text: str) -> None:
        """Have a prompt wait for the next turn."""
        self._waiting.append(text)

    def remove(self, text: str) -> bool:
        """Let the newest prompt with this text wait no more; ``False`` when there is none."""
        for index in reversed(range(len(self._waiting))):
            if self._waiting[index] == text:
                del self._waiting[index]
                return True
        return False

    def take(self) -> tuple[str, ...]:
        """Return all that wait, which then wait no more."""
        taken, self._waiting = tuple(self._waiting), []
        return taken

    def report_taken(self) -> None:
        """Say that what was taken is on its way."""
        self._taken()
