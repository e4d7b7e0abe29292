"""Say what a stored session left behind, as its next run needs it.

Owns what is read out of the events beside the transcript: tokens, changed lines, names that are
taken, active skills, what the model was last told of the mode, prompts that waited. Approvals,
grants and the approval mode are none of it: they are given anew. Pure. Proven by
tests/unit/agent/test_resume.py.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field

from caramelo_tui.agent.conversation import PLAN_BEGINS, PLAN_ENDS
from caramelo_tui.domain.agent_events import (
    AgentEvent,
    AssistantReplied,
    DiffCounted,
    ModelChanged,
    NoteAdded,
    RunStarted,
    SessionResumed,
    SkillActivated,
    SubagentStarted,
    ToolCallStarted,
    TurnStarted,
    UsageReported,
)
from caramelo_tui.domain.ids import CallId
from caramelo_tui.domain.usage import Usage

RESUMED = (
    "Note: the session was interrupted here and goes on now. Files may have changed meanwhile, "
    "also those that you have read or written: read them again before you rely on them."
)
"""What the model is told when its session goes on."""


@dataclass(slots=True, kw_only=True)
class Remains:
    """What the events of a session come to."""

    runs: int = 0
    usage: Usage = field(default_factory=Usage)
    """Of the session, sub-agents included."""
    changed_lines: int = 0
    """What the limits of changed lines have counted."""
    skills: dict[str, bool] = field(default_factory=dict[str, bool])
    """Skills that the user activated by name, and whether the model was told."""
    is_plan_told: bool = False
    """Whether the model was last told that mode plan is on."""
    provider: str = ""
    """Whose model had the last word; empty when nothing was asked."""
    model: str = ""
    call_ids: set[CallId] = field(default_factory=set[CallId])
    titles: set[str] = field(default_factory=set[str])
    """Of sub-agents."""
    resumptions: int = 0
    """How often the session was taken up before."""


def remains_of(events: Iterable[AgentEvent]) -> Remains:
    """Return what a session's events come to."""
    remains = Remains()
    for event in events:
        _take_names(remains, event)
        _take_counts(remains, event)
        if not event.head.agent:
            _take_told(remains, event)
    return remains


def _take_names(remains: Remains, event: AgentEvent) -> None:
    match event:
        case AssistantReplied():
            remains.call_ids.update(call.id for call in event.message.calls)
        case ToolCallStarted():
            remains.call_ids.add(event.call_id)
        case SubagentStarted():
            remains.titles.add(event.title)
        case _:
            pass


def _take_counts(remains: Remains, event: AgentEvent) -> None:
    match event:
        case RunStarted():
            remains.runs += 1
            remains.provider, remains.model = event.provider, event.model
        case ModelChanged():
            remains.provider, remains.model = event.provider, event.model
        case UsageReported():
            remains.usage = event.session_usage
        case DiffCounted():
            remains.changed_lines = event.changed_lines
        case SessionResumed():
            remains.resumptions += 1
        case _:
            pass


def _take_told(remains: Remains, event: AgentEvent) -> None:
    match event:
        case SkillActivated():
            remains.skills[event.name] = False
        case TurnStarted():
            # A request tells of all that is active by then.
            remains.skills = dict.fromkeys(remains.skills, True)
        case NoteAdded(text=text) if text in {PLAN_BEGINS, PLAN_ENDS}:
            remains.is_plan_told = text == PLAN_BEGINS
        case _:
            pass
