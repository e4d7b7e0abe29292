"""Say what every block of a conversation can do.

Owns the protocol of blocks and the values that they draw with. Knows no kind of block and no
widget. Proven by tests/unit/ui/test_conversation_blocks.py.
"""

from dataclasses import dataclass
from typing import Protocol

from caramelo_tui.ui.widgets.cells import Line
from caramelo_tui.ui.widgets.palette import Palette


@dataclass(frozen=True, slots=True)
class Drawing:
    """What a block may use to draw itself."""

    palette: Palette
    width: int
    """Cells of a line."""
    deadline: float
    """On the monotonic clock; colours that are not ready by then come later."""


@dataclass(frozen=True, slots=True)
class Drawn:
    """A block as lines."""

    lines: list[Line]
    is_final: bool = True


class Block(Protocol):
    """One block of the conversation."""

    @property
    def has_gap(self) -> bool:
        """Whether a blank line stands above the block."""
        ...

    @property
    def source(self) -> str:
        """Its text as it came, for copying and searching; not made safe for the screen."""
        ...

    @property
    def is_continued(self) -> bool:
        """Whether it belongs to the block before it, for the cursor."""
        ...

    def estimate(self, width: int) -> int:
        """Return about how many lines it needs, without the gap."""
        ...

    def draw(self, on: Drawing) -> Drawn:
        """Return its lines, without the gap."""
        ...


def wrapped_count(text: str, width: int) -> int:
    """Return about how many lines of ``width`` cells a text needs."""
    width = max(width, 1)
    return sum(max(1, -(-len(line) // width)) for line in text.rstrip("\n").split("\n"))
