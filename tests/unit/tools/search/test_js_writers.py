"""What is written for the engines, and what is not."""

import pytest

from caramelo_tui.tools.search.js_parser import parse
from caramelo_tui.tools.search.js_writers import (
    NotExact,
    can_ask_whole_file,
    is_same_beyond_ascii,
    written_for_pcre2,
    written_for_worker,
)

W = "[0-9A-Za-z_]"


def pcre2(source: str, *, folds_case: bool = False) -> str:
    return written_for_pcre2(parse(source, folds_case=folds_case))


@pytest.mark.parametrize(
    ("source", "written"),
    [
        ("def x", "def x"),
        ("a.b", "a[^\\x{A}\\x{D}\\x{2028}-\\x{2029}]b"),
        ("^a$", "\\Aa\\z"),
        ("a[^]c", "a(?s:.)c"),
        ("[\\s\\S]", "(?s:.)"),
        ("[]", "(?!)"),
        ("[^\\s\\S]", "(?!)"),
        ("\\d+?", "[\\x{30}-\\x{39}]+?"),
        ("a{,2}", "a\\x{7B},2\\x{7D}"),
        ("a{2}b{1,}c{0,1}d{2,}", "a{2,2}b+c?d{2,}"),
        ("(a)|(?:b)", "(?:a)|(?:b)"),
        ("(?<=a)b(?!c)", "(?<=a)b(?!c)"),
        ("(?=a)*b", "b"),
        ("(?=a)+b", "(?=a)b"),
        ("(?<=(?:a*){0})b", "(?<=)b"),
        ("\\b", f"(?:(?<={W})(?!{W})|(?<!{W})(?={W}))"),
        ("😀", "\\x{F003D}\\x{F0600}"),
        ("é", "\\x{E9}"),
        # Groups that nothing asks for are not numbered.
        ("(x)(y)\\2", "(?:x)(y)\\g{1}"),
        ("(?<n>a)\\k<n>", "(a)\\g{1}"),
        ("(?:(a)\\1)*", "(?:(a)\\g{1})*"),
        ("(a)(?:b\\1|c\\1)+", "(a)(?:b\\g{1}|c\\g{1})+"),
        ("(?=(a)\\1)", "(?=(a)\\g{1})"),
    ],
)
def test_pcre2(source: str, written: str) -> None:
    assert pcre2(source) == written


def test_pcre2_with_case_ignored_holds_canonical_units() -> None:
    assert pcre2("aé[b-c]", folds_case=True) == "A\\x{C9}[\\x{42}-\\x{43}\\x{62}-\\x{63}]"


@pytest.mark.parametrize(
    "source",
    [
        # The group may be unset: JavaScript then matches nothing, PCRE2 fails.
        "(a)?\\1",
        "(?:(a)|b)\\1",
        "\\1(a)",
        "(a\\1)",
        "(?!(a))\\1",
        # Set in an earlier round: JavaScript forgets it.
        "(?:(a)|b)*\\1",
        "(?:\\1(a))*",
        "(a)*\\1",
        # A look ahead keeps its first way.
        "(?=(a+?))\\1",
        # From right to left.
        "(?<=(a)\\1)b",
        "(a)(?<=\\1)b",
        "(?<=\\1(a))b",
        "(?<=a*)b",
        "(?<=a+|b)c",
        "(?<=(?:$)*)b",
        "(?<=(?:a{16}){16})b",
        "a{65536}",
        "a{70000,}",
        "\\b" * 1_000,
    ],
)
def test_what_is_not_certain_is_not_written(source: str) -> None:
    with pytest.raises(NotExact):
        pcre2(source)


@pytest.mark.parametrize(
    "source", ["(?<=(?:a{15}){17})b", "(?<=\\b(?!x*)(?=y)*a{0}|b)c", "a{65535}"]
)
def test_limits_of_pcre2_are_met_exactly(source: str) -> None:
    assert pcre2(source)


@pytest.mark.parametrize(
    ("source", "written"),
    [
        ("(?<n>a)\\k<n>0", "(a)(?:\\1)0"),
        ("^\\b(?<=x)|[]$", "^\\b(?<=x)|[]$"),
        ("[^]", "[^]"),
        ("é{2,}?", "\\u00E9{2,}?"),
        ("[^\\ud800-\\uffff]", "[^\\uE000-\\uFFFF\U000f0000-\U000f07ff]"),
        ("(?=a)*", "(?=a)*"),
    ],
)
def test_worker_gets_plain_javascript(source: str, written: str) -> None:
    assert written_for_worker(parse(source, folds_case=False)) == written


@pytest.mark.parametrize(
    "pattern",
    [
        "token",
        "def \\w+_async\\(",
        "^import (a|b)",
        "(?:x|y)+?z{2,3}$",
        "(?<name>[a-z_]+)=",
        "[\\w.-]+@[\\d]",
        "\\bfoo\\B",
        ".*x.*",
        "a{,2}",
        "a\tb",
        "",
    ],
)
def test_plain_pattern_may_ask_the_whole_file(pattern: str) -> None:
    assert can_ask_whole_file(parse(pattern, folds_case=False))


@pytest.mark.parametrize(
    "pattern",
    [
        "(?=x)",
        "(?!x)",
        "(?<=x)y",
        "(?<!x)y",
        "[^x]y",
        "\\s+",
        "\\Wx",
        "\\D",
        "\\n",
        "\\x0a",
        "\\u000a",
        "\\cJ",
        "\\12",
        "(a)\\1",
        "(?<n>a)\\k<n>",
        "[\t-z]",
        "[\\b-z]",
    ],
)
def test_pattern_that_can_meet_a_line_end_may_not(pattern: str) -> None:
    assert not can_ask_whole_file(parse(pattern, folds_case=False))


@pytest.mark.parametrize(
    ("source", "is_same"),
    [("[^a]\\s.\\bx(?!y)", True), ("é", False), ("(a)\\1", False), ("(?:é)*", False)],
)
def test_case_beyond_ascii_is_folded_only_where_it_shows(source: str, *, is_same: bool) -> None:
    assert is_same_beyond_ascii(parse(source, folds_case=True)) is is_same
