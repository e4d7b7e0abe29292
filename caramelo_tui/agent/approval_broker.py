"""Answer pending approvals exactly once.

Owns the futures of open approval requests. Knows nothing of screens: the UI answers by id
through the controller; where nobody sits at the prompt an ``Approver`` answers beforehand.
It never decides what an answer allows: the pipeline binds it to the fingerprint. Proven by
tests/unit/agent/test_approval_broker.py and tests/property/test_pipeline_invariants.py (I7).
"""

import asyncio
from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import Protocol

from caramelo_tui.domain.agent_events import (
    AgentEvent,
    ApprovalRequested,
    ApprovalSettled,
    EventHead,
)
from caramelo_tui.domain.approvals import (
    ApprovalAnswer,
    ApprovalOutcome,
    ApprovalRequest,
    CommandAction,
    CommandAnswer,
    CommandRequest,
    ReviewAnswer,
    ReviewRequest,
)
from caramelo_tui.domain.ids import ApprovalId


@dataclass(frozen=True, slots=True, kw_only=True)
class Refused:
    """Nobody could be asked, and nothing said beforehand allows it."""

    reason: str
    """Why, and how to allow it; for the model and the person."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FilesMoved:
    """The question became stale while it waited; it has to be asked again."""

    paths: tuple[str, ...]
    """Workspace-relative paths that changed on disk."""


Reply = ApprovalAnswer | Refused | FilesMoved | None
"""How a question ended; ``None``: withdrawn, which is never an approval."""


class Approver(Protocol):
    """Who answers before anybody is asked."""

    async def reply(self, request: ApprovalRequest) -> ApprovalAnswer | Refused | None:
        """Return the answer, or ``None`` to wait for the person at the prompt."""
        ...


class PersonAtPrompt:
    """The interactive app: nothing is answered beforehand."""

    async def reply(self, request: ApprovalRequest) -> ApprovalAnswer | Refused | None:  # noqa: ARG002 - the protocol's parameter
        """Return ``None``: the person answers."""
        return None


class EventSink(Protocol):
    """Where events go; the event stream is one."""

    def emit(self, make: Callable[[EventHead], AgentEvent], *, agent: str = "") -> AgentEvent:
        """Build the next event from its head and show it to all readers."""
        ...


@dataclass(frozen=True, slots=True)
class _Question:
    request: ApprovalRequest
    reply: "asyncio.Future[Reply]"


class ApprovalBroker:
    """The open questions to the user, by id; the first answer wins and is final."""

    def __init__(self, events: EventSink, approver: Approver) -> None:
        self._events = events
        self._approver = approver
        self._questions: dict[ApprovalId, _Question] = {}
        self._tell_waiting: Callable[[bool], None] | None = None

    def tell_waiting(self, tell: Callable[[bool], None]) -> None:
        """Call ``tell`` whenever somebody begins to be waited for, and when nobody is any more."""
        self._tell_waiting = tell

    @property
    def pending(self) -> tuple[ApprovalRequest, ...]:
        """The questions that wait for an answer, oldest first."""
        return tuple(question.request for question in self._questions.values())

    async def ask(self, request: ApprovalRequest) -> Reply:
        """Ask one question and wait until it is settled, in whatever way.

        Emits one ``ApprovalRequested`` and exactly one ``ApprovalSettled``. When cancelled,
        the question counts as withdrawn.

        Raises:
            ValueError: If the approver's answer does not fit the question; it is withdrawn.
        """
        question = _Question(request, asyncio.get_running_loop().create_future())
        self._questions[request.id] = question
        self._report_waiting()
        self._events.emit(
            lambda head: ApprovalRequested(head=head, request=request), agent=request.agent_title
        )
        try:
            beforehand = await self._approver.reply(request)
            if beforehand is not None:
                self._settle_beforehand(request, beforehand)
            return await question.reply
        finally:
            self.withdraw(request.id)

    def answer(self, approval_id: ApprovalId, answer: ApprovalAnswer) -> bool:
        """Settle a question.

        Returns:
            ``False`` when it is settled, withdrawn or unknown, or when the answer does not
            fit it; nothing happens then.
        """
        question = self._questions.get(approval_id)
        if question is None or not _fits(question.request, answer):
            return False
        return self._settle(approval_id, answer)

    def withdraw(self, approval_id: ApprovalId) -> bool:
        """Take a question back; it ends as if nobody had been asked, never as an approval."""
        return self._settle(approval_id, None)

    def withdraw_all(self) -> None:
        """Take every open question back."""
        for approval_id in tuple(self._questions):
            self.withdraw(approval_id)

    def mark_stale(self, paths: Collection[str]) -> tuple[ApprovalId, ...]:
        """End the reviews that stand on changed files; the pipeline makes them again.

        Args:
            paths: Workspace-relative paths that somebody else changed on disk.

        Returns:
            The reviews that ended, oldest first.
        """
        stale: list[ApprovalId] = []
        for question in tuple(self._questions.values()):
            moved = _moved(question.request, paths)
            if moved and self._settle(question.request.id, FilesMoved(paths=moved)):
                stale.append(question.request.id)
        return tuple(stale)

    def _settle_beforehand(self, request: ApprovalRequest, reply: ApprovalAnswer | Refused) -> None:
        if not isinstance(reply, Refused) and not _fits(request, reply):
            msg = f"the approver's answer does not fit the question {request.id}"
            raise ValueError(msg)
        self._settle(request.id, reply)

    def _settle(self, approval_id: ApprovalId, reply: Reply) -> bool:
        question = self._questions.pop(approval_id, None)
        if question is None:
            return False
        self._report_waiting()
        if not question.reply.done():
            question.reply.set_result(reply)
        outcome, detail = _outcome(question.request, reply)
        self._events.emit(
            lambda head: ApprovalSettled(
                head=head, approval_id=approval_id, outcome=outcome, detail=detail
            ),
            agent=question.request.agent_title,
        )
        return True

    def _report_waiting(self) -> None:
        if self._tell_waiting is not None:
            self._tell_waiting(bool(self._questions))


def _fits(request: ApprovalRequest, answer: ApprovalAnswer) -> bool:
    if isinstance(request, ReviewRequest):
        return isinstance(answer, ReviewAnswer)
    if not isinstance(answer, CommandAnswer):
        return False
    if answer.action is not CommandAction.EDIT:
        return True
    return isinstance(request, CommandRequest) and answer.command is not None


def _moved(request: ApprovalRequest, paths: Collection[str]) -> tuple[str, ...]:
    if not isinstance(request, ReviewRequest):
        return ()
    touched = dict.fromkeys(write.proposal.path for write in request.writes)
    return tuple(path for path in touched if path in paths)


def _outcome(request: ApprovalRequest, reply: Reply) -> tuple[ApprovalOutcome, str]:
    if reply is None:
        return ApprovalOutcome.WITHDRAWN, ""
    if isinstance(reply, Refused):
        return ApprovalOutcome.DENIED, reply.reason
    if isinstance(reply, FilesMoved):
        return ApprovalOutcome.REPLACED, ", ".join(reply.paths)
    if isinstance(reply, CommandAnswer):
        return _COMMAND_OUTCOMES[reply.action], reply.command or reply.remark
    remarks = "; ".join(remark.text for remark in reply.remarks)
    return _review_outcome(request, reply), remarks


_COMMAND_OUTCOMES = {
    CommandAction.RUN: ApprovalOutcome.APPROVED,
    CommandAction.EDIT: ApprovalOutcome.EDITED,
    CommandAction.DENY: ApprovalOutcome.DENIED,
    CommandAction.STOP: ApprovalOutcome.STOPPED,
}


def _review_outcome(request: ApprovalRequest, answer: ReviewAnswer) -> ApprovalOutcome:
    if answer.stops_run:
        return ApprovalOutcome.STOPPED
    writes = request.writes if isinstance(request, ReviewRequest) else ()
    if answer.edited and True in answer.accepted.values():
        return ApprovalOutcome.EDITED
    verdicts = {
        answer.accepted.get(hunk.id, False) for write in writes for hunk in write.proposal.hunks
    }
    if verdicts == {True}:
        return ApprovalOutcome.APPROVED
    return ApprovalOutcome.PARTLY if True in verdicts else ApprovalOutcome.DENIED
