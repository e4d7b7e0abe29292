"""Text fits its cells, whole characters only."""

import pytest
from rich.cells import cell_len
from rich.style import Style

from caramelo_tui.ui.widgets.cells import (
    Line,
    chop_line,
    crop_line,
    cut_cells,
    cut_left,
    divided,
    expand_tabs,
    one_line,
    safe_lines,
    strip_of,
    width_of,
    wrap_code,
    wrap_line,
)

PLAIN = Style()
BOLD = Style(bold=True)


def texts(lines: list[Line]) -> list[str]:
    return ["".join(text for text, _style in line) for line in lines]


def test_tabs_go_to_the_next_stop() -> None:
    assert expand_tabs("a\tb") == "a   b"
    assert expand_tabs("\t\tx") == "        x"
    assert expand_tabs("日\tx") == "日  x"
    assert expand_tabs("a\tb", column=2) == "a b"


def test_one_line_has_no_line_end_and_no_escape() -> None:
    assert one_line("a\nb\x1b[31m\tc") == "a<U+000A>b<U+001B>[31m c"


def test_safe_lines_end_at_both_kinds_of_line_end() -> None:
    assert safe_lines("a\r\nb\nc\rd") == ["a", "b", "c<U+000D>d"]


def test_cutting_never_splits_a_wide_character() -> None:
    assert cut_cells("日本語", 4) == "日…"
    assert cut_cells("abc", 3) == "abc"
    assert cut_cells("abcd", 3) == "ab…"
    assert cut_cells("abcd", 1) == "…"
    assert not cut_cells("abcd", 0)
    assert cut_left("src/long/path.py", 8) == "…path.py"
    assert cut_left("日本語", 4) == "…語"
    assert cut_left("ab", 2) == "ab"


def test_words_stay_whole_over_a_change_of_style() -> None:
    line: Line = [("one tw", PLAIN), ("o thr", BOLD), ("ee", PLAIN)]
    wrapped = wrap_line(line, 7)
    assert texts(wrapped) == ["one two", "three"]
    assert wrapped[0] == [("one tw", PLAIN), ("o", BOLD)]


def test_blanks_at_a_wrap_are_dropped_and_leading_ones_kept() -> None:
    assert texts(wrap_line([("  ab   cd", PLAIN)], 4)) == ["  ab", "cd"]


def test_a_word_longer_than_the_line_is_cut() -> None:
    assert texts(wrap_line([("abcdefgh ij", PLAIN)], 3)) == ["abc", "def", "gh", "ij"]


def test_wide_text_breaks_between_characters() -> None:
    wrapped = texts(wrap_line([("日本語のテキスト", PLAIN)], 5))
    assert all(cell_len(text) <= 5 for text in wrapped)
    assert "".join(wrapped) == "日本語のテキスト"


def test_a_wide_character_in_a_too_narrow_line_is_still_shown() -> None:
    assert texts(wrap_line([("日本", PLAIN)], 1)) == ["日", "本"]


def test_combining_marks_stay_with_their_letter() -> None:
    text = "e\u0301" * 6
    wrapped = texts(wrap_line([(text, PLAIN)], 4))
    assert wrapped == ["e\u0301" * 4, "e\u0301" * 2]


def test_code_is_wrapped_below_its_own_indentation() -> None:
    assert texts(wrap_code([("  call(", PLAIN), ("one, two)", BOLD)], 11)) == [
        "  call(one,",
        "  two)",
    ]
    assert texts(wrap_code([("  short", PLAIN)], 11)) == ["  short"]


def test_an_empty_line_is_one_line() -> None:
    assert wrap_line([], 5) == [[]]
    assert len(chop_line([], 5)) == 1


def test_chopping_drops_nothing() -> None:
    text = "a  b日 c   "
    chopped = texts(chop_line([(text, PLAIN)], 3))
    assert "".join(chopped) == text
    assert all(cell_len(part) <= 3 for part in chopped)
    assert texts(chop_line([("abcdef", PLAIN)], 4)) == ["abcd", "ef"]


def test_a_cropped_wide_character_leaves_a_blank() -> None:
    line: Line = [("ab", PLAIN), ("日本", BOLD)]
    assert texts([crop_line(line, 1, 5)]) == ["b日 "]
    assert texts([crop_line(line, 3, 6)]) == [" 本"]


@pytest.mark.parametrize("text", ["", "ab", "日本語", "a much longer text than fits"])
def test_a_strip_has_exactly_its_width(text: str) -> None:
    strip = strip_of([(text, PLAIN)], 7, BOLD)
    assert strip.cell_length == 7
    assert cell_len(strip.text) == 7


def test_width_counts_cells() -> None:
    assert width_of([("a日", PLAIN), ("b", BOLD)]) == 4


def test_runs_are_divided_at_ranges() -> None:
    assert divided("abcdef", 10, [(0, 3), (11, 13), (15, 99)]) == [
        ("a", False),
        ("bc", True),
        ("de", False),
        ("f", True),
    ]
