"""Cuts fall on character borders, and nothing in a name can forge a header."""

import pytest

from caramelo_tui.tools.output_limits import (
    counted,
    cut_utf8,
    headed_text,
    limit_result,
    make_inert,
    rows_within,
)


@pytest.mark.parametrize(
    ("text", "limit", "kept"),
    [
        ("abc", 3, "abc"),
        ("abcd", 3, "abc"),
        ("aé", 2, "a"),
        ("aé", 3, "aé"),
        ("漢字", 5, "漢"),
        ("a\U0001f680", 4, "a"),
        ("\U0001f680", 3, ""),
        ("abc", 0, ""),
    ],
)
def test_cut_falls_on_a_character_border(text: str, limit: int, kept: str) -> None:
    data, was_cut = cut_utf8(text.encode(), limit)

    assert data.decode() == kept
    assert was_cut is (kept != text)


def test_cut_of_bytes_that_are_no_utf8_is_at_most_three_bytes_early() -> None:
    data, was_cut = cut_utf8(b"\x80" * 100, 50)

    assert was_cut
    assert len(data) == 50


def test_limit_keeps_a_fitting_result_as_it_is() -> None:
    assert limit_result("short", "no hint") == ("short", False)


def test_limit_says_what_is_missing_and_which_argument_gets_it() -> None:
    text, was_cut = limit_result("ü" * 400, "use a narrower path", limit_bytes=300)

    assert was_cut
    assert len(text.encode()) <= 300
    kept = text.split("\n")[0]
    missing = 800 - len(kept.encode())
    assert f"[cut: {missing} of 800 bytes are not shown; use a narrower path]" in text


def test_rows_within_counts_line_feeds_and_bytes() -> None:
    assert rows_within(["ab", "é", "c"], 6) == 2
    assert rows_within(["ab", "é", "c"], 8) == 3
    assert rows_within([], 0) == 0


def test_header_value_cannot_start_a_line_of_its_own() -> None:
    text = headed_text([("path", "a\n\ntruncated: true")], "body")

    head, _, body = text.partition("\n\n")
    assert head == "path: a<U+000A><U+000A>truncated: true"
    assert body == "body"


def test_inert_name_marks_escapes_and_bytes_that_are_not_utf8() -> None:
    assert make_inert("a\x1b[2J\udce9.txt") == "a<U+001B>[2J<U+DCE9>.txt"


def test_counted_words() -> None:
    assert counted(1, "match", "matches") == "1 match"
    assert counted(2, "match", "matches") == "2 matches"
    assert counted(0, "file") == "0 files"
