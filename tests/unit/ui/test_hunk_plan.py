"""Every line of a hunk stands in exactly one row, in order."""

from hypothesis import given
from hypothesis import strategies as st

from caramelo_tui.domain.diffs import Hunk
from caramelo_tui.domain.ids import HunkId
from caramelo_tui.ui.widgets.hunk_plan import Cell, HunkPlan
from tests.unit.ui.drawing import numbered, write


def plan_of(before: str, after: str) -> HunkPlan:
    (hunk,) = write(before, after).proposal.hunks
    return HunkPlan(hunk)


def rows(plan: HunkPlan, *, is_side_by_side: bool = False) -> list[tuple[str, str]]:
    """Return sign with number and text of both cells of each row."""

    def words(cell: Cell | None) -> str:
        return f"{cell.sign}{cell.number} {plan.sides[cell.side].line(cell.index)}" if cell else ""

    count = plan.count(is_side_by_side=is_side_by_side)
    found = [plan.row(row, is_side_by_side=is_side_by_side) for row in range(count)]
    return [(words(left), words(right)) for left, right in found]


def test_a_changed_line_stands_between_its_context() -> None:
    plan = plan_of("a\nb\nc\n", "a\nB\nc\n")
    assert rows(plan) == [
        (" 1 a", " 1 a"),
        ("-2 b", ""),
        ("", "+2 B"),
        (" 3 c", " 3 c"),
    ]
    assert rows(plan, is_side_by_side=True) == [
        (" 1 a", " 1 a"),
        ("-2 b", "+2 B"),
        (" 3 c", " 3 c"),
    ]


def test_an_unequal_change_leaves_one_side_empty() -> None:
    plan = plan_of("a\nb\n", "a\nB\nC\n")
    assert rows(plan, is_side_by_side=True)[1:] == [("-2 b", "+2 B"), ("", "+3 C")]
    assert rows(plan_of("a\nb\n", "a\n"), is_side_by_side=True) == [(" 1 a", " 1 a"), ("-2 b", "")]


def test_lines_that_stayed_the_same_inside_a_hunk_are_context() -> None:
    plan = plan_of("a\nsame\nb\n", "A\nsame\nB\n")
    assert rows(plan) == [
        ("-1 a", ""),
        ("", "+1 A"),
        (" 2 same", " 2 same"),
        ("-3 b", ""),
        ("", "+3 B"),
    ]
    assert [plan.is_changed(row, is_side_by_side=False) for row in range(5)] == [
        True,
        True,
        False,
        True,
        True,
    ]


def test_lines_find_their_partner() -> None:
    plan = plan_of(numbered(9), numbered(9, line_5="line five"))
    old, new = (
        cell
        for row in range(plan.count(is_side_by_side=False))
        for cell in plan.row(row, is_side_by_side=False)
        if cell is not None and cell.sign != " "
    )
    assert plan.partner(old) == new.index
    assert plan.partner(new) == old.index
    assert plan.partner(Cell(" ", 0, 0, 1)) is None


def test_lengths_go_with_rows() -> None:
    plan = plan_of("a\nlong line\n", "a\nshort\nmore\n")
    assert plan.lengths(is_side_by_side=False) == [2, 10, 6, 5]
    assert plan.lengths(is_side_by_side=True) == [2, 10, 5]


def test_carriage_returns_are_marked_only_where_they_differ() -> None:
    same = plan_of("a\r\nb\r\n", "a\r\nB\r\n")
    assert not any("␍" in text for pair in rows(same) for text in pair)
    mixed = plan_of("a\r\nb\n", "a\r\nB\n")
    assert rows(mixed)[0] == (" 1 a␍", " 1 a␍")


def test_texts_are_safe_cut_and_know_their_line_end() -> None:
    plan = plan_of("", "\x1b[31m\tx\n" + "y" * 5_000)
    side = plan.sides[1]
    assert side.line(0) == "<U+001B>[31m    x"
    assert side.line(1).endswith("… 3,000 more characters")
    assert side.ends_with_newline(0)
    assert not side.ends_with_newline(1)
    assert side[0:1] == [side.line(0)]


def test_a_huge_hunk_has_all_its_rows() -> None:
    lines = 5_000
    plan = plan_of(numbered(lines), "".join(f"other {number}\n" for number in range(lines)))
    assert plan.count(is_side_by_side=False) == 2 * lines
    assert plan.count(is_side_by_side=True) == lines


LINES = st.lists(st.sampled_from(["a\n", "b\n", "c\n", "d"]), max_size=8)


@given(old=LINES, new=LINES, above=LINES, below=LINES)
def test_both_sides_read_from_top_to_bottom(
    old: list[str], new: list[str], above: list[str], below: list[str]
) -> None:
    hunk = Hunk(
        id=HunkId("c:0"),
        old_start=20,
        old_lines=tuple(old),
        new_start=30,
        new_lines=tuple(new),
        context_before=tuple(above),
        context_after=tuple(below),
    )
    plan = HunkPlan(hunk)
    for is_side_by_side in (False, True):
        count = plan.count(is_side_by_side=is_side_by_side)
        assert len(plan.lengths(is_side_by_side=is_side_by_side)) == count
        cells = [plan.row(row, is_side_by_side=is_side_by_side) for row in range(count)]
        for side, start in ((0, 20), (1, 30)):
            seen = [pair[side] for pair in cells if pair[side] is not None]
            expected = len(plan.sides[side])
            assert [cell.index for cell in seen if cell] == list(range(expected))
            assert [cell.number for cell in seen if cell] == [
                start - len(above) + index for index in range(expected)
            ]
