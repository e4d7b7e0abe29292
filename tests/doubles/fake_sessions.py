"""Stored sessions that a test sets by hand."""

from dataclasses import dataclass, field
from pathlib import Path

from caramelo_tui.domain.agent_events import AgentEvent
from caramelo_tui.domain.ids import CallId, RunId, SessionId
from caramelo_tui.domain.sessions import (
    ExportForm,
    Fork,
    SessionSummary,
    SessionTrouble,
    StoredCall,
)


@dataclass(slots=True)
class FakeSessions:
    """Answers from fields, and remembers what it was asked."""

    current: SessionId | None = field(default_factory=lambda: SessionId("s-now"))
    earlier: tuple[AgentEvent, ...] = ()
    unkept: str = ""
    found: tuple[SessionSummary, ...] = ()
    searched: list[str] = field(default_factory=list[str])
    """Words that were searched for, in order."""
    forked: list[RunId | None] = field(default_factory=list[RunId | None])
    """First runs that forks leave out, in order."""
    exported: list[tuple[ExportForm, str]] = field(default_factory=list[tuple[ExportForm, str]])
    calls: dict[CallId, StoredCall] = field(default_factory=dict[CallId, StoredCall])
    """What the session file has of calls."""
    problem: str = ""
    """Why nothing can be done; empty: everything can."""

    async def list(self, words: str = "") -> tuple[SessionSummary, ...]:
        """Return what was found."""
        self.searched.append(words)
        self._refuse()
        return self.found

    async def fork(self, *, before: RunId | None = None) -> Fork:
        """Remember the place."""
        self._refuse()
        self.forked.append(before)
        return Fork(id=SessionId("s-fork"), prompt="" if before is None else "asked before")

    async def call(self, call_id: CallId) -> StoredCall | None:
        """Return what is kept of a call."""
        return self.calls.get(call_id)

    async def export(self, form: ExportForm, target: str = "") -> Path:
        """Remember form and file."""
        self._refuse()
        self.exported.append((form, target))
        return Path("/home/project") / (target or f"caramelo-s-now.{form.value}")

    def _refuse(self) -> None:
        if self.problem:
            raise SessionTrouble(self.problem)
