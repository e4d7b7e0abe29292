"""Serve a repeated read from the cache, and keep new answers.

Owns the steps between the pipeline and the cache: key, proof, ticket, store. Comes after
policy and approval, never before. Only cacheable reads get here. Proven by
tests/unit/agent/test_cached_reads.py.
"""

import asyncio
from dataclasses import dataclass

from caramelo_tui.cache.keys import cache_key
from caramelo_tui.cache.store import CallCache, Ticket
from caramelo_tui.domain.ids import Clock
from caramelo_tui.domain.tool_calls import Effect, PreparedCall
from caramelo_tui.tools.base import ToolOutput


@dataclass(frozen=True, slots=True, kw_only=True)
class CacheHit:
    """An answer that a run would give again now."""

    output: ToolOutput
    age_s: float
    """Seconds since the run that gave it."""


class CachedReads:
    """The cache as the pipeline uses it; every look at the disk is in a thread."""

    def __init__(self, cache: CallCache, clock: Clock) -> None:
        self._cache = cache
        self._clock = clock

    async def look_up(self, prepared: PreparedCall) -> CacheHit | None:
        """Return the kept answer if it is proved to be what running would give now."""
        key = _key_of(prepared)
        if key is None:
            return None
        answer = await asyncio.to_thread(self._cache.look_up, key, self._clock.monotonic())
        if answer is None:
            return None
        output = ToolOutput(text=answer.text, is_truncated=answer.is_truncated)
        return CacheHit(output=output, age_s=answer.age_s)

    async def begin(self, prepared: PreparedCall) -> Ticket | None:
        """Note the state of the disk before a read, so that a change in between wins."""
        key = _key_of(prepared)
        if key is None:
            return None
        paths = prepared.paths
        return await asyncio.to_thread(lambda: self._cache.begin(key, dependencies=paths))

    async def store(self, ticket: Ticket | None, output: ToolOutput) -> None:
        """Keep a successful answer, unless something changed since its ticket was taken."""
        if ticket is None or output.is_error:
            return
        now = self._clock.monotonic()
        await asyncio.to_thread(
            lambda: self._cache.store(
                ticket, text=output.text, now=now, is_truncated=output.is_truncated
            )
        )


def _key_of(prepared: PreparedCall) -> str | None:
    if prepared.effect is not Effect.READ or not prepared.is_cacheable or not prepared.paths:
        return None
    return cache_key(prepared.call.name, prepared.arguments, prepared.paths[0])
