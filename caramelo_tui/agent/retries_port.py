"""Say what can be asked about requests that failed.

Owns the sub-protocol of the agent's port for retries; ``retries`` carries it out. Proven by
tests/unit/agent/test_retries.py.
"""

from typing import Protocol


class RetriesPort(Protocol):
    """Requests that failed, as the user interface sees them."""

    @property
    def is_offered(self) -> bool:
        """Whether the last run's failed request can be sent again."""
        ...

    def send_again(self) -> bool:
        """Start a run that sends the last run's failed request again, without a new prompt.

        Returns:
            ``False`` when none is offered, or a run is under way.
        """
        ...

    def send_now(self) -> bool:
        """Send a request that waits to be sent again at once; ``False`` when none waits."""
        ...
