"""Keep what the user says to a run that is under way.

Owns the prompts that wait for the run's next turn, in order. The run loop takes them before its
next request; what is left when the run ends is the controller's. Proven by
tests/unit/agent/test_steering.py.
"""

from collections.abc import Callable

from caramelo_tui.agent.user_prompt import Prompt, newest_with
from caramelo_tui.domain.messages import ImageAttachment


def nobody() -> None:
    """Tell no one."""


class Steering:
    """Prompts for the next turn, oldest first."""

    def __init__(self) -> None:
        self._waiting: list[Prompt] = []
        self._taken = nobody

    @property
    def waiting(self) -> tuple[str, ...]:
        """The words of what was not given to the model yet."""
        return tuple(prompt.text for prompt in self._waiting)

    def on_taken(self, tell: Callable[[], None]) -> None:
        """Have somebody told whenever prompts went out."""
        self._taken = tell

    def add(self, text: str, images: tuple[ImageAttachment, ...] = ()) -> None:
        """Have a prompt wait for the next turn."""
        self._waiting.append(Prompt(text=text, images=images))

    def remove(self, text: str) -> bool:
        """Let the newest prompt with this text wait no more; ``False`` when there is none."""
        index = newest_with(self._waiting, text)
        if index is None:
            return False
        del self._waiting[index]
        return True

    def take(self) -> tuple[Prompt, ...]:
        """Return all that wait, which then wait no more."""
        taken, self._waiting = tuple(self._waiting), []
        return taken

    def report_taken(self) -> None:
        """Say that what was taken is on its way."""
        self._taken()
