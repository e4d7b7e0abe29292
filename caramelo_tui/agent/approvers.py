"""Answer questions where nobody sits at the prompt.

Owns what may be approved beforehand: literal commands, and whether writes and the policy's
questions are answered yes. What is not approved beforehand is refused with a reason that says
how to allow it. Policy denials never arrive here, so nothing lifts them. Proven by
tests/unit/agent/test_approvers.py.
"""

import shlex
from collections.abc import Iterable

from caramelo_tui.agent.approval_broker import Approver, Refused
from caramelo_tui.domain.approvals import (
    ActionRequest,
    ApprovalAnswer,
    ApprovalRequest,
    CommandAction,
    CommandAnswer,
    CommandRequest,
    ReviewAnswer,
    ReviewRequest,
)
from caramelo_tui.domain.tool_calls import ActionKind

LITERAL_ONLY_TOOLS = frozenset({"bash"})
"""Tools whose commands ``--auto-approve`` never answers for."""
LITERAL_ONLY_ACTIONS = frozenset({ActionKind.PULL_REQUEST, ActionKind.SKILL})
"""Actions that ``--auto-approve`` never answers for."""


def parse_allowed_command(text: str) -> tuple[str, int]:
    """Return the literal command and its number of uses from ``LITERAL`` or ``LITERAL=N``.

    A literal that itself ends in ``=`` and digits is written with its count: ``make J=4=1``.

    Raises:
        ValueError: If no command is left, or the count is 0.
    """
    literal, mark, count = text.rpartition("=")
    has_count = bool(mark) and count.isascii() and count.isdigit()
    command, uses = (literal, int(count)) if has_count else (text, 1)
    if not command.strip():
        msg = f"{text!r}: the command is empty"
        raise ValueError(msg)
    if uses < 1:
        msg = f"{text!r}: the number of uses must be at least 1"
        raise ValueError(msg)
    return command, uses


class HeadlessApprover:
    """``caramelo run``: refuses, but for what the flags approve.

    One use of ``--allow-command`` approves one call; that call may be asked again.
    """

    def __init__(
        self, *, allowed_commands: Iterable[str] = (), auto_approves: bool = False
    ) -> None:
        """Take the flags.

        Args:
            allowed_commands: Texts of ``--allow-command``.
            auto_approves: ``--auto-approve``: every question of the policy is answered yes,
                except those of ``LITERAL_ONLY_TOOLS`` and ``LITERAL_ONLY_ACTIONS``.

        Raises:
            ValueError: If a text of ``allowed_commands`` is unusable.
        """
        self._uses: dict[str, int] = {}
        for text in allowed_commands:
            command, uses = parse_allowed_command(text)
            self._uses[command] = self._uses.get(command, 0) + uses
        self._auto_approves = auto_approves
        self._approved: set[tuple[str, str]] = set()

    async def reply(self, request: ApprovalRequest) -> ApprovalAnswer | Refused | None:
        """Answer at once; never waits for anybody."""
        match request:
            case ReviewRequest():
                return self._reply_to_review(request)
            case CommandRequest():
                return self._reply_to_command(request)
            case ActionRequest():
                return self._reply_to_action(request)

    def _reply_to_review(self, request: ReviewRequest) -> ApprovalAnswer | Refused:
        if self._auto_approves:
            return _accept_all(request)
        return Refused(
            reason="Nobody is at the prompt to review the change. To allow it, start with "
            "--mode auto (writes that no policy rule asks for), --auto-approve (all writes) or "
            "--approver PROGRAM."
        )

    def _reply_to_command(self, request: CommandRequest) -> ApprovalAnswer | Refused:
        if self._auto_approves and request.tool not in LITERAL_ONLY_TOOLS:
            return CommandAnswer(action=CommandAction.RUN)
        literal = request.command.command
        if request.command.cwd != ".":
            return Refused(
                reason="Nobody is at the prompt to approve the command, and --allow-command "
                "counts only in the workspace root: leave out cwd, or ask the user to run it."
            )
        if self._take_use(request.call_id, literal):
            return CommandAnswer(action=CommandAction.RUN)
        return Refused(
            reason="Nobody is at the prompt to approve the command. To allow exactly this one, "
            f"start with --allow-command {shlex.quote(literal)}"
        )

    def _reply_to_action(self, request: ActionRequest) -> ApprovalAnswer | Refused:
        if request.action.kind in LITERAL_ONLY_ACTIONS:
            return Refused(
                reason=f"Nobody is at the prompt to approve {request.tool}, and no flag allows "
                "it beforehand but --approver PROGRAM."
            )
        if self._auto_approves:
            return CommandAnswer(action=CommandAction.RUN)
        return Refused(
            reason=f"Nobody is at the prompt to approve {request.tool}. To allow it, start with "
            "--auto-approve (every question of the policy is answered yes) or "
            "--approver PROGRAM."
        )

    def _take_use(self, call_id: str, literal: str) -> bool:
        if (call_id, literal) in self._approved:
            return True
        if self._uses.get(literal, 0) < 1:
            return False
        self._uses[literal] -= 1
        self._approved.add((call_id, literal))
        return True


class FirstApproval:
    """Ask one approver after the other; the first that does not refuse decides."""

    def __init__(self, *approvers: Approver) -> None:
        """Take them in the order in which they are asked; at least one.

        Raises:
            ValueError: If there is none.
        """
        if not approvers:
            raise ValueError("nobody could answer")
        self._approvers = approvers

    async def reply(self, request: ApprovalRequest) -> ApprovalAnswer | Refused | None:
        """Return the first answer, or the last refusal."""
        *before, last = self._approvers
        for approver in before:
            reply = await approver.reply(request)
            if not isinstance(reply, Refused):
                return reply
        return await last.reply(request)


class ByHandApprover:
    """``caramelo tool --approve none|writes|all``: typing the call is its approval."""

    def __init__(self, *, approves_writes: bool, approves_commands: bool) -> None:
        self._approves_writes = approves_writes
        self._approves_commands = approves_commands

    async def reply(self, request: ApprovalRequest) -> ApprovalAnswer | Refused | None:
        """Answer at once; never waits for anybody."""
        if isinstance(request, ReviewRequest):
            if self._approves_writes:
                return _accept_all(request)
            return Refused(reason="Nobody approved the change. To allow it, add --approve writes.")
        if self._approves_commands:
            return CommandAnswer(action=CommandAction.RUN)
        what = "command" if isinstance(request, CommandRequest) else "call"
        return Refused(reason=f"Nobody approved the {what}. To allow it, add --approve all.")


def _accept_all(request: ReviewRequest) -> ReviewAnswer:
    return ReviewAnswer(
        accepted={hunk.id: True for write in request.writes for hunk in write.proposal.hunks}
    )
