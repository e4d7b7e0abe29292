"""Say what is seen to before and after each request of an agent.

Owns the protocol that the run loop calls: room in the context, instructions, spending. Proven by
tests/unit/agent/test_run_loop.py.
"""

from typing import Protocol

from caramelo_tui.domain.usage import Usage
from caramelo_tui.providers.base import ProviderRequest


class RequestCare(Protocol):
    """Who looks after the requests of one agent."""

    async def before_request(self, *, is_first: bool) -> None:
        """Make room for the next request, where it is needed.

        Args:
            is_first: Whether it is the first one of a run.

        Raises:
            asyncio.CancelledError: When interrupted; nothing was changed.
        """
        ...

    def sends(self, request: ProviderRequest) -> None:
        """Take note of the request that goes out now."""
        ...

    async def makes_room(self) -> bool:
        """Make room after the provider refused a request as too long; ``False``: there is none."""
        ...

    def answered(self, usage: Usage) -> None:
        """Book what the request took; all zero: something came, and nobody counted it."""
        ...


class NoCare:
    """For an agent whose requests nobody looks after."""

    async def before_request(self, *, is_first: bool) -> None:
        """Do nothing."""

    def sends(self, request: ProviderRequest) -> None:
        """Do nothing."""

    async def makes_room(self) -> bool:
        """Return that there is no room."""
        return False

    def answered(self, usage: Usage) -> None:
        """Do nothing."""
