"""Say in one line what became of a settled review.

Owns the count of hunks and files of the reviews under way, from the question to the end of their
last call. Draws nothing. Proven by tests/unit/ui/test_review_outcomes.py.
"""

from dataclasses import dataclass, field

from caramelo_tui.domain.agent_events import ToolCallFinished
from caramelo_tui.domain.approvals import ApprovalOutcome, ReviewRequest
from caramelo_tui.domain.ids import ApprovalId, CallId
from caramelo_tui.ui.formatting import count_text

_UNSAID = frozenset({ApprovalOutcome.WITHDRAWN, ApprovalOutcome.REPLACED})
"""Nobody decided: the interrupt, or the question that takes its place, is told by itself."""


@dataclass(slots=True, kw_only=True)
class _Review:
    """One review on its way."""

    hunks: dict[CallId, int]
    """Proposed hunks of each call."""
    paths: frozenset[str]
    open_calls: set[CallId]
    """Calls that have not ended."""
    is_settled: bool = False
    applied: int = 0
    written: set[str] = field(default_factory=set[str])

    @property
    def text(self) -> str:
        """What was applied, of all that was proposed."""
        count, all_files = sum(self.hunks.values()), len(self.paths)
        if not self.applied:
            return f"applied none of {count_text(count, 'hunk')} in {count_text(all_files, 'file')}"
        of = f"{self.applied} of {count_text(count, 'hunk')}"
        return f"applied {of} in {count_text(len(self.written), 'file')}"


class ReviewOutcomes:
    """Counts what is written of the main agent's and the sub-agents' reviews."""

    def __init__(self) -> None:
        self._reviews: dict[ApprovalId, _Review] = {}

    def take_asked(self, request: ReviewRequest) -> None:
        """Begin to count a review."""
        hunks = {write.call_id: len(write.proposal.hunks) for write in request.writes}
        self._reviews[request.id] = _Review(
            hunks=hunks,
            paths=frozenset(write.proposal.path for write in request.writes),
            open_calls=set(hunks),
        )

    def take_settled(self, approval_id: ApprovalId, outcome: ApprovalOutcome) -> None:
        """Note that the person has decided, or forget the review when nobody has."""
        if outcome in _UNSAID:
            self._reviews.pop(approval_id, None)
        elif approval_id in self._reviews:
            self._reviews[approval_id].is_settled = True

    def take_finished(self, event: ToolCallFinished) -> str:
        """Count what a call wrote; return the line once it was the last of its review."""
        for approval_id, review in self._reviews.items():
            if not review.is_settled or event.call_id not in review.open_calls:
                continue
            review.open_calls.discard(event.call_id)
            for file in () if event.changes is None else event.changes.files:
                review.applied += len(file.applied)
                review.written |= {file.path} if file.applied else set()
                # An edited proposal may have other hunks than were shown first.
                review.hunks[event.call_id] = len(file.applied) + len(file.rejected)
            if review.open_calls:
                return ""
            del self._reviews[approval_id]
            return review.text
        return ""
