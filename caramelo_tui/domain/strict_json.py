"""Read JSON that others wrote, to the letter.

Owns what counts as JSON here: no ``NaN``, no ``Infinity``, no number that is not finite, no key
twice. Of two values of one key the last would count silently, which is not what every reader of
the text saw. Proven by tests/unit/domain/test_strict_json.py.
"""

import json
import math
from typing import NoReturn, cast

from caramelo_tui.domain.tool_calls import JsonValue

_SHOWN_CHARACTERS = 60
"""Of a number that is too large."""


def strict_json(text: str) -> JsonValue:
    """Return the value of JSON text.

    Raises:
        ValueError: If it is no JSON, or a key stands twice in one object.
        RecursionError: If it is nested too deep.
    """
    value, repeated = load_json(text)
    if repeated:
        msg = f"the key {json.dumps(repeated[0])} stands more than once in one object"
        raise ValueError(msg)
    return value


def load_json(text: str) -> tuple[JsonValue, tuple[str, ...]]:
    """Return the value of JSON text, and the keys that stand twice in one object.

    For those who answer even then, such as to the ``id`` that they found.

    Raises:
        ValueError: If it is no JSON.
        RecursionError: If it is nested too deep.
    """
    repeated: list[str] = []

    def collect(pairs: list[tuple[str, JsonValue]]) -> dict[str, JsonValue]:
        found = dict(pairs)
        if len(found) < len(pairs):
            names = [name for name, _ in pairs]
            repeated.extend(name for name in found if names.count(name) > 1)
        return found

    loaded: object = json.loads(
        text, object_pairs_hook=collect, parse_constant=_refuse, parse_float=_finite
    )
    return cast("JsonValue", loaded), tuple(repeated)


def _refuse(word: str) -> NoReturn:
    msg = f"{word} is not a JSON value"
    raise ValueError(msg)


def _finite(text: str) -> float:
    value = float(text)
    if not math.isfinite(value):
        msg = f"the number {text[:_SHOWN_CHARACTERS]} is too large"
        raise ValueError(msg)
    return value
