"""Take one call from the model's words to a decision.

Owns the stages look up, validate, prepare and decide (rows 6 to 8 of docs/architecture.md). Asks
nobody and changes nothing on disk. Proven by tests/unit/agent/test_call_pipeline.py.
"""

import asyncio
from collections.abc import Callable
from types import MappingProxyType
from typing import TypeVar

from caramelo_tui.agent import call_texts
from caramelo_tui.agent.call_records import CallRecord, required
from caramelo_tui.agent.pipeline_parts import PipelineParts
from caramelo_tui.agent.turn_record import Turn
from caramelo_tui.domain.agent_events import OutputStream, ToolCallDecided, ToolOutputStreamed
from caramelo_tui.domain.decisions import Decision, Verdict
from caramelo_tui.domain.errors import ToolFailure
from caramelo_tui.domain.files import FileStamp
from caramelo_tui.domain.tool_calls import (
    CallState,
    CommandLine,
    Effect,
    PreparedCall,
    ToolSpec,
)
from caramelo_tui.tools.base import ToolContext
from caramelo_tui.tools.validation import parse_arguments

_LONG_ARGUMENTS_CHARACTERS = 65_536
"""Arguments above it are checked in a thread."""
_LONG_COMMAND_CHARACTERS = 1_000
"""Commands above it are read by the policy in a thread."""
_STRICTNESS = {Verdict.ALLOW: 0, Verdict.ASK: 1, Verdict.DENY: 2}
_T = TypeVar("_T")
_ANY_OBJECT = ToolSpec(name="any", description="", input_schema={})


