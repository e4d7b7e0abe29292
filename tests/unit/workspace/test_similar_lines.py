"""The hint of a failed search."""

import time

import pytest

from caramelo_tui.workspace.similar_lines import SimilarLine, similar_lines


def rows(text: str, wanted: str) -> list[tuple[int, str]]:
    return [(line.number, line.text) for line in similar_lines(text, wanted)]


@pytest.mark.parametrize(
    ("line", "wanted"),
    [
        ("let n = 1;", "let n = 2;"),
        ("  key = 1  ", "key = 1"),
        ("Foo", "foo"),
        ("cafe\u0301 noir", "café noir"),
        ("10\u00a0km", "10 km"),
        ("pass\u200bphrase=1", "pass phrase=1"),
    ],
)
def test_a_line_that_differs_a_little_is_found(line: str, wanted: str) -> None:
    assert rows(f"something else\n{line}\nlast\n", wanted) == [(2, line)]


def test_the_best_lines_come_first_and_are_few() -> None:
    text = "\n".join(f"value number {n} of all" for n in range(9))
    found = rows(text, "value number 4 of all.")
    assert found[0] == (5, "value number 4 of all")
    assert len(found) == 3


def test_a_block_is_found_by_most_of_its_lines() -> None:
    text = "def a():\n    return 1\n\ndef b():\n    x = 2\n    return x\n\nend\n"
    wanted = "def b():\n    x = 3\n    return x"
    assert rows(text, wanted) == [(4, "def b():"), (5, "    x = 2"), (6, "    return x")]


def test_a_block_with_other_indentation_is_found() -> None:
    assert rows("x\n\tif ok:\n\t\tgo()\n", "if ok:\n    go()")[0] == (2, "\tif ok:")


def test_a_block_that_would_begin_above_the_file_is_cut() -> None:
    assert rows("second\nthird\n", "first\nsecond\nthird") == [(1, "second"), (2, "third")]


def test_a_block_of_unknown_lines_falls_back_to_its_longest_line() -> None:
    assert rows("alpha beta gamma\n", "x\nalpha beta delta\ny") == [(1, "alpha beta gamma")]


def test_lines_that_stand_everywhere_do_not_vote() -> None:
    text = "}\n" * 500 + "needle\n}\n"
    assert rows(text, "needle\n}\nrest")[0] == (501, "needle")
    assert rows("}\n" * 500, "}\n}") == []


def test_nothing_similar_gives_nothing() -> None:
    assert similar_lines("aaa\nbbb\n", "+++") == ()
    assert similar_lines("", "x") == ()
    assert similar_lines("one two three four five six", "one") == ()


def test_long_lines_are_cut() -> None:
    assert similar_lines("word " * 1000, "word " * 60)[0] == SimilarLine(
        number=1, text=("word " * 40)
    )


def test_five_megabytes_of_different_lines_are_searched_in_bounded_time() -> None:
    text = "".join(f"line of filler {n} text number\n" for n in range(170_000))
    started = time.process_time()
    assert rows(text, "line of filer 77 text number")[0][0] == 78
    assert time.process_time() - started < 4
