"""Hunks, and any subset of them."""

import pytest

from caramelo_tui.domain.diffs import Hunk, KeptLines
from caramelo_tui.domain.ids import CallId, HunkId
from caramelo_tui.workspace.diffing import apply_hunks, decode, encode, hunks_between, lines_of

CALL = CallId("c7")


def hunks(before: str, after: str, context_lines: int = 3) -> tuple[Hunk, ...]:
    return hunks_between(before, after, call_id=CALL, context_lines=context_lines)


def numbered(*numbers: int) -> str:
    return "".join(f"{number}\n" for number in numbers)


def test_a_changed_line_is_a_hunk_with_its_context() -> None:
    before, after = numbered(*range(1, 10)), numbered(*range(1, 10)).replace("5", "five")
    (hunk,) = hunks(before, after)
    assert hunk == Hunk(
        id=HunkId("c7:0"),
        old_start=5,
        old_lines=("5\n",),
        new_start=5,
        new_lines=("five\n",),
        context_before=("2\n", "3\n", "4\n"),
        context_after=("6\n", "7\n", "8\n"),
    )
    (bare,) = hunks(before, after, context_lines=0)
    assert (bare.context_before, bare.context_after) == ((), ())


@pytest.mark.parametrize(("gap", "count"), [(1, 1), (2, 1), (3, 2)])
def test_regions_with_at_most_two_lines_between_are_one_hunk(gap: int, count: int) -> None:
    kept = "".join(f"k{number}\n" for number in range(gap))
    found = hunks(f"a\n{kept}b\n", f"A\n{kept}B\n")
    assert len(found) == count
    assert [hunk.id for hunk in found] == [f"c7:{index}" for index in range(count)]
    if count == 1:
        assert found[0].old_lines == ("a\n", *kept.splitlines(keepends=True), "b\n")
        assert found[0].kept == (KeptLines(old=1, new=1, count=gap),)
        assert (found[0].added_lines, found[0].removed_lines) == (2, 2)


def test_context_never_reaches_into_a_neighbour() -> None:
    kept = numbered(1, 2, 3, 4)
    first, second = hunks(f"a\n{kept}b\n", f"A\n{kept}B\n", context_lines=9)
    assert first.context_after == tuple(lines_of(kept))
    assert second.context_before == tuple(lines_of(kept))


def test_insertions_and_deletions_name_their_place() -> None:
    (insertion,) = hunks("a\nb\n", "a\nx\nb\n")
    assert (insertion.old_start, insertion.old_lines) == (2, ())
    (at_end,) = hunks("a\n", "a\nb\n")
    assert (at_end.old_start, at_end.new_lines) == (2, ("b\n",))
    (deletion,) = hunks("a\nb\n", "a\n")
    assert (deletion.old_lines, deletion.new_lines) == (("b\n",), ())


def test_a_new_file_is_one_hunk() -> None:
    (hunk,) = hunks("", "a\nb\nc")
    assert (hunk.old_start, hunk.old_lines, hunk.new_start) == (1, (), 1)
    assert hunk.new_lines == ("a\n", "b\n", "c")


def test_equal_texts_have_no_hunk() -> None:
    assert hunks("", "") == ()
    assert hunks("a", "a") == ()


def test_only_lf_ends_a_line() -> None:
    text = "a\fb\u0085c\u2028d\re\x1cf\n"
    assert lines_of(text) == [text]
    (hunk,) = hunks("x\r\n" + text, "y\r\n" + text)
    assert hunk.old_lines == ("x\r\n",)
    assert hunk.context_after == (text,)


def test_a_missing_final_line_end_is_a_change() -> None:
    (hunk,) = hunks("a\nb", "a\nb\n")
    assert (hunk.old_lines, hunk.new_lines) == (("b",), ("b\n",))


def test_a_negative_context_is_refused() -> None:
    with pytest.raises(ValueError, match="negative"):
        hunks("a", "b", context_lines=-1)


def test_any_subset_is_applied() -> None:
    before = numbered(*range(20))
    after = before.replace("3\n", "three\n", 1).replace("10\n", "").replace("17\n", "17\n17b\n")
    found = hunks(before, after)
    assert len(found) == 3
    middle = {found[1].id}
    assert apply_hunks(before, found, middle) == before.replace("10\n", "")
    assert apply_hunks(before, found, {hunk.id for hunk in found}) == after
    assert apply_hunks(before, found, ()) == before
    assert apply_hunks(before, found, {HunkId("unknown")}) == before


def test_hunks_that_do_not_fit_are_refused() -> None:
    found = hunks("a\nb\n", "a\nB\n")
    with pytest.raises(ValueError, match=r"c7:0 does not fit"):
        apply_hunks("a\nx\n", found, ())
    with pytest.raises(ValueError, match="does not fit"):
        apply_hunks("a\nb\n", [*found, *found], ())
    with pytest.raises(ValueError, match="does not fit"):
        apply_hunks("a\n", found, ())


def test_any_bytes_survive_decoding() -> None:
    data = bytes(range(256))
    assert encode(decode(data)) == data
