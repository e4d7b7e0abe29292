"""Settle which action has which key when the user wants others than the default.

Owns the check of the user's wishes: whether the action and the key exist, whether the key can be
told apart, and who has it when two want it. Every default holds until a whole wish says otherwise,
and what could not be met is said. Pure. Proven by tests/unit/ui/test_key_file.py.

Questions about commands and reviews' safety do not depend on it: their answers are plain keys that
no action outside of them can take, because an action that works everywhere needs a function key,
``ctrl`` or ``alt``.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches

from caramelo_tui.domain.key_wishes import KeyWish, KeyWishes
from caramelo_tui.domain.screen_text import visible
from caramelo_tui.ui.key_names import UnusableKeyError, is_typing, key_label, parse_key
from caramelo_tui.ui.keymap import KeyMap

_LONGEST_NAME = 60
"""Characters of what the user wrote in a notice."""


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownAction:
    """An action whose keys can be changed."""

    name: str
    """Such as ``files.mention``; the part before the dot says where it works."""
    keys: str
    """Its default keys, divided by commas."""
    is_priority: bool = False
    """Whether it gets its key before the focused widget."""

    @property
    def place(self) -> str:
        """Where it works."""
        return self.name.partition(".")[0]

    @property
    def contexts(self) -> frozenset[str]:
        """Panes that may have the focus while it works."""
        return _CONTEXTS.get(self.place, frozenset({self.place}))

    @property
    def rank(self) -> int:
        """Who gets a key first: the lower one."""
        if self.place == "app":
            return 0
        if self.place == "screen":
            return 1 if self.is_priority else 4
        return 3 if self.place in _OUTER else 2


_MAIN = frozenset({"prompt", "files", "tools", "changes", "conversation", "remark"})
_CONTEXTS: Mapping[str, frozenset[str]] = {
    "app": _MAIN | {"output", "details", "pager", "find", "pick", "preview"},
    "screen": _MAIN,
    "list": frozenset({"files", "tools", "pick", "preview"}),
    "diff": frozenset({"changes"}),
    "view": frozenset({"changes", "conversation", "output"}),
    "pager": frozenset({"pager", "output"}),
    "details": frozenset({"details", "output"}),
}
_OUTER = frozenset({"files", "tools", "changes", "details"})
"""Places around a widget that takes its own keys first."""
_ONE_MAP = frozenset({"view", "diff", "conversation", "output"})
"""Places that are one and the same widget where they meet."""


def key_map_of(wishes: KeyWishes, known: Sequence[KnownAction]) -> KeyMap:
    """Return the keys in force.

    Args:
        wishes: What the user wants, in the order of their file: of two who want the same key,
            the first gets it.
        known: Every action that can be changed.
    """
    problems = list(wishes.problems)
    asked = _usable(wishes.wishes, known, problems)
    holders = {
        action.name: [] if action.name in asked else action.keys.split(",") for action in known
    }
    actions = {action.name: action for action in known}
    for name, (wish, keys) in asked.items():
        for key in keys:
            _give(_Bid(actions[name], key, wish.origin), known, holders, problems, asked)
        if not holders[name]:
            # Nothing of the wish can be met: the default holds as far as nobody took it.
            holders[name] = _left_of_default(actions[name], known, holders)
    changed = {
        name: ",".join(keys)
        for name, keys in holders.items()
        if keys != actions[name].keys.split(",")
    }
    return KeyMap(changed=changed, problems=tuple(problems))


@dataclass(frozen=True, slots=True)
class _Bid:
    """An action, a key it is to have, and who says so."""

    action: KnownAction
    key: str
    origin: str


def _usable(
    wishes: Iterable[KeyWish], known: Sequence[KnownAction], problems: list[str]
) -> dict[str, tuple[KeyWish, list[str]]]:
    """Return the wishes that name an action and a key, by action; note the others."""
    actions = {action.name: action for action in known}
    asked: dict[str, tuple[KeyWish, list[str]]] = {}
    for wish in wishes:
        action = actions.get(wish.action)
        if action is None:
            problems.append(f"{wish.origin}: {_unknown(wish.action, actions)}")
        elif keys := _keys_of(wish, action, problems):
            asked[action.name] = (wish, keys)
    return asked


def _unknown(name: str, actions: Iterable[str]) -> str:
    near = get_close_matches(name, actions, n=1, cutoff=0.4)
    hint = f"; the nearest is {near[0]}" if near else ""
    return f"there is no action {_short(name)}{hint}"


def _keys_of(wish: KeyWish, action: KnownAction, problems: list[str]) -> list[str]:
    """Return the keys of a wish that can be used, each once."""
    keys: list[str] = []
    for text in wish.keys:
        try:
            key = parse_key(text)
        except UnusableKeyError as error:
            problems.append(f"{wish.origin}: {_short(text)} cannot be used: {error}")
            continue
        if action.rank <= 1 and is_typing(key) and key not in action.keys.split(","):
            problems.append(
                f"{wish.origin}: {_short(text)} cannot be used for {action.name}: it would be "
                "missing for typing; take a function key, ctrl or alt"
            )
        elif key not in keys:
            keys.append(key)
    return keys


def _give(
    bid: _Bid,
    known: Sequence[KnownAction],
    holders: Mapping[str, list[str]],
    problems: list[str],
    asked: Mapping[str, object],
) -> None:
    """Give a key to an action, unless one that is stronger there has it."""
    action, label = bid.action, key_label(bid.key)
    rivals = _rivals(action, bid.key, known, holders)
    for rival in rivals:
        if rival.name in asked or (rival.rank < action.rank and not _is_same_map(rival, action)):
            problems.append(f"{bid.origin}: {action.name} cannot have {label}: {rival.name} has it")
            return
    for rival in rivals:
        holders[rival.name].remove(bid.key)
        left = ", ".join(key_label(key) for key in holders[rival.name])
        problems.append(
            f"{bid.origin}: {label} is {action.name} now; {rival.name} "
            + (f"still has {left}" if left else "has no key any more")
        )
    holders[action.name].append(bid.key)


def _rivals(
    action: KnownAction,
    key: str,
    known: Sequence[KnownAction],
    holders: Mapping[str, list[str]],
) -> list[KnownAction]:
    """Return the other actions that have a key where ``action`` is to have it."""
    own = action.keys.split(",")
    return [
        other
        for other in known
        if other.name != action.name
        and key in holders[other.name]
        and action.contexts & other.contexts
        # Both have it by default: one stands inside of the other, and that is meant.
        and not (key in own and key in other.keys.split(","))
    ]


def _left_of_default(
    action: KnownAction, known: Sequence[KnownAction], holders: Mapping[str, list[str]]
) -> list[str]:
    return [key for key in action.keys.split(",") if not _rivals(action, key, known, holders)]


def _is_same_map(first: KnownAction, second: KnownAction) -> bool:
    if first.place == second.place:
        return first.is_priority == second.is_priority
    return {first.place, second.place} <= _ONE_MAP


def _short(text: str) -> str:
    return visible(text[:_LONGEST_NAME], keeps_newlines=False)
