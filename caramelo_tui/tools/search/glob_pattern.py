"""Match workspace paths against glob patterns in linear time.

Owns the glob language: ``*`` and ``?`` stop at ``/``, ``**`` as a whole part spans zero or
more parts, ``{a,b}`` alternates and nests; all else is literal. A pattern is compiled once to
a small automaton whose states are joined on first use (Thompson's construction, 1968): braces
are never expanded and nothing backtracks, so no pattern is slow. Touches no disk. Proven by
tests/unit/tools/search/test_glob_pattern.py and tests/property/test_glob.py.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from caramelo_tui.domain.errors import ToolFailure

LONGEST_PATTERN = 1_024
"""Characters; a model's pattern has fewer than a hundred."""
DEEPEST_NESTING = 16
"""Braces inside braces."""
_CACHE_LIMIT = 20_000
"""Steps remembered before the memory is started anew; bounds memory, not correctness."""


@dataclass(frozen=True, slots=True)
class _Literal:
    character: str


@dataclass(frozen=True, slots=True)
class _AnyCharacter:
    """``?``: one character but ``/``."""


@dataclass(frozen=True, slots=True)
class _Star:
    """``*``: any number of characters but ``/``."""


@dataclass(frozen=True, slots=True)
class _DoubleStar:
    """``**``: whole parts where it stands alone between slashes, else the same as ``*``."""


@dataclass(frozen=True, slots=True)
class _Parts:
    """The first of the two lives of ``**``: consumes whole parts."""


@dataclass(frozen=True, slots=True)
class _PartsEntry:
    """Leads to ``_Parts``, at the start of a part only."""


@dataclass(frozen=True, slots=True)
class _Choice:
    alternatives: tuple[tuple["_Item", ...], ...]


_Item: TypeAlias = "_Literal | _AnyCharacter | _Star | _DoubleStar | _Choice"


class GlobPattern:
    """A compiled pattern."""

    def __init__(self, pattern: str) -> None:
        """Compile a pattern; ``./`` at its start is ignored.

        Raises:
            ToolFailure: If it is longer or nested deeper than the limits.
        """
        if len(pattern) > LONGEST_PATTERN:
            msg = f"the glob pattern is longer than {LONGEST_PATTERN} characters."
            raise ToolFailure(msg)
        while pattern.startswith("./"):
            pattern = pattern.removeprefix("./")
        items = _Parser(pattern).parse()
        self._ending = _literal_ending(items)
        self._automaton = _Automaton(items)

    def matches(self, path: str) -> bool:
        """Return whether the pattern matches the whole workspace-relative path."""
        # Most paths of a tree end otherwise, which takes no walk through their characters.
        return path.endswith(self._ending) and self._automaton.accepts(path)


def _literal_ending(items: Sequence[_Item]) -> str:
    """Return what every match ends with, within its last part; maybe nothing."""
    ending: list[str] = []
    for item in reversed(items):
        # A slash after ``**`` may stand for no character of the path.
        if not isinstance(item, _Literal) or item.character == "/":
            break
        ending.append(item.character)
    return "".join(reversed(ending))


class _Parser:
    """Read the pattern into items."""

    def __init__(self, pattern: str) -> None:
        self._pattern = pattern
        self._closing = _matching_braces(pattern)

    def parse(self) -> tuple[_Item, ...]:
        """Return the items of the whole pattern."""
        return self._items(0, len(self._pattern))

    def _items(self, start: int, end: int) -> tuple[_Item, ...]:
        items: list[_Item] = []
        while start < end:
            item, start = self._item(start, end)
            items.append(item)
        return tuple(items)

    def _item(self, start: int, end: int) -> tuple[_Item, int]:
        character = self._pattern[start]
        if character == "?":
            return _AnyCharacter(), start + 1
        if character == "*":
            after = start
            while after < end and self._pattern[after] == "*":
                after += 1
            return (_Star() if after - start == 1 else _DoubleStar()), after
        if start in self._closing:
            close = self._closing[start]
            parts = self._split(start + 1, close)
            return _Choice(tuple(self._items(*part) for part in parts)), close + 1
        return _Literal(character), start + 1

    def _split(self, start: int, end: int) -> Iterator[tuple[int, int]]:
        """Yield the alternatives between two braces as ranges, split at their own commas."""
        position = start
        while position < end:
            if self._pattern[position] == ",":
                yield start, position
                start = position + 1
            # Commas of an inner pair of braces are not ours.
            position = self._closing.get(position, position) + 1
        yield start, end


def _matching_braces(pattern: str) -> dict[int, int]:
    """Return opening -> closing position of each pair that means a choice.

    Raises:
        ToolFailure: If pairs stand too deep inside each other.
    """
    pairs: dict[int, int] = {}
    opened: list[int] = []
    for position, character in enumerate(pattern):
        if character == "{":
            opened.append(position)
        elif character == "}" and opened:
            start = opened.pop()
            if position > start + 1:
                pairs[start] = position
    _refuse_deep_nesting(pairs)
    return pairs


def _refuse_deep_nesting(pairs: Mapping[int, int]) -> None:
    still_open: list[int] = []
    for start in sorted(pairs):
        still_open = [end for end in still_open if end > start]
        still_open.append(pairs[start])
        if len(still_open) > DEEPEST_NESTING:
            msg = f"the glob pattern nests braces deeper than {DEEPEST_NESTING}."
            raise ToolFailure(msg)


