"""What accepted hunks of several writes add up to."""

from collections.abc import Mapping
from dataclasses import replace

import pytest

from caramelo_tui.agent.review import WriteFate, WriteOutcome, outcome_of, preview
from caramelo_tui.domain.approvals import ProposedWrite
from caramelo_tui.domain.diffs import FileEdit, Hunk, SearchReplace, WholeContent, WriteProposal
from caramelo_tui.domain.ids import CallId, HunkId
from caramelo_tui.workspace.diffing import decode, hunks_between
from caramelo_tui.workspace.edits import apply_edit

BASE = "".join(f"line {number}\n" for number in range(1, 13)).encode()


def proposal(call_id: str, before: bytes | None, edit: FileEdit, path: str = "a") -> WriteProposal:
    after = apply_edit(before, edit, path)
    hunks = hunks_between(decode(before or b""), decode(after), call_id=CallId(call_id))
    if before is None and not hunks:
        empty = Hunk(
            id=HunkId(f"{call_id}:0"), old_start=1, old_lines=(), new_start=1, new_lines=()
        )
        hunks = (empty,)
    return WriteProposal(
        call_id=CallId(call_id),
        path=path,
        shown_path=path,
        edit=edit,
        before=before,
        after=after,
        hunks=hunks,
        base_hash=None,
    )


def whole(call_id: str, before: bytes | None, *changed: int, word: str = "new") -> WriteProposal:
    text = "".join(
        f"{word} {number}\n" if number in changed else f"line {number}\n" for number in range(1, 13)
    )
    return proposal(call_id, before, WholeContent(content=text, can_overwrite=True))


def edit(call_id: str, before: bytes | None, search: str, replacement: str) -> WriteProposal:
    return proposal(call_id, before, SearchReplace(search=search, replace=replacement))


def answers(**marks: str) -> Mapping[HunkId, bool]:
    """Return answers from ``c1="+-"``: for the hunks of call ``c1`` in order."""
    return {
        HunkId(f"{call_id}:{index}"): mark == "+"
        for call_id, verdicts in marks.items()
        for index, mark in enumerate(verdicts)
    }


def written(*proposals: WriteProposal) -> list[ProposedWrite]:
    return [
        ProposedWrite(call_id=item.call_id, fingerprint="f", tool="t", proposal=item, reason="mode")
        for item in proposals
    ]


def ids(hunks: tuple[Hunk, ...]) -> list[str]:
    return [str(hunk.id) for hunk in hunks]


# one write


def test_all_accepted_gives_the_proposed_bytes() -> None:
    shown = whole("c", BASE, 2, 10)
    outcome = outcome_of(shown, BASE, answers(c="++"))
    assert outcome.fate is WriteFate.SETTLED
    assert outcome.after == shown.after
    assert ids(outcome.applied) == ["c:0", "c:1"]
    assert outcome.is_whole


def test_some_accepted_gives_exactly_these() -> None:
    outcome = outcome_of(whole("c", BASE, 2, 10), BASE, answers(c="-+"))
    assert outcome.after == BASE.replace(b"line 10\n", b"new 10\n")
    assert (ids(outcome.applied), ids(outcome.rejected)) == (["c:1"], ["c:0"])
    assert not outcome.is_whole


@pytest.mark.parametrize("given", [answers(c="--"), {}])
def test_none_accepted_leaves_the_file(given: Mapping[HunkId, bool]) -> None:
    outcome = outcome_of(whole("c", BASE, 2, 10), BASE, given)
    assert outcome.after == BASE
    assert outcome.applied == ()
    assert len(outcome.rejected) == 2


def test_a_rejected_new_file_is_no_file() -> None:
    outcome = outcome_of(whole("c", None, 1), None, answers(c="-"))
    assert outcome.after is None


def test_bytes_that_are_no_text_survive_a_part() -> None:
    before = b"\xff\xfe\n" + BASE
    shown = whole("c", before, 2)
    marks = "-" + "+" * (len(shown.hunks) - 1)
    after = outcome_of(shown, before, answers(c=marks)).after
    assert after is not None
    assert after.startswith(b"\xff\xfe\n")


def test_a_change_of_nothing_is_whole() -> None:
    outcome = outcome_of(edit("c", BASE, "line 1\n", "line 1\n"), BASE, {})
    assert outcome.is_whole
    assert outcome.after == BASE


