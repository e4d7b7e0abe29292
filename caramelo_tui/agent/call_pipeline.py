"""Take a turn's calls through two straight passes: decide, then do.

Owns the order (rows 6 to 15 of docs/architecture.md) and the one border at which whatever a
stage raises becomes a call's result. Each stage is a call into the part that owns it. Every
call gets one result, also when the run is stopped or interrupted. Proven by
tests/unit/agent/test_call_pipeline.py and tests/property/test_pipeline_invariants.py.
"""

import asyncio
import logging
from collections.abc import Awaitable, Collection, Sequence

from caramelo_tui.agent import call_texts
from caramelo_tui.agent.cached_reads import CachedReads
from caramelo_tui.agent.call_records import CallRecord, Finish, TurnOutcome, required
from caramelo_tui.agent.call_stages import CallStages
from caramelo_tui.agent.command_approval import CommandApproval
from caramelo_tui.agent.pipeline_parts import PipelineParts
from caramelo_tui.agent.running_calls import RunningCalls
from caramelo_tui.agent.turn_record import Turn, new_turn
from caramelo_tui.agent.write_pass import WritePass
from caramelo_tui.domain.agent_events import NoticeLevel, NoticeRaised
from caramelo_tui.domain.errors import PathOutsideWorkspace, ToolFailure
from caramelo_tui.domain.ids import CallId
from caramelo_tui.domain.tool_calls import CallState, Effect, ToolCall

_log = logging.getLogger(__name__)


