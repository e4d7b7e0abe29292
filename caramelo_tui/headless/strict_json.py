"""Read JSON of other programs, and tell when a key stands twice.

Owns what counts as JSON here. Of two values of one key the last would count silently, which is
not what every reader of the text saw. Proven by tests/unit/headless/test_strict_json.py.
"""

import json


def load_json(text: str) -> tuple[object, tuple[str, ...]]:
    """Return the value of JSON text, and the keys that stand twice in one object.

    Raises:
        ValueError: If it is no JSON, ``NaN`` and ``Infinity`` included.
        RecursionError: If it is nested too deep.
    """
    repeated: list[str] = []

    def collect(pairs: list[tuple[str, object]]) -> dict[str, object]:
        found = dict(pairs)
        if len(found) < len(pairs):
            names = [name for name, _ in pairs]
            repeated.extend(name for name in found if names.count(name) > 1)
        return found

    loaded: object = json.loads(text, object_pairs_hook=collect, parse_constant=_refuse)
    return loaded, tuple(repeated)


def _refuse(word: str) -> object:
    msg = f"{word} is no JSON"
    raise ValueError(msg)
