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
from caramelo_tui.agent.cached_reads import AskedRead, CachedReads, cached_finish
from caramelo_tui.agent.call_approval import CallApproval
from caramelo_tui.agent.call_records import CallRecord, Finish, TurnOutcome, required
from caramelo_tui.agent.call_stages import CallStages
from caramelo_tui.agent.command_captures import NO_CAPTURES
from caramelo_tui.agent.machine_trouble import MachineTrouble
from caramelo_tui.agent.pipeline_parts import PipelineParts
from caramelo_tui.agent.repeated_reads import RepeatedReads
from caramelo_tui.agent.running_calls import RunningCalls
from caramelo_tui.agent.turn_record import Turn, new_turn
from caramelo_tui.agent.write_pass import WritePass
from caramelo_tui.domain.agent_events import NoticeLevel, NoticeRaised
from caramelo_tui.domain.decisions import CommandPart
from caramelo_tui.domain.errors import PathOutsideWorkspace, ToolFailure
from caramelo_tui.domain.ids import CallId
from caramelo_tui.domain.tool_calls import (
    ActionKind,
    CallState,
    CommandLine,
    Effect,
    ToolCall,
    ToolResult,
)

_log = logging.getLogger(__name__)

_STANDS_ON_THE_TREE = frozenset({ActionKind.COMMIT, ActionKind.BRANCH, ActionKind.PULL_REQUEST})
"""Actions that are another thing once the writes and commands before them are done: they are
prepared and asked at their place."""
_LEAVES_FILES_ALONE = frozenset({ActionKind.FETCH, ActionKind.DELEGATE, ActionKind.FINISH})
"""Actions that change no file by themselves; a sub-agent's calls drop what they touch."""


