"""Keep the record of one turn's calls.

Owns that every call has exactly one start, one finish and one result, in the model's order,
whatever happens (I1). Decides nothing and does nothing. Proven by
tests/unit/agent/test_turn_record.py and tests/property/test_pipeline_invariants.py.
"""

import asyncio
import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import takewhile
from typing import cast

from caramelo_tui.agent import call_texts
from caramelo_tui.agent.approval_broker import EventSink
from caramelo_tui.agent.call_records import CallRecord, Finish, TurnOutcome
from caramelo_tui.domain.agent_events import ToolCallFinished, ToolCallStarted, ToolExecutionStarted
from caramelo_tui.domain.files import FileStamp
from caramelo_tui.domain.ids import CallId, Clock, RunId, TurnId
from caramelo_tui.domain.tool_calls import ActionKind, CallState, ToolCall, ToolResult
from caramelo_tui.tools.base import ToolOutput
from caramelo_tui.tools.output_limits import RESULT_LIMIT_BYTES, limit_result

_NO_RUN, _NO_TURN = RunId("by-hand"), TurnId("by-hand")
"""Where a call belongs that was typed by hand, outside of any run."""
_LIMIT_HINT = "ask for less at once, such as a smaller range or a narrower path"


@dataclass(slots=True)
class Turn:
    """The calls of one turn and what the passes know of it; changed by the pipeline only."""

    records: tuple[CallRecord, ...]
    events: EventSink
    clock: Clock
    agent_title: str = ""
    run_id: RunId = _NO_RUN
    turn_id: TurnId = _NO_TURN
    base: dict[str, bytes | None] = field(default_factory=dict[str, bytes | None])
    """Content on disk that the open writes of a path stand on; ``None``: no file."""
    stopped_at: int | None = None
    """Index of the call at which the user stopped the run."""
    is_interrupted: bool = False
    """A cancellation arrived while a write had to be brought to its end."""
    refused: set[int] = field(default_factory=set[int])
    """Calls that nobody could approve."""
    refused_inside: int = 0
    """Calls of sub-agents that nobody could approve."""
    summary: str | None = None
    """What ``task_done`` said; ``None``: it was not called."""
    _done_to: int = 0
    """All calls before this index are done, and stay so."""
    _by_path: dict[str, list[int]] | None = None
    """Indexes of the writes of each file, once all are proposed."""

    @property
    def is_stopped(self) -> bool:
        """Whether the user stopped the run."""
        return self.stopped_at is not None

    @property
    def unfinished_writes(self) -> tuple[CallRecord, ...]:
        """Writes on their way, in the model's order."""
        return tuple(
            record for record in self.records if record.is_write and not record.is_finished
        )

    def start_all(self) -> None:
        """Report the start of every call, in order."""
        for record in self.records:
            self._start(record)

    def group_of(self, record: CallRecord) -> tuple[CallRecord, ...]:
        """Return the calls that are carried out with ``record``.

        For a write: the unfinished writes of the same file from here on, up to the next call
        of another kind, which has to find the file as this call leaves it. For a sub-agent:
        the sub-agents right behind it.
        """
        if record.kind is ActionKind.DELEGATE:
            rest = (later for later in self.records[record.index :] if not later.is_finished)
            return tuple(takewhile(lambda later: later.kind is ActionKind.DELEGATE, rest))
        if record.proposal is None:
            return (record,)
        indexes = self._writes_of(record.proposal.path)
        if record.index not in indexes:
            return (record,)
        later_ones = (self.records[index] for index in indexes if index >= record.index)
        left = [later for later in later_ones if not later.is_done]
        if len(left) > 1:
            between = self.records[record.index : left[-1].index]
            other = next((one for one in between if not one.is_done and one.proposal is None), None)
            left = [one for one in left if other is None or one.index < other.index]
        return tuple(left)

    def _writes_of(self, path: str) -> list[int]:
        """Return the calls that write a file; a turn may write thousands, each looked up once."""
        if self._by_path is None:
            self._by_path = {}
            for record in self.records:
                if record.path is not None:
                    self._by_path.setdefault(record.path, []).append(record.index)
        return self._by_path.get(path, [])

    def pending_lines(self, record: CallRecord) -> int:
        """Return the changed lines of the writes before a call that are still open."""
        while self._done_to < len(self.records) and self.records[self._done_to].is_done:
            self._done_to += 1
        return sum(
            earlier.proposed_lines
            for earlier in self.records[self._done_to : record.index]
            if not earlier.is_done and not earlier.is_turned_down
        )

    def fallen_before(self, record: CallRecord) -> frozenset[int]:
        """Return the writes before a call that are not applied as proposed, by index."""
        return frozenset(
            earlier.index for earlier in self.records[: record.index] if earlier.has_fallen
        )

    def stop(self, record: CallRecord) -> None:
        """End the run at a call: nothing after it runs, and no open write is asked any more."""
        self.stopped_at = record.index
        for other in self.records:
            if other.is_finished or other is record:
                continue
            if other.index > record.index:
                self.fail(other, call_texts.AFTER_STOP, CallState.NOT_RUN)
            elif other.is_open:
                self.fail(other, call_texts.UNREVIEWED_AT_STOP, CallState.NOT_RUN)

    def leave_out_after(self, record: CallRecord) -> None:
        """Report that nothing after a call is run, since it ends the run."""
        for later in self.records[record.index + 1 :]:
            if not later.is_finished:
                self.fail(later, call_texts.AFTER_FINISH, CallState.NOT_RUN)

    def fail(self, record: CallRecord, text: str, state: CallState = CallState.ERROR) -> None:
        """Report that a call ended without what it was for."""
        self.finish(record, Finish(output=ToolOutput(text=text, is_error=True), state=state))

    def fail_all(self, records: Sequence[CallRecord], text: str) -> None:
        """Report an error for those of the calls that have not ended."""
        for record in records:
            if not record.is_finished and record.ready is None:
                self.fail(record, text)

    def begin_execution(self, record: CallRecord) -> None:
        """Report that a call's effect begins; once, also when it has to be tried again."""
        if record.ran_at is not None:
            return
        record.ran_at = self.clock.monotonic()
        self.events.emit(
            lambda head: ToolExecutionStarted(head=head, call_id=record.call.id),
            agent=self.agent_title,
        )

    def raise_if_interrupted(self) -> None:
        """Go on with a cancellation that had to wait.

        Raises:
            asyncio.CancelledError: If one did.
        """
        if self.is_interrupted:
            raise asyncio.CancelledError

    def refuse(self, record: CallRecord, reason: str) -> None:
        """Report that nobody could approve a call."""
        self.refused.add(record.index)
        self.fail(record, call_texts.nobody(reason), CallState.DENIED)

    def finish(self, record: CallRecord, finish: Finish) -> None:
        """Report the one end of a call.

        Raises:
            RuntimeError: If it has ended already.
        """
        if record.result is not None:
            msg = f"call {record.call.id} has ended already"
            raise RuntimeError(msg)
        result = result_of(record.call.id, finish.output, finish.state)
        record.result = result
        duration_ms = self._duration_ms(record)
        self.events.emit(
            lambda head: ToolCallFinished(
                head=head,
                call_id=record.call.id,
                tool=record.call.name,
                result=result,
                duration_ms=duration_ms,
                is_cached=finish.is_cached,
                cache_age_s=finish.cache_age_s,
                changes=finish.changes,
            ),
            agent=self.agent_title,
        )

    def report_ready(self, record: CallRecord) -> None:
        """Report an end that was waiting for its place in the turn."""
        if record.ready is not None and not record.is_finished:
            self.finish(record, record.ready)

    def finish_interrupted(self) -> None:
        """Give every call that has none its end; what was already written stays said so."""
        for record in self.records:
            self.report_ready(record)
            if record.is_finished:
                continue
            text = call_texts.interrupted(
                is_write=record.is_write, is_running=record.ran_at is not None
            )
            self.fail(record, text, CallState.CANCELLED)

    def known_files(self) -> dict[str, FileStamp | None]:
        """Return what the model knows of files by the calls that ended well."""
        known: dict[str, FileStamp | None] = {}
        for record in self.records:
            if record.result is not None and not record.result.is_error:
                known.update(record.known)
        return known

    def outcome(self, invalid_argument_calls: int) -> TurnOutcome:
        """Return the results of all calls.

        Raises:
            RuntimeError: If a call has not ended.
        """
        results = tuple(record.result for record in self.records if record.result is not None)
        if len(results) != len(self.records):
            raise RuntimeError("a call of the turn has no result")
        return TurnOutcome(
            results=results,
            stops_run=self.is_stopped,
            refused_calls=len(self.refused) + self.refused_inside,
            summary=self.summary,
            invalid_argument_calls=invalid_argument_calls,
        )

    def _start(self, record: CallRecord) -> None:
        call = record.call
        event = self.events.emit(
            lambda head: ToolCallStarted(
                head=head,
                call_id=call.id,
                tool=call.name,
                arguments_json=call.arguments_json,
                summary=_first_text(call.arguments_json),
            ),
            agent=self.agent_title,
        )
        self.run_id = event.head.run_id or _NO_RUN
        self.turn_id = event.head.turn_id or _NO_TURN

    def _duration_ms(self, record: CallRecord) -> int:
        if record.ran_at is None:
            return 0
        ended_at = self.clock.monotonic() if record.ended_at is None else record.ended_at
        return max(0, round((ended_at - record.ran_at) * 1000))


