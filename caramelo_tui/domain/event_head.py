"""Hold what every event carries.

Owns the head and the common part of events; the events themselves are ``agent_events``'. Proven
by tests/property/test_codec.py.
"""

from dataclasses import dataclass

from caramelo_tui.domain.ids import RunId, TurnId


@dataclass(frozen=True, slots=True, kw_only=True)
class EventHead:
    """What every event carries."""

    seq: int
    """Strictly rising by one within a session, from 1."""
    at: float
    """Seconds since the Unix epoch, UTC."""
    run_id: RunId | None = None
    """``None`` for what happens between runs."""
    turn_id: TurnId | None = None
    """``None`` for what happens outside a turn."""
    agent: str = ""
    """Title of the sub-agent; empty for the main agent."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentEventBase:
    """Common part of all events."""

    head: EventHead
