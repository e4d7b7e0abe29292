"""Which keys of a place a test has to press, by tmux's names.

Owns the way from a label of docs/keys.md to the key that tmux sends for it.
"""

from collections.abc import Iterable

from caramelo_tui.ui.key_sections import all_sections

_NAMES = {
    "enter": "Enter",
    "esc": "Escape",
    "space": "Space",
    "tab": "Tab",
    "up": "Up",
    "down": "Down",
    "left": "Left",
    "right": "Right",
    "home": "Home",
    "end": "End",
    "pgup": "PPage",
    "pgdn": "NPage",
}
_MODIFIERS = {"ctrl": "C", "alt": "M", "shift": "S"}


def tmux_name(label: str) -> str:
    """Return what tmux calls a key, such as ``M-Up`` for ``alt+up``."""
    *modifiers, key = label.split("+") if len(label) > 1 else [label]
    return "-".join([*(_MODIFIERS[name] for name in modifiers), _NAMES.get(key, key)])


def keys_of_sections(*titles: str) -> set[str]:
    """Return all default keys of some sections of the help page, by tmux's names.

    Raises:
        ValueError: If there is no section of a title.
    """
    sections = {section.title: section for section in all_sections() if section.names}
    if unknown := set(titles) - set(sections):
        message = f"no section of the help page: {unknown}"
        raise ValueError(message)
    rows = [row for title in titles for row in sections[title].rows]
    return {tmux_name(label) for labels, _words in rows for label in labels.split(", ")}


def missing_keys(pressed: Iterable[str], *titles: str) -> list[str]:
    """Return the keys of some sections that a test has not pressed."""
    return sorted(keys_of_sections(*titles) - set(pressed))
