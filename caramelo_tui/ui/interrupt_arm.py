"""Remember that ctrl+c was pressed a moment ago.

Owns the two seconds in which a second press quits. Time comes from an injected clock. Proven by
tests/unit/ui/test_interrupt_arm.py.
"""

from caramelo_tui.domain.ids import Clock

ARMED_S = 2.0
"""Seconds in which a second ctrl+c quits."""


class InterruptArm:
    """Armed by the first press, for two seconds."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._armed_at: float | None = None

    @property
    def is_armed(self) -> bool:
        """Whether a press now quits."""
        if self._armed_at is None:
            return False
        return self._clock.monotonic() - self._armed_at < ARMED_S

    def press(self) -> bool:
        """Take a press; ``True`` when it is the second one and quits."""
        if self.is_armed:
            self._armed_at = None
            return True
        self._armed_at = self._clock.monotonic()
        return False

    def disarm(self) -> None:
        """Take typing between two presses: the second one is meant for what was typed."""
        self._armed_at = None
