"""Check the input schema of a skill's tool, and close it.

Owns which schemas a skill may bring: the draft-07 subset in which all tools are described, with
names that every vendor takes. What lies outside of it is named, never passed on: a vendor would
refuse the whole request. Pure. Proven by tests/unit/tools/skills/test_input_schema.py.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType
from typing import TypeAlias

from caramelo_tui.domain.tool_calls import JsonValue
from caramelo_tui.tools.validation import describe_value

JsonObject: TypeAlias = dict[str, JsonValue]

DEEPEST_LEVEL = 8
"""Schemas within schemas; more is no argument list that a model fills in."""
_PROPERTY_NAME = re.compile(r"[A-Za-z0-9_.-]{1,64}")
"""What Anthropic's Messages API takes as the name of a property; it refuses the whole request for
another one (its own error text, read 2026-11-30)."""
_TYPES = ("string", "integer", "number", "boolean", "array", "object", "null")


def schema_errors(schema: JsonValue) -> tuple[str, ...]:
    """Return all that keeps a schema from being used, one clause each; empty when it is fit.

    Args:
        schema: The decoded ``inputSchema``.
    """
    if not isinstance(schema, dict):
        return (f"inputSchema: expected an object, got {describe_value(schema)}",)
    errors = list(_errors(schema, "inputSchema", 1))
    if schema.get("type") != "object":
        errors.append('inputSchema.type: expected "object"')
    if schema.get("additionalProperties", False) is not False:
        errors.append("inputSchema.additionalProperties: only false is allowed")
    return tuple(errors)


def closed_schema(schema: JsonObject) -> JsonObject:
    """Return a fit schema in which no unknown argument passes.

    ``additionalProperties: false`` is added to the whole and to each inner object that lists its
    properties and says nothing about others; an inner object without a list stays open.
    """
    return {**_closed(schema), "additionalProperties": False}


def _closed(schema: JsonObject) -> JsonObject:
    closed = dict(schema)
    properties = schema.get("properties")
    if isinstance(properties, dict):
        closed["properties"] = {
            name: _closed(inner) if isinstance(inner, dict) else inner
            for name, inner in properties.items()
        }
        closed.setdefault("additionalProperties", False)
    for keyword in ("items", "additionalProperties"):
        inner = schema.get(keyword)
        if isinstance(inner, dict):
            closed[keyword] = _closed(inner)
    return closed


def _errors(schema: JsonObject, place: str, level: int) -> Iterator[str]:
    if level > DEEPEST_LEVEL:
        yield f"{place}: schemas stand more than {DEEPEST_LEVEL} levels deep"
        return
    for keyword, value in schema.items():
        check = _CHECKS.get(keyword)
        if check is None:
            yield f"{place}: {keyword} is not supported; supported: {', '.join(_CHECKS)}"
        elif wanted := check(value):
            yield f"{place}.{keyword}: expected {wanted}"
    # An inner object that lists no properties, or lets others in, may demand any.
    is_open = level > 1 and schema.get("additionalProperties", "properties" not in schema)
    if not is_open:
        yield from _missing_properties(schema, place)
    for name, inner in _inner_schemas(schema):
        if isinstance(inner, dict):
            yield from _errors(inner, f"{place}.{name}", level + 1)


def _inner_schemas(schema: JsonObject) -> Iterator[tuple[str, JsonValue]]:
    properties = schema.get("properties")
    if isinstance(properties, dict):
        yield from ((f"properties.{name}", inner) for name, inner in properties.items())
    yield from (
        (name, schema[name]) for name in ("items", "additionalProperties") if name in schema
    )


def _missing_properties(schema: JsonObject, place: str) -> Iterator[str]:
    properties, required = schema.get("properties", {}), schema.get("required", [])
    if isinstance(properties, dict) and isinstance(required, list):
        for name in required:
            if isinstance(name, str) and name not in properties:
                yield f"{place}.required: {name} is no property"


def _type(value: JsonValue) -> str:
    names = value if isinstance(value, list) else [value]
    is_fit = (
        bool(names)
        and all(name in _TYPES for name in names)
        and len(names) == len({str(name) for name in names})
    )
    return "" if is_fit else f"one or several of {', '.join(_TYPES)}"


def _properties(value: JsonValue) -> str:
    is_fit = isinstance(value, dict) and all(
        _PROPERTY_NAME.fullmatch(name) and isinstance(inner, dict) for name, inner in value.items()
    )
    return "" if is_fit else "an object of schemas, whose names have 1 to 64 of A-Z a-z 0-9 _ . -"


def _required(value: JsonValue) -> str:
    is_fit = (
        isinstance(value, list)
        and all(isinstance(name, str) for name in value)
        and len(value) == len({str(name) for name in value})
    )
    return "" if is_fit else "a list of different names"


def _additional(value: JsonValue) -> str:
    return "" if isinstance(value, bool | dict) else "true, false or a schema"


def _enum(value: JsonValue) -> str:
    return "" if isinstance(value, list) and value else "a list that is not empty"


def _items(value: JsonValue) -> str:
    return "" if isinstance(value, dict) else "one schema"


def _number(value: JsonValue) -> str:
    return "" if isinstance(value, int | float) and not isinstance(value, bool) else "a number"


def _length(value: JsonValue) -> str:
    is_fit = isinstance(value, int) and not isinstance(value, bool) and value >= 0
    return "" if is_fit else "an integer from 0"


def _text(value: JsonValue) -> str:
    return "" if isinstance(value, str) else "a text"


def _anything(value: JsonValue) -> str:
    del value
    return ""


_CHECKS: Mapping[str, Callable[[JsonValue], str]] = MappingProxyType(
    {
        "type": _type,
        "properties": _properties,
        "required": _required,
        "additionalProperties": _additional,
        "enum": _enum,
        "items": _items,
        "minimum": _number,
        "maximum": _number,
        "minLength": _length,
        "description": _text,
        "default": _anything,
        "title": _text,
    }
)
"""What each keyword wants; an empty text: it is fit."""
KEYWORDS = tuple(_CHECKS)
"""The keywords of the subset."""
