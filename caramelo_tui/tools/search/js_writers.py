"""Write a parsed JavaScript expression for the engines that search.

Owns both spellings: plain JavaScript in which nothing depends on flags or halves, for the worker,
and PCRE2 for ripgrep, where that is certain to match the same lines. Both are meant for the text
of ``js_text``. Proven by tests/unit/tools/search/test_js_writers.py and
tests/property/test_js_patterns.py.
"""

import re
from collections.abc import Callable, Iterable, Iterator

from caramelo_tui.tools.search.code_units import LAST_UNIT, UnitSet, seen_ranges
from caramelo_tui.tools.search.js_nodes import (
    BackReference,
    Choice,
    Edge,
    Expression,
    Group,
    Look,
    Node,
    Repeat,
    Sequence,
    Units,
    children,
)

_LARGEST_COUNT = 65_535
"""Of PCRE2. Source: pcre2pattern(3), "Repetition" (10.45)."""
_LONGEST_LOOK_BEHIND = 255
"""Of PCRE2, in characters. Source: pcre2pattern(3), "Lookbehind assertions" (10.45)."""
_LONGEST_PATTERN = 65_536
"""Characters. Systems limit how long an argument may be (131,072 bytes on Linux)."""
_EVERYTHING = UnitSet(((0, LAST_UNIT),))
_NOTHING = UnitSet(())
_LINE_FEED = ord("\n")
_PLAIN = re.compile(r"[A-Za-z0-9_ /,;:'\"<>=!@%&~`]")
"""Means itself in both spellings, outside of classes."""
_WORD = "[0-9A-Za-z_]"
_PCRE2_EDGES = {
    Edge.START: r"\A",
    Edge.END: r"\z",
    Edge.WORD: rf"(?:(?<={_WORD})(?!{_WORD})|(?<!{_WORD})(?={_WORD}))",
    Edge.NOT_WORD: rf"(?:(?<={_WORD})(?={_WORD})|(?<!{_WORD})(?!{_WORD}))",
}
_JS_EDGES = {Edge.START: "^", Edge.END: "$", Edge.WORD: r"\b", Edge.NOT_WORD: r"\B"}


class NotExact(Exception):
    """PCRE2 might match other lines."""


def can_ask_whole_file(expression: Expression) -> bool:
    """Return whether a search of the whole file can rule it out.

    That is so for patterns that can match no line end and look at nothing around a match: if
    nothing is found in the whole text, with ``^`` and ``$`` at every line, no line matches.
    """
    return not any(
        isinstance(node, Look | BackReference)
        or (isinstance(node, Units) and node.matches(_LINE_FEED))
        for node in _walk(expression.root)
    )


def is_same_beyond_ascii(expression: Expression) -> bool:
    """Return whether it makes no difference if text beyond ASCII is in canonical form."""
    return all(
        not isinstance(node, BackReference)
        and (not isinstance(node, Units) or node.units.is_same_beyond_ascii)
        for node in _walk(expression.root)
    )


def written_for_worker(expression: Expression) -> str:
    """Return plain JavaScript for the text that engines get."""
    return _js(expression.root)


def written_for_pcre2(expression: Expression) -> str:
    """Return the PCRE2 pattern that matches the same lines.

    Without back-references it is enough that both reach the same places: what a group captured,
    in which order alternatives were tried and what an empty round of a loop does cannot show.
    With one, it must be certain that its group was matched, in the same round of every loop
    around it.

    Raises:
        NotExact: If that is not certain, or the pattern is too long.
    """
    referenced = {node.number for node in _walk(expression.root) if isinstance(node, BackReference)}
    pattern = _Pcre2Writer(sorted(referenced)).write(expression.root)
    if len(pattern) > _LONGEST_PATTERN:
        raise NotExact
    return pattern


