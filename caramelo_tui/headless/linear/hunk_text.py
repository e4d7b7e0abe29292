"""Put hunks into lines that can be read aloud.

Owns the words that stand for the signs and colours of a diff. Pure; the lines are not made
visible here. Proven by tests/unit/headless/test_linear_hunk_text.py.
"""

from collections.abc import Iterator

from caramelo_tui.domain.diffs import Hunk

_LONGEST_LINE = 4_000
"""Characters of a line that are written; what is missing is said."""


def counted(count: int, singular: str, plural: str = "") -> str:
    """Return a count with its noun, such as ``1 line`` or ``1,234 lines``."""
    return f"{count:,} {singular if count == 1 else plural or singular + 's'}"


def hunk_lines(hunk: Hunk) -> list[str]:
    """Return a hunk with its context: each line with what happens to it and its number.

    Removed lines have their number before the edit, all others the one after it.
    """
    every = (*hunk.context_before, *hunk.old_lines, *hunk.new_lines, *hunk.context_after)
    ends = {line.endswith("\r\n") for line in every if line.endswith("\n")}
    words = [
        (f"{word} {number}: ", line)
        for word, number, line in (*_before(hunk), *_changed(hunk), *_after(hunk))
    ]
    return [start + _shown(line, keeps_return=len(ends) > 1) for start, line in words]


def _before(hunk: Hunk) -> Iterator[tuple[str, int, str]]:
    first = hunk.new_start - len(hunk.context_before)
    for number, line in enumerate(hunk.context_before, first):
        yield "same", number, line


def _after(hunk: Hunk) -> Iterator[tuple[str, int, str]]:
    for number, line in enumerate(hunk.context_after, hunk.new_start + len(hunk.new_lines)):
        yield "same", number, line


def _changed(hunk: Hunk) -> Iterator[tuple[str, int, str]]:
    old = new = 0
    for kept in hunk.kept:
        yield from _stretch(hunk, (old, kept.old), (new, kept.new))
        for index in range(kept.new, kept.new + kept.count):
            yield "same", hunk.new_start + index, hunk.new_lines[index]
        old, new = kept.old + kept.count, kept.new + kept.count
    yield from _stretch(hunk, (old, len(hunk.old_lines)), (new, len(hunk.new_lines)))


def _stretch(
    hunk: Hunk, old: tuple[int, int], new: tuple[int, int]
) -> Iterator[tuple[str, int, str]]:
    for index in range(*old):
        yield "removed", hunk.old_start + index, hunk.old_lines[index]
    for index in range(*new):
        yield "added", hunk.new_start + index, hunk.new_lines[index]


def _shown(line: str, *, keeps_return: bool) -> str:
    text = line.removesuffix("\n")
    if not keeps_return:
        text = text.removesuffix("\r")
    if len(text) > _LONGEST_LINE:
        text = f"{text[:_LONGEST_LINE]} … {len(text) - _LONGEST_LINE:,} more characters"
    return text if line.endswith("\n") else f"{text} (no line end)"
