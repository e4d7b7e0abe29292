"""Retry what failed when the user asks for it.

Owns the way from the user's wish to the run that sends a failed request again, or to the end of a
wait. Decides nothing about what can be retried: the run loop knows. Implements ``RetriesPort``.
Proven by tests/unit/agent/test_retries.py.
"""

from collections.abc import Callable, Sequence

from caramelo_tui.agent.retry_wait import RetryWait
from caramelo_tui.agent.run_loop import RunLoop
from caramelo_tui.domain.agent_events import AgentEvent, RunEnded, RunStarted


def failed_prompt_of(events: Sequence[AgentEvent]) -> str | None:
    """Return the prompt of the last run, if its failed request can be sent again."""
    can_retry = False
    for event in reversed(events):
        if isinstance(event, RunEnded):
            can_retry = event.can_retry
        elif isinstance(event, RunStarted):
            return event.prompt if can_retry else None
    return None


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