# a write on other content than it was shown on


def chain(first: WriteProposal, second: WriteProposal, **marks: str) -> WriteOutcome:
    """Return what the second write comes to behind the first."""
    given = answers(**marks)
    return outcome_of(second, outcome_of(first, first.before, given).after, given)


def test_a_hunk_far_from_a_rejected_one_is_applied_at_its_real_line() -> None:
    first = edit("c1", BASE, "line 2\n", "line 2\nmore\nmore\n")
    second = edit("c2", first.after, "line 9\n", "nine\n")
    outcome = chain(first, second, c1="-", c2="+")
    assert outcome.fate is WriteFate.SETTLED
    assert outcome.after == BASE.replace(b"line 9\n", b"nine\n")
    assert outcome.applied[0].old_start == 9
    assert second.hunks[0].old_start == 11


def test_a_rejected_hunk_further_down_moves_nothing() -> None:
    first = edit("c1", BASE, "line 9\n", "nine\nand more\n")
    second = edit("c2", first.after, "line 2\n", "two\n")
    outcome = chain(first, second, c1="-", c2="+")
    assert outcome.fate is WriteFate.SETTLED
    assert outcome.applied[0].old_start == 2


def test_answers_keep_to_their_hunks_on_other_content() -> None:
    first = edit("c1", BASE, "line 6\n", "six\n")
    second = proposal(
        "c2",
        first.after,
        WholeContent(
            content=decode(first.after).replace("line 1\n", "1\n").replace("line 12\n", "12\n"),
            can_overwrite=True,
        ),
    )
    outcome = chain(first, second, c1="-", c2="-+")
    # The overwrite holds the rejected line, so its hunks are others now.
    assert outcome.fate is WriteFate.ASK_AGAIN
    assert len(outcome.proposal.hunks) == 3


def test_a_search_text_that_is_gone_depends_on_the_rejected_hunk() -> None:
    first = edit("c1", BASE, "line 3\n", "three\n")
    second = edit("c2", first.after, "three\n", "drei\n")
    outcome = chain(first, second, c1="-", c2="+")
    assert outcome.fate is WriteFate.DEPENDS
    assert ids(outcome.dependent) == ["c2:0"]
    assert outcome.after == BASE
    assert not outcome.is_whole


def test_a_search_text_that_is_there_twice_now_depends_too() -> None:
    first = edit("c1", BASE + b"line 3\n", "line 2\nline 3\n", "line 2\n")
    second = edit("c2", first.after, "line 3\n", "drei\n")
    assert chain(first, second, c1="-", c2="+").fate is WriteFate.DEPENDS


def test_a_rejected_write_on_other_content_is_rejected_not_dependent() -> None:
    first = edit("c1", BASE, "line 3\n", "three\n")
    second = edit("c2", first.after, "three\n", "drei\n")
    outcome = chain(first, second, c1="-", c2="-")
    assert outcome.fate is WriteFate.SETTLED
    assert ids(outcome.rejected) == ["c2:0"]
    assert outcome.after == BASE


def test_lines_that_would_look_different_are_asked_again() -> None:
    first = edit("c1", BASE, "line 3\n", "LINE 3\n")
    second = edit("c2", first.after, " 3\n", " three\n")
    outcome = chain(first, second, c1="-", c2="+")
    assert outcome.fate is WriteFate.ASK_AGAIN
    assert outcome.proposal.hunks[0].new_lines == ("line three\n",)


def test_the_same_lines_at_another_place_are_asked_again() -> None:
    moved = BASE.replace(b"line 12\n", b"").replace(b"line 1\n", b"line 1\nline 12\n")
    first = proposal("c1", BASE, WholeContent(content=decode(moved), can_overwrite=True))
    second = edit("c2", first.after, "line 12\n", "twelve\n")
    assert second.hunks[0].old_start == 2
    assert chain(first, second, c1="--", c2="+").fate is WriteFate.ASK_AGAIN


def test_a_hunk_on_a_rejected_insertion_is_asked_again() -> None:
    first = edit("c1", BASE, "line 3\n", "line 3\nextra\n")
    second = edit("c2", first.after, "extra\nline 4\n", "extra\nvier\n")
    third = edit("c3", first.after, "line 3\nextra\nline 4\n", "line 3\nline 4\n")
    assert chain(first, second, c1="-", c2="+").fate is WriteFate.DEPENDS
    assert chain(first, third, c1="-", c3="+").fate is WriteFate.DEPENDS


