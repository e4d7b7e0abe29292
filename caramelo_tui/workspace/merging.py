"""Join two changes of one text that were made side by side.

Owns the three-way merge by lines: what only one side changed is taken from it, and where both
changed the same or touching lines there is a conflict, unless both made the same of them. Pure.
Proven by tests/unit/workspace/test_merging.py and tests/property/test_merging.py.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from caramelo_tui.workspace.diffing import lines_of
from caramelo_tui.workspace.line_matching import Change, changes_between


@dataclass(frozen=True, slots=True, kw_only=True)
class Merge:
    """A merged text."""

    text: str
    """Both changes; where they are in conflict, the lines of the second."""
    conflicts: int
    """Places where both changed the same lines otherwise."""


@dataclass(slots=True)
class _Place:
    """Lines of the base that one or both sides changed; end exclusive."""

    start: int
    end: int
    first: list[Change]
    second: list[Change]


def merge(base: str, first: str, second: str) -> Merge:
    """Apply to ``base`` what leads from it to ``first`` and what leads from it to ``second``.

    Args:
        base: What both come from.
        first: One side, such as the disk as it is.
        second: The other side, which wins where both are in conflict.
    """
    old, one, two = lines_of(base), lines_of(first), lines_of(second)
    merged: list[str] = []
    conflicts = position = 0
    for place in _places(changes_between(old, one), changes_between(old, two)):
        merged += old[position : place.start]
        of_first = _lines_at(place, old, one, place.first)
        of_second = _lines_at(place, old, two, place.second)
        if not place.second:
            merged += of_first
        else:
            merged += of_second
            conflicts += bool(place.first) and of_first != of_second
        position = place.end
    return Merge(text="".join([*merged, *old[position:]]), conflicts=conflicts)


def _places(first: Sequence[Change], second: Sequence[Change]) -> list[_Place]:
    """Return the changed places in order; changes that overlap or touch share one."""
    changes = [(change, True) for change in first] + [(change, False) for change in second]
    changes.sort(key=lambda item: (item[0].old_start, item[0].old_end))
    places: list[_Place] = []
    for change, is_first in changes:
        if not places or change.old_start > places[-1].end:
            places.append(_Place(change.old_start, change.old_end, [], []))
        place = places[-1]
        place.end = max(place.end, change.old_end)
        (place.first if is_first else place.second).append(change)
    return places


def _lines_at(
    place: _Place, old: Sequence[str], new: Sequence[str], changes: Sequence[Change]
) -> list[str]:
    """Return what one side made of a place."""
    lines: list[str] = []
    position = place.start
    for change in changes:
        lines += old[position : change.old_start]
        lines += new[change.new_start : change.new_end]
        position = change.old_end
    return [*lines, *old[position : place.end]]
