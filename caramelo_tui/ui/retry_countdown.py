"""Count down to the moment at which a request is sent again.

Owns what the status bar says while a request waits to be sent again, and when it says it no more.
Waits for nothing itself: the agent does. Proven by tests/unit/ui/test_retry_countdown.py and
tests/pilot/test_retry.py.
"""

import math
from collections.abc import Callable
from dataclasses import replace
from typing import Protocol

from caramelo_tui.domain.agent_events import (
    AgentEvent,
    AssistantReplied,
    RetryScheduled,
    RunEnded,
    TextStreamed,
    ThinkingStreamed,
    ToolCallStreamed,
    TurnStarted,
)
from caramelo_tui.domain.ids import Clock
from caramelo_tui.ui.panes.status_bar import StatusView

TICK_S = 1.0
"""Seconds between two looks at the clock; whole seconds are shown."""
TRYING = "trying again"
"""What the bar says from the end of the wait to the first sign of an answer."""

_SIGNS = (
    TextStreamed,
    ThinkingStreamed,
    ToolCallStreamed,
    AssistantReplied,
    TurnStarted,
    RunEnded,
)
"""Events of the main agent after which nothing waits any more."""


class Ticking(Protocol):
    """What ticks until it is stopped; a timer."""

    def stop(self) -> None:
        """Tick no more."""
        ...


class RetryCountdown:
    """The countdown of the main agent's request; sub-agents' are told by notices alone."""

    def __init__(
        self,
        *,
        clock: Clock,
        change_status: Callable[[Callable[[StatusView], StatusView]], None],
        start_ticking: Callable[[float, Callable[[], None]], Ticking],
    ) -> None:
        """Wire it.

        Args:
            clock: Measures the wait.
            change_status: Changes what the status bar shows.
            start_ticking: Calls back every so many seconds until it is stopped.
        """
        self._clock = clock
        self._change_status = change_status
        self._start_ticking = start_ticking
        self._ticking: Ticking | None = None
        self._attempt = 0
        self._ends_at = 0.0

    def take(self, event: AgentEvent) -> None:
        """Begin or end the countdown, if the event means that."""
        if event.head.agent:
            return
        if isinstance(event, RetryScheduled):
            self._stop()
            self._attempt = event.attempt
            self._ends_at = self._clock.monotonic() + event.wait_s
            self._ticking = self._start_ticking(TICK_S, self._show)
            self._show()
        elif self._attempt and isinstance(event, _SIGNS):
            self._stop()
            self._attempt = 0
            self._say("")

    def _show(self) -> None:
        left_s = math.ceil(self._ends_at - self._clock.monotonic())
        if left_s > 0:
            self._say(f"retry {self._attempt} in {left_s:,} s")
            return
        self._stop()
        self._say(TRYING)

    def _stop(self) -> None:
        if self._ticking is not None:
            self._ticking.stop()
            self._ticking = None

    def _say(self, activity: str) -> None:
        self._change_status(lambda view: replace(view, activity=activity))
