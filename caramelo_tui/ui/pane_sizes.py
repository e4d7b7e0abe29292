"""Remember where the person put the borders between the panes.

Owns the sizes of each size class and their form in the store, which somebody else keeps. What a
store holds may be anything: what is no size is left out. Proven by
tests/unit/ui/test_pane_sizes.py.
"""

from collections.abc import Mapping
from dataclasses import asdict

from caramelo_tui.ui.pane_layout import SHARE_OF, USUAL_SIZES, Border, PaneSizes, ScreenClass
from caramelo_tui.ui.start_plan import KeptSizes


class SizesByClass:
    """The sizes for a wide and for a medium screen; a narrow one has no borders."""

    def __init__(self) -> None:
        self._sizes: dict[ScreenClass, PaneSizes] = {}

    def of(self, screen_class: ScreenClass) -> PaneSizes:
        """Return the sizes for a size class."""
        return self._sizes.get(screen_class, USUAL_SIZES)

    def put(self, screen_class: ScreenClass, sizes: PaneSizes) -> None:
        """Take the sizes for a size class."""
        self._sizes[screen_class] = sizes

    def take(self, kept: KeptSizes) -> None:
        """Take what a store held."""
        self._sizes = {
            screen_class: _sizes_of(kept[screen_class.value])
            for screen_class in (ScreenClass.WIDE, ScreenClass.MEDIUM)
            if screen_class.value in kept
        }

    def kept(self) -> KeptSizes:
        """Return what a store is to hold; a border in its usual place is left out."""
        return {
            screen_class.value: {
                border: share for border, share in asdict(sizes).items() if share is not None
            }
            for screen_class, sizes in self._sizes.items()
            if sizes != USUAL_SIZES
        }


def _sizes_of(shares: Mapping[str, int]) -> PaneSizes:
    known = {
        border.value: shares[border.value]
        for border in Border
        if 0 <= shares.get(border.value, -1) <= SHARE_OF
    }
    return PaneSizes(**known)