class CallPipeline:
    """The one path of every tool call; takes one turn at a time."""

    def __init__(self, parts: PipelineParts) -> None:
        self._parts = parts
        self._stages = CallStages(parts)
        self._commands = CommandApproval(parts, self._stages)
        self._writes = WritePass(parts, self._stages, self._guard)
        self._reads = CachedReads(parts.cache, parts.clock)
        self._running = RunningCalls()

    async def run_turn(self, calls: Sequence[ToolCall]) -> TurnOutcome:
        """Decide and do all calls of one turn.

        Emits one ``ToolCallStarted`` for each call at once and exactly one
        ``ToolCallFinished`` for each later, whatever happens.

        Returns:
            One result for each call, in the model's order.

        Raises:
            asyncio.CancelledError: When interrupted, after every call has its
                ``ToolCallFinished`` with the result that belongs into the transcript. A write
                that had begun is then finished and says so; nothing else is applied.
        """
        turn = new_turn(calls, self._parts.events, self._parts.clock, self._parts.agent_title)
        turn.start_all()
        try:
            await self._decide(turn)
            await self._do(turn)
        except asyncio.CancelledError:
            turn.finish_interrupted()
            raise
        finally:
            self._writes.forget_proposals()
            # Also after an interrupt: the results that there are go into the transcript.
            self._parts.remember(turn.known_files())
        return turn.outcome(self._stages.invalid_argument_calls)

    def cancel_call(self, call_id: CallId) -> bool:
        """Cancel one executing call; the run goes on. ``False`` when it is not executing."""
        return self._running.cancel(call_id)

    def mark_stale(self, paths: Collection[str]) -> None:
        """Take files that others changed: waiting reviews of them are made and asked again.

        Files whose content is the one that was shown, such as touched ones, are let be.

        Args:
            paths: Workspace-relative paths.
        """
        self._writes.mark_stale(paths)

    async def _decide(self, turn: Turn) -> None:
        """Pass 1: look up, validate, prepare, decide, and ask; reads in front run already."""
        early: list[CallRecord] = []
        is_waiting = False
        for record in turn.records:
            if record.is_finished:
                continue
            await self._guard(turn, (record,), self._judge(turn, record, is_waiting=is_waiting))
            if record.is_finished:
                continue
            if not is_waiting and record.effect is Effect.READ and not record.is_asked:
                early.append(record)
                continue
            if not is_waiting:
                is_waiting = True
                await self._run_side_by_side(turn, early)
            if record.is_asked and not record.is_write:
                await self._guard(turn, (record,), self._commands.ask(turn, record))
        if not is_waiting:
            await self._run_side_by_side(turn, early)
        await self._guard(turn, turn.unfinished_writes, self._writes.review(turn))
        for record in turn.records:
            await self._guard(turn, (record,), self._commands.ask_behind_fallen(turn, record))

    async def _do(self, turn: Turn) -> None:
        """Pass 2: do what is allowed, strictly in the model's order."""
        for record in turn.records:
            if not record.is_finished and record.ready is None:
                group = turn.group_of(record)
                await self._guard(turn, group, self._perform(turn, record, group))
            turn.report_ready(record)
            turn.raise_if_interrupted()

    async def _judge(self, turn: Turn, record: CallRecord, *, is_waiting: bool) -> None:
        try:
            await self._stages.judge(turn, record)
        except ToolFailure:
            is_valid = record.arguments is not None
            if is_waiting and is_valid and record.effect is Effect.READ:
                # What it reads may be made by a call before it; it is prepared at its place.
                return
            raise
        if record.is_write and not record.is_finished:
            self._writes.propose(record)

    async def _run_side_by_side(self, turn: Turn, records: Sequence[CallRecord]) -> None:
        await asyncio.gather(
            *(self._guard(turn, (record,), self._run(turn, record)) for record in records)
        )
        turn.raise_if_interrupted()

    async def _perform(self, turn: Turn, record: CallRecord, group: Sequence[CallRecord]) -> None:
        if record.is_write:
            await self._writes.perform(turn, group)
            return
        await self._recheck(turn, record)
        if not record.is_finished:
            await self._run(turn, record)

    async def _recheck(self, turn: Turn, record: CallRecord) -> None:
        """Prepare anew: a call that is another one now is decided and asked again, once."""
        is_another = await self._stages.prepare_again(turn, record)
        if record.is_finished:
            return
        if is_another and record.is_asked:
            await self._commands.ask(turn, record, why=call_texts.CHANGED_SINCE_ALLOWED)
        else:
            await self._commands.ask_behind_fallen(turn, record)
        if record.is_asked and not record.is_finished:
            # Answering takes time. A call that changed meanwhile loses its permission here.
            await self._stages.prepare_again(turn, record)

    async def _run(self, turn: Turn, record: CallRecord) -> None:
        """Answer from the cache, or execute what was allowed and nothing else (I2)."""
        if not record.is_permitted:
            turn.fail(record, call_texts.NOT_WHAT_WAS_ALLOWED)
            return
        prepared = required(record.prepared)
        if prepared.effect is Effect.READ:
            record.known = await self._stages.stamps(record)
        hit = await self._reads.look_up(prepared)
        if hit is not None:
            answer = Finish(
                output=hit.output, state=CallState.OK, is_cached=True, cache_age_s=hit.age_s
            )
            turn.finish(record, answer)
            return
        ticket = await self._reads.begin(prepared)
        finish = await self._execute(turn, record)
        if finish.state is CallState.OK:
            await self._reads.store(ticket, finish.output)
        turn.finish(record, finish)

    async def _execute(self, turn: Turn, record: CallRecord) -> Finish:
        prepared, tool = required(record.prepared), required(record.tool)
        turn.begin_execution(record)
        try:
            work = tool.execute(prepared, self._stages.context(record))
            execution = await self._running.run(turn, record, work)
        finally:
            record.ended_at = self._parts.clock.monotonic()
            if prepared.effect is not Effect.READ:
                # However it ended, it may have changed anything.
                self._parts.cache.drop_all()
        return execution.finish(record.edited_command)

    async def _guard(
        self, turn: Turn, records: Sequence[CallRecord], step: Awaitable[None]
    ) -> None:
        """The border: a call whose stage raises ends with an error, and the run goes on."""
        try:
            await step
        except ToolFailure as failure:
            if isinstance(failure, PathOutsideWorkspace):
                self._warn(str(failure))
            turn.fail_all(records, str(failure))
        except Exception as error:  # noqa: BLE001 - the pipeline's one border
            _log.exception("a stage of %s failed", [record.call.name for record in records])
            turn.fail_all(records, call_texts.failed(error))

    def _warn(self, text: str) -> None:
        self._parts.events.emit(
            lambda head: NoticeRaised(head=head, level=NoticeLevel.WARNING, text=text),
            agent=self._parts.agent_title,
        )
