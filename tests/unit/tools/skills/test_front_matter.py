"""Heads of SKILL.md files are read as they are written in the wild."""

import pytest

from caramelo_tui.tools.skills.front_matter import BadFrontMatter, head_text, split_front_matter


def value(written: str) -> str:
    return head_text(split_front_matter(f"---\nkey: {written}\nother: x\n---\n").head["key"])


@pytest.mark.parametrize(
    ("written", "text"),
    [
        ("plain words", "plain words"),
        ("plain words  # a comment", "plain words"),
        ("a#b: c", "a#b: c"),
        ("one\n  two\n\n  three", "one two three"),
        ('"quoted \\"words\\" # no comment"', 'quoted "words" # no comment'),
        ('"a\\u00e4\\n b"  # comment', "aä\n b"),
        ("'it''s so'", "it's so"),
        ("'one\n  two'", "one two"),
        ("|\n  one\n    two\n\n  three\n", "one\n  two\n\nthree"),
        ("|-\n  one", "one"),
        (">  # folded\n  one\n  two\n\n  three", "one two\nthree"),
        (">-\n  one\n  two", "one two"),
        ("", ""),
        ("|", ""),
    ],
)
def test_texts_in_all_forms(written: str, text: str) -> None:
    assert value(written) == text


@pytest.mark.parametrize(
    "written",
    ["[a, b]", "{a: b}", "*ref", "&anchor x", "!tag x", "- a", "\n  - a", '"a" b', "'a", '"\\x41"'],
)
def test_what_is_no_text_is_said(written: str) -> None:
    with pytest.raises(BadFrontMatter):
        value(written)


def test_head_and_body_are_parted_whatever_the_line_ends() -> None:
    for end in ("\n", "\r\n", "\r"):
        parts = split_front_matter(end.join(["---", "name: a", "---", "one", "---", "two"]))
        assert head_text(parts.head["name"]) == "a"
        assert parts.body == "one\n---\ntwo"


def test_comments_blank_lines_and_nested_values_are_passed_over() -> None:
    text = "---\n# hello\n\nmetadata:\n  author: x\n  tags: [a]\nlist:\n- a\n- b: c\nname: a\n---\n"
    assert list(split_front_matter(text).head) == ["metadata", "list", "name"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "line 1: expected ---"),
        ("# Title\n---\n", "line 1: expected ---"),
        ("---\nname: a\n", "no closing ---"),
        ("---\nname: a\nwords without a colon\n---\n", "line 3: expected a key and a colon"),
        ("---\nname: a\nname: b\n---\n", "line 3: the key name stands more than once"),
        ("---\nname:a\n---\n", "line 2: expected a key and a colon"),
    ],
)
def test_a_head_that_cannot_be_read_says_where(text: str, said: str) -> None:
    with pytest.raises(BadFrontMatter, match=said):
        split_front_matter(text)
