"""Find which lines of two texts correspond.

Owns the comparison behind ``diffing``: pure, and bounded so that no pair of files makes it
quadratic. Proven by tests/unit/workspace/test_line_matching.py.
"""

import bisect
import difflib
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

_COMPARISONS = 3_000_000
"""Line comparisons that difflib may cost in the worst case for one pair of texts, about 1 s."""
_SPLITTING_ROUNDS = 12
"""How often a gap is split again by lines that are unique within it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """A changed region; line numbers from 0, ends exclusive."""

    old_start: int
    old_end: int
    new_start: int
    new_end: int


def changes_between(old: Sequence[str], new: Sequence[str]) -> tuple[Change, ...]:
    """Return the changed regions in ascending order; between them the lines are equal.

    Neighbouring regions have at least one unchanged line between them.
    """
    return tuple(_Comparison(old, new).changes())


class _Comparison:
    """One run over a pair of texts, with its budget."""

    def __init__(self, old: Sequence[str], new: Sequence[str]) -> None:
        self._old = old
        self._new = new
        self._budget = _COMPARISONS

    def changes(self) -> list[Change]:
        found: list[Change] = []
        whole = Change(old_start=0, old_end=len(self._old), new_start=0, new_end=len(self._new))
        pending = [(whole, _SPLITTING_ROUNDS)]
        while pending:
            region, rounds = pending.pop()
            region = self._trimmed(region)
            if region.old_start == region.old_end or region.new_start == region.new_end:
                if region.old_start != region.old_end or region.new_start != region.new_end:
                    found.append(region)
                continue
            parts = self._split_at_unique_lines(region) if rounds else []
            if parts:
                pending += [(part, rounds - 1) for part in reversed(parts)]
            else:
                found += self._compared(region)
        return found

    def _trimmed(self, region: Change) -> Change:
        old, new = self._old, self._new
        old_start, new_start = region.old_start, region.new_start
        old_end, new_end = region.old_end, region.new_end
        while old_start < old_end and new_start < new_end and old[old_start] == new[new_start]:
            old_start += 1
            new_start += 1
        while old_start < old_end and new_start < new_end and old[old_end - 1] == new[new_end - 1]:
            old_end -= 1
            new_end -= 1
        return Change(old_start=old_start, old_end=old_end, new_start=new_start, new_end=new_end)

    def _split_at_unique_lines(self, region: Change) -> list[Change]:
        """Return the regions between lines that stand once on each side; empty without any."""
        parts: list[Change] = []
        old_start, new_start = region.old_start, region.new_start
        for old_anchor, new_anchor in self._anchors(region):
            parts.append(
                Change(
                    old_start=old_start,
                    old_end=old_anchor,
                    new_start=new_start,
                    new_end=new_anchor,
                )
            )
            old_start, new_start = old_anchor + 1, new_anchor + 1
        if parts:
            parts.append(
                Change(
                    old_start=old_start,
                    old_end=region.old_end,
                    new_start=new_start,
                    new_end=region.new_end,
                )
            )
        return parts

    def _anchors(self, region: Change) -> list[tuple[int, int]]:
        old_counts = Counter(self._old[region.old_start : region.old_end])
        new_counts = Counter(self._new[region.new_start : region.new_end])
        new_places = {
            self._new[place]: place
            for place in range(region.new_start, region.new_end)
            if new_counts[self._new[place]] == 1
        }
        pairs = [
            (place, new_places[self._old[place]])
            for place in range(region.old_start, region.old_end)
            if old_counts[self._old[place]] == 1 and self._old[place] in new_places
        ]
        return _longest_rising(pairs)

    def _compared(self, region: Change) -> list[Change]:
        old = self._old[region.old_start : region.old_end]
        new = self._new[region.new_start : region.new_end]
        old_counts, new_counts = Counter(old), Counter(new)
        equal_pairs = sum(count * new_counts[line] for line, count in old_counts.items())
        # difflib looks at every pair of equal lines once per block that it finds.
        cost = len(old) + (equal_pairs + len(old)) * min(len(old), len(new))
        if cost > self._budget:
            return [region]
        self._budget -= cost
        codes = difflib.SequenceMatcher(None, old, new, autojunk=False).get_opcodes()
        return [
            Change(
                old_start=region.old_start + old_start,
                old_end=region.old_start + old_end,
                new_start=region.new_start + new_start,
                new_end=region.new_start + new_end,
            )
            for tag, old_start, old_end, new_start, new_end in codes
            if tag != "equal"
        ]


def _longest_rising(pairs: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return the longest part of ``pairs`` whose second members rise (patience sorting)."""
    tops: list[int] = []
    piles: list[int] = []
    below: list[int] = []
    for index, (_, value) in enumerate(pairs):
        pile = bisect.bisect_left(tops, value)
        below.append(piles[pile - 1] if pile else -1)
        if pile == len(tops):
            tops.append(value)
            piles.append(index)
        else:
            tops[pile] = value
            piles[pile] = index
    chain: list[tuple[int, int]] = []
    index = piles[-1] if piles else -1
    while index >= 0:
        chain.append(pairs[index])
        index = below[index]
    return chain[::-1]
