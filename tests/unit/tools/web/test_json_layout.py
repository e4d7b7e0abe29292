"""JSON in lines, with nothing but blanks changed."""

import pytest

from caramelo_tui.tools.web.json_layout import laid_out


def all_of(text: str) -> str | None:
    found = laid_out(text, limit_characters=10_000)
    return None if found is None else found[0]


def test_objects_and_lists_are_indented() -> None:
    assert all_of('{"b":[1,2],"a":{"c":null}}') == (
        '{\n  "b": [\n    1,\n    2\n  ],\n  "a": {\n    "c": null\n  }\n}'
    )


@pytest.mark.parametrize("text", ["[]", "{}", "1", '"x"', "true", "null", "-1.5e+7"])
def test_small_values_stay(text: str) -> None:
    assert all_of(f" {text}\n") == text


def test_digits_escapes_and_repeated_keys_stay() -> None:
    text = '{"a":1.10,"a":123456789012345678901234567890,"b":"\\ud800\\u00e9\\"]","c":1e400}'
    found = all_of(text)
    assert found is not None
    assert "".join(line.strip() for line in found.splitlines()).replace('": ', '":') == text


@pytest.mark.parametrize(
    "text",
    [
        "",
        "hello",
        "[1 2]",
        '{"a" "b"}',
        "[1,]",
        "[,1]",
        "{]",
        "]",
        "1 2",
        "{}\n{}",
        '["open',
        "[1] trailing",
        '["a\nb"]',
        "NaN",
    ],
)
def test_what_is_not_json_is_left_alone(text: str) -> None:
    assert all_of(text) is None


def test_start_of_a_cut_text_is_laid_out() -> None:
    assert all_of('{"a": [1, ') == '{\n  "a": [\n    1,'


def test_stops_at_the_limit_whatever_follows() -> None:
    found = laid_out("[" + "1," * 10_000_000, limit_characters=100)
    assert found is not None
    text, is_all = found
    assert not is_all
    assert 100 < len(text) < 120


def test_depth_does_not_matter() -> None:
    found = laid_out("[" * 1_000_000, limit_characters=1_000)
    assert found is not None
    assert len(found[0]) < 1_200
