"""Hold sets of UTF-16 code units, and how JavaScript's ``i`` compares them.

Owns the alphabet of a JavaScript expression without flag ``u``: 65,536 code units, of which a
character beyond U+FFFF takes two, and the canonical form under which flag ``i`` compares. Knows
no pattern and no file. Proven by tests/unit/tools/search/test_code_units.py.
"""

import functools
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

LAST_UNIT = 0xFFFF
FIRST_SURROGATE, LAST_SURROGATE = 0xD800, 0xDFFF
"""Halves of characters beyond U+FFFF."""
STAND_IN_OFFSET = 0xF0000 - FIRST_SURROGATE
"""Engines that work on UTF-8 cannot see a half. In the text that they get, each half is the
private character at this distance (U+F0000 to U+F07FF), which no real text can hold there: its
own characters beyond U+FFFF are taken apart as well."""
_LAST_ASCII = 0x7F


@dataclass(frozen=True, slots=True)
class UnitSet:
    """A set of code units."""

    ranges: tuple[tuple[int, int], ...]
    """First and last of each range; ascending, neither overlapping nor touching."""

    @classmethod
    def of(cls, ranges: Iterable[tuple[int, int]]) -> "UnitSet":
        """Return the set of all units in ``ranges``, which may come in any order and overlap."""
        merged: list[tuple[int, int]] = []
        for first, last in sorted(ranges):
            if merged and first <= merged[-1][1] + 1:
                merged[-1] = (merged[-1][0], max(merged[-1][1], last))
            else:
                merged.append((first, last))
        return cls(tuple(merged))

    @classmethod
    def single(cls, unit: int) -> "UnitSet":
        """Return the set of one unit."""
        return cls(((unit, unit),))

    @property
    def only_unit(self) -> int | None:
        """The unit of a set of one; else ``None``."""
        if len(self.ranges) == 1 and self.ranges[0][0] == self.ranges[0][1]:
            return self.ranges[0][0]
        return None

    def complement(self) -> "UnitSet":
        """Return all other units."""
        left: list[tuple[int, int]] = []
        start = 0
        for first, last in self.ranges:
            if start < first:
                left.append((start, first - 1))
            start = last + 1
        if start <= LAST_UNIT:
            left.append((start, LAST_UNIT))
        return UnitSet(tuple(left))

    def union(self, *others: "UnitSet") -> "UnitSet":
        """Return the units of this and all other sets."""
        return UnitSet.of(piece for found in (self, *others) for piece in found.ranges)

    def __contains__(self, unit: int) -> bool:
        at = bisect_right(self.ranges, (unit, LAST_UNIT)) - 1
        return at >= 0 and unit <= self.ranges[at][1]

    @property
    def is_same_beyond_ascii(self) -> bool:
        """Whether it makes no difference if units beyond ASCII are in canonical form."""
        if not self._tells_units_beyond_ascii:
            return True
        return all(
            other in self
            for pairs in (_folded_pairs(), _folding_pairs())
            for unit, other in self._pairs_inside(pairs)
            if unit > _LAST_ASCII
        )

    def with_canonical(self) -> "UnitSet":
        """Return this set with the canonical form of each member."""
        pairs = _folded_pairs() if self._tells_units_beyond_ascii else _ascii_pairs()
        added = {form for _, form in self._pairs_inside(pairs) if form not in self}
        return self.union(UnitSet.of((unit, unit) for unit in added)) if added else self

    @property
    def _tells_units_beyond_ascii(self) -> bool:
        # Such as ``\W`` does not: it holds all of them.
        if not self.ranges:
            return False
        first, last = self.ranges[-1]
        return last > _LAST_ASCII and not (first <= _LAST_ASCII + 1 and last == LAST_UNIT)

    def _pairs_inside(self, pairs: Sequence[tuple[int, int]]) -> Iterator[tuple[int, int]]:
        """Yield those of the sorted pairs whose first unit is in this set."""
        for first, last in self.ranges:
            at = bisect_left(pairs, (first, 0))
            while at < len(pairs) and pairs[at][0] <= last:
                yield pairs[at]
                at += 1


def canonical(unit: int) -> int:
    """Return the canonical form of a unit."""
    table = _ascii_table() if unit <= _LAST_ASCII else canonical_units()
    return table.get(unit, unit)


@functools.cache
def canonical_units() -> Mapping[int, int]:
    """Return the canonical form of each unit that is not its own.

    Source: ECMAScript 2025, 22.2.2.7.3 ``Canonicalize`` without ``u`` or ``v``: the upper case
    of the unit, unless that is several units, or is ASCII while the unit is not.
    """
    table: dict[int, int] = dict(_ascii_table())
    for unit in range(_LAST_ASCII + 1, LAST_UNIT + 1):
        if FIRST_SURROGATE <= unit <= LAST_SURROGATE:
            continue
        upper = chr(unit).upper()
        if len(upper) == 1 and _LAST_ASCII < ord(upper) <= LAST_UNIT and ord(upper) != unit:
            table[unit] = ord(upper)
    return table


@functools.cache
def _ascii_table() -> Mapping[int, int]:
    return {unit: unit - 32 for unit in range(ord("a"), ord("z") + 1)}


@functools.cache
def _ascii_pairs() -> Sequence[tuple[int, int]]:
    return sorted(_ascii_table().items())


@functools.cache
def _folded_pairs() -> Sequence[tuple[int, int]]:
    return sorted(canonical_units().items())


@functools.cache
def _folding_pairs() -> Sequence[tuple[int, int]]:
    # The other way round: canonical form, and a unit that has it.
    return sorted((form, unit) for unit, form in canonical_units().items())


def units_of(text: str) -> tuple[int, ...]:
    """Return the code units of a text."""
    data = text.encode("utf-16-le", "surrogatepass")
    return tuple(int.from_bytes(data[at : at + 2], "little") for at in range(0, len(data), 2))


def seen_ranges(units: UnitSet) -> Iterable[tuple[int, int]]:
    """Yield the ranges as code points of the text that engines get (see ``STAND_IN_OFFSET``)."""
    stand_ins: list[tuple[int, int]] = []
    for first, last in units.ranges:
        if first < FIRST_SURROGATE:
            yield first, min(last, FIRST_SURROGATE - 1)
        if last > LAST_SURROGATE:
            yield max(first, LAST_SURROGATE + 1), last
        low, high = max(first, FIRST_SURROGATE), min(last, LAST_SURROGATE)
        if low <= high:
            stand_ins.append((low + STAND_IN_OFFSET, high + STAND_IN_OFFSET))
    yield from stand_ins


LINE_ENDS = UnitSet.of([(0x0A, 0x0A), (0x0D, 0x0D), (0x2028, 0x2029)])
"""What ``.`` does not match."""
DIGITS = UnitSet.of([(0x30, 0x39)])
"""``\\d``."""
WORD_UNITS = UnitSet.of([(0x30, 0x39), (0x41, 0x5A), (0x5F, 0x5F), (0x61, 0x7A)])
"""``\\w``."""
BLANKS = UnitSet.of(
    [
        (0x09, 0x0D),
        (0x20, 0x20),
        (0xA0, 0xA0),
        (0x1680, 0x1680),
        (0x2000, 0x200A),
        (0x2028, 0x2029),
        (0x202F, 0x202F),
        (0x205F, 0x205F),
        (0x3000, 0x3000),
        (0xFEFF, 0xFEFF),
    ]
)
"""``\\s``: white space and line terminators. Source: ECMAScript 2025, 12.2 and 12.3."""
