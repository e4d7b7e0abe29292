"""Fold large pastes to chips and unfold them again.

Owns the texts behind chips such as ``[paste 1,204 lines]``. Pure. Proven by
tests/unit/ui/test_pasted_text.py.
"""

import re

from caramelo_tui.domain.screen_text import visible
from caramelo_tui.ui.formatting import count_text

FOLD_LINES = 10
"""Lines from which a paste folds."""
FOLD_CHARACTERS = 1_500
"""Characters from which a paste folds even on fewer lines."""


class PastedTexts:
    """The folded pastes of one draft."""

    def __init__(self) -> None:
        self._texts: dict[str, str] = {}

    def take(self, text: str) -> str:
        """Return what stands in the editor for a paste: the safe text, or a chip for it."""
        clean = safe_paste(text)
        lines = clean.count("\n") + 1
        if lines < FOLD_LINES and len(clean) < FOLD_CHARACTERS:
            return clean
        chip = self._free_chip(_size_words(clean, lines))
        self._texts[chip] = clean
        return chip

    def expand(self, draft: str) -> str:
        """Return ``draft`` with every chip replaced by its text."""
        if not self._texts:
            return draft
        # One pass: a pasted text may hold what looks like another chip.
        chips = re.compile("|".join(map(re.escape, self._texts)))
        return chips.sub(lambda found: self._texts[found.group()], draft)

    def _free_chip(self, words: str) -> str:
        chip = f"[paste {words}]"
        count = 2
        while chip in self._texts:
            chip = f"[paste {count}: {words}]"
            count += 1
        return chip


def safe_paste(text: str) -> str:
    """Return a paste with LF line ends and every hidden or acting character as a mark."""
    return visible(text.replace("\r\n", "\n").replace("\r", "\n"))


def _size_words(text: str, lines: int) -> str:
    if lines > 1:
        return count_text(lines, "line")
    return count_text(len(text), "character")
