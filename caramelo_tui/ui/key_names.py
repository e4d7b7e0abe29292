"""Read and write names of keys as people do.

Owns the way between ``ctrl+F5``, ``esc`` or ``/`` and Textual's names, and which keys no terminal
tells apart from others. Pure. Proven by tests/unit/ui/test_key_names.py.
"""

import string
import unicodedata

MODIFIERS = ("alt", "ctrl", "shift")
"""In Textual's order."""

FUNCTION_KEYS = tuple(f"f{number}" for number in range(1, 25))

_OTHER_NAMES = {
    "solidus": "slash",
    "reverse_solidus": "backslash",
    "commercial_at": "at",
    "hyphen_minus": "minus",
    "plus_sign": "plus",
    "low_line": "underscore",
}
"""Textual's names of characters where Unicode has others."""


def _name_of(character: str) -> str:
    if character.isalnum():
        return character
    name = unicodedata.name(character).lower().replace("-", "_").replace(" ", "_")
    return _OTHER_NAMES.get(name, name)


_SIGNS = {sign: _name_of(sign) for sign in string.punctuation}
_SPECIAL = (
    *("escape", "enter", "tab", "space", "backspace", "delete", "insert", "home", "end"),
    *("pageup", "pagedown", "up", "down", "left", "right"),
    *FUNCTION_KEYS,
)
_ALIASES = {
    "esc": "escape",
    "return": "enter",
    "del": "delete",
    "ins": "insert",
    "pgup": "pageup",
    "pgdn": "pagedown",
}
_LABELS = {
    **{name: sign for sign, name in _SIGNS.items()},
    "escape": "esc",
    "pageup": "pgup",
    "pagedown": "pgdn",
}
_TWINS = {
    "ctrl+i": "tab",
    "ctrl+m": "enter",
    "ctrl+h": "backspace",
    "ctrl+left_square_bracket": "escape",
}
"""Keys that terminals send as others."""


class UnusableKeyError(ValueError):
    """A name that is no key, or a key that cannot be told apart; the text says which."""


def key_label(key: str) -> str:
    """Return a Textual key name as a person reads it, such as ``esc`` or ``shift+F6``."""
    *modifiers, last = key.split("+")
    label = _LABELS.get(last, last)
    if label in FUNCTION_KEYS:
        label = label.upper()
    return "+".join([*modifiers, label])


def parse_key(text: str) -> str:
    """Return Textual's name of a key.

    Args:
        text: As a person writes it: a character, ``ctrl+o``, ``shift+F6``, ``esc``, ``alt+/``.

    Raises:
        UnusableKeyError: If it is none, or terminals send it as another one.
    """
    *modifiers, last = _parts(text.strip())
    names = {modifier.lower() for modifier in modifiers}
    if unknown := names.difference(MODIFIERS):
        problem = f"{min(unknown)} is none of {', '.join(MODIFIERS)}"
        raise UnusableKeyError(problem)
    base = _base_of(last)
    if base not in _SPECIAL:
        base = _with_shift(base, names)
    key = "+".join([name for name in MODIFIERS if name in names] + [base])
    if key in _TWINS:
        problem = f"terminals send it as {key_label(_TWINS[key])}"
        raise UnusableKeyError(problem)
    return key


def is_typing(key: str) -> bool:
    """Return whether a key of Textual's name writes or edits text, or moves in it."""
    *modifiers, last = key.split("+")
    if {"alt", "ctrl"} & set(modifiers):
        return False
    return not (last in FUNCTION_KEYS or (last == "tab" and "shift" in modifiers))


def _parts(text: str) -> list[str]:
    """Divide at the plus signs; a last one is a key itself."""
    if text == "+" or text.endswith("++"):
        return [*text[:-1].rstrip("+").split("+"), "+"] if text != "+" else ["+"]
    return text.split("+")


def _base_of(text: str) -> str:
    """Return Textual's name of a key without modifiers.

    Raises:
        UnusableKeyError: If it is none.
    """
    if len(text) == 1 and text.isprintable() and text != " ":
        return _SIGNS.get(text) or _name_of(text)
    name = _ALIASES.get(text.lower(), text.lower())
    if name not in _SPECIAL and name not in _SIGNS.values():
        raise UnusableKeyError("there is no such key")
    return name


def _with_shift(base: str, names: set[str]) -> str:
    """Return the character that shift makes of another one, and take the modifier out.

    Raises:
        UnusableKeyError: If terminals do not tell it.
    """
    if "ctrl" in names:
        if "shift" in names:
            raise UnusableKeyError("terminals do not tell shift apart there")
        return base.lower()
    if "shift" not in names:
        return base
    if not base.isalpha() or len(base) != 1:
        raise UnusableKeyError("name the character itself that the keys write")
    names.discard("shift")
    return base.upper()
