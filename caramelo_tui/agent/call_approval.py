"""Put a command or another action to the user and bind the answer to what was shown.

Owns the question for one call that is no write: asked per call, asked again when its ground has
changed, and the edit of a command that is validated and decided again. Runs nothing.
Proven by tests/unit/agent/test_call_approval.py.
"""

import json

from caramelo_tui.agent import call_texts
from caramelo_tui.agent.approval_broker import FilesMoved, Refused
from caramelo_tui.agent.call_records import CallRecord, required
from caramelo_tui.agent.call_stages import CallStages, beside_the_loop
from caramelo_tui.agent.pipeline_parts import PipelineParts
from caramelo_tui.agent.turn_record import Turn
from caramelo_tui.domain.approvals import (
    ActionRequest,
    CommandAction,
    CommandAnswer,
    CommandRequest,
    ReviewAnswer,
)
from caramelo_tui.domain.decisions import CommandPart
from caramelo_tui.domain.errors import ToolFailure
from caramelo_tui.domain.ids import ApprovalId
from caramelo_tui.domain.tool_calls import CallState, CommandLine, PreparedCall, ToolCall

COMMAND_ARGUMENT = "command"
"""Argument that the user edits; both profiles call it so."""


class CallApproval:
    """The questions about a turn's commands and other actions."""

    def __init__(self, parts: PipelineParts, stages: CallStages) -> None:
        self._parts = parts
        self._stages = stages

    async def explain(self, command: CommandLine) -> tuple[CommandPart, ...]:
        """Return the parts of a command, with what is risky about each."""
        policy = self._parts.policy
        return await beside_the_loop(
            command, lambda: policy.explain(command.command, cwd=command.cwd)
        )

    async def ask(self, turn: Turn, record: CallRecord, why: str = "") -> None:
        """Ask about one call; afterwards it is permitted or finished.

        Args:
            turn: The turn of the call.
            record: A call that the policy asks about.
            why: Said above the command, such as why it is asked again.

        Raises:
            ToolFailure: If the start folder is gone.
        """
        prepared = record.prepared
        if prepared is None or (prepared.command is None and prepared.action is None):
            turn.refuse(record, call_texts.CANNOT_BE_ASKED)
            return
        fallen = turn.fallen_before(record)
        note = "\n".join(text for text in (why, self._note(turn, fallen)) if text)
        request = await self._request(record, prepared, note)
        reply = await self._parts.broker.ask(request)
        record.told_fallen = fallen
        match reply:
            case CommandAnswer():
                await self._take(turn, record, prepared, reply)
            case Refused(reason=reason):
                turn.refuse(record, reason)
            case FilesMoved() | ReviewAnswer() | None:
                text = call_texts.interrupted(is_write=False, is_running=False)
                turn.fail(record, text, CallState.CANCELLED)

    async def ask_behind_fallen(self, turn: Turn, record: CallRecord) -> None:
        """Ask an allowed command again if a write before it fell since the user was asked."""
        is_allowed = record.is_asked and record.permission is not None and not record.is_finished
        if record.is_write or not is_allowed:
            return
        if turn.fallen_before(record) <= record.told_fallen:
            return
        if turn.is_stopped:
            turn.fail(record, call_texts.UNSAFE_AT_STOP, CallState.NOT_RUN)
            return
        record.permission = None
        await self.ask(turn, record)

    def _note(self, turn: Turn, fallen: frozenset[int]) -> str:
        if not fallen:
            return ""
        return call_texts.asked_again_for([turn.records[index].label for index in sorted(fallen)])

    async def _request(
        self, record: CallRecord, prepared: PreparedCall, note: str
    ) -> CommandRequest | ActionRequest:
        if prepared.command is not None:
            return await self._command_request(record, prepared, prepared.command, note)
        return ActionRequest(
            id=ApprovalId(self._parts.ids.new("approval")),
            call_id=record.call.id,
            fingerprint=prepared.fingerprint,
            tool=record.call.name,
            action=required(prepared.action),
            reason=record.decision.reason if record.decision is not None else "",
            note=note,
            agent_title=self._parts.agent_title,
        )

    async def _command_request(
        self, record: CallRecord, prepared: PreparedCall, command: CommandLine, note: str
    ) -> CommandRequest:
        parts = self._parts
        context = self._stages.context(record)
        folder = context.sandbox.resolve(command.cwd)
        explained = await self.explain(command)
        return CommandRequest(
            id=ApprovalId(parts.ids.new("approval")),
            call_id=record.call.id,
            fingerprint=prepared.fingerprint,
            tool=record.call.name,
            command=command,
            cwd_shown=str(folder.absolute),
            parts=explained,
            reason=record.decision.reason if record.decision is not None else "",
            note=note,
            agent_title=parts.agent_title,
            is_sandboxed=context.box.is_used,
        )

    async def _take(
        self, turn: Turn, record: CallRecord, shown: PreparedCall, answer: CommandAnswer
    ) -> None:
        match answer.action:
            case CommandAction.RUN:
                record.permission = shown.fingerprint
            case CommandAction.EDIT:
                await self._take_edit(turn, record, shown, answer.command or "")
            case CommandAction.DENY:
                turn.fail(record, call_texts.denied_by_user(answer.remark), CallState.DENIED)
            case CommandAction.STOP:
                turn.fail(record, call_texts.STOPPED, CallState.DENIED)
                turn.stop(record)

    async def _take_edit(
        self, turn: Turn, record: CallRecord, shown: PreparedCall, command: str
    ) -> None:
        """Put the user's command in place of the model's; it is checked like any other."""
        if shown.command is not None and shown.command.command == command:
            record.permission = shown.fingerprint
            return
        arguments = {**shown.arguments, COMMAND_ARGUMENT: command}
        record.call = ToolCall(
            id=record.call.id, name=record.call.name, arguments_json=json.dumps(arguments)
        )
        record.edited_command = command
        try:
            edited = await self._stages.judge(turn, record)
        except ToolFailure as failure:
            turn.fail(record, call_texts.edited_unusable(command, str(failure)))
            return
        if not record.is_finished:
            record.permission = edited.fingerprint
