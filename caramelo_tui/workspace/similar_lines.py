"""Find the lines of a file that a failed search text probably meant.

Owns the hint of a failed edit; pure, and bounded in time for files of many megabytes. Proven
by tests/unit/workspace/test_similar_lines.py.
"""

import difflib
import re
import unicodedata
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

_COMPARED_CHARACTERS = 300
_SHOWN_CHARACTERS = 200
_SHORTLIST = 40
_SHOWN_SINGLE_LINES = 3
_SHOWN_BLOCK_LINES = 12
_VOTING_LINES = 200
_USUAL_REPEATS = 50
"""A line that stands more often than this in the file says nothing about the place."""
_LEAST_RATIO = 0.5
_WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True, kw_only=True)
class SimilarLine:
    """A line of the file."""

    number: int
    """1-based."""
    text: str
    """Without its line end, cut at 200 characters."""


def similar_lines(text: str, wanted: str) -> tuple[SimilarLine, ...]:
    """Return the lines of ``text`` that are nearest to ``wanted``.

    Args:
        text: The file, line ends as LF.
        wanted: The text that was not found, line ends as LF.

    Returns:
        For one line: up to three lines, the best first. For several: the block of lines that
        most of them stand in, in order. Empty when nothing is similar.
    """
    lines = text.split("\n")
    sought = wanted.strip("\n").split("\n")
    if len(sought) > 1:
        start = _voted_start(lines, sought)
        if start is not None:
            return _block(lines, start, len(sought))
    return _nearest_single(lines, max(sought, key=lambda line: len(line.strip())))


def _voted_start(lines: Sequence[str], sought: Sequence[str]) -> int | None:
    """Let each sought line that stands in the file vote for where the block would begin."""
    places: dict[str, list[int]] = {
        line.strip(): [] for line in sought[:_VOTING_LINES] if line.strip()
    }
    for index, line in enumerate(lines):
        known = places.get(line.strip())
        if known is not None and len(known) <= _USUAL_REPEATS:
            known.append(index)
    votes: Counter[int] = Counter()
    for offset, line in enumerate(sought[:_VOTING_LINES]):
        found = places.get(line.strip(), [])
        if len(found) <= _USUAL_REPEATS:
            votes.update(index - offset for index in found)
    return max(votes, key=lambda start: (votes[start], -start)) if votes else None


def _block(lines: Sequence[str], start: int, length: int) -> tuple[SimilarLine, ...]:
    first = max(start, 0)
    last = min(start + length, first + _SHOWN_BLOCK_LINES, len(lines))
    return tuple(_shown(lines, index) for index in range(first, last))


def _nearest_single(lines: Sequence[str], wanted: str) -> tuple[SimilarLine, ...]:
    first_places: dict[str, int] = {}
    for index, line in enumerate(lines):
        first_places.setdefault(line[:_COMPARED_CHARACTERS], index)
    words = _words(wanted)
    scores = [(_shared(words, _words(line)), -index, line) for line, index in first_places.items()]
    shortlist = sorted((row for row in scores if row[0] > 0), reverse=True)[:_SHORTLIST]
    matcher = difflib.SequenceMatcher(autojunk=False)
    matcher.set_seq2(_folded(wanted[:_COMPARED_CHARACTERS]))
    rated: list[tuple[float, int]] = []
    for _, negative_index, line in shortlist:
        matcher.set_seq1(_folded(line))
        rated.append((matcher.ratio(), negative_index))
    best = sorted((row for row in rated if row[0] >= _LEAST_RATIO), reverse=True)
    return tuple(_shown(lines, -negative) for _, negative in best[:_SHOWN_SINGLE_LINES])


def _shared(words: frozenset[str], others: frozenset[str]) -> float:
    if not words or not others:
        return 0.0
    return len(words & others) / (len(words) + len(others))


def _words(line: str) -> frozenset[str]:
    return frozenset(_WORD.findall(_folded(line)))


def _folded(line: str) -> str:
    return line.casefold() if line.isascii() else unicodedata.normalize("NFKC", line).casefold()


def _shown(lines: Sequence[str], index: int) -> SimilarLine:
    return SimilarLine(number=index + 1, text=lines[index][:_SHOWN_CHARACTERS])
