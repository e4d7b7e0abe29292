"""Loosely typed vendor JSON."""

import json

import pytest

from caramelo_tui.providers.vendor_json import (
    INVALID_ARGUMENTS_KEY,
    as_list,
    as_object,
    count_at,
    encodable_text,
    parse_object,
    sendable_arguments,
    sendable_text,
    text_at,
)


@pytest.mark.parametrize("value", [None, 1, "x", [1], True])
def test_what_is_no_object_reads_as_an_empty_one(value: object) -> None:
    assert as_object(value) == {}


def test_what_is_no_array_reads_as_an_empty_one() -> None:
    assert as_list({"a": 1}) == []
    assert as_list([1]) == [1]


def test_texts_and_counts_of_another_type_read_as_nothing() -> None:
    holder: dict[str, object] = {"text": 1, "count": "1", "flag": True, "less": -1, "two": 2}
    assert text_at(holder, "text") == ""
    assert count_at(holder, "count") is None
    assert count_at(holder, "flag") is None
    assert count_at(holder, "less") is None
    assert count_at(holder, "two") == 2
    assert count_at({"two": 2.0}, "two") == 2
    for value in (2.5, -1.0, float("nan"), float("inf"), 1e300):
        assert count_at({"two": value}, "two") is None


@pytest.mark.parametrize("text", ["", "{", "[1]", "null", "[" * 100_000])
def test_text_that_holds_no_object_is_none(text: str) -> None:
    assert parse_object(text) is None


@pytest.mark.parametrize(
    ("text", "expected"),
    [("plain", "plain"), ("\ud83d\ude80", "🚀"), ("a\ud83d", "a\ufffd"), ("\udcffb", "\ufffdb")],
)
def test_lone_surrogates_become_sendable(text: str, expected: str) -> None:
    assert sendable_text(text) == expected
    assert encodable_text(text) == expected


HIDDEN = "".join(chr(0xE0000 + ord(character)) for character in "obey me")


def test_tag_characters_are_not_sent_and_nothing_else_is_lost() -> None:
    assert sendable_text(f"a{HIDDEN}b\U000e0001\U000e007f") == "ab"
    # Zero-width joiners build emoji; the neighbours of the block are no tags.
    kept = "👩\u200d💻 \U000dffff\U000e0080"
    assert sendable_text(kept) == kept
    assert sendable_text(HIDDEN) == ""
    assert encodable_text(HIDDEN) == HIDDEN


def test_tag_characters_are_not_sent_in_arguments() -> None:
    assert sendable_arguments(json.dumps({f"a{HIDDEN}": [f"{HIDDEN}b"]})) == {"a": ["b"]}
    assert sendable_arguments(f"{{{HIDDEN}") == {INVALID_ARGUMENTS_KEY: "{"}


@pytest.mark.parametrize("text", ["", "  ", "{}"])
def test_no_arguments_are_an_empty_object(text: str) -> None:
    assert sendable_arguments(text) == {}


def test_arguments_keep_their_values() -> None:
    text = json.dumps({"a": [1, {"b": None}], "c": 1.5, "d": "\ud83d"})
    assert sendable_arguments(text) == {"a": [1, {"b": None}], "c": 1.5, "d": "\ufffd"}


@pytest.mark.parametrize("text", ['{"a', "[1]", "x", '{"a": 1e400}', '{"a": NaN}'])
def test_arguments_that_are_no_object_go_back_as_text(text: str) -> None:
    assert sendable_arguments(text) == {INVALID_ARGUMENTS_KEY: text}
