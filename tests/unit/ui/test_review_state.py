"""Nothing is decided but by the user."""

from caramelo_tui.domain.ids import CallId, HunkId
from caramelo_tui.ui.widgets.review_state import ReviewState
from tests.unit.ui.drawing import numbered, review, write

BEFORE = numbered(40)
AFTER = numbered(40, line_3="three", line_30="thirty")


def two_files() -> ReviewState:
    return ReviewState(
        review(write(BEFORE, AFTER), write(None, "new\n", path="b.py", call_id="call-2"))
    )


def test_every_hunk_starts_undecided() -> None:
    state = two_files()
    counts = state.counts
    assert (counts.files, counts.hunks, counts.undecided) == (2, 3, 3)
    assert state.undecided == state.hunk_ids == ("call-1:0", "call-1:1", "call-2:0")
    assert [state.decision(hunk) for hunk in state.hunk_ids] == [None] * 3


def test_an_undecided_hunk_is_not_accepted_by_the_answer() -> None:
    assert two_files().answer().accepted == {
        "call-1:0": False,
        "call-1:1": False,
        "call-2:0": False,
    }


def test_decisions_are_counted_and_can_be_taken_back() -> None:
    state = two_files()
    first, second, third = state.hunk_ids
    state.decide((first, second), is_accepted=True)
    state.decide((second,), is_accepted=False)
    counts = state.counts
    assert (counts.accepted, counts.rejected, counts.undecided) == (1, 1, 1)
    assert state.undecided == (third,)
    assert state.answer().accepted == {first: True, second: False, third: False}


def test_an_unknown_hunk_changes_nothing() -> None:
    state = two_files()
    state.decide((HunkId("other:0"),), is_accepted=True)
    assert state.counts.undecided == 3


def test_a_sent_review_takes_no_more() -> None:
    state = two_files()
    state.is_sent = True
    state.decide(state.hunk_ids, is_accepted=True)
    state.remark("late", path="b.py", hunk=None, line=None, excerpt="")
    assert state.counts.undecided == 3
    assert state.answer().remarks == ()


def test_remarks_go_to_their_place_and_decide_nothing() -> None:
    state = two_files()
    hunk = state.hunk_ids[0]
    state.remark(" why? ", path="src/cli.py", hunk=hunk, line=3, excerpt="three")
    state.remark("whole file", path="src/cli.py", hunk=None, line=None, excerpt="")
    assert [remark.text for remark in state.remarks_at(path="src/cli.py", hunk=hunk)] == ["why?"]
    assert [remark.line for remark in state.remarks_at(path="src/cli.py", hunk=None)] == [None]
    assert state.counts.undecided == 3
    assert [remark.excerpt for remark in state.answer().remarks] == ["three", ""]


def test_an_empty_remark_takes_the_earlier_one_back() -> None:
    state = two_files()
    hunk = state.hunk_ids[0]
    state.remark("a", path="src/cli.py", hunk=hunk, line=3, excerpt="")
    state.remark("b", path="src/cli.py", hunk=hunk, line=3, excerpt="")
    assert [remark.text for remark in state.answer().remarks] == ["b"]
    state.remark(" ", path="src/cli.py", hunk=hunk, line=3, excerpt="")
    assert state.answer().remarks == ()


def test_a_hunk_on_a_rejected_one_is_marked() -> None:
    first = write("a\nb\n", "a\nnew\nb\n", call_id="one")
    second = write("a\nnew\nb\n", "a\nnewer\nb\n", call_id="two")
    state = ReviewState(review(first, second))
    assert not state.is_dependent(HunkId("two:0"))
    state.decide((HunkId("one:0"),), is_accepted=False)
    assert state.is_dependent(HunkId("two:0")) or state.is_asked_again(HunkId("two:0"))
    state.decide((HunkId("one:0"),), is_accepted=True)
    assert not state.is_dependent(HunkId("two:0"))
    assert not state.is_asked_again(HunkId("two:0"))


def test_writes_on_one_file_stand_together() -> None:
    state = ReviewState(
        review(
            write("a\n", "b\n", path="x", call_id="one"),
            write("a\n", "b\n", path="y", call_id="two"),
            write("b\n", "c\n", path="x", call_id="three"),
        )
    )
    assert state.paths == ("x", "y")
    assert state.hunk_ids == ("one:0", "three:0", "two:0")
    assert state.hunks_of("x") == ("one:0", "three:0")


def test_the_next_undecided_hunk_is_below_else_the_first() -> None:
    state = two_files()
    first, second, third = state.hunk_ids
    state.decide((second,), is_accepted=True)
    assert state.undecided_after(second) == third
    state.decide((third,), is_accepted=True)
    assert state.undecided_after(third) == first
    assert state.undecided_after(first) is None
    state.decide((first,), is_accepted=True)
    assert state.undecided_after(first) is None


def test_an_edited_write_has_new_undecided_hunks_and_the_others_keep_their_answers() -> None:
    before = numbered(12)
    state = ReviewState(
        review(
            write(before, numbered(12, line_2="two"), path="a.py", call_id="one"),
            write(None, "new\n", path="b.py", call_id="two"),
        )
    )
    state.decide(state.hunk_ids, is_accepted=True)
    state.remark("why", path="a.py", hunk=state.hunk_ids[0], line=2, excerpt="two")
    edited = numbered(12, line_2="2", line_9="9")
    state.take_edit(CallId("one"), edited)
    assert [state.decision(hunk) for hunk in state.hunk_ids] == [None, None, True]
    assert state.is_edited(CallId("one"))
    assert not state.is_edited(CallId("two"))
    assert state.answer().edited == {"one": edited}
    assert len(state.remarks_at(path="a.py", hunk=state.hunk_ids[0])) == 1
    state.take_edit(CallId("one"), before)
    assert state.hunk_ids == ("two:0",)
    assert [remark.text for remark in state.remarks_at(path="a.py", hunk=None)] == ["why"]
    assert state.write_of(state.hunk_ids[0]) is state.request.writes[1]
    state.is_sent = True
    state.take_edit(CallId("two"), "late\n")
    assert not state.is_edited(CallId("two"))
