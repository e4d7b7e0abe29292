"""Serve a repeated read from the cache, and keep new answers.

Owns the steps between the pipeline and the cache: key, proof, ticket, store, and the report of
how the cache does. Comes after policy and approval, never before. Only cacheable reads get here.
Proven by tests/unit/agent/test_cached_reads.py.
"""

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from caramelo_tui.agent.approval_broker import EventSink
from caramelo_tui.agent.call_records import Finish
from caramelo_tui.agent.pipeline_parts import Offered
from caramelo_tui.cache.keys import cache_key, default_arguments
from caramelo_tui.cache.store import CacheCounts, CallCache, Ticket
from caramelo_tui.domain.agent_events import CacheCounted
from caramelo_tui.domain.files import FileStamp
from caramelo_tui.domain.ids import Clock
from caramelo_tui.domain.tool_calls import CacheScope, CallState, Effect, PreparedCall
from caramelo_tui.tools.base import ToolOutput
from caramelo_tui.workspace.tree_scopes import TreeScope

_NOTHING_YET = CacheCounts(hits=0, misses=0, entries=0, kept_bytes=0)


@dataclass(frozen=True, slots=True, kw_only=True)
class CacheHit:
    """An answer that a run would give again now."""

    output: ToolOutput
    age_s: float
    """Seconds since the run that gave it."""


def cached_finish(hit: CacheHit) -> Finish:
    """Return the end of a call that was answered by a kept answer."""
    return Finish(output=hit.output, state=CallState.OK, is_cached=True, cache_age_s=hit.age_s)


@dataclass(frozen=True, slots=True, kw_only=True)
class BegunRead:
    """A read that runs now and whose answer may be kept."""

    ticket: Ticket
    began_at: float
    """Seconds of the clock."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AskedRead:
    """What one look at cache and disk came to, before a call runs."""

    known: Mapping[str, FileStamp | None]
    """What stood at each path of the call; ``None``: no file."""
    hit: CacheHit | None = None
    """A kept answer."""
    begun: BegunRead | None = None
    """Without a hit: what ``store`` takes once the call has run; ``None``: it is not kept."""


class CachedReads:
    """The cache as the pipeline uses it; every look at the disk is in a thread."""

    def __init__(
        self,
        cache: CallCache,
        clock: Clock,
        *,
        offered: Offered | None = None,
    ) -> None:
        """Take the session's cache.

        Args:
            cache: Shared with sub-agents.
            clock: Gives ages and durations.
            offered: Tools whose schemas give defaults: a call that gives a default and one that
                leaves it out are one question.
        """
        self._cache = cache
        self._clock = clock
        self._offered = offered
        self._reported = _NOTHING_YET

    async def ask(
        self, prepared: PreparedCall, stamps: Callable[[], Mapping[str, FileStamp | None]]
    ) -> AskedRead:
        """Look for a kept answer, and note the state of the disk before the read that follows.

        All in one thread, one after the other: changing threads takes longer than each look.

        Args:
            prepared: Of any effect; what is no cacheable read has no answer and is not kept.
            stamps: Gives what stands at the call's paths now; called first, in the thread.
        """
        key = self._key_of(prepared)

        def look() -> AskedRead:
            known = stamps()
            if key is None:
                return AskedRead(known=known)
            hit = self._look_up(key)
            # Noted before the read begins, so that a change in between wins.
            begun = self._begin(key, prepared) if hit is None else None
            return AskedRead(known=known, hit=hit, begun=begun)

        return await asyncio.to_thread(look)

    async def store(self, begun: BegunRead | None, output: ToolOutput) -> None:
        """Keep a successful answer, unless something changed since its read was begun."""
        if begun is None or output.is_error:
            return
        now = self._clock.monotonic()
        await asyncio.to_thread(
            lambda: self._cache.store(
                begun.ticket,
                text=output.text,
                now=now,
                is_truncated=output.is_truncated,
                run_s=now - begun.began_at,
            )
        )

    def report(self, events: EventSink) -> None:
        """Emit ``CacheCounted`` if any count is another one than at the last report."""
        counts = self._cache.counts
        if counts == self._reported:
            return
        self._reported = counts
        events.emit(
            lambda head: CacheCounted(
                head=head,
                hits=counts.hits,
                misses=counts.misses,
                entries=counts.entries,
                kept_bytes=counts.kept_bytes,
            )
        )

    def _look_up(self, key: str) -> CacheHit | None:
        """Return the kept answer if it is proved to be what running would give now."""
        answer = self._cache.look_up(key, self._clock.monotonic())
        if answer is None:
            return None
        output = ToolOutput(text=answer.text, is_truncated=answer.is_truncated)
        return CacheHit(output=output, age_s=answer.age_s)

    def _begin(self, key: str, prepared: PreparedCall) -> BegunRead | None:
        ticket = self._ticket(key, prepared)
        if ticket is None:
            return None
        return BegunRead(ticket=ticket, began_at=self._clock.monotonic())

    def _ticket(self, key: str, prepared: PreparedCall) -> Ticket | None:
        if prepared.cache_scope is CacheScope.STAMPS:
            return self._cache.begin(key, dependencies=prepared.paths)
        is_git = prepared.cache_scope is CacheScope.GIT
        scope = TreeScope(kind=prepared.cache_scope, folder="." if is_git else prepared.paths[0])
        return self._cache.begin_tree(key, scope=scope)

    def _key_of(self, prepared: PreparedCall) -> str | None:
        if prepared.effect is not Effect.READ or not prepared.is_cacheable:
            return None
        if not prepared.paths and prepared.cache_scope is not CacheScope.GIT:
            return None
        path = prepared.paths[0] if prepared.paths else "."
        tool = self._offered.get(prepared.call.name) if self._offered is not None else None
        defaults = {} if tool is None else default_arguments(tool.spec.input_schema)
        # What was proven for a single file proves nothing once a folder stands there.
        question = f"{prepared.call.name} {prepared.cache_scope}"
        return cache_key(question, prepared.arguments, path, defaults=defaults)
