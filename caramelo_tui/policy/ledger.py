"""Count the lines that a session changed, against its two limits.

Owns the count and the limits; sub-agents share the one of their parent. It decides nothing
and knows no call: whoever wrote a file books what was really written. Proven by
tests/unit/policy/test_ledger.py.
"""

from collections.abc import Callable
from dataclasses import dataclass

from caramelo_tui.domain.policy_settings import THIS_SESSION, LineLimit, PolicySettings
from caramelo_tui.domain.profiles import (
    CARAMELO,
    CORE,
    CORE_MAX_DIFF_LINES,
    CORE_REQUIRE_APPROVAL_ABOVE,
)

_NO_SETTINGS = PolicySettings()


@dataclass(frozen=True, slots=True, kw_only=True)
class DiffLimits:
    """Both limits as they are now."""

    deny_above: LineLimit | None = None
    """A write whose projected total is above it is refused."""
    ask_above: LineLimit | None = None
    """A write whose projected total is above it asks."""


class DiffLedger:
    """The count of one session."""

    def __init__(
        self,
        settings: PolicySettings = _NO_SETTINGS,
        *,
        profile: str = CARAMELO,
        on_change: Callable[[], None] | None = None,
    ) -> None:
        """Start from zero.

        Args:
            settings: What the user configured; a configured limit holds in every profile.
            profile: Name of the tool profile, which has limits of its own.
            on_change: Called after each change of the count or of a limit, from the caller's
                thread; may be set later.
        """
        is_core = profile == CORE
        self._configured = DiffLimits(
            deny_above=settings.max_diff_lines
            or (LineLimit(lines=CORE_MAX_DIFF_LINES) if is_core else None),
            ask_above=settings.require_approval_above
            or (LineLimit(lines=CORE_REQUIRE_APPROVAL_ABOVE) if is_core else None),
        )
        self._raises = 0
        self._changed_lines = 0
        self.on_change = on_change

    @property
    def changed_lines(self) -> int:
        """Added and removed lines of all writes that succeeded, since the last reset."""
        return self._changed_lines

    @property
    def limits(self) -> DiffLimits:
        """The limits in force."""
        return DiffLimits(
            deny_above=self._raised(self._configured.deny_above),
            ask_above=self._raised(self._configured.ask_above),
        )

    def book(self, lines: int) -> None:
        """Count lines that were really written.

        Args:
            lines: Added plus removed lines of one successful write, 0 or more.

        Raises:
            ValueError: If ``lines`` is negative: a count never shrinks by a write.
        """
        if lines < 0:
            msg = f"cannot book {lines} lines: a write adds to the count"
            raise ValueError(msg)
        if lines:
            self._changed_lines += lines
            self._tell()

    def raise_limits(self) -> None:
        """Raise both limits by their configured size."""
        self._raises += 1
        self._tell()

    def reset(self) -> None:
        """Count from zero again; the limits stay as they are."""
        self._changed_lines = 0
        self._tell()

    def _raised(self, limit: LineLimit | None) -> LineLimit | None:
        if limit is None or not self._raises:
            return limit
        # A limit of 0 lines could not be raised by its size.
        step = max(limit.lines, 1)
        return LineLimit(
            lines=limit.lines + self._raises * step,
            origin=f"{THIS_SESSION}, raised from {limit.lines} ({limit.origin})",
        )

    def _tell(self) -> None:
        if self.on_change is not None:
            self.on_change()
