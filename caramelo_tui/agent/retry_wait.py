"""Wait before a request is sent again, until the user has waited enough.

Owns the waits of one session, its sub-agents' included. Says nothing and sends nothing. Proven by
tests/unit/agent/test_retry_wait.py.
"""

import asyncio
import random


class RetryWait:
    """Waits on the event loop's clock; every wait can be ended early."""

    def __init__(self) -> None:
        self._waits: set[asyncio.Event] = set()

    async def sleep(self, seconds: float) -> None:
        """Wait, at most until ``end_now``; cancellable."""
        ended = asyncio.Event()
        self._waits.add(ended)
        try:
            async with asyncio.timeout(seconds):
                await ended.wait()
        except TimeoutError:
            # The whole wait is over.
            return
        finally:
            self._waits.discard(ended)

    def jitter(self) -> float:
        """Return a random number from 0 to below 1."""
        return random.random()  # noqa: S311 - spreads clients, guards nothing

    def end_now(self) -> bool:
        """End all waits; ``False`` when nobody waits."""
        for ended in self._waits:
            ended.set()
        return bool(self._waits)
