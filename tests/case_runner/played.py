"""Hold what happened when a case was played, and what a check looks at.

Owns the record that ``by_hand``, ``agent_runs``, ``startups`` and ``streams`` fill and that the
checks read.
"""

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from caramelo_tui.domain.agent_events import AgentEvent, ToolCallFinished, ToolExecutionStarted
from caramelo_tui.domain.policy_settings import PolicySettings
from caramelo_tui.domain.tool_calls import ToolResult
from tests.case_runner.world import World
from tests.doubles.web_worlds import PlayedWeb

E = TypeVar("E")
FINISH_TOOL = "task_done"
"""Ends a run; it does nothing that ``executed`` is about."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sent:
    """A request that a model's server, or a proxy on the way to one, got."""

    at: float
    """Seconds of a steady clock."""
    host: str
    text: str
    """Headers and body."""
    body: Mapping[str, Any] = field(default_factory=dict[str, Any])


@dataclass(kw_only=True)
class Played:
    """What happened when a case was played."""

    acts: list[ToolResult | None] = field(default_factory=list)
    """One per entry of ``calls``, in order; ``None`` for an outside act. Of a run: all results."""
    cached: list[bool] = field(default_factory=list)
    """Whether each of ``acts`` came from the cache."""
    seconds: float = 0.0
    """Wall time of all calls."""
    worst_lag_s: float = 0.0
    """Longest stall of the event loop."""
    rss_growth_mb: float = 0.0
    """Growth of the process's peak memory."""
    approvals_asked: int = 0
    events: list[AgentEvent] = field(default_factory=list)
    """What happened during the calls."""
    survivors: list[str] = field(default_factory=list)
    """Files whose processes were alive, or that were not written, when the calls were over."""
    web: PlayedWeb | None = None
    model_requests: int = 0
    """How often the main agent's model was asked."""
    child_requests: list[int] = field(default_factory=list)
    """The same for each sub-agent, in order of start."""
    sent: list[Sent] = field(default_factory=list)
    can_retry: bool = False
    """Whether the agent can send the request of its last run again."""
    is_trust_asked: bool = False
    is_started: bool = False
    told: list[str] = field(default_factory=list)
    """What the user was told beside the conversation."""
    policies: tuple[PolicySettings, PolicySettings] | None = None
    """Of the user alone, and with the workspace's file."""
    listening: list[int] = field(default_factory=list)
    """Ports on which the program listens."""

    @property
    def results(self) -> list[ToolResult]:
        """The results of the calls, in order."""
        return [result for result in self.acts if result is not None]

    def of(self, kind: type[E]) -> list[E]:
        """Return the events of a kind, in order."""
        return [event for event in self.events if isinstance(event, kind)]

    @property
    def executed(self) -> list[str]:
        """Ids of the calls that did something, in order."""
        found: list[str] = []
        finishing = {e.call_id for e in self.of(ToolCallFinished) if e.tool == FINISH_TOOL}
        for event in self.events:
            match event:
                case ToolExecutionStarted():
                    found.append(event.call_id)
                case ToolCallFinished() if event.changes is not None:
                    found.append(event.call_id)
                case _:
                    pass
        return [call_id for call_id in dict.fromkeys(found) if call_id not in finishing]


@dataclass(kw_only=True)
class Look:
    """What one check looks at."""

    world: World
    played: Played
    result: ToolResult | None
    """The result under test; ``None`` when a case has several or none."""

    @property
    def text(self) -> str:
        """Text of the result, or of all results."""
        if self.result is not None:
            return self.result.text
        return "\n".join(result.text for result in self.played.results)


def look_at(world: World, played: Played) -> Look:
    """Return the look for a whole case: at its one result, or at all of them."""
    results = played.results
    return Look(world=world, played=played, result=results[0] if len(results) == 1 else None)


Check = Callable[[Look, Any], list[str]]
"""Returns the problems of one expectation."""


def differs(what: object, wanted: object) -> list[str]:
    """Return a problem when two values are not equal."""
    return [] if what == wanted else [f"wanted {wanted!r}, got {what!r}"[:1500]]


def found_of(texts: list[str], where: str, name: str) -> list[str]:
    """Return a problem for each text that stands where it must not."""
    return [f"{text!r} is in {name}" for text in texts if text in where]


def at_most(measure: Callable[[Look], float]) -> Check:
    """Return a check against an upper bound."""

    def compare(look: Look, wanted: float) -> list[str]:
        value = measure(look)
        return [] if value <= wanted else [f"wanted at most {wanted}, got {value:.1f}"]

    return compare


def at_least(measure: Callable[[Look], float]) -> Check:
    """Return a check against a lower bound."""

    def compare(look: Look, wanted: float) -> list[str]:
        value = measure(look)
        return [] if value >= wanted else [f"wanted at least {wanted}, got {value:.1f}"]

    return compare


def survivors_of(world: World, names: list[str]) -> list[str]:
    """Return the files whose process is alive, or that are not there."""
    return [name for name in names if _lives(world.path(name))]


def _lives(file: Path) -> bool:
    if not file.exists():
        return True
    pid = int(file.read_text())
    try:
        os.kill(pid, 0)
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state != "Z"
