"""Answer the questions of a case as its user does."""

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


class CaseApprover:
    """The user of a case: the same answer to every dialog, or nobody."""

    def __init__(self, approve: bool | str | None) -> None:
        self._approve = approve
        self.asked = 0

    async def reply(self, request: ApprovalRequest) -> ApprovalAnswer | Refused | None:
        """Answer at once; a pending question is one that nobody answers."""
        self.asked += 1
        if self._approve is None or self._approve == "pending":
            return Refused(reason="Nobody is there to answer.")
        return answer_to(request, approves=bool(self._approve))
