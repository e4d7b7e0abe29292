"""Whatever the model sends, the answer is values or one failure."""

import json

from hypothesis import given
from hypothesis import strategies as st

from caramelo_tui.domain.errors import ToolFailure
from caramelo_tui.domain.tool_calls import JsonValue, ToolSpec
from caramelo_tui.tools.validation import parse_arguments, schema_problems

TYPES = {
    "text": "string",
    "count": "integer",
    "size": "number",
    "flag": "boolean",
    "items": "array",
}
STRICT = ToolSpec(
    name="strict",
    description="",
    input_schema={
        "type": "object",
        "properties": {name: {"type": kind} for name, kind in TYPES.items()},
        "required": list(TYPES),
        "additionalProperties": False,
    },
)
OPEN = ToolSpec(name="open", description="", input_schema={"type": "object"})

characters = st.text(st.characters(codec="utf-8"), max_size=8)
scalars = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | characters
)


def nested(inner: st.SearchStrategy[JsonValue]) -> st.SearchStrategy[JsonValue]:
    return inner | st.lists(inner, max_size=2) | st.dictionaries(characters, inner, max_size=2)


values = nested(nested(scalars))
objects = st.dictionaries(characters, values, max_size=4)
FITTING = {
    "text": lambda value: isinstance(value, str),
    "count": lambda value: (
        not isinstance(value, bool)
        and (isinstance(value, int) or (isinstance(value, float) and value.is_integer()))
    ),
    "size": lambda value: isinstance(value, (int, float)) and not isinstance(value, bool),
    "flag": lambda value: isinstance(value, bool),
    "items": lambda value: isinstance(value, list),
}


@given(objects)
def test_any_json_object_comes_through_an_open_schema(given_values: dict[str, JsonValue]) -> None:
    assert parse_arguments(OPEN, json.dumps(given_values)) == given_values


@given(st.text(max_size=40) | st.text('{}[]":,0123456789.eE+-\\u nulltrfase', max_size=40))
def test_any_text_is_an_object_or_one_failure(text: str) -> None:
    try:
        found = parse_arguments(OPEN, text)
    except ToolFailure as failure:
        json.dumps(str(failure), ensure_ascii=False).encode("utf-8", "replace")
        return
    json.dumps(found, ensure_ascii=False).encode("utf-8")


@given(st.fixed_dictionaries({}, optional=dict.fromkeys([*TYPES, "extra"], values)))
def test_every_wrong_field_is_named_and_no_right_one(
    given_values: dict[str, JsonValue],
) -> None:
    wrong = {
        name
        for name in [*TYPES, *given_values]
        if name not in TYPES or name not in given_values or not FITTING[name](given_values[name])
    }
    try:
        found = parse_arguments(STRICT, json.dumps(given_values))
    except ToolFailure as failure:
        lines = str(failure).split("\n")[1:]
        assert {line.split("`")[1] for line in lines} == wrong
        return
    assert wrong == set()
    assert isinstance(found["count"], int)


@given(values)
def test_problems_are_empty_exactly_for_what_fits(value: JsonValue) -> None:
    problems = schema_problems({"type": "integer"}, value)

    assert (problems == ()) is FITTING["count"](value)
