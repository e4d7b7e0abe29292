"""Turn a call's argument text into checked values.

Owns the border between the model's JSON and the tools: past it, arguments have the shape of
their schema. Every problem of a call is named in one error, so that the model can mend all at
once. ``jsonschema`` is loaded with the first call that ``plain_fit`` cannot tell of, never at
start. Proven by tests/unit/tools/test_validation.py and tests/property/test_validation.py.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NoReturn, Protocol, TypeAlias, cast

from caramelo_tui.domain.errors import ToolFailure
from caramelo_tui.domain.strict_json import strict_json
from caramelo_tui.domain.tool_calls import JsonValue, ToolSpec
from caramelo_tui.tools.plain_fit import surely_fits

if TYPE_CHECKING:
    from jsonschema.exceptions import ValidationError

Schema: TypeAlias = Mapping[str, JsonValue]
"""A JSON Schema of the draft-07 subset."""

LONGEST_ARGUMENTS_CHARACTERS = 4_194_304
"""4 MB, a million tokens: more than any model writes in one answer. Above it the text is not
even read: decoding it alone would hold everything else up."""
GOT_LIMIT_CHARACTERS = 60
"""Longest excerpt of a wrong value in an error."""


class _Checker(Protocol):
    """The one method of a ``jsonschema`` validator that is used, fully typed."""

    def iter_errors(self, instance: JsonValue, /) -> "Iterator[ValidationError]": ...


class UnreadableArguments(ToolFailure):
    """The argument text is not a JSON object at all; several in a row end a run."""


def parse_arguments(spec: ToolSpec, arguments_json: str) -> Mapping[str, JsonValue]:
    """Return the validated arguments of a call.

    Args:
        spec: The tool's spec; its schema decides.
        arguments_json: Text exactly as streamed; blank means ``{}``.

    Returns:
        The arguments; a number such as ``3.0`` where an integer is asked for comes back as
        ``3``. Nothing is added for what was left out.

    Raises:
        UnreadableArguments: If the text is no JSON object, is too long, or holds a duplicate
            key, a number that is not finite or a lone surrogate.
        ToolFailure: If it does not fit the schema; the text names every problem.
    """
    arguments = _decode(spec.name, arguments_json)
    problems = schema_problems(spec.input_schema, arguments)
    if problems:
        lines = "\n".join(f"- {problem}" for problem in problems)
        msg = f"The arguments of {spec.name} are not valid, nothing was run:\n{lines}"
        raise ToolFailure(msg)
    return cast("dict[str, JsonValue]", _with_integers(spec.input_schema, arguments))


def schema_problems(schema: Schema, value: JsonValue) -> tuple[str, ...]:
    """Return every way in which ``value`` does not fit, one sentence each, in order of place.

    Each names where, what was expected and what came; empty when the value fits.
    """
    if surely_fits(schema, value):
        return ()
    from jsonschema import Draft7Validator  # noqa: PLC0415 - loaded with the first odd call

    found: dict[str, None] = {}
    checker = cast("_Checker", Draft7Validator(dict(schema)))
    for error in sorted(
        checker.iter_errors(value), key=lambda error: [str(part) for part in error.absolute_path]
    ):
        found.update(dict.fromkeys(_sentences(error)))
    return tuple(found)


def text_argument(arguments: Mapping[str, JsonValue], name: str, default: str = "") -> str:
    """Return a validated text argument, or ``default`` when it was left out."""
    value = arguments.get(name, default)
    if not isinstance(value, str):
        _refuse_unvalidated(name, value)
    return value


def integer_argument(arguments: Mapping[str, JsonValue], name: str, default: int) -> int:
    """Return a validated integer argument, or ``default`` when it was left out."""
    value = arguments.get(name, default)
    if not isinstance(value, int) or isinstance(value, bool):
        _refuse_unvalidated(name, value)
    return value


def optional_integer(arguments: Mapping[str, JsonValue], name: str) -> int | None:
    """Return a validated integer argument, or ``None`` when it was left out."""
    return integer_argument(arguments, name, 0) if name in arguments else None


def flag_argument(arguments: Mapping[str, JsonValue], name: str, *, default: bool = False) -> bool:
    """Return a validated boolean argument, or ``default`` when it was left out."""
    value = arguments.get(name, default)
    if not isinstance(value, bool):
        _refuse_unvalidated(name, value)
    return value


def _refuse_unvalidated(name: str, value: JsonValue) -> NoReturn:
    msg = f"argument {name!r} was not validated: {value!r}"
    raise TypeError(msg)


def _decode(tool: str, text: str) -> dict[str, JsonValue]:
    if len(text) > LONGEST_ARGUMENTS_CHARACTERS:
        raise _not_readable(
            tool, f"the text has more than {LONGEST_ARGUMENTS_CHARACTERS:,} characters"
        )
    if not text.strip():
        return {}
    try:
        value = strict_json(text)
        broken_places = list(_lone_surrogates(value, ""))
    except RecursionError:
        raise _not_readable(tool, "the text is nested too deeply") from None
    except ValueError as error:
        raise _not_readable(tool, str(error)) from error
    if not isinstance(value, dict):
        raise _not_readable(tool, f"a JSON object is expected, got {describe_value(value)}")
    if broken_places:
        places = ", ".join(broken_places)
        problem = f"half of a surrogate pair, which is not a character, stands in {places}"
        raise _not_readable(tool, problem)
    return value


def _not_readable(tool: str, problem: str) -> UnreadableArguments:
    return UnreadableArguments(
        f"The arguments of {tool} are not usable JSON, nothing was run: {problem}. "
        "Send the call again with one JSON object that fits the schema."
    )


def _lone_surrogates(value: JsonValue, place: str) -> Iterator[str]:
    if isinstance(value, str):
        if not _is_encodable(value):
            yield f"`{place}`" if place else "the text"
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from _lone_surrogates(item, f"{place}[{index}]")
    elif isinstance(value, dict):
        for key, item in value.items():
            if not _is_encodable(key):
                yield "a key"
                continue
            yield from _lone_surrogates(item, f"{place}.{key}" if place else key)


def _is_encodable(text: str) -> bool:
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def describe_value(value: object) -> str:
    """Return a short description of a JSON value for an error, such as ``the text "2"``."""
    if isinstance(value, dict):
        return "an object"
    if isinstance(value, list):
        return "a list"
    shown = json.dumps(value, ensure_ascii=True)
    if len(shown) > GOT_LIMIT_CHARACTERS:
        shown = shown[:GOT_LIMIT_CHARACTERS] + "..."
    return f"the text {shown}" if isinstance(value, str) else shown


def _sentences(error: "ValidationError") -> Iterator[str]:
    where = _place(error.absolute_path)
    rule = str(error.validator)
    wanted, got = cast("object", error.validator_value), cast("JsonValue", error.instance)
    if rule == "required" and isinstance(got, dict):
        for name in cast("list[str]", wanted):
            if name not in got:
                expected = _expected(_property_schema(error, name))
                yield f"`{_inside(where, name)}` is missing; expected {expected}"
    elif rule == "additionalProperties" and isinstance(got, dict):
        known = _known_fields(error)
        for name in got:
            if name not in known:
                allowed = ", ".join(known) or "none"
                yield f"`{_inside(where, name)}` is an unknown field; allowed: {allowed}"
    elif rule in _EXPECTATIONS:
        name = f"`{where}`" if where else "the arguments"
        expected = _expected(cast("Schema", error.schema))
        yield f"{name}: expected {expected}, got {describe_value(got)}"
    else:
        yield f"`{where}`: {error.message[:300]}"


def _place(path: Iterable[str | int]) -> str:
    place = ""
    for part in path:
        place = f"{place}[{part}]" if isinstance(part, int) else _inside(place, part)
    return place


def _inside(where: str, name: str) -> str:
    return f"{where}.{name}" if where else name


def _property_schema(error: "ValidationError", name: str) -> Schema:
    properties = cast("Mapping[str, Schema]", cast("Schema", error.schema).get("properties", {}))
    return properties.get(name, {})


def _known_fields(error: "ValidationError") -> tuple[str, ...]:
    return tuple(cast("Mapping[str, Schema]", cast("Schema", error.schema).get("properties", {})))


def _expected(schema: Schema) -> str:
    """Return what a schema wants, in words: ``an integer from 1 to 500``."""
    parts = [phrase(schema) for phrase in _EXPECTATIONS.values()]
    return " ".join(part for part in parts if part) or "a value"


def _expected_type(schema: Schema) -> str:
    wanted = schema.get("type")
    if "enum" in schema or wanted is None:
        return ""
    names = cast("Sequence[str]", wanted if isinstance(wanted, list) else [wanted])
    return " or ".join(_TYPE_NAMES.get(name, name) for name in names)


def _expected_enum(schema: Schema) -> str:
    values = schema.get("enum")
    if not isinstance(values, list):
        return ""
    return "one of " + ", ".join(json.dumps(value) for value in values)


def _expected_minimum(schema: Schema) -> str:
    if "minimum" not in schema:
        return ""
    word = "from" if "maximum" in schema else "of at least"
    return f"{word} {schema['minimum']}"


def _expected_maximum(schema: Schema) -> str:
    if "maximum" not in schema:
        return ""
    word = "to" if "minimum" in schema else "of at most"
    return f"{word} {schema['maximum']}"


def _expected_length(schema: Schema) -> str:
    length = schema.get("minLength")
    if not isinstance(length, int):
        return ""
    return "that is not empty" if length == 1 else f"of at least {length} characters"


_TYPE_NAMES: Mapping[str, str] = {
    "string": "a text",
    "integer": "an integer",
    "number": "a number",
    "boolean": "true or false",
    "array": "a list",
    "object": "a JSON object",
    "null": "null",
}
_EXPECTATIONS: Mapping[str, Callable[[Schema], str]] = {
    "type": _expected_type,
    "enum": _expected_enum,
    "minimum": _expected_minimum,
    "maximum": _expected_maximum,
    "minLength": _expected_length,
}
"""Keywords whose failure is told as what was expected and what came."""


def _with_integers(schema: Schema, value: JsonValue) -> JsonValue:
    """Return the value with ``3.0`` turned into ``3`` wherever the schema says integer."""
    if not schema:
        return value
    if isinstance(value, float):
        return int(value) if schema.get("type") == "integer" and value.is_integer() else value
    if isinstance(value, list):
        items = schema.get("items")
        inner = items if isinstance(items, dict) else {}
        return [_with_integers(inner, item) for item in value]
    if isinstance(value, dict):
        return {key: _with_integers(_schema_of(schema, key), item) for key, item in value.items()}
    return value


def _schema_of(schema: Schema, key: str) -> Schema:
    properties = schema.get("properties")
    inner = properties.get(key) if isinstance(properties, dict) else None
    if inner is None:
        inner = schema.get("additionalProperties")
    return inner if isinstance(inner, dict) else {}
