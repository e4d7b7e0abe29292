"""A clock that stands still until a test moves it."""

from dataclasses import dataclass

START = 1_760_000_000.0
"""2025-10-09 08:53:20 UTC."""


@dataclass(slots=True)
class ManualClock:
    """Both clocks of ``Clock``, moved together."""

    seconds: float = 0.0
    """Passed since the start."""

    def now(self) -> float:
        """Return the wall clock."""
        return START + self.seconds

    def monotonic(self) -> float:
        """Return the monotonic clock."""
        return 1_000.0 + self.seconds

    def move(self, seconds: float) -> None:
        """Let time pass."""
        self.seconds += seconds