class _Pcre2Writer:
    """One pattern being written."""

    def __init__(self, captures: Iterable[int]) -> None:
        # Only groups that are asked for capture; they are numbered anew.
        self._numbers = {number: index for index, number in enumerate(captures, start=1)}
        self._matched: frozenset[int] = frozenset()
        self._is_behind = False

    def write(self, node: Node) -> str:  # noqa: PLR0911 - one exhaustive match
        """Return the text of a node; notes which groups are certain to be matched after it."""
        match node:
            case Units():
                return _pcre2_units(node)
            case Edge():
                return _PCRE2_EDGES[node]
            case Sequence():
                return "".join([self.write(item) for item in node.items])
            case Choice():
                return "|".join([self._aside(branch) for branch in node.branches])
            case Group():
                return self._group(node)
            case BackReference():
                return self._reference(node)
            case Look():
                return self._look(node)
            case Repeat():
                return self._repeat(node)

    def _aside(self, node: Node) -> str:
        # What is matched in there is not certain to be matched afterwards.
        before = self._matched
        text = self.write(node)
        self._matched = before
        return text

    def _group(self, node: Group) -> str:
        body = self.write(node.body)
        if node.number not in self._numbers:
            return f"(?:{body})"
        self._matched |= {node.number}
        return f"({body})"

    def _reference(self, node: BackReference) -> str:
        # JavaScript matches look-behinds from right to left; a reference in one goes by that.
        if node.number not in self._matched or self._is_behind:
            raise NotExact
        return rf"\g{{{self._numbers[node.number]}}}"

    def _look(self, node: Look) -> str:
        was_behind = self._is_behind
        if node.is_behind:
            self._is_behind = True
            longest = _longest(node.body)
            if longest is None or longest > _LONGEST_LOOK_BEHIND:
                raise NotExact
        body = self._aside(node.body)
        self._is_behind = was_behind
        return f"(?{'<' if node.is_behind else ''}{'!' if node.is_negative else '='}{body})"

    def _repeat(self, node: Repeat) -> str:
        if max(node.least, node.most or 0) > _LARGEST_COUNT:
            raise NotExact
        body = self._aside(node.body)
        if node.most == 0:
            return ""
        if isinstance(node.body, Look):
            # Looking twice sees the same; not having to look is no condition.
            return body if node.least else ""
        return body + _count(node)


def _pcre2_units(node: Units) -> str:
    if node.units == (_EVERYTHING if node.is_negated else _NOTHING):
        return "(?!)"
    if node.units == (_NOTHING if node.is_negated else _EVERYTHING):
        return "(?s:.)"
    only = None if node.is_negated else node.units.only_unit
    if only is not None and _PLAIN.fullmatch(chr(only)):
        return chr(only)
    ranges = "".join(_range(_pcre2_code, *found) for found in seen_ranges(node.units))
    return ranges if only is not None else f"[{'^' if node.is_negated else ''}{ranges}]"


def _js(node: Node) -> str:  # noqa: PLR0911 - one exhaustive match
    match node:
        case Units():
            return _js_units(node)
        case Edge():
            return _JS_EDGES[node]
        case Sequence():
            return "".join([_js(item) for item in node.items])
        case Choice():
            return "|".join([_js(branch) for branch in node.branches])
        case Group():
            return f"({'?:' if node.number is None else ''}{_js(node.body)})"
        case BackReference():
            return rf"(?:\{node.number})"
        case Look():
            kind = ("<" if node.is_behind else "") + ("!" if node.is_negative else "=")
            return f"(?{kind}{_js(node.body)})"
        case Repeat():
            return _js(node.body) + _count(node)


def _js_units(node: Units) -> str:
    only = None if node.is_negated else node.units.only_unit
    if only is not None and _PLAIN.fullmatch(chr(only)):
        return chr(only)
    ranges = "".join(_range(_js_code, *found) for found in seen_ranges(node.units))
    return ranges if only is not None else f"[{'^' if node.is_negated else ''}{ranges}]"


def _count(node: Repeat) -> str:
    most = "" if node.most is None else str(node.most)
    known = {(0, None): "*", (1, None): "+", (0, 1): "?"}
    count = known.get((node.least, node.most), f"{{{node.least},{most}}}")
    return count + ("?" if node.is_lazy else "")


def _range(code: Callable[[int], str], first: int, last: int) -> str:
    return code(first) if first == last else f"{code(first)}-{code(last)}"


def _pcre2_code(point: int) -> str:
    return f"\\x{{{point:X}}}"


def _js_code(point: int) -> str:
    # Without flag ``u`` there is no escape for a large one; it stands for itself.
    return f"\\u{point:04X}" if point <= LAST_UNIT else chr(point)


def _walk(node: Node) -> Iterator[Node]:
    yield node
    for child in children(node):
        yield from _walk(child)


def _longest(node: Node) -> int | None:
    """Return the most units that a node can match, or ``None`` when there is no such number."""
    match node:
        case Units():
            return 1
        case Edge() | Look():
            return 0
        case BackReference():
            return None
        case Repeat():
            return _longest_repeat(node)
        case Sequence() | Choice() | Group():
            below = [_longest(child) for child in children(node)]
            known = [length for length in below if length is not None]
            if len(known) < len(below):
                return None
            return max(known) if isinstance(node, Choice) else sum(known)


def _longest_repeat(node: Repeat) -> int | None:
    if node.most == 0 or isinstance(node.body, Look):
        return 0
    length = _longest(node.body)
    # PCRE2 takes no repetition without end, not even one of nothing.
    return None if length is None or node.most is None else length * node.most
