"""Read the user's own keys from ``keys.toml``.

Owns the file's form: a table ``[keys]`` of actions, each with one key or a list of keys. It knows
no action and no key. What cannot be read is a problem beside what can, never an exception: the
app starts with the keys that are whole. Proven by tests/unit/config/test_user_keys.py.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import cast

from caramelo_tui.config.toml_file import FileValue, read_user_file
from caramelo_tui.domain.errors import ConfigError
from caramelo_tui.domain.key_wishes import KeyWish, KeyWishes

MOST_KEYS = 8
"""Keys of one action."""

_TABLE = "keys"


def read_key_wishes(path: Path) -> KeyWishes:
    """Return what the file says; nothing when it does not exist. Never raises."""
    try:
        values = read_user_file(path, shown=path.name, is_required=False)
    except ConfigError as error:
        return KeyWishes(problems=(str(error),))
    outcomes = list(_outcomes(values))
    return KeyWishes(
        wishes=tuple(outcome for outcome in outcomes if isinstance(outcome, KeyWish)),
        problems=tuple(outcome for outcome in outcomes if isinstance(outcome, str)),
    )


def _outcomes(values: tuple[FileValue, ...]) -> Iterator[KeyWish | str]:
    for value in values:
        if value.path[0] != _TABLE:
            yield f"{value.origin}: {value.name}: only the table [{_TABLE}] is known"
        elif len(value.path) > 1:
            # ``"screen.help" = …`` and ``screen.help = …`` mean the same.
            yield _wish_of(value, ".".join(value.path[1:]))
        elif value.value != {}:
            yield f"{value.origin}: {_TABLE} must be a table: [{_TABLE}]"


def _wish_of(value: FileValue, action: str) -> KeyWish | str:
    keys = _keys_of(value.value)
    if keys is None:
        return (
            f'{value.origin}: {value.name} must be a key such as "f1", or a list of at most '
            f"{MOST_KEYS}"
        )
    return KeyWish(action=action, keys=keys, origin=value.origin)


def _keys_of(value: object) -> tuple[str, ...] | None:
    """Return one or more names of keys; ``None`` for anything else."""
    names = cast("list[object]", value) if isinstance(value, list) else [value]
    keys = tuple(name for name in names if isinstance(name, str) and name.strip())
    return keys if 0 < len(names) == len(keys) <= MOST_KEYS else None
