"""Arguments are what their schema says, or the error names all that is wrong."""

from collections.abc import Mapping

import pytest

from caramelo_tui.domain.errors import ToolFailure
from caramelo_tui.domain.tool_calls import JsonValue, ToolSpec
from caramelo_tui.tools.validation import (
    LONGEST_ARGUMENTS_CHARACTERS,
    UnreadableArguments,
    describe_value,
    flag_argument,
    integer_argument,
    optional_integer,
    parse_arguments,
    schema_problems,
    text_argument,
)

SCHEMA: Mapping[str, JsonValue] = {
    "type": "object",
    "properties": {
        "path": {"type": "string", "minLength": 1},
        "count": {"type": "integer", "minimum": 1, "maximum": 500},
        "size": {"type": "number", "minimum": 2},
        "top": {"type": "integer", "maximum": 9},
        "force": {"type": "boolean", "default": False},
        "mode": {"type": "string", "enum": ["a", "b"]},
        "edits": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {"line": {"type": "integer"}, "name": {"type": "string"}},
                "required": ["line"],
                "additionalProperties": False,
            },
        },
        "headers": {"type": "object", "additionalProperties": {"type": "integer"}},
        "either": {"type": ["string", "null"], "minLength": 3},
    },
    "required": ["path"],
    "additionalProperties": False,
}
SPEC = ToolSpec(name="probe", description="", input_schema=SCHEMA)
NO_ARGUMENTS = ToolSpec(
    name="empty",
    description="",
    input_schema={"type": "object", "properties": {}, "additionalProperties": False},
)


def failure_of(text: str) -> str:
    with pytest.raises(ToolFailure) as caught:
        parse_arguments(SPEC, text)
    return str(caught.value)


@pytest.mark.parametrize("text", ["", "  \n", "{}"])
def test_blank_text_means_no_arguments(text: str) -> None:
    assert parse_arguments(NO_ARGUMENTS, text) == {}


def test_valid_arguments_come_back_unchanged_and_without_defaults() -> None:
    assert parse_arguments(SPEC, '{"path": "a", "count": 3}') == {"path": "a", "count": 3}


def test_whole_float_counts_as_integer_where_an_integer_is_wanted() -> None:
    values = parse_arguments(
        SPEC,
        '{"path": "a", "count": 3.0, "size": 2.0, "edits": [{"line": 4e0}], "headers": {"x": 1.0}}',
    )

    assert repr(values["count"]) == "3"
    assert repr(values["size"]) == "2.0"
    assert repr(values["edits"]) == "[{'line': 4}]"
    assert repr(values["headers"]) == "{'x': 1}"


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ('{"path": "a', "Unterminated string"),
        ('["a"]', "a JSON object is expected, got a list"),
        ('"a"', 'got the text "a"'),
        ("null", "got null"),
        ('{"path": "a", "path": "b"}', '"path" stands more than once'),
        ('{"path": {"x": 1, "x": 2}}', '"x" stands more than once'),
        ('{"path": NaN}', "NaN"),
        ('{"path": -Infinity}', "Infinity"),
        ('{"path": 1e400}', "1e400 is too large"),
        ('{"path": "\\ud800"}', "surrogate"),
        ('{"edits": [{"name": "\\udfff"}]}', "`edits[0].name`"),
        ('{"\\ud800": 1}', "a key"),
        ('{"path": ' + "[" * 100_000, "nested too deeply"),
        ('{"count": ' + "9" * 5_000 + "}", "digits"),
    ],
)
def test_what_is_no_json_object_is_told_apart_from_a_wrong_one(text: str, problem: str) -> None:
    with pytest.raises(UnreadableArguments) as caught:
        parse_arguments(SPEC, text)

    assert problem in str(caught.value)
    assert "probe" in str(caught.value)


