"""What changed within a line is found, and only there."""

from caramelo_tui.ui.widgets.word_marks import (
    MAX_MARKED_CHARACTERS,
    MAX_PAIRED_PRODUCT,
    Range,
    changed_ranges,
    pairs_of,
)


def marked(text: str, ranges: list[Range]) -> list[str]:
    return [text[start:end] for start, end in ranges]


def test_changed_words_are_marked_on_both_sides() -> None:
    old, new = "return render(rows, 1)", "return render_json(rows, 2)"
    removed, added = changed_ranges(old, new)
    assert marked(old, removed) == ["render", "1"]
    assert marked(new, added) == ["render_json", "2"]


def test_an_insertion_marks_only_the_new_side() -> None:
    removed, added = changed_ranges("add(path)", "add(path, help)")
    assert removed == []
    assert marked("add(path, help)", added) == [", help"]


def test_unlike_equal_and_endless_lines_get_no_marks() -> None:
    assert changed_ranges("import os", "xyz = [1, 2, 3] + foo()") == ([], [])
    assert changed_ranges("same", "same") == ([], [])
    long = "word " * MAX_MARKED_CHARACTERS
    assert changed_ranges(long, long + "x") == ([], [])


def test_lines_are_paired_with_what_they_became() -> None:
    old = ["first(a)\n", "second(b)\n"]
    new = ["new_one()\n", "first(a, x)\n", "second(b, y)\n"]
    assert pairs_of(old, new) == {0: 1, 1: 2}


def test_pairs_never_cross() -> None:
    old = ["alpha beta\n", "gamma delta\n"]
    new = ["gamma delta x\n", "alpha beta x\n"]
    pairs = pairs_of(old, new)
    assert list(pairs.values()) == sorted(pairs.values())
    assert len(pairs) == 1


def test_large_hunks_are_paired_by_position_or_not_at_all() -> None:
    size = MAX_PAIRED_PRODUCT
    lines = ["x\n"] * size
    assert pairs_of(lines, lines)[size - 1] == size - 1
    assert pairs_of(lines, lines[1:]) == {}
    assert pairs_of([], ["a\n"]) == {}
