"""Name the keys that panes declare for themselves, as they are in force.

Owns the way from a binding's name to its label. Pure. Proven by tests/unit/ui/test_own_labels.py.
"""

from collections.abc import Iterable, Iterator, Sequence

from textual.binding import Binding
from textual.widget import Widget

from caramelo_tui.ui.keymap import DEFAULT_KEYS, KeyMap

NamedKeys = tuple[tuple[str, ...], str]
"""Names of bindings, and the word behind their keys, if they need one."""


def label_among(bindings: Iterable[Binding], name: str, keys: KeyMap = DEFAULT_KEYS) -> str:
    """Return the first key of the binding of a name; empty when it lost its keys.

    Raises:
        KeyError: If there is no such binding: a fault of the program.
    """
    for binding in bindings:
        if binding.id == name:
            shown = None if name in keys.changed else binding.key_display
            return shown or next(iter(keys.labels(name, binding.key)), "")
    raise KeyError(name)


def bindings_of_class(kind: type[Widget]) -> Iterator[Binding]:
    """Yield the bindings that a class of ours declares, those of its bases last."""
    for cls in kind.__mro__:
        if cls.__module__.startswith("caramelo_tui"):
            declared: Sequence[object] = vars(cls).get("BINDINGS", ())
            yield from (binding for binding in declared if isinstance(binding, Binding))


def hint_among(
    bindings: Iterable[Binding], named: Iterable[NamedKeys], keys: KeyMap = DEFAULT_KEYS
) -> str:
    """Return keys with what they do, such as ``y copy · esc close``; lost ones are left out."""
    known = tuple(bindings)
    labels = (
        (joined_labels([label_among(known, name, keys) for name in names]), words)
        for names, words in named
    )
    return " · ".join(f"{label} {words}".rstrip() for label, words in labels if label)


def joined_labels(labels: Sequence[str]) -> str:
    """Return ``alt+↑↓`` for the two arrows, else ``a/b``; empty where one is missing."""
    if not all(labels):
        return ""
    first, last = labels[0], labels[-1]
    modifiers = first.removesuffix("up")
    if len(labels) > 1 and modifiers != first and last == f"{modifiers}down":
        return f"{modifiers}↑↓"
    return "/".join(labels)