def test_one_error_names_every_problem() -> None:
    text = failure_of(
        '{"count": 501, "size": "2", "top": 10, "force": "yes", "mode": "c", "extra": 1,'
        ' "edits": [{"x": 1}, {"line": true}], "headers": 3, "either": "ab"}'
    )

    for line in (
        "- `path` is missing; expected a text that is not empty",
        "- `extra` is an unknown field; allowed: path, count, size, top, force, mode",
        "- `count`: expected an integer from 1 to 500, got 501",
        '- `size`: expected a number of at least 2, got the text "2"',
        "- `top`: expected an integer of at most 9, got 10",
        '- `force`: expected true or false, got the text "yes"',
        '- `mode`: expected one of "a", "b", got the text "c"',
        "- `edits[0].line` is missing; expected an integer",
        "- `edits[0].x` is an unknown field; allowed: line, name",
        "- `edits[1].line`: expected an integer, got true",
        "- `headers`: expected a JSON object, got 3",
        '- `either`: expected a text or null of at least 3 characters, got the text "ab"',
    ):
        assert line in text


@pytest.mark.parametrize("value", ["true", '"3"', "2.5", "null", "0", "501"])
def test_what_only_looks_like_a_count_is_refused(value: str) -> None:
    assert "`count`" in failure_of(f'{{"path": "a", "count": {value}}}')


def test_unknown_field_of_a_tool_without_arguments_says_that_there_are_none() -> None:
    with pytest.raises(ToolFailure, match="allowed: none"):
        parse_arguments(NO_ARGUMENTS, '{"x": 1}')


def test_several_missing_fields_are_each_named_once() -> None:
    schema: Mapping[str, JsonValue] = {"type": "object", "required": ["a", "b"]}

    assert schema_problems(schema, {}) == (
        "`a` is missing; expected a value",
        "`b` is missing; expected a value",
    )


def test_rule_without_words_of_its_own_is_told_in_the_library_s() -> None:
    problems = schema_problems(
        {"type": "object", "properties": {"a": {"maxLength": 1}}}, {"a": "bc"}
    )

    assert len(problems) == 1
    assert "`a`" in problems[0]
    assert "too long" in problems[0]


def test_value_that_is_no_object_is_called_the_arguments() -> None:
    assert schema_problems(SCHEMA, 3) == ("the arguments: expected a JSON object, got 3",)


def test_long_value_is_cut_in_the_error() -> None:
    shown = describe_value("x" * 1_000)

    assert len(shown) < 100
    assert shown.endswith("...")
    assert describe_value({"a": 1}) == "an object"


def test_typed_access_gives_values_and_defaults() -> None:
    values: Mapping[str, JsonValue] = {"t": "x", "i": 2, "f": True}

    assert text_argument(values, "t") == "x"
    assert text_argument(values, "no", "d") == "d"
    assert integer_argument(values, "i", 1) == 2
    assert integer_argument(values, "no", 1) == 1
    assert optional_integer(values, "i") == 2
    assert optional_integer(values, "no") is None
    assert flag_argument(values, "f")
    assert not flag_argument(values, "no")


def test_typed_access_refuses_what_was_not_validated() -> None:
    values: Mapping[str, JsonValue] = {"t": 1, "i": True, "f": "yes"}

    with pytest.raises(TypeError):
        text_argument(values, "t")
    with pytest.raises(TypeError):
        integer_argument(values, "i", 1)
    with pytest.raises(TypeError):
        flag_argument(values, "f")


def test_text_beyond_the_limit_is_not_even_decoded() -> None:
    spec = ToolSpec(name="t", description="", input_schema={})
    # Nested too deeply as well, which a decoder would say.
    with pytest.raises(UnreadableArguments, match="more than 4,194,304 characters"):
        parse_arguments(spec, "[" * (LONGEST_ARGUMENTS_CHARACTERS + 1))
    assert parse_arguments(spec, "{}".ljust(LONGEST_ARGUMENTS_CHARACTERS)) == {}
