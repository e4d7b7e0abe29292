"""Answer the questions of a case as its user does."""

from collections.abc import Callable

from caramelo_tui.agent.approval_broker import Refused
from caramelo_tui.domain.approvals import (
    ApprovalAnswer,
    ApprovalRequest,
    CommandAction,
    CommandAnswer,
    ReviewAnswer,
    ReviewRequest,
)


def answer_to(request: ApprovalRequest, *, approves: bool) -> ApprovalAnswer:
    """Return the same answer to whatever is asked."""
    if not isinstance(request, ReviewRequest):
        return CommandAnswer(action=CommandAction.RUN if approves else CommandAction.DENY)
    return ReviewAnswer(
        accepted={hunk.id: approves for write in request.writes for hunk in write.proposal.hunks}
    )


def _nothing(moment: str) -> None:
    del moment


class CaseApprover:
    """The user of a case: the same answer to every dialog, or nobody."""

    def __init__(
        self, approve: bool | str | None, *, at_moment: Callable[[str], None] = _nothing
    ) -> None:
        self._approve = approve
        self._at_moment = at_moment
        self.asked = 0

    async def reply(self, request: ApprovalRequest) -> ApprovalAnswer | Refused | None:
        """Answer at once; a pending question is one that nobody answers."""
        self.asked += 1
        self._at_moment("shown")
        if self._approve is None or self._approve == "pending":
            return Refused(reason="Nobody is there to answer.")
        self._at_moment("approval")
        return answer_to(request, approves=bool(self._approve))
