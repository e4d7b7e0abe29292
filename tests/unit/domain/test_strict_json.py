"""JSON of other programs is read to the letter."""

import pytest

from caramelo_tui.domain.strict_json import load_json, strict_json


def test_values_come_as_they_are() -> None:
    assert load_json(' {"a": [1, {"b": null}]} ') == ({"a": [1, {"b": None}]}, ())


def test_each_key_that_stands_twice_is_named_once() -> None:
    _, repeated = load_json('{"a": 1, "a": 2, "a": 3, "in": {"b": 1, "c": 2, "b": 1}}')
    assert sorted(repeated) == ["a", "b"]


def test_a_key_that_stands_twice_can_be_an_error() -> None:
    assert strict_json('{"a": 1.5}') == {"a": 1.5}
    with pytest.raises(ValueError, match='"a" stands more than once'):
        strict_json('{"in": {"a": 1, "a": 1}}')


@pytest.mark.parametrize("text", ["", "{", "NaN", '{"a": Infinity}', "{} {}", "[1e400]"])
def test_what_is_no_json_is_an_error(text: str) -> None:
    with pytest.raises(ValueError):  # noqa: PT011 - the words are the library's
        load_json(text)
