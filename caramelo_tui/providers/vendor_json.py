"""Read and write the loosely typed JSON of vendors.

Owns the border between vendor JSON and typed values: nothing here raises on an odd shape,
what is missing or of another type reads as empty. Knows no vendor. Proven by
tests/unit/providers/test_vendor_json.py.
"""

import json
from collections.abc import Mapping, Sequence
from typing import cast

from caramelo_tui.domain.screen_text import visible
from caramelo_tui.domain.tag_characters import without_tag_characters
from caramelo_tui.domain.tool_calls import JsonValue

LONGEST_NAME = 200
"""Characters of a model's name."""

INVALID_ARGUMENTS_KEY = "invalid_arguments"
"""Key under which argument text that is no JSON object is shown back to the model."""

MOST_COUNTED = 10**12
"""More of anything than a vendor can have counted; larger numbers are none that can be used."""

JsonObject = dict[str, JsonValue]
"""A JSON object that goes into a request body."""


def as_object(value: object) -> Mapping[str, object]:
    """Return ``value`` when it is a JSON object, else an empty one."""
    return cast("Mapping[str, object]", value) if isinstance(value, dict) else {}


def as_list(value: object) -> Sequence[object]:
    """Return ``value`` when it is a JSON array, else an empty one."""
    return cast("Sequence[object]", value) if isinstance(value, list) else []


def text_at(holder: Mapping[str, object], key: str) -> str:
    """Return the text at ``key``, an empty one when there is none."""
    value = holder.get(key)
    return value if isinstance(value, str) else ""


def count_at(holder: Mapping[str, object], key: str) -> int | None:
    """Return the whole number, 0 to ``MOST_COUNTED``, at ``key``; ``None`` when there is none."""
    value = holder.get(key)
    # Some gateways write every number with a fraction; 3.0 is a whole one.
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    # bool is an int in Python, and no vendor means it as a count.
    if isinstance(value, bool) or not isinstance(value, int):
        return None
    return value if 0 <= value <= MOST_COUNTED else None


def amount_at(holder: Mapping[str, object], key: str) -> float | None:
    """Return the number, 0 to ``MOST_COUNTED``, at ``key``; ``None`` when there is none."""
    value = holder.get(key)
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    # False for NaN too.
    return float(value) if 0 <= value <= MOST_COUNTED else None


def name_at(holder: Mapping[str, object], key: str) -> str:
    """Return the name at ``key``; empty when there is none that can be shown as it is.

    A name goes into requests, settings and lists as it is: one that is longer than any, or has
    characters that do not show, is not meant to be read.
    """
    name = text_at(holder, key)
    is_shown = bool(name.strip()) and name == visible(name, keeps_newlines=False)
    return name if is_shown and len(name) <= LONGEST_NAME else ""


def parse_object(text: str) -> Mapping[str, object] | None:
    """Return the JSON object in ``text``, ``None`` when it holds anything else."""
    try:
        value: object = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return cast("Mapping[str, object]", value) if isinstance(value, dict) else None


def encodable_text(text: str) -> str:
    """Return ``text`` as UTF-8 can hold it: lone surrogates become U+FFFD."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return text


def sendable_text(text: str) -> str:
    """Return ``text`` as it goes to a model: encodable, and without tag characters."""
    return without_tag_characters(encodable_text(text))


def sendable_arguments(arguments_json: str) -> JsonObject:
    """Return a call's arguments as the object that goes back to the vendor.

    Vendors take only objects that are valid JSON. What the model sent and is none (cut by the
    token limit, broken) goes back as text under ``INVALID_ARGUMENTS_KEY``, so that the model
    sees what it wrote. Empty text means ``{}``.
    """
    if not arguments_json.strip():
        return {}
    parsed = parse_object(arguments_json)
    if parsed is not None and _is_plain_json(parsed):
        return {
            sendable_text(key): _sendable(cast("JsonValue", value)) for key, value in parsed.items()
        }
    return {INVALID_ARGUMENTS_KEY: sendable_text(arguments_json)}


def _is_plain_json(value: Mapping[str, object]) -> bool:
    # 1e400 and NaN are read by Python and refused by every vendor.
    try:
        json.dumps(value, allow_nan=False)
    except (ValueError, RecursionError):
        return False
    return True


def _sendable(value: JsonValue) -> JsonValue:
    match value:
        case str():
            return sendable_text(value)
        case list():
            return [_sendable(item) for item in value]
        case dict():
            return {sendable_text(key): _sendable(item) for key, item in value.items()}
        case _:
            return value
