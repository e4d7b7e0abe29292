"""Keep a question from being answered by accident.

Owns the rule of when a key counts as an answer: never in the first half second that the question
is on the screen, never within half a second of any other key. Knows no widget; time comes from
an injected clock. Proven by tests/unit/ui/test_answer_guard.py.
"""

from caramelo_tui.domain.ids import Clock

QUIET_S = 0.5
"""Seconds without a key that an answer needs before it, and that a question stands unanswerable."""


TICK_S = 0.1
"""How often a countdown is drawn while a question waits to become ready."""


class AnswerGuard:
    """Tell whether a question may be answered now."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._shown_at: float | None = None
        self._last_key_at: float | None = None
        self._was_ready = False

    def mark_shown(self) -> None:
        """Note that the question was drawn; before this nothing answers it."""
        self._shown_at = self._clock.monotonic()

    def mark_key(self) -> None:
        """Note a key or a paste; answers wait for half a second from now on."""
        if self.remaining_s() <= 0:
            self._was_ready = True
        self._last_key_at = self._clock.monotonic()

    def remaining_s(self) -> float:
        """Return the seconds until an answer counts; 0 when it counts now."""
        if self._shown_at is None:
            return QUIET_S
        since = max(self._shown_at, self._last_key_at or self._shown_at)
        return max(0.0, since + QUIET_S - self._clock.monotonic())

    @property
    def is_ready(self) -> bool:
        """Whether an answer counts now."""
        return self.remaining_s() <= 0

    @property
    def was_ready(self) -> bool:
        """Whether the question has once stood ready, so that its reader was surely there."""
        return self._was_ready or self.is_ready

    @property
    def is_typing(self) -> bool:
        """Whether it is a key, not the question's appearance, that answers wait for."""
        return (
            not self.is_ready
            and self._last_key_at is not None
            and self._shown_at is not None
            and self._last_key_at > self._shown_at
        )


def guard_text(guard: AnswerGuard) -> str:
    """Return what an answer waits for; only while it waits."""
    return "finish typing" if guard.is_typing else f"ready in {guard.remaining_s():.1f} s"
