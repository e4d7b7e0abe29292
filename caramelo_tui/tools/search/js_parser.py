r"""Read the source of a JavaScript regular expression without flag ``u``.

Owns the grammar, that of old web pages included (ECMAScript 2025, 22.2.1 and annex B.1.2): which
braces and brackets are plain text, what an unknown escape means, when ``\2`` is a number. Whether
a source is valid is not decided here: the engine is asked first, and a source that this parser
does not understand is left to it. Proven by tests/unit/tools/search/test_js_parser.py and
tests/property/test_js_patterns.py.
"""

import re
from collections.abc import Mapping

from caramelo_tui.tools.search.code_units import (
    LINE_ENDS,
    UnitSet,
    canonical,
    units_of,
)
from caramelo_tui.tools.search.js_escapes import CLASS_SETS, EscapeReader, NotUnderstood
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
)

LONGEST_SOURCE = 4_096
"""Code units; longer sources are left to the engine."""
DEEPEST_NESTING = 100
"""Groups in groups; deeper sources are left to the engine."""

_OPENINGS = re.compile(
    r"\\.|\[(?:\\.|[^\]\\])*(?:\]|\Z)|(\((?!\?)|\(\?<(?![=!])([^>]*)>)", re.DOTALL
)
"""Escapes and classes, to be passed over, and what opens a capture (with its name)."""
_BRACES = re.compile(r"\{(\d+)(,(\d*))?\}")
_LONGEST_COUNT_DIGITS = 9
_SIMPLE_COUNTS: Mapping[str, tuple[int, int | None]] = {
    "*": (0, None),
    "+": (1, None),
    "?": (0, 1),
}
_SIMPLE_ATOMS: Mapping[str, Node] = {
    ".": Units(units=LINE_ENDS, is_negated=True),
    "^": Edge.START,
    "$": Edge.END,
}
_LOOKS: Mapping[str, tuple[bool, bool]] = {
    "(?=": (False, False),
    "(?!": (False, True),
    "(?<=": (True, False),
    "(?<!": (True, True),
}
"""Opening: is it behind, is it negative."""


def parse(source: str, *, folds_case: bool) -> Expression:
    """Return the tree of a valid source.

    Args:
        source: The pattern, as between the slashes.
        folds_case: Whether flag ``i`` is meant; sets then hold canonical units.

    Raises:
        NotUnderstood: If it is not valid, or uses what this parser does not know.
    """
    # From here on one character of the text is one code unit, as the language sees it.
    text = "".join(map(chr, units_of(source)))
    if len(text) > LONGEST_SOURCE:
        raise NotUnderstood("too long")
    return _Parser(text, folds_case=folds_case).parse()


