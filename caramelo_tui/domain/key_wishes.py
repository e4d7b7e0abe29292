"""Name which keys the user wants for an action.

Owns the value between the file of keys and the screen; what is an action and what a key is said
by the user interface. Proven by tests/unit/config/test_user_keys.py.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class KeyWish:
    """One line of the file."""

    action: str
    """Name of the action as the user wrote it, such as ``screen.help``."""
    keys: tuple[str, ...]
    """Names of keys as the user wrote them, at least one."""
    origin: str
    """File and line, for notices."""


@dataclass(frozen=True, slots=True, kw_only=True)
class KeyWishes:
    """The whole file."""

    wishes: tuple[KeyWish, ...] = ()
    """In the order of the file."""
    problems: tuple[str, ...] = ()
    """What could not be read, each fit for a notice."""