_FREE, _NO_PARTS, _SLASH_DONE, _SLASH_DUE = 0, 1, 2, 3
"""What may follow: anything; anything but whole parts, after a ``*`` that matched nothing; or,
after whole parts, only a slash of the pattern. That slash is done already when the path stands
at the start of a part, and due when it stands inside one. So ``**`` next to anything else
never spans folders, whatever braces bring the two together."""
_OPEN = frozenset({_FREE, _NO_PARTS})

_State: TypeAlias = tuple[int, int]
"""Node, and what may follow."""
_States: TypeAlias = frozenset[_State]


@dataclass(frozen=True, slots=True)
class _Node:
    """A node of the automaton."""

    item: "_Item | _Parts | _PartsEntry | None"
    """What it consumes; ``None``: it only leads on, or is the end."""
    after: tuple[int, ...]


class _Joined:
    """All states that the automaton may be in at once, with the steps taken from here."""

    __slots__ = ("is_end", "states", "steps")

    def __init__(self, states: _States, *, is_end: bool) -> None:
        self.states = states
        self.is_end = is_end
        self.steps: dict[str, _Joined] = {}


class _Automaton:
    """Run a pattern over paths, remembering every step taken before."""

    def __init__(self, items: Sequence[_Item]) -> None:
        self._nodes: list[_Node] = []
        self._end = self._add(None)
        first = self._build(items, self._end)
        self._start_states = self._closure([(first, _FREE)], is_part_start=True)
        self._joined: dict[_States, _Joined] = {}
        self._remembered = 0
        self._last_folder: tuple[str, _Joined | None] = "", self._join(self._start_states)
        """The last one that was asked for, with its slash, and where it leads."""

    def accepts(self, path: str) -> bool:
        """Return whether the whole path is matched."""
        folder = path[: path.rfind("/") + 1]
        # A walk asks for all files of a folder in turn: the way to it is gone once.
        known, state = self._last_folder
        if folder != known:
            state = self._run(self._join(self._start_states), folder)
            # Both at once: threads may share a pattern.
            self._last_folder = folder, state
        if state is None:
            return False
        last = self._run(state, path[len(folder) :])
        return last is not None and last.is_end

    def _run(self, current: _Joined, text: str) -> _Joined | None:
        """Return where some characters lead; ``None``: nowhere."""
        for character in text:
            following = current.steps.get(character)
            if following is None:
                following = self._step(current, character)
            if not following.states:
                return None
            current = following
        return current

    def _join(self, states: _States) -> _Joined:
        joined = self._joined.get(states)
        if joined is None:
            ends = {(self._end, follows) for follows in (*_OPEN, _SLASH_DUE)}
            joined = _Joined(states, is_end=not ends.isdisjoint(states))
            self._joined[states] = joined
        return joined

    def _step(self, current: _Joined, character: str) -> _Joined:
        if self._remembered >= _CACHE_LIMIT:
            self._joined.clear()
            self._remembered = 0
        moved = [after for state in current.states for after in self._moves(state, character)]
        following = self._join(self._closure(moved, is_part_start=character == "/"))
        current.steps[character] = following
        self._remembered += 1
        return following

    def _add(self, item: "_Item | _Parts | _PartsEntry | None", *after: int) -> int:
        self._nodes.append(_Node(item, after))
        return len(self._nodes) - 1

    def _build(self, items: Sequence[_Item], following: int) -> int:
        """Add nodes for ``items`` that lead to ``following``; return the first of them."""
        for item in reversed(items):
            match item:
                case _Choice(alternatives=alternatives):
                    starts = [self._build(part, following) for part in alternatives]
                    following = self._add(None, *starts)
                case _DoubleStar():
                    parts = self._add(_PartsEntry(), self._add(_Parts(), following))
                    following = self._add(None, parts, self._add(_Star(), following))
                case _:
                    following = self._add(item, following)
        return following

    def _moves(self, state: _State, character: str) -> Iterator[_State]:
        """Yield where a state leads by consuming one character of the path."""
        number, follows = state
        node = self._nodes[number]
        is_slash = character == "/"
        match node.item:
            case _Literal(character=wanted) if character == wanted:
                if follows in _OPEN or (follows == _SLASH_DUE and is_slash):
                    yield node.after[0], _FREE
            case _AnyCharacter() if follows in _OPEN and not is_slash:
                yield node.after[0], _FREE
            case _Star() if follows in _OPEN and not is_slash:
                yield number, _FREE
            case _Parts():
                yield number, (_SLASH_DONE if is_slash else _SLASH_DUE)
            case _:
                return

    def _closure(self, states: Sequence[_State], *, is_part_start: bool) -> _States:
        """Return all states reached without consuming anything."""
        reached: set[_State] = set()
        waiting = list(states)
        while waiting:
            state = waiting.pop()
            if state not in reached:
                reached.add(state)
                waiting += self._free_moves(state, is_part_start=is_part_start)
        return frozenset(reached)

    def _free_moves(self, state: _State, *, is_part_start: bool) -> Iterator[_State]:
        number, follows = state
        node = self._nodes[number]
        match node.item:
            case None | _Parts():
                yield from ((after, follows) for after in node.after)
            case _Star() if follows in _OPEN:
                yield node.after[0], _NO_PARTS
            case _PartsEntry() if follows == _FREE and is_part_start:
                yield node.after[0], _SLASH_DONE
            case _Literal(character="/") if follows == _SLASH_DONE:
                yield node.after[0], _FREE
            case _:
                return
