"""Reviews move from waiting to what became of them."""

from caramelo_tui.domain.approvals import ApprovalOutcome
from caramelo_tui.domain.files import ChangeKind, ChangeOrigin, FileChange
from caramelo_tui.domain.ids import ApprovalId, HunkId
from caramelo_tui.ui.turns import Turn
from caramelo_tui.ui.widgets.change_history import FileEntry
from caramelo_tui.ui.widgets.hunk_rows import Fate
from caramelo_tui.ui.widgets.review_desk import ReviewDesk
from tests.unit.ui.drawing import numbered, review, write

TURN = Turn(run=1, number=2)
FIRST = review(
    write(numbered(40), numbered(40, line_3="x", line_30="y"), call_id="one"), approval_id="r1"
)
SECOND = review(write("a\n", "b\n", path="b.py", call_id="two"), approval_id="r2")


def desk_with_two() -> ReviewDesk:
    desk = ReviewDesk()
    desk.take(FIRST, turn=TURN, can_switch=True)
    desk.take(SECOND, turn=TURN, can_switch=True)
    return desk


def fates(desk: ReviewDesk) -> list[tuple[str, Fate]]:
    return [
        (hunk.id, fate)
        for entry in desk.history.entries
        if isinstance(entry, FileEntry)
        for hunk, fate in entry.hunks
    ]


def test_all_waiting_reviews_are_counted_together() -> None:
    desk = desk_with_two()
    counts = desk.counts
    assert (counts.files, counts.hunks, counts.undecided) == (2, 3, 3)
    assert len(desk.waiting) == 2
    desk.waiting[0].is_sent = True
    assert desk.counts.hunks == 1


def test_the_review_goes_by_the_hunk() -> None:
    desk = desk_with_two()
    second = desk.review_of(HunkId("two:0"))
    assert second is not None
    assert second.request is SECOND
    first = desk.review_of(None)
    assert first is not None
    assert first.request is FIRST
    desk.shows_waiting = False
    assert desk.review_of(HunkId("two:0")) is None


def test_what_was_turned_down_is_kept() -> None:
    desk = desk_with_two()
    desk.waiting[0].decide((HunkId("one:0"),), is_accepted=True)
    desk.settle(ApprovalId("r1"), ApprovalOutcome.PARTLY)
    assert fates(desk) == [("one:1", Fate.REJECTED)]
    assert desk.shows_waiting


def test_a_denied_review_was_turned_down_as_a_whole() -> None:
    desk = desk_with_two()
    desk.waiting[0].decide((HunkId("one:0"),), is_accepted=True)
    desk.settle(ApprovalId("r1"), ApprovalOutcome.DENIED)
    assert fates(desk) == [("one:0", Fate.REJECTED), ("one:1", Fate.REJECTED)]


def test_a_withdrawn_review_was_not_applied() -> None:
    desk = desk_with_two()
    desk.settle(ApprovalId("r2"), ApprovalOutcome.WITHDRAWN)
    assert fates(desk) == [("two:0", Fate.NOT_APPLIED)]
    assert desk.history.entries[0].turn == TURN


def test_a_replaced_review_leaves_nothing() -> None:
    desk = desk_with_two()
    desk.settle(ApprovalId("r1"), ApprovalOutcome.REPLACED)
    desk.settle(ApprovalId("unknown"), ApprovalOutcome.DENIED)
    assert fates(desk) == []


def test_the_waiting_list_goes_when_nothing_waits() -> None:
    desk = desk_with_two()
    desk.settle(ApprovalId("r1"), ApprovalOutcome.APPROVED)
    desk.settle(ApprovalId("r2"), ApprovalOutcome.APPROVED)
    assert desk.is_clear
    assert not desk.shows_waiting


def test_a_review_does_not_turn_the_page_under_the_reader() -> None:
    desk = ReviewDesk()
    change = FileChange(path="a", kind=ChangeKind.MODIFIED)
    desk.history.add_disk([change], origin=ChangeOrigin.EXTERNAL, turn=TURN)
    desk.take(FIRST, turn=TURN, can_switch=False)
    assert not desk.shows_waiting
    empty = ReviewDesk()
    empty.take(FIRST, turn=TURN, can_switch=False)
    assert empty.shows_waiting
    assert len(empty.sections()) == 3


def test_only_what_waits_can_be_decided_and_only_what_was_lost_asked_for_again() -> None:
    desk = desk_with_two()
    (waiting,) = [s for s in desk.sections() if s.stop == HunkId("two:0")]
    found = desk.hunk_at(waiting)
    assert found is not None
    assert found[1] == "two:0"
    assert desk.hunk_at(None) is None
    assert desk.lost_hunk(waiting) is None
    desk.settle(ApprovalId("r1"), ApprovalOutcome.APPROVED)
    desk.settle(ApprovalId("r2"), ApprovalOutcome.WITHDRAWN)
    lost = [s for s in desk.sections() if desk.lost_hunk(s) is not None]
    assert len(lost) >= 1
    assert desk.hunk_at(lost[0]) is None


def test_an_empty_list_says_why() -> None:
    desk = ReviewDesk()
    assert desk.empty_text[0] == "No changes yet."
    desk.shows_waiting = True
    assert desk.empty_text == ("Nothing waits for you.",)
