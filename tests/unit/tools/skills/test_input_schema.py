"""A skill's schema is of the supported subset, and closed."""

import pytest

from caramelo_tui.domain.tool_calls import JsonValue
from caramelo_tui.tools.skills.input_schema import (
    DEEPEST_LEVEL,
    JsonObject,
    closed_schema,
    schema_errors,
)
from caramelo_tui.tools.validation import schema_problems

WHOLE: JsonObject = {
    "type": "object",
    "title": "Arguments",
    "description": "All of them.",
    "properties": {
        "version": {"type": "string", "minLength": 1, "default": "1", "description": "Which."},
        "count": {"type": ["integer", "null"], "minimum": 1, "maximum": 5.5},
        "place": {"enum": ["staging", "live"]},
        "tags": {"type": "array", "items": {"type": "object", "properties": {"a": {}}}},
        "more": {"type": "object"},
        "map": {"type": "object", "additionalProperties": {"type": "string"}},
    },
    "required": ["version"],
    "additionalProperties": False,
}


def test_the_whole_subset_is_fit() -> None:
    assert schema_errors(WHOLE) == ()
    assert schema_errors({"type": "object"}) == ()


@pytest.mark.parametrize(
    ("schema", "said"),
    [
        (None, "expected an object, got null"),
        ("x", 'expected an object, got the text "x"'),
        ({}, 'inputSchema.type: expected "object"'),
        ({"type": "string"}, 'inputSchema.type: expected "object"'),
        ({"type": ["object"]}, 'inputSchema.type: expected "object"'),
        ({"type": "object", "additionalProperties": True}, "only false is allowed"),
        ({"type": "object", "$ref": "https://x.test/schema"}, "$ref is not supported"),
        ({"type": "object", "oneOf": []}, "oneOf is not supported; supported: type,"),
        ({"type": "object", "properties": []}, "inputSchema.properties: expected an object of"),
        ({"type": "object", "properties": {"a b": {}}}, "inputSchema.properties: expected"),
        ({"type": "object", "properties": {"x" * 65: {}}}, "inputSchema.properties: expected"),
        ({"type": "object", "properties": {"a": 1}}, "inputSchema.properties: expected"),
        ({"type": "object", "required": "a"}, "inputSchema.required: expected a list"),
        ({"type": "object", "properties": {"a": {}}, "required": ["a", "a"]}, "different names"),
        ({"type": "object", "required": ["a"]}, "inputSchema.required: a is no property"),
        ({"type": "object", "title": 1}, "inputSchema.title: expected a text"),
    ],
)
def test_what_is_outside_of_it_is_named(schema: JsonValue, said: str) -> None:
    assert said in "; ".join(schema_errors(schema))


@pytest.mark.parametrize(
    ("inner", "said"),
    [
        ({"type": "text"}, "properties.a.type: expected one or several of string"),
        ({"type": []}, "properties.a.type: expected"),
        ({"type": ["string", "string"]}, "properties.a.type: expected"),
        ({"type": [{}]}, "properties.a.type: expected"),
        ({"enum": []}, "properties.a.enum: expected a list that is not empty"),
        ({"enum": "a"}, "properties.a.enum: expected"),
        ({"items": []}, "properties.a.items: expected one schema"),
        ({"items": {"type": 1}}, "properties.a.items.type: expected"),
        ({"minimum": True}, "properties.a.minimum: expected a number"),
        ({"maximum": "3"}, "properties.a.maximum: expected a number"),
        ({"minLength": -1}, "properties.a.minLength: expected an integer from 0"),
        ({"minLength": True}, "properties.a.minLength: expected an integer from 0"),
        ({"description": []}, "properties.a.description: expected a text"),
        ({"pattern": "(a+)+$"}, "properties.a: pattern is not supported"),
        ({"additionalProperties": 1}, "properties.a.additionalProperties: expected true, false"),
        ({"additionalProperties": {"type": 1}}, "properties.a.additionalProperties.type"),
        ({"properties": {"b": {}}, "required": ["c"]}, "properties.a.required: c is no property"),
    ],
)
def test_inner_schemas_are_looked_at_too(inner: JsonValue, said: str) -> None:
    schema: JsonValue = {"type": "object", "properties": {"a": inner}}
    assert said in "; ".join(schema_errors(schema))


def test_an_inner_object_that_is_open_may_demand_anything() -> None:
    cases: tuple[JsonObject, ...] = ({}, {"properties": {"b": {}}, "additionalProperties": True})
    for more in cases:
        inner: JsonValue = {"type": "object", "required": ["c"], **more}
        assert schema_errors({"type": "object", "properties": {"a": inner}}) == ()


def test_a_bottomless_schema_is_refused() -> None:
    schema: JsonObject = {"type": "object"}
    for _ in range(DEEPEST_LEVEL):
        schema = {"type": "object", "properties": {"a": schema}}
    (said,) = schema_errors(schema)
    assert f"more than {DEEPEST_LEVEL} levels deep" in said


def test_no_argument_outside_of_a_closed_schema_passes() -> None:
    closed = closed_schema({"type": "object", "properties": WHOLE["properties"]})
    assert closed["additionalProperties"] is False
    assert schema_problems(closed, {"version": "2", "tags": [{"a": 1}], "more": {"x": 1}}) == ()
    assert "`y` is an unknown field" in schema_problems(closed, {"y": 1})[0]
    assert "`tags[0].b` is an unknown field" in schema_problems(closed, {"tags": [{"b": 1}]})[0]
    assert schema_problems(closed_schema({"type": "object"}), {"x": 1})


def test_closing_goes_into_the_schema_of_further_properties() -> None:
    inner: JsonObject = {"type": "object", "properties": {"a": {}}}
    schema: JsonObject = {"type": "object", "properties": {"m": {"additionalProperties": inner}}}
    assert schema_problems(closed_schema(schema), {"m": {"one": {"b": 1}}})


def test_closing_changes_nothing_else() -> None:
    before = str(WHOLE)
    assert closed_schema(WHOLE)["required"] == ["version"]
    assert str(WHOLE) == before
