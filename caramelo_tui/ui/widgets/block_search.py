"""Find words in the texts of many blocks, and mark them in drawn lines.

Owns what counts as a match, how many each block has, and which one is looked at. It searches the
texts as they came, never what was drawn: what is off the screen is not rendered for it. Small
letters find capitals too; a capital in the words finds only itself. Knows no widget. Proven by
tests/unit/ui/test_block_search.py.
"""

import re
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import accumulate

from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip

from caramelo_tui.ui.widgets.cells import Line, divided


@dataclass(frozen=True, slots=True, kw_only=True)
class Match:
    """One place where the words stand."""

    block: int
    """Index of the block."""
    ordinal: int
    """Which of the block's matches, from 0."""


class Words:
    """What is searched for."""

    def __init__(self, text: str) -> None:
        self.text = text
        """As it was typed; never empty."""
        self.keeps_case = text != text.lower()
        """Whether only the same case is found; else they stand in a text's small letters."""
        flags = re.NOFLAG if self.keeps_case else re.IGNORECASE
        self._pattern = re.compile(re.escape(text), flags)

    def count(self, text: str) -> int:
        """Return how often the words stand in a text, not overlapping."""
        return (text if self.keeps_case else text.lower()).count(self.text)

    def spans(self, text: str) -> list[tuple[int, int]]:
        """Return where the words stand in a line, in characters, end exclusive."""
        return [found.span() for found in self._pattern.finditer(text)]


class BlockSearch:
    """The matches of one search, kept beside blocks that come and go."""

    def __init__(self, words: str, texts: Iterable[str]) -> None:
        """Search texts.

        Args:
            words: Not empty.
            texts: One for each block, in order.
        """
        self.words = Words(words)
        self._counts = [self.words.count(text) for text in texts]
        self._sums: list[int] | None = None
        self.current: Match | None = None
        """The match that is looked at."""

    @property
    def total(self) -> int:
        """All matches."""
        return self._totals[-1] if self._counts else 0

    @property
    def position(self) -> int:
        """Number of the match that is looked at, from 1; 0 when there is none."""
        if self.current is None:
            return 0
        return self._before(self.current.block) + self.current.ordinal + 1

    def append(self, text: str) -> None:
        """Take a block that was added."""
        self._counts.append(self.words.count(text))
        self._sums = None

    def drop_last(self) -> None:
        """Forget the last block."""
        self._counts.pop()
        self._sums = None
        self._clamp()

    def put(self, index: int, text: str) -> None:
        """Take a block's other text."""
        self._counts[index] = self.words.count(text)
        self._sums = None
        self._clamp()

    def count_at(self, index: int) -> int:
        """Return the matches of one block."""
        return self._counts[index]

    def go_from(self, block: int, step: int) -> Match | None:
        """Look at the first match at or below a block (+1), or the last at or above it (-1)."""
        number = self._before(block) if step > 0 else self._before(block + 1) - 1
        return self._go_to(number)

    def go(self, step: int) -> Match | None:
        """Look at the next match (+1) or the one before (-1); at the end it starts over."""
        return self._go_to(self.position - 1 + step)

    def _go_to(self, number: int) -> Match | None:
        total = self.total
        if not total:
            self.current = None
            return None
        number %= total
        block = bisect_right(self._totals, number)
        self.current = Match(block=block, ordinal=number - self._before(block))
        return self.current

    @property
    def _totals(self) -> Sequence[int]:
        """Matches up to and with each block; made anew when something changed."""
        if self._sums is None:
            self._sums = list(accumulate(self._counts))
        return self._sums

    def _before(self, block: int) -> int:
        index = min(block, len(self._counts)) - 1
        return self._totals[index] if index >= 0 else 0

    def _clamp(self) -> None:
        """Forget a match that is there no more."""
        now = self.current
        if now is None:
            return
        if now.block >= len(self._counts) or now.ordinal >= self._counts[now.block]:
            self.current = None


def marked(strip: Strip, words: Words, style: Style) -> Strip:
    """Return a drawn line with the words set off; the same strip when they are not in it."""
    spans = words.spans(strip.text)
    if not spans:
        return strip
    line: Line = []
    at = 0
    for text, own, _control in strip:
        plain = own or Style.null()
        line += [
            (part, style if is_match else plain) for part, is_match in divided(text, at, spans)
        ]
        at += len(text)
    return Strip([Segment(text, own) for text, own in line], strip.cell_length)


def lines_with(strips: Sequence[Strip], words: Words) -> list[int]:
    """Return the numbers of the lines that show the words, once for each time they stand there."""
    return [number for number, strip in enumerate(strips) for _span in words.spans(strip.text)]
