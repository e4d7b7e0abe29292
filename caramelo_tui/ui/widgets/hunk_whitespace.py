"""Make blanks and tabs of code visible.

Owns the signs and where they stand in a line as it is shown. Pure. Proven by
tests/unit/ui/test_hunk_whitespace.py.
"""

import re
from collections.abc import Iterator

from caramelo_tui.domain.screen_text import visible
from caramelo_tui.ui.widgets.cells import MAX_LINE_CELLS, expand_tabs

_BLANKS = re.compile(r"[ \u00a0]+")
_SIGNS = {" ": "·", "\u00a0": "⍽"}
_TAB_SIGN = "→"


def tab_cells(raw: str) -> frozenset[int]:
    """Return the characters of a line as it is shown that stand for tabs.

    A tab's first character is in the set as its place, the others as the complement
    (``-place - 1``), so that only the first gets the sign.
    """
    shown = visible(raw[:MAX_LINE_CELLS])
    cells: set[int] = set()
    at = shown.find("\t")
    while at >= 0:
        first, end = len(expand_tabs(shown[:at])), len(expand_tabs(shown[: at + 1]))
        cells.add(first)
        cells.update(-place - 1 for place in range(first + 1, end))
        at = shown.find("\t", at + 1)
    return frozenset(cells)


def with_signs(text: str, start: int, tabs: frozenset[int]) -> Iterator[tuple[str, bool]]:
    """Yield the parts of a run, each with whether it consists of signs; no width changes.

    Args:
        text: The run's text, its tabs expanded.
        start: Where it stands in its line, in characters.
        tabs: What ``tab_cells`` says of the line.
    """
    at = 0
    for found in _BLANKS.finditer(text):
        if found.start() > at:
            yield text[at : found.start()], False
        places = range(start + found.start(), start + found.end())
        yield "".join(map(_sign, found.group(), places, [tabs] * len(places))), True
        at = found.end()
    if at < len(text):
        yield text[at:], False


def _sign(blank: str, place: int, tabs: frozenset[int]) -> str:
    if place in tabs:
        return _TAB_SIGN
    return " " if -place - 1 in tabs else _SIGNS[blank]
