"""Lines of a hunk are chosen one by one or several at once."""

import pytest

from caramelo_tui.ui.widgets.diff_lines import EXCERPT_LINES, ChosenLines, LineChoice
from caramelo_tui.ui.widgets.diff_sections import HunkSection
from caramelo_tui.ui.widgets.hunk_rows import Fate, HunkRows
from tests.unit.ui.drawing import numbered, write


def section(before: str | None, after: str) -> HunkSection:
    hunk = write(before, after).proposal.hunks[0]
    return HunkSection(
        hunk=hunk, path="a.py", rows=HunkRows(hunk, "a.py"), fate=lambda: Fate.UNDECIDED
    )


@pytest.fixture
def part() -> HunkSection:
    return section(numbered(20), numbered(20, line_9="nine", line_10="ten"))


def chosen(
    choice: LineChoice, part: HunkSection, *steps: tuple[int, bool], is_side_by_side: bool = False
) -> ChosenLines:
    for step, extends in steps:
        choice.move(part, step, extends=extends, is_side_by_side=is_side_by_side)
    lines = choice.lines(is_side_by_side=is_side_by_side)
    assert lines is not None
    return lines


def test_the_first_step_chooses_a_changed_line(part: HunkSection) -> None:
    choice = LineChoice()
    assert choice.lines(is_side_by_side=False) is None
    lines = chosen(choice, part, (1, False))
    # A line that goes away stands where the one that follows will be.
    assert lines == ChosenLines(line=9, line_before=9, count=1, excerpt="- line 9")
    assert chosen(LineChoice(), part, (-1, False)).excerpt == "ten"


def test_steps_go_to_the_edges_and_no_further(part: HunkSection) -> None:
    assert chosen(LineChoice(), part, *[(1, False)] * 30).excerpt == "line 13"
    assert chosen(LineChoice(), part, *[(-1, False)] * 30).excerpt == "line 6"


def test_more_lines_are_chosen_and_given_back(part: HunkSection) -> None:
    choice = LineChoice()
    lines = chosen(choice, part, (1, False), (1, True), (1, True))
    assert lines.excerpt == "- line 9\n- line 10\nnine"
    assert (lines.line, lines.line_before, lines.words) == (9, 9, "3 lines at 9")
    assert choice.holds(part, 4)
    assert choice.holds(part, 6)
    assert not choice.holds(part, 7)
    assert chosen(choice, part, (-1, True), (-1, True)).excerpt == "- line 9"
    assert chosen(choice, part, (-1, True)).excerpt == "line 8\n- line 9"
    assert chosen(choice, part, (1, False)).count == 1


def test_sides_beside_each_other_give_the_line_after(part: HunkSection) -> None:
    lines = chosen(LineChoice(), part, (1, False), is_side_by_side=True)
    assert (lines.excerpt, lines.words) == ("nine", "line 9")


def test_another_hunk_or_nothing_ends_the_choice(part: HunkSection) -> None:
    choice = LineChoice()
    chosen(choice, part, (1, False))
    other = section(None, "x\n")
    assert not choice.holds(other, 4)
    assert chosen(choice, other, (1, True)).excerpt == "x"
    choice.clear()
    assert choice.section is None
    assert not choice.holds(other, 1)


def test_a_hunk_without_lines_has_none_to_choose() -> None:
    empty = section(None, "x\n")
    hunk = write(None, "x\n").proposal.hunks[0]
    choice = LineChoice()
    bare = HunkSection(
        hunk=hunk,
        path="a",
        rows=HunkRows(
            type(hunk)(id=hunk.id, old_start=1, old_lines=(), new_start=1, new_lines=()), "a"
        ),
        fate=empty.fate,
    )
    choice.move(bare, 1, extends=False, is_side_by_side=False)
    assert choice.lines(is_side_by_side=False) is None


def test_a_long_choice_is_quoted_in_part() -> None:
    part = section(None, numbered(40))
    excerpt = chosen(LineChoice(), part, (1, False), *[(1, True)] * 20).excerpt
    assert excerpt.splitlines()[-1] == f"… {21 - EXCERPT_LINES} more lines"
