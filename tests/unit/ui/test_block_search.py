"""Words are found in the texts of blocks, and marked where they are drawn."""

from rich.style import Style
from textual.strip import Strip

from caramelo_tui.ui.widgets.block_search import BlockSearch, Match, Words, lines_with, marked
from caramelo_tui.ui.widgets.cells import strip_of

PLAIN = Style(color="white")
LOUD = Style(color="red")


def strip(text: str) -> Strip:
    return strip_of([(text, PLAIN)], 20, PLAIN)


def test_small_letters_find_all_and_capitals_only_themselves() -> None:
    assert Words("flag").count("Flag flag FLAG") == 3
    assert Words("Flag").count("Flag flag FLAG") == 1
    assert Words("a.c").count("abc a.c") == 1


def test_matches_are_counted_and_walked_round() -> None:
    search = BlockSearch("x", ["x x", "none", "x"])
    assert search.total == 3
    assert search.position == 0
    assert search.go_from(1, 1) == Match(block=2, ordinal=0)
    assert search.position == 3
    assert search.go(1) == Match(block=0, ordinal=0)
    assert search.go(1) == Match(block=0, ordinal=1)
    assert search.go(-1) == Match(block=0, ordinal=0)
    assert search.go(-1) == Match(block=2, ordinal=0)
    assert search.go_from(1, -1) == Match(block=0, ordinal=1)


def test_a_search_goes_with_blocks_that_come_change_and_go() -> None:
    search = BlockSearch("x", ["x"])
    search.append("x x")
    assert search.total == 3
    search.go_from(1, 1)
    search.go(1)
    search.put(1, "x")
    assert search.total == 2
    assert search.current is None
    search.go_from(1, 1)
    search.drop_last()
    assert search.total == 1
    assert search.current is None


def test_nothing_found_is_no_match() -> None:
    search = BlockSearch("x", ["a"])
    assert (search.total, search.go(1), search.go_from(0, -1)) == (0, None, None)
    assert BlockSearch("x", []).go(1) is None


def test_words_are_set_off_in_a_drawn_line() -> None:
    before = strip("one Two two")
    after = marked(before, Words("two"), LOUD)
    assert after.text == before.text
    assert after.cell_length == 20
    assert [part.text for part in after if part.style == LOUD] == ["Two", "two"]
    assert marked(before, Words("three"), LOUD) is before


def test_words_are_set_off_across_a_change_of_style() -> None:
    line = strip_of([("on", PLAIN), ("e", Style(bold=True))], 5, PLAIN)
    after = marked(line, Words("one"), LOUD)
    assert [part.text for part in after if part.style == LOUD] == ["on", "e"]


def test_the_lines_with_the_words_are_named() -> None:
    assert lines_with([strip("x x"), strip("a"), strip("x")], Words("x")) == [0, 0, 2]
