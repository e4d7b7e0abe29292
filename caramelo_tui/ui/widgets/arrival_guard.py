"""Keep keys that were meant for something else from deciding a review.

Owns when the last review came into the focused pane, and how long its keys wait. Knows no
widget. Proven by tests/unit/ui/test_arrival_guard.py and tests/pilot/test_changes.py.
"""

from collections.abc import Callable

QUIET_S = 0.5
"""How long keys decide nothing after a review came into a focused pane."""


class ArrivalGuard:
    """Tell whether keys decide now."""

    def __init__(self, monotonic: Callable[[], float]) -> None:
        self._monotonic = monotonic
        self._arrived_at = float("-inf")

    @property
    def is_over(self) -> bool:
        """Whether keys decide now."""
        return self._monotonic() - self._arrived_at >= QUIET_S

    @property
    def words(self) -> str:
        """What the head says meanwhile."""
        return f"a review came in; keys decide in {QUIET_S} s"

    def begin(self) -> float:
        """Wait from now on; returns the arrival, by which ``is_last`` knows it again."""
        self._arrived_at = self._monotonic()
        return self._arrived_at

    def is_last(self, arrival: float) -> bool:
        """Return whether no other review came since; else that one's guard is what counts."""
        return arrival == self._arrived_at
