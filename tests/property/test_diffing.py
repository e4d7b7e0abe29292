"""Any subset of hunks gives what a person would get by hand."""

from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st

from caramelo_tui.domain.diffs import Hunk
from caramelo_tui.domain.ids import CallId, HunkId
from caramelo_tui.workspace.diffing import apply_hunks, decode, encode, hunks_between, lines_of

LINE = st.sampled_from(["a\n", "b\n", "c\r\n", "\n", "}\n", "x\ry\n", "\x0c\x85\n", "caf\udce9\n"])
LAST = st.sampled_from(["", "", "a", "z", "\r"])
TEXT = st.builds(lambda lines, last: "".join(lines) + last, st.lists(LINE, max_size=30), LAST)


@st.composite
def edited_pairs(draw: st.DrawFn) -> tuple[str, str]:
    """A text and the same text with a few places changed."""
    lines = [f"line {number}\n" for number in range(draw(st.integers(0, 40)))]
    changed = list(lines)
    for _ in range(draw(st.integers(0, 5))):
        place = draw(st.integers(0, len(changed)))
        changed[place : place + draw(st.integers(0, 3))] = draw(st.lists(LINE, max_size=3))
    return "".join(lines) + draw(LAST), "".join(changed) + draw(LAST)


PAIRS = st.one_of(st.tuples(TEXT, TEXT), edited_pairs())


def by_hand(before: str, hunks: Sequence[Hunk], accepted: set[HunkId]) -> str:
    """Apply hunks from the last to the first, so that no line number moves."""
    lines = before.split("\n")
    lines = [f"{line}\n" for line in lines[:-1]] + lines[-1:]
    for hunk in reversed(hunks):
        if hunk.id in accepted:
            start = hunk.old_start - 1
            lines[start : start + len(hunk.old_lines)] = hunk.new_lines
    return "".join(lines)


@given(pair=PAIRS, data=st.data())
def test_any_subset_is_what_a_person_gets_by_hand(
    pair: tuple[str, str], data: st.DataObject
) -> None:
    before, after = pair
    hunks = hunks_between(before, after, call_id=CallId("c"))
    everything = {hunk.id for hunk in hunks}
    assert apply_hunks(before, hunks, everything) == after
    assert apply_hunks(before, hunks, ()) == before
    accepted = {hunk.id for hunk in hunks if data.draw(st.booleans())}
    assert apply_hunks(before, hunks, accepted) == by_hand(before, hunks, accepted)


@given(pair=PAIRS, context_lines=st.integers(0, 5))
def test_hunks_are_ordered_apart_and_true_to_both_texts(
    pair: tuple[str, str], context_lines: int
) -> None:
    before, after = pair
    old, new = lines_of(before), lines_of(after)
    hunks = hunks_between(before, after, call_id=CallId("c"), context_lines=context_lines)
    assert (before == after) == (not hunks)
    end = new_end = 0
    for index, hunk in enumerate(hunks):
        start, new_start = hunk.old_start - 1, hunk.new_start - 1
        assert hunk.id == f"c:{index}"
        assert index == 0 or start - end > 2
        # What lies between two hunks is the same on both sides.
        assert old[end:start] == new[new_end:new_start]
        end, new_end = start + len(hunk.old_lines), new_start + len(hunk.new_lines)
        assert (tuple(old[start:end]), tuple(new[new_start:new_end])) == (
            hunk.old_lines,
            hunk.new_lines,
        )
        assert hunk.context_before == tuple(old[start - len(hunk.context_before) : start])
        assert hunk.context_after == tuple(old[end : end + len(hunk.context_after)])
        assert len(hunk.context_before) <= context_lines
        assert len(hunk.context_after) <= context_lines
    assert old[end:] == new[new_end:]


@given(data=st.binary(max_size=80))
def test_any_bytes_survive(data: bytes) -> None:
    assert encode(decode(data)) == data
    assert "".join(lines_of(decode(data))) == decode(data)


@given(after=TEXT.filter(bool))
def test_a_new_file_is_one_hunk(after: str) -> None:
    (hunk,) = hunks_between("", after, call_id=CallId("c"))
    assert "".join(hunk.new_lines) == after


@given(pair=PAIRS)
def test_counts_leave_out_the_lines_that_stayed_the_same(pair: tuple[str, str]) -> None:
    before, after = pair
    for hunk in hunks_between(before, after, call_id=CallId("c")):
        old_end = new_end = 0
        for kept in hunk.kept:
            same = hunk.old_lines[kept.old : kept.old + kept.count]
            assert len(same) == kept.count
            assert same == hunk.new_lines[kept.new : kept.new + kept.count]
            assert kept.old >= old_end
            assert kept.new >= new_end
            old_end, new_end = kept.old + kept.count, kept.new + kept.count
        kept_lines = sum(kept.count for kept in hunk.kept)
        assert hunk.added_lines == len(hunk.new_lines) - kept_lines
        assert hunk.removed_lines == len(hunk.old_lines) - kept_lines
        assert hunk.added_lines or hunk.removed_lines
