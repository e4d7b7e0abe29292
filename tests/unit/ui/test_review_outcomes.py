"""What a settled review came to, in one line of the conversation."""

from caramelo_tui.domain.agent_events import EventHead, ToolCallFinished
from caramelo_tui.domain.approvals import ApprovalOutcome
from caramelo_tui.domain.diffs import ChangeSet, FileDiff
from caramelo_tui.domain.ids import CallId
from caramelo_tui.domain.tool_calls import CallState, ToolResult
from caramelo_tui.ui.review_outcomes import ReviewOutcomes
from tests.unit.ui.drawing import numbered, review, write

REQUEST = review(
    write(numbered(40), numbered(40, line_5="five", line_20="twenty"), path="a.py", call_id="c1"),
    write(numbered(40), numbered(40, line_5="five", line_20="twenty"), path="b.py", call_id="c2"),
)


def finished(call_id: str, applied: int | None = None) -> ToolCallFinished:
    """Return the end of a call of which so many hunks were written; ``None``: none at all."""
    write_of = next(one for one in REQUEST.writes if one.call_id == call_id)
    hunks = write_of.proposal.hunks
    changes = None
    if applied is not None:
        diff = FileDiff(
            path=write_of.proposal.path,
            before=b"",
            after=b"",
            applied=hunks[:applied],
            rejected=hunks[applied:],
        )
        changes = ChangeSet(call_id=CallId(call_id), files=(diff,))
    result = ToolResult(
        call_id=CallId(call_id), text="", is_error=applied is None, state=CallState.OK
    )
    return ToolCallFinished(
        head=EventHead(seq=1, at=0),
        call_id=CallId(call_id),
        tool="file_edit",
        result=result,
        duration_ms=3,
        changes=changes,
    )


def settled(outcome: ApprovalOutcome = ApprovalOutcome.PARTLY) -> ReviewOutcomes:
    outcomes = ReviewOutcomes()
    outcomes.take_asked(REQUEST)
    outcomes.take_settled(REQUEST.id, outcome)
    return outcomes


def test_hunks_and_files_are_said_once_the_last_call_has_ended() -> None:
    outcomes = settled()
    assert outcomes.take_finished(finished("c1", 2)) == ""
    assert outcomes.take_finished(finished("c2", 1)) == "applied 3 of 4 hunks in 2 files"
    assert outcomes.take_finished(finished("c2", 1)) == ""


def test_only_files_that_were_written_count() -> None:
    outcomes = settled()
    outcomes.take_finished(finished("c1", 1))
    assert outcomes.take_finished(finished("c2")) == "applied 1 of 4 hunks in 1 file"


def test_nothing_applied_says_of_how_much() -> None:
    outcomes = settled(ApprovalOutcome.DENIED)
    outcomes.take_finished(finished("c1"))
    assert outcomes.take_finished(finished("c2")) == "applied none of 4 hunks in 2 files"


def test_what_nobody_decided_says_nothing() -> None:
    for outcome in (ApprovalOutcome.WITHDRAWN, ApprovalOutcome.REPLACED):
        outcomes = settled(outcome)
        assert outcomes.take_finished(finished("c1")) == ""
        assert outcomes.take_finished(finished("c2")) == ""


def test_other_calls_are_passed_over() -> None:
    outcomes = settled()
    other = ReviewOutcomes()
    assert other.take_finished(finished("c1", 2)) == ""
    assert outcomes.take_finished(finished("c1", 2)) == ""