class _Parser:
    """One source on its way through the grammar."""

    def __init__(self, text: str, *, folds_case: bool) -> None:
        self._text = text
        self._folds_case = folds_case
        self._at = 0
        self._depth = 0
        self._opened = 0
        self._captures, self._names = _captures_of(text)
        self._escapes = EscapeReader(text, captures=self._captures, has_names=bool(self._names))

    def parse(self) -> Expression:
        """Return the tree of the whole text.

        Raises:
            NotUnderstood: If it is not valid, or uses what is not known here.
        """
        root = self._choice()
        if self._at < len(self._text):
            raise NotUnderstood("unbalanced parenthesis")
        return Expression(root=root, captures=self._captures)

    def _choice(self) -> Node:
        branches = [self._sequence()]
        while self._take("|"):
            branches.append(self._sequence())
        return branches[0] if len(branches) == 1 else Choice(tuple(branches))

    def _sequence(self) -> Node:
        items: list[Node] = []
        while self._at < len(self._text) and self._text[self._at] not in "|)":
            items.append(self._term())
        return items[0] if len(items) == 1 else Sequence(tuple(items))

    def _term(self) -> Node:
        atom = self._atom()
        count = self._count()
        if count is None:
            return atom
        if isinstance(atom, Edge) or (isinstance(atom, Look) and atom.is_behind):
            raise NotUnderstood("nothing to repeat")
        least, most = count
        if most is not None and least > most:
            raise NotUnderstood("numbers out of order")
        return Repeat(body=atom, least=least, most=most, is_lazy=self._take("?"))

    def _count(self) -> tuple[int, int | None] | None:
        sign = self._text[self._at : self._at + 1]
        if sign in _SIMPLE_COUNTS:
            self._at += 1
            return _SIMPLE_COUNTS[sign]
        found = _BRACES.match(self._text, self._at)
        if found is None:
            return None
        low, comma, high = found.groups()
        if max(len(low), len(high or "")) > _LONGEST_COUNT_DIGITS:
            raise NotUnderstood("very large count")
        self._at = found.end()
        if comma is None:
            return int(low), int(low)
        return int(low), int(high) if high else None

    def _atom(self) -> Node:
        sign = self._text[self._at]
        compound = {"(": self._parenthesis, "[": self._set, "\\": self._escape}.get(sign)
        if compound is not None:
            return compound()
        if sign in _SIMPLE_COUNTS or _BRACES.match(self._text, self._at):
            raise NotUnderstood("nothing to repeat")
        self._at += 1
        return _SIMPLE_ATOMS.get(sign) or self._unit(ord(sign))

    def _parenthesis(self) -> Node:
        for opening, (is_behind, is_negative) in _LOOKS.items():
            if self._take(opening):
                return Look(body=self._body(), is_behind=is_behind, is_negative=is_negative)
        if self._take("(?:"):
            return Group(body=self._body())
        if self._take("(?<"):
            self._at = self._text.index(">", self._at) + 1
        elif self._text.startswith("(?", self._at):
            raise NotUnderstood("unknown group")
        else:
            self._at += 1
        self._opened += 1
        number = self._opened
        return Group(body=self._body(), number=number)

    def _body(self) -> Node:
        self._depth += 1
        if self._depth > DEEPEST_NESTING:
            raise NotUnderstood("nested too deeply")
        body = self._choice()
        if not self._take(")"):
            raise NotUnderstood("unbalanced parenthesis")
        self._depth -= 1
        return body

    def _escape(self) -> Node:
        if self._take("\\b"):
            return Edge.WORD
        if self._take("\\B"):
            return Edge.NOT_WORD
        sign = self._text[self._at + 1 : self._at + 2]
        if sign in CLASS_SETS:
            self._at += 2
            return self._of(CLASS_SETS[sign])
        if sign == "k" and self._names:
            return self._named_reference()
        number = self._escapes.reference_at(self._at)
        if number is not None:
            self._at += 1 + len(str(number))
            return BackReference(number=number)
        unit, self._at = self._escapes.unit_at(self._at, in_set=False)
        return self._unit(unit)

    def _named_reference(self) -> Node:
        end = self._text.find(">", self._at)
        name = self._text[self._at + 3 : end]
        if not self._text.startswith("\\k<", self._at) or name not in self._names:
            raise NotUnderstood("unknown name")
        self._at = end + 1
        return BackReference(number=self._names[name])

    def _set(self) -> Node:
        self._at += 1
        is_negated = self._take("^")
        found: list[UnitSet] = []
        while not self._take("]"):
            first = self._member()
            if not self._is_range():
                found.append(first)
                continue
            self._at += 1
            last = self._member()
            low, high = first.only_unit, last.only_unit
            if low is None or high is None:
                # A range to or from a class is none: the dash is a member like the others.
                found += [first, UnitSet.single(ord("-")), last]
            elif low > high:
                raise NotUnderstood("range out of order")
            else:
                found.append(UnitSet(((low, high),)))
        return self._of(UnitSet(()).union(*found), is_negated=is_negated)

    def _is_range(self) -> bool:
        return self._text.startswith("-", self._at) and not self._text.startswith("-]", self._at)

    def _member(self) -> UnitSet:
        if self._at >= len(self._text):
            raise NotUnderstood("unbalanced bracket")
        if self._text[self._at] != "\\":
            self._at += 1
            return UnitSet.single(ord(self._text[self._at - 1]))
        sign = self._text[self._at + 1 : self._at + 2]
        if sign in CLASS_SETS:
            self._at += 2
            return CLASS_SETS[sign]
        unit, self._at = self._escapes.unit_at(self._at, in_set=True)
        return UnitSet.single(unit)

    def _unit(self, unit: int) -> Units:
        return Units(units=UnitSet.single(canonical(unit) if self._folds_case else unit))

    def _of(self, units: UnitSet, *, is_negated: bool = False) -> Units:
        return Units(
            units=units.with_canonical() if self._folds_case else units, is_negated=is_negated
        )

    def _take(self, text: str) -> bool:
        if not self._text.startswith(text, self._at):
            return False
        self._at += len(text)
        return True


def _captures_of(text: str) -> tuple[int, Mapping[str, int]]:
    """Return how many groups capture, and the numbers of those with a name.

    Raises:
        NotUnderstood: If a name is given twice or spelled with escapes.
    """
    names: dict[str, int] = {}
    count = 0
    for found in _OPENINGS.finditer(text):
        if found[1] is None:
            continue
        count += 1
        name = found[2]
        if name is None:
            continue
        if name in names or "\\" in name:
            raise NotUnderstood("name given twice or escaped")
        names[name] = count
    return count, names
