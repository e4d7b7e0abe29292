"""Two changes of one text side by side."""

from caramelo_tui.workspace.merging import Merge, merge


def text(*lines: str) -> str:
    return "".join(f"{line}\n" for line in lines)


BASE = text("a", "b", "c", "d", "e", "f", "g")


def test_changes_apart_from_each_other_are_both_taken() -> None:
    first, second = BASE.replace("b", "B"), BASE.replace("f", "F")
    assert merge(BASE, first, second) == Merge(
        text=text("a", "B", "c", "d", "e", "F", "g"), conflicts=0
    )


def test_a_change_of_one_side_only_is_taken() -> None:
    changed = BASE.replace("c\n", "")
    assert merge(BASE, changed, BASE).text == changed
    assert merge(BASE, BASE, changed).text == changed


def test_the_same_change_on_both_sides_is_no_conflict() -> None:
    changed = BASE.replace("c", "C")
    assert merge(BASE, changed, changed) == Merge(text=changed, conflicts=0)


def test_the_second_side_wins_a_conflict_and_the_rest_of_the_first_stays() -> None:
    first = BASE.replace("b", "mine").replace("g", "G")
    second = BASE.replace("b", "theirs")
    assert merge(BASE, first, second) == Merge(
        text=text("a", "theirs", "c", "d", "e", "f", "G"), conflicts=1
    )


def test_changes_of_neighbouring_lines_are_a_conflict() -> None:
    assert merge(BASE, BASE.replace("b", "B"), BASE.replace("c", "C")).conflicts == 1


def test_two_insertions_at_one_place_are_a_conflict() -> None:
    first, second = BASE.replace("d\n", "d\nx\n"), BASE.replace("d\n", "d\ny\n")
    merged = merge(BASE, first, second)
    assert merged.conflicts == 1
    assert "y\n" in merged.text
    assert "x\n" not in merged.text


def test_a_missing_last_line_end_is_kept() -> None:
    assert merge("a\nb\nc\nd", "A\nb\nc\nd", "a\nb\nc\nD").text == "A\nb\nc\nD"
