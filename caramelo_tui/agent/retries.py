"""Retry what failed when the user asks for it.

Owns the way from the user's wish to the run that sends a failed request again, or to the end of a
wait. Decides nothing about what can be retried: the run loop knows. Implements ``RetriesPort``.
Proven by tests/unit/agent/test_retries.py.
"""

from collections.abc import Callable

from caramelo_tui.agent.retry_wait import RetryWait
from caramelo_tui.agent.run_loop import RunLoop


class Retries:
    """The failed requests of one session."""

    def __init__(self, *, runs: RunLoop, waiting: RetryWait, start: Callable[[str], bool]) -> None:
        """Wire it.

        Args:
            runs: Knows whether the last run can be retried.
            waiting: Where requests wait to be sent again.
            start: Starts a run that retries the one with this prompt; ``False``: it may not.
        """
        self._runs = runs
        self._waiting = waiting
        self._start = start

    @property
    def is_offered(self) -> bool:
        """Whether the last run's failed request can be sent again."""
        return self._runs.retry_prompt is not None

    def send_again(self) -> bool:
        """Start a run that sends the last run's failed request again, without a new prompt."""
        prompt = self._runs.retry_prompt
        return prompt is not None and self._start(prompt)

    def send_now(self) -> bool:
        """Send a request that waits to be sent again at once; ``False`` when none waits."""
        return self._waiting.end_now()