class CallPipeline:
    """The one path of every tool call; takes one turn at a time."""

    def __init__(self, parts: PipelineParts) -> None:
        self._parts = parts
        self._stages = CallStages(parts)
        self._approval = CallApproval(parts, self._stages)
        self._writes = WritePass(parts, self._stages, self._guard)
        self._reads = CachedReads(parts.cache, parts.clock, offered=parts.registry)
        self._repeated = RepeatedReads(self._stages)
        self._running = RunningCalls()
        root = parts.context(lambda _stream, _text: None).sandbox.root
        self._trouble = MachineTrouble(root, self._warn)

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
        self._trouble.begin_turn()
        try:
            await self._wait_for_effects(calls)
            await self._decide(turn)
            await self._do(turn)
        except asyncio.CancelledError:
            turn.finish_interrupted()
            raise
        finally:
            self._writes.forget_proposals()
            # Also after an interrupt: the results that there are go into the transcript.
            self._parts.remember(turn.known_files())
            self._reads.report(self._parts.events)
        return turn.outcome(self._stages.invalid_argument_calls)

    def cancel_call(self, call_id: CallId) -> bool:
        """Cancel one executing call; the run goes on. ``False`` when it is not executing."""
        return self._running.cancel(call_id)

    async def run_again(self, call_id: CallId) -> ToolResult | None:
        """Run a finished read again past the cache, for the user only.

        Returns:
            What it gives now; ``None`` for a call that is no cacheable read.
        """
        return await self._repeated.run_again(call_id)

    async def explain_command(self, command: CommandLine) -> tuple[CommandPart, ...]:
        """Return the parts of a command, with what is risky about each."""
        return await self._approval.explain(command)

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
            if record.is_asked and not record.is_write and not record.is_deferred:
                await self._guard(turn, (record,), self._approval.ask(turn, record))
        if not is_waiting:
            await self._run_side_by_side(turn, early)
        await self._guard(turn, turn.unfinished_writes, self._writes.review(turn))
        for record in turn.records:
            await self._guard(turn, (record,), self._approval.ask_behind_fallen(turn, record))

    async def _do(self, turn: Turn) -> None:
        """Pass 2: do what is allowed, strictly in the model's order."""
        for record in turn.records:
            if not record.is_finished and record.ready is None:
                group = turn.group_of(record)
                await self._guard(turn, group, self._perform(turn, record, group))
            turn.report_ready(record)
            turn.raise_if_interrupted()

    async def _wait_for_effects(self, calls: Sequence[ToolCall]) -> None:
        tools = [self._parts.registry.get(call.name) for call in calls]
        if any(tool is not None and tool.effect is not Effect.READ for tool in tools):
            await self._parts.before_effects()

    async def _judge(self, turn: Turn, record: CallRecord, *, is_waiting: bool) -> None:
        try:
            await self._stages.judge(turn, record)
        except ToolFailure:
            is_valid = record.arguments is not None
            if is_waiting and is_valid and record.effect in {Effect.READ, Effect.OTHER}:
                # What it needs may be made by a call before it; it is prepared at its place.
                record.is_deferred = True
                return
            raise
        if record.is_finished:
            return
        if record.is_write:
            self._writes.propose(record)
        record.is_deferred = is_waiting and record.kind in _STANDS_ON_THE_TREE
        if record.kind is ActionKind.FINISH:
            turn.leave_out_after(record)

    async def _run_side_by_side(self, turn: Turn, records: Sequence[CallRecord]) -> None:
        await asyncio.gather(
            *(self._guard(turn, (record,), self._run(turn, record)) for record in records)
        )
        turn.raise_if_interrupted()

    async def _perform(self, turn: Turn, record: CallRecord, group: Sequence[CallRecord]) -> None:
        if record.is_write:
            await self._decide_again(turn, group)
            await self._writes.perform(turn, group)
            return
        if record.kind is ActionKind.DELEGATE:
            await self._decide_again(turn, group)
            await self._delegate(turn, [one for one in group if not one.is_finished])
            return
        await self._recheck(turn, record)
        if not record.is_finished:
            await self._run(turn, record)

    async def _decide_again(self, turn: Turn, group: Sequence[CallRecord]) -> None:
        for record in group:
            if not record.is_finished:
                await self._stages.decide_again(turn, record)

    async def _delegate(self, turn: Turn, group: Sequence[CallRecord]) -> None:
        """Run neighbouring sub-agents side by side; they see to it that only one writes."""
        finishes: dict[int, Finish] = {}

        async def run(record: CallRecord) -> None:
            finishes[record.index] = await self._execute(turn, record)

        # A task group ends only when all have ended, also when it is cancelled.
        async with asyncio.TaskGroup() as tasks:
            for record in group:
                tasks.create_task(self._guard(turn, (record,), run(record)))
        for record in group:
            if record.index in finishes:
                self._close(turn, record, finishes[record.index])
        for record in group:
            if record.index in finishes and finishes[record.index].output.stops_run:
                turn.stop(record)

    async def _recheck(self, turn: Turn, record: CallRecord) -> None:
        """Prepare anew: a call that is another one now is decided and asked again, once.

        One that is the same is asked where only now a rule wants it.
        """
        is_another = await self._stages.prepare_again(turn, record)
        is_asked_now = not is_another and await self._stages.decide_again(turn, record)
        if record.is_finished:
            return
        if record.is_asked and (is_another or is_asked_now or record.is_deferred):
            await self._ask_at_its_place(turn, record, is_another=is_another)
        else:
            await self._approval.ask_behind_fallen(turn, record)
        # Answering takes time. A call that changed meanwhile loses its permission here.
        is_answered = record.is_asked and not record.is_finished
        if is_answered and not await self._stages.prepare_again(turn, record):
            await self._stages.decide_again(turn, record)

    async def _ask_at_its_place(self, turn: Turn, record: CallRecord, *, is_another: bool) -> None:
        if turn.is_stopped:
            turn.fail(record, call_texts.UNASKED_AT_STOP, CallState.NOT_RUN)
            return
        why = call_texts.CHANGED_SINCE_ALLOWED if is_another and not record.is_deferred else ""
        await self._approval.ask(turn, record, why=why)

    async def _run(self, turn: Turn, record: CallRecord) -> None:
        """Answer from the cache, or execute what was allowed and nothing else (I2)."""
        if not record.is_permitted:
            turn.fail(record, call_texts.NOT_WHAT_WAS_ALLOWED)
            return
        prepared = required(record.prepared)
        self._repeated.keep(record)
        asked = AskedRead(known=record.known)
        if prepared.effect is Effect.READ:
            asked = await self._reads.ask(prepared, self._stages.stamps(record))
            record.known = asked.known
        if asked.hit is not None:
            turn.finish(record, cached_finish(asked.hit))
            return
        finish = await self._execute(turn, record)
        if finish.state is CallState.OK:
            await self._reads.store(asked.begun, finish.output)
        self._close(turn, record, finish)

    def _close(self, turn: Turn, record: CallRecord, finish: Finish) -> None:
        """Report an executed call, and take what it means for the run."""
        if finish.state is CallState.OK and record.kind is ActionKind.FINISH:
            turn.summary = finish.output.text
        turn.refused_inside += finish.output.refused_calls
        turn.finish(record, finish)

    async def _execute(self, turn: Turn, record: CallRecord) -> Finish:
        prepared, tool = required(record.prepared), required(record.tool)
        is_command = prepared.effect is Effect.COMMAND or record.kind is ActionKind.SKILL
        captures = self._parts.captures if is_command else NO_CAPTURES
        await captures.begin()
        turn.begin_execution(record)
        try:
            work = tool.execute(prepared, self._stages.context(record))
            execution = await self._running.run(turn, record, work)
        finally:
            record.ended_at = self._parts.clock.monotonic()
            if prepared.effect is not Effect.READ and record.kind not in _LEAVES_FILES_ALONE:
                # However it ended, it may have changed anything.
                self._parts.cache.drop_all()
            await captures.end(record.call.id, turn.turn_id, turn.run_id)
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
            turn.fail_all(records, self._trouble.explain(failure, str(failure)))
        except Exception as error:  # noqa: BLE001 - the pipeline's one border
            _log.exception("a stage of %s failed", [record.call.name for record in records])
            turn.fail_all(records, self._trouble.explain(error, call_texts.failed(error)))

    def _warn(self, text: str) -> None:
        self._parts.events.emit(
            lambda head: NoticeRaised(head=head, level=NoticeLevel.WARNING, text=text),
            agent=self._parts.agent_title,
        )
