"""JSON of other programs is read to the letter."""

import pytest

from caramelo_tui.headless.strict_json import load_json


def test_values_come_as_they_are() -> None:
    assert load_json(' {"a": [1, {"b": null}]} ') == ({"a": [1, {"b": None}]}, ())


def test_each_key_that_stands_twice_is_named_once() -> None:
    _, repeated = load_json('{"a": 1, "a": 2, "a": 3, "in": {"b": 1, "c": 2, "b": 1}}')
    assert sorted(repeated) == ["a", "b"]


@pytest.mark.parametrize("text", ["", "{", "NaN", '{"a": Infinity}', "{} {}"])
def test_what_is_no_json_is_an_error(text: str) -> None:
    with pytest.raises(ValueError):  # noqa: PT011 - the words are the library's
        load_json(text)
