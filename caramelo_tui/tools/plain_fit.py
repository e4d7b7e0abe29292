"""Say of plain arguments that they fit their schema, without a validator.

Owns a quick yes: what it cannot tell for certain is left to ``validation``, whose library takes
longer to load than most calls to run, and which alone says what is wrong. Proven by
tests/unit/tools/test_plain_fit.py.
"""

from collections.abc import Mapping

from caramelo_tui.domain.tool_calls import JsonValue

_WORDS = frozenset({"type", "title", "description", "default", "enum"})
_KEYWORDS: Mapping[str, frozenset[str]] = {
    "string": _WORDS | {"minLength", "maxLength"},
    "integer": _WORDS | {"minimum", "maximum"},
    "boolean": _WORDS,
    "object": _WORDS | {"properties", "required", "additionalProperties"},
    "array": _WORDS | {"items"},
}
"""By type: the keywords that are understood here."""


def surely_fits(schema: Mapping[str, JsonValue], value: JsonValue) -> bool:
    """Return whether a value fits for certain; ``False`` says nothing."""
    kind = schema.get("type")
    if not isinstance(kind, str) or not schema.keys() <= _KEYWORDS.get(kind, frozenset()):
        return False
    allowed = schema.get("enum")
    if "enum" in schema and not (
        isinstance(allowed, list) and isinstance(value, str) and value in allowed
    ):
        return False
    return _is_of(kind, schema, value)


def _is_of(kind: str, schema: Mapping[str, JsonValue], value: JsonValue) -> bool:
    match kind, value:
        case "string", str():
            return _is_within(schema, "minLength", len(value), "maxLength")
        case "boolean", bool():
            return True
        case "integer", int() if not isinstance(value, bool):
            return _is_within(schema, "minimum", value, "maximum")
        case "array", list():
            items = schema.get("items")
            return isinstance(items, dict) and all(surely_fits(items, item) for item in value)
        case "object", dict():
            return _object_fits(schema, value)
        case _:
            return False


def _is_within(schema: Mapping[str, JsonValue], least: str, number: int, most: str) -> bool:
    low, high = schema.get(least, number), schema.get(most, number)
    return isinstance(low, int) and isinstance(high, int) and low <= number <= high


def _object_fits(schema: Mapping[str, JsonValue], value: dict[str, JsonValue]) -> bool:
    properties, required = schema.get("properties", {}), schema.get("required", [])
    if not isinstance(properties, dict) or not isinstance(required, list):
        return False
    if not all(isinstance(name, str) and name in value for name in required):
        return False
    for name, item in value.items():
        inner = properties.get(name)
        if not isinstance(inner, dict) or not surely_fits(inner, item):
            return False
    return True