def result_of(call_id: CallId, output: ToolOutput, state: CallState) -> ToolResult:
    """Return what the model and the person get, within the limit of all results or the tool's."""
    limit_bytes = max(RESULT_LIMIT_BYTES, output.own_limit_bytes)
    text, is_cut = limit_result(call_texts.encodable(output.text), _LIMIT_HINT, limit_bytes)
    return ToolResult(
        call_id=call_id,
        text=text,
        is_error=output.is_error,
        state=state,
        is_truncated=output.is_truncated or is_cut,
        artifact=output.artifact,
        exit_code=output.exit_code,
    )


def new_turn(
    calls: Sequence[ToolCall], events: EventSink, clock: Clock, agent_title: str = ""
) -> Turn:
    """Return the record of a turn in which nothing has happened yet."""
    records = tuple(CallRecord(index=index, call=call) for index, call in enumerate(calls))
    return Turn(records=records, events=events, clock=clock, agent_title=agent_title)


_SUMMARY_CHARACTERS = 120
_READ_CHARACTERS = 1_048_576
"""Longer arguments are not decoded just for a row, which the loop would stall for."""
_TELLING_KEYS = ("path", "command", "pattern", "query", "url", "title", "name", "message")


def _first_text(arguments_json: str) -> str:
    """Return the telling argument of a call for its row; empty when it cannot be read."""
    if len(arguments_json) > _READ_CHARACTERS:
        return ""
    try:
        arguments: object = json.loads(arguments_json or "{}")
    except (ValueError, RecursionError):
        return ""
    if not isinstance(arguments, dict):
        return ""
    named = cast("dict[str, object]", arguments)
    for key in _TELLING_KEYS:
        value = named.get(key)
        if isinstance(value, str) and value.strip():
            return value.strip().splitlines()[0][:_SUMMARY_CHARACTERS]
    return ""
