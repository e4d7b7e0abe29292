"""Report the begin and the end of a run.

Owns which events frame the run of the main agent. A sub-agent's are in ``subagents``. Proven by
tests/unit/agent/test_run_loop.py.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from caramelo_tui.agent.event_stream import EventStream
from caramelo_tui.domain.agent_events import (
    AgentEvent,
    Ending,
    EventHead,
    NoticeLevel,
    RunEnded,
    RunStarted,
)
from caramelo_tui.domain.decisions import ApprovalMode
from caramelo_tui.domain.ids import RunId, SessionId, TurnId
from caramelo_tui.domain.messages import ImageAttachment
from caramelo_tui.domain.usage import Usage


@dataclass(frozen=True, slots=True, kw_only=True)
class RunReport:
    """What a run came to."""

    ending: Ending
    refused_calls: int
    """Calls that nobody could approve."""
    text: str
    """The last words: of ``task_done``, or of the model."""
    error: str
    can_retry: bool
    """Whether the run's last request may be answered when it is sent again."""
    notice: str
    """What the user should know about the ending; empty: nothing."""
    usage: Usage
    """Of this run, sub-agents included."""
    turns: int


class RunEvents(Protocol):
    """Where a run's events go; the event stream, or a sub-agent's part of it."""

    def emit(self, make: Callable[[EventHead], AgentEvent], *, agent: str = "") -> AgentEvent:
        """Build the next event from its head and show it to all readers."""
        ...

    def events_since(self, seq: int) -> tuple[AgentEvent, ...]:
        """Return the run's events with the number ``seq`` and above, in order."""
        ...

    def raise_notice(self, level: NoticeLevel, text: str) -> None:
        """Emit a notice."""
        ...

    def begin_run(self, run_id: RunId) -> None:
        """Stamp the events from now on with a run."""
        ...

    def begin_turn(self, turn_id: TurnId) -> None:
        """Stamp the events from now on with a turn."""
        ...

    def end_turn(self) -> None:
        """Stamp no turn any more."""
        ...

    def end_run(self) -> None:
        """Stamp no run any more."""
        ...


class RunFrame(Protocol):
    """Who reports that a run begins and ends."""

    def begin(
        self,
        prompt: str,
        mode: ApprovalMode,
        *,
        images: tuple[ImageAttachment, ...] = (),
        is_retry: bool = False,
    ) -> None:
        """Report the begin; called once for each run.

        Args:
            prompt: What the person wrote; for a retry, what the broken run had been asked.
            mode: Approval mode at the start.
            images: What goes with the words.
            is_retry: Whether the run goes on where one broke off.
        """
        ...

    def end(self, report: RunReport) -> None:
        """Report the end; called exactly once after each ``begin``. Never waits."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionFacts:
    """What holds for every run of a session; ``RunStarted`` says most of it."""

    session_id: SessionId
    provider: str
    """Name for display."""
    model: str
    profile: str
    is_trusted: bool


def _same(facts: SessionFacts) -> SessionFacts:
    return facts


def nothing() -> None:
    """Do nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MainFrame:
    """The frame of the main agent's runs: ``RunStarted`` and ``RunEnded``."""

    events: EventStream
    facts: SessionFacts
    behind_begin: Callable[[], None] = nothing
    """Called once the begin of a run is reported, for what the run's readers should know."""
    facts_now: Callable[[SessionFacts], SessionFacts] = _same
    """Returns what holds for the run that begins; the model may have changed."""

    def begin(
        self,
        prompt: str,
        mode: ApprovalMode,
        *,
        images: tuple[ImageAttachment, ...] = (),
        is_retry: bool = False,
    ) -> None:
        """Emit ``RunStarted``."""
        facts = self.facts_now(self.facts)
        self.events.emit(
            lambda head: RunStarted(
                head=head,
                session_id=facts.session_id,
                prompt=prompt,
                images=images,
                provider=facts.provider,
                model=facts.model,
                mode=mode,
                profile=facts.profile,
                is_trusted=facts.is_trusted,
                is_retry=is_retry,
            )
        )
        self.behind_begin()

    def end(self, report: RunReport) -> None:
        """Emit ``RunEnded``, behind the notice about it."""
        if report.notice:
            self.events.raise_notice(NoticeLevel.WARNING, report.notice)
        self.events.emit(
            lambda head: RunEnded(
                head=head,
                ending=report.ending,
                refused_calls=report.refused_calls,
                text=report.text,
                error=report.error,
                can_retry=report.can_retry,
                usage=report.usage,
            )
        )
