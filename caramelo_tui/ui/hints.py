"""Write as much of a hint as an edge has room for.

Owns what of a hint goes first where it is too long; what a hint says is its widget's affair. Pure.
Proven by tests/unit/ui/test_hints.py.
"""

from rich.cells import cell_len

SEPARATOR = " · "
"""Stands between the parts of a hint."""
EDGE_CELLS = 6
"""Cells of an edge that are frame, left and right of what is written in it."""


def fitting_hint(hint: str, cells: int) -> str:
    """Return the parts of a hint that have room, none of them cut.

    Args:
        hint: Parts with ``SEPARATOR`` between them, what matters most first. The last one says how
            to leave, and goes last.
        cells: Room in terminal cells; 0 and less while it is not known, which leaves all.
    """
    *parts, last = hint.split(SEPARATOR)
    while cells > 0 and parts and cell_len(SEPARATOR.join((*parts, last))) > cells:
        parts.pop()
    return SEPARATOR.join((*parts, last))