class CallStages:
    """The stages before an approval."""

    def __init__(self, parts: PipelineParts) -> None:
        self._parts = parts
        self._invalid_argument_calls = 0

    @property
    def invalid_argument_calls(self) -> int:
        """Calls in a row, up to the last one seen, whose arguments were no JSON object."""
        return self._invalid_argument_calls

    async def judge(self, turn: Turn, record: CallRecord) -> PreparedCall:
        """Take a call through all four stages; a denied one is finished.

        Raises:
            ToolFailure: If it cannot be made; the text is its error result.
        """
        if len(record.call.arguments_json) > _LONG_ARGUMENTS_CHARACTERS:
            # Decoding and checking much takes longer than the loop may stall.
            await asyncio.to_thread(self.validate, record)
        else:
            self.validate(record)
        return await self.prepare(turn, record)

    async def prepare(self, turn: Turn, record: CallRecord) -> PreparedCall:
        """Work out the call's effect on the disk and overlay as they are, and decide on it.

        Any answer that the call had is void. A denied call is finished.

        Raises:
            ToolFailure: If it cannot be made; the text is its error result.
        """
        prepared = await self._prepared(record)
        record.prepared = prepared
        record.accepted = record.permission = record.outcome = None
        await self._decide(turn, record, prepared)
        return prepared

    async def judge_edited_write(
        self, turn: Turn, record: CallRecord, edited: PreparedCall
    ) -> None:
        """Take a write as the user edited it; one that is denied now is finished.

        Only what is stricter than before counts: what the user was asked stays asked.
        """
        record.prepared = edited
        record.permission = record.outcome = None
        decision = await self._decision(turn, record, edited)
        if decision.verdict is Verdict.DENY:
            self._take(turn, record, edited, decision)

    async def prepare_again(self, turn: Turn, record: CallRecord) -> bool:
        """Prepare anew at the moment of use; return whether the call is another one now.

        Nothing changes for a call that comes out as it was shown.

        Raises:
            ToolFailure: If it cannot be made any more; the text is its error result.
        """
        shown = record.prepared
        again = await self._prepared(record)
        if shown is not None and again.fingerprint == shown.fingerprint:
            return False
        record.prepared = again
        await self._decide(turn, record, again)
        return True

    async def decide_again(self, turn: Turn, record: CallRecord) -> bool:
        """Decide anew at the moment of use; return whether the user has to be asked now.

        Meanwhile a sub-agent may have used up the count of lines, or the user may have blocked
        the command or changed the mode. Only what is stricter than before counts: an answer of
        the user stays one, and a call that is denied now is finished.
        """
        prepared, before = record.prepared, record.decision
        if prepared is None or before is None or prepared.effect is Effect.READ:
            return False
        if record.is_turned_down:
            return False
        now = await self._decision(turn, record, prepared)
        if _STRICTNESS[now.verdict] <= _STRICTNESS[before.verdict]:
            return False
        record.accepted = record.outcome = None
        self._take(turn, record, prepared, now)
        return now.is_ask

    def context(self, record: CallRecord, *, is_quiet: bool = False) -> ToolContext:
        """Return what the call's tool can reach; its live output is the call's.

        Args:
            record: The call.
            is_quiet: Whether nothing of it is reported.
        """
        call_id = record.call.id
        events, agent = self._parts.events, self._parts.agent_title

        def emit_output(stream: OutputStream, text: str) -> None:
            if is_quiet:
                return
            events.emit(
                lambda head: ToolOutputStreamed(
                    head=head, call_id=call_id, stream=stream, text=text
                ),
                agent=agent,
            )

        return self._parts.context(emit_output)

    def stamps(self, record: CallRecord) -> Callable[[], dict[str, FileStamp | None]]:
        """Return what looks, in a thread, at the paths of a call; ``None`` for what is no file."""
        files, paths = self.context(record).files, required(record.prepared).paths
        return lambda: {path: files.stamp(path) for path in paths}

    def validate(self, record: CallRecord) -> None:
        """Look the tool up and check the arguments.

        Raises:
            ToolFailure: If the tool is not offered or the arguments do not fit; the text says
                all that is wrong.
        """
        call, registry = record.call, self._parts.registry
        tool = registry.get(call.name)
        if tool is None:
            self._count(is_json_object=_is_json_object(call.arguments_json))
            raise ToolFailure(registry.unknown_tool_text(call.name))
        record.tool = tool
        try:
            # Read-only for whoever gets them: what was shown is what is judged and run.
            record.arguments = MappingProxyType(parse_arguments(tool.spec, call.arguments_json))
        except ToolFailure:
            self._count(is_json_object=_is_json_object(call.arguments_json))
            raise
        self._count(is_json_object=True)

    def _count(self, *, is_json_object: bool) -> None:
        self._invalid_argument_calls = 0 if is_json_object else self._invalid_argument_calls + 1

    async def _prepared(self, record: CallRecord) -> PreparedCall:
        tool, arguments = required(record.tool), required(record.arguments)
        return await tool.prepare(record.call, arguments, self.context(record))

    async def _decide(self, turn: Turn, record: CallRecord, prepared: PreparedCall) -> None:
        self._take(turn, record, prepared, await self._decision(turn, record, prepared))

    async def _decision(self, turn: Turn, record: CallRecord, prepared: PreparedCall) -> Decision:
        policy, mode = self._parts.policy, self._parts.mode
        return await beside_the_loop(
            prepared.command,
            lambda: policy.decide(
                prepared,
                mode=mode(),
                mode_origin=mode.origin,
                pending_lines=turn.pending_lines(record),
            ),
        )

    def _take(
        self, turn: Turn, record: CallRecord, prepared: PreparedCall, decision: Decision
    ) -> None:
        record.decision = decision
        self._parts.events.emit(
            lambda head: ToolCallDecided(
                head=head, call_id=record.call.id, decision=decision, summary=prepared.summary
            ),
            agent=self._parts.agent_title,
        )
        match decision.verdict:
            case Verdict.ALLOW:
                record.permission = prepared.fingerprint
            case Verdict.ASK:
                record.permission = None
            case Verdict.DENY:
                text = call_texts.denied_by_policy(decision, record.edited_command)
                turn.fail(record, text, CallState.DENIED)


async def beside_the_loop(command: CommandLine | None, read: Callable[[], _T]) -> _T:
    """Return what reading a command comes to; a long one is read in a thread.

    A hostile command of 16 KB takes some tenths of a second: the screen must not wait for it.
    """
    if command is None or len(command.command) <= _LONG_COMMAND_CHARACTERS:
        return read()
    return await asyncio.to_thread(read)


def _is_json_object(text: str) -> bool:
    try:
        parse_arguments(_ANY_OBJECT, text)
    except ToolFailure:
        return False
    return True
