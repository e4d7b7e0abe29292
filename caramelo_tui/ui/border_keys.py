"""Move the borders of the panes by keys.

Owns how far one key moves a border, and how often it is said that there is none to move; the
places of the borders are the area's. Proven by tests/pilot/test_pane_sizes.py.
"""

from caramelo_tui.domain.ids import Clock
from caramelo_tui.ui.pane_area import PaneArea

_COLUMNS_A_STEP = 2
"""Columns that one key moves a border; cells are about twice as high as wide."""
_SAID_S = 5.0
"""Seconds for which it is said that there is no border to move."""


class BorderKeys:
    """The keys that move borders."""

    def __init__(self, area: PaneArea, clock: Clock) -> None:
        self._area = area
        self._clock = clock
        self._said_at = float("-inf")

    def move(self, direction: int, *, is_upright: bool) -> None:
        """Move the border of the focused pane a little, or say that it shows none."""
        step = _COLUMNS_A_STEP if is_upright else 1
        if self._area.move_border(direction * step, is_upright=is_upright):
            return
        now = self._clock.monotonic()
        # A key that is held down says it once, not in a pile of notices.
        if now - self._said_at >= _SAID_S:
            self._said_at = now
            self._area.notify("The pane shows no such border here.", timeout=_SAID_S, markup=False)