def test_an_overwrite_of_a_rejected_new_file_is_asked_again() -> None:
    first = proposal("c1", None, WholeContent(content="x\n", can_overwrite=False))
    second = proposal("c2", first.after, WholeContent(content="x\ny\n", can_overwrite=True))
    outcome = chain(first, second, c1="-", c2="+")
    assert outcome.fate is WriteFate.ASK_AGAIN
    assert outcome.proposal.is_new


def test_an_overwrite_with_nothing_of_a_rejected_new_file_is_a_new_empty_file() -> None:
    first = proposal("c1", None, WholeContent(content="x\n", can_overwrite=False))
    second = proposal("c2", first.after, WholeContent(content="", can_overwrite=True))
    outcome = chain(first, second, c1="-", c2="+")
    assert outcome.fate is WriteFate.ASK_AGAIN
    assert len(outcome.proposal.hunks) == 1


# the preview


def test_nothing_decided_writes_nothing_and_blocks_nothing() -> None:
    first = edit("c1", BASE, "line 3\n", "three\n")
    second = edit("c2", first.after, "three\n", "drei\n")
    seen = preview(written(first, second), {})
    assert [(file.path, file.before, file.after) for file in seen.files] == [("a", BASE, BASE)]
    assert seen.dependent == frozenset()
    assert seen.asked_again == frozenset()
    assert (seen.undecided, seen.accepted, seen.rejected) == (2, 0, 0)


def test_rejecting_a_ground_marks_what_depends_on_it() -> None:
    first = edit("c1", BASE, "line 3\n", "three\n")
    second = edit("c2", first.after, "three\n", "drei\n")
    seen = preview(written(first, second), {HunkId("c1:0"): False, HunkId("c2:0"): True})
    assert seen.dependent == {HunkId("c2:0")}
    assert (seen.undecided, seen.accepted, seen.rejected) == (0, 1, 1)
    assert seen.files[0].after == BASE


def test_an_undecided_dependent_hunk_is_marked_too() -> None:
    first = edit("c1", BASE, "line 3\n", "three\n")
    second = edit("c2", first.after, "three\n", "drei\n")
    seen = preview(written(first, second), {HunkId("c1:0"): False, HunkId("c2:0"): None})
    assert seen.dependent == {HunkId("c2:0")}
    assert seen.undecided == 1


def test_what_would_be_asked_again_is_marked() -> None:
    first = edit("c1", BASE, "line 3\n", "LINE 3\n")
    second = edit("c2", first.after, " 3\n", " three\n")
    seen = preview(written(first, second), {HunkId("c1:0"): False})
    assert seen.asked_again == {HunkId("c2:0")}


def test_files_come_once_in_order_with_their_sums() -> None:
    other = proposal("c2", None, WholeContent(content="x\n", can_overwrite=False), path="b")
    first = edit("c1", BASE, "line 3\n", "three\n")
    third = edit("c3", first.after, "line 4\n", "four\n")
    given = {HunkId("c1:0"): True, HunkId("c2:0"): True, HunkId("c3:0"): True}
    seen = preview(written(first, other, third), given)
    sum_of_a = BASE.replace(b"line 3\n", b"three\n").replace(b"line 4\n", b"four\n")
    assert [(file.path, file.after) for file in seen.files] == [("a", sum_of_a), ("b", b"x\n")]


def test_the_preview_is_what_the_pipeline_settles() -> None:
    first = whole("c1", BASE, 2, 10)
    second = edit("c2", first.after, "line 6\n", "six\n")
    given = answers(c1="-+", c2="+")
    outcome = chain(first, second, c1="-+", c2="+")
    assert preview(written(first, second), given).files[0].after == outcome.after


def test_an_outcome_on_other_content_names_that_content_as_before() -> None:
    first = edit("c1", BASE, "line 2\n", "two\n")
    second = edit("c2", first.after, "line 9\n", "nine\n")
    assert chain(first, second, c1="-", c2="+").proposal.before == BASE
    assert chain(first, second, c1="-", c2="-").proposal == replace(second, before=BASE)
