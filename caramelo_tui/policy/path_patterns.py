"""Match a path against a pattern, part by part.

Owns what ``**`` spans: any number of parts, none included. How a single part fits is the caller's
rule. Pure. Proven by tests/unit/policy/test_path_patterns.py.
"""

from collections.abc import Callable, Sequence

ANY_PARTS = "**"


def spans(
    parts: Sequence[str],
    wanted: Sequence[str],
    fits: Callable[[str, str], bool],
    *,
    covers_below: bool,
) -> bool:
    """Whether a path is what a pattern means.

    Args:
        parts: Of the path.
        wanted: Parts of the pattern.
        fits: Takes a part of the path and one of the pattern, which is not ``**``.
        covers_below: Whether a pattern that means a folder means all that is in it.
    """
    # Row by row: which beginnings of the pattern can have been met so far.
    reached = _past_empty_spans({0}, wanted)
    for part in parts:
        if covers_below and len(wanted) in reached:
            return True
        following: set[int] = set()
        for at in reached - {len(wanted)}:
            if wanted[at] == ANY_PARTS:
                following.add(at)
            elif fits(part, wanted[at]):
                following.add(at + 1)
        reached = _past_empty_spans(following, wanted)
    return len(wanted) in reached


def _past_empty_spans(reached: set[int], wanted: Sequence[str]) -> set[int]:
    complete = set(reached)
    for at in reached:
        following = at
        while following < len(wanted) and wanted[following] == ANY_PARTS:
            following += 1
            complete.add(following)
    return complete
