"""Find what changed within a line.

Owns the pairing of removed with added lines of one hunk, and the changed stretches of a pair.
Pure, and bounded for large hunks and long lines. Proven by tests/unit/ui/test_word_marks.py.
"""

import re
from collections import Counter
from collections.abc import Sequence
from difflib import SequenceMatcher

Range = tuple[int, int]
"""Start and end (exclusive) in characters."""

MAX_PAIRED_PRODUCT = 1_600
"""Removed times added lines up to which the best pairing is searched."""

MAX_MARKED_CHARACTERS = 600
"""Longer lines get no marks within them."""

MIN_LIKENESS = 0.4
"""Share of common words from which two lines count as one line that changed."""

_WORDS = re.compile(r"\w+|\s+|[^\w\s]")


def pairs_of(old: Sequence[str], new: Sequence[str]) -> dict[int, int]:
    """Return which removed line became which added line, in rising order on both sides.

    Large hunks are paired by position when both sides have as many lines, else not at all.
    """
    if not old or not new:
        return {}
    if len(old) * len(new) > MAX_PAIRED_PRODUCT:
        return {index: index for index in range(len(old))} if len(old) == len(new) else {}
    return _best_pairs([_word_counts(line) for line in old], [_word_counts(line) for line in new])


def changed_ranges(old: str, new: str) -> tuple[list[Range], list[Range]]:
    """Return the changed stretches of two lines; none where the lines are too long or unlike."""
    if max(len(old), len(new)) > MAX_MARKED_CHARACTERS or old == new:
        return [], []
    old_words, new_words = _WORDS.findall(old), _WORDS.findall(new)
    matcher = SequenceMatcher(None, old_words, new_words, autojunk=False)
    if matcher.ratio() < MIN_LIKENESS:
        return [], []
    old_starts, new_starts = _starts(old_words), _starts(new_words)
    removed: list[Range] = []
    added: list[Range] = []
    for tag, old_from, old_to, new_from, new_to in matcher.get_opcodes():
        if tag == "equal":
            continue
        if old_to > old_from:
            removed.append((old_starts[old_from], old_starts[old_to]))
        if new_to > new_from:
            added.append((new_starts[new_from], new_starts[new_to]))
    return removed, added


def _starts(words: Sequence[str]) -> list[int]:
    starts = [0]
    for word in words:
        starts.append(starts[-1] + len(word))
    return starts


def _word_counts(line: str) -> Counter[str]:
    words = _WORDS.findall(line[:MAX_MARKED_CHARACTERS])
    return Counter(word for word in words if not word.isspace())


def _likeness(old: Counter[str], new: Counter[str]) -> float:
    total = old.total() + new.total()
    return 2 * (old & new).total() / total if total else 0.0


def _best_pairs(old: Sequence[Counter[str]], new: Sequence[Counter[str]]) -> dict[int, int]:
    """Return the rising pairing with the greatest likeness in all (dynamic programming)."""
    height, width = len(old), len(new)
    likeness = [[_likeness(left, right) for right in new] for left in old]
    best = [[0.0] * (width + 1) for _ in range(height + 1)]
    for i in range(height - 1, -1, -1):
        for j in range(width - 1, -1, -1):
            paired = likeness[i][j] + best[i + 1][j + 1] if likeness[i][j] >= MIN_LIKENESS else 0.0
            best[i][j] = max(best[i + 1][j], best[i][j + 1], paired)
    pairs: dict[int, int] = {}
    i = j = 0
    while i < height and j < width:
        is_paired = likeness[i][j] >= MIN_LIKENESS
        if is_paired and best[i][j] == likeness[i][j] + best[i + 1][j + 1]:
            pairs[i] = j
            i, j = i + 1, j + 1
        elif best[i + 1][j] >= best[i][j + 1]:
            i += 1
        else:
            j += 1
    return pairs
