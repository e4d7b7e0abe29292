"""Everything that happens in the agent, as values.

Owns the closed union ``AgentEvent``, the only thing that the UI, the JSON output and the
session file consume. Invariants (tested in tests/property/test_event_invariants.py):

- I1 every ``ToolCallStarted`` is followed by exactly one ``ToolCallFinished``.
- I2 a tool executes only under an allowing decision or an approval with its fingerprint.
- I3 a cache hit equals what execution would give on the disk as it is now.
- I4 the transcript is always valid for a provider.
- I5 no file outside the root is opened.
- I6 one ``RunEnded`` per ``RunStarted``, one ``TurnEnded`` per ``TurnStarted``; ``seq``
  rises by one without a gap.
- I7 a closed or interrupted approval is never an approval.
"""

from dataclasses import dataclass, field
from enum import StrEnum

from caramelo_tui.domain.approvals import ApprovalOutcome, ApprovalRequest
from caramelo_tui.domain.context_events import (
    ContextCompacted as ContextCompacted,  # noqa: PLC0414 - read from here with the events
)
from caramelo_tui.domain.context_events import (
    ContextMeasured as ContextMeasured,  # noqa: PLC0414 - read from here with the events
)
from caramelo_tui.domain.context_events import (
    SpendingCounted as SpendingCounted,  # noqa: PLC0414 - read from here with the events
)
from caramelo_tui.domain.decisions import ApprovalMode, Decision
from caramelo_tui.domain.diffs import ChangeSet
from caramelo_tui.domain.event_head import (
    AgentEventBase as AgentEventBase,  # noqa: PLC0414 - read from here with the events
)
from caramelo_tui.domain.event_head import (
    EventHead as EventHead,  # noqa: PLC0414 - read from here with the events
)
from caramelo_tui.domain.files import ChangeOrigin, FileChange
from caramelo_tui.domain.ids import ApprovalId, CallId, SessionId
from caramelo_tui.domain.messages import AssistantMessage, ImageAttachment
from caramelo_tui.domain.model_events import (
    ModelChanged as ModelChanged,  # noqa: PLC0414 - read from here with the events
)
from caramelo_tui.domain.session_events import (
    NoteAdded as NoteAdded,  # noqa: PLC0414 - read from here with the events
)
from caramelo_tui.domain.session_events import (
    SessionResumed as SessionResumed,  # noqa: PLC0414 - read from here with the events
)
from caramelo_tui.domain.session_events import (
    SkillActivated as SkillActivated,  # noqa: PLC0414 - read from here with the events
)
from caramelo_tui.domain.tool_calls import ToolResult
from caramelo_tui.domain.undo_events import (
    ChangesUndone as ChangesUndone,  # noqa: PLC0414 - read from here with the events
)
from caramelo_tui.domain.usage import Usage

FORMAT_VERSION = 1
"""Version of the event format in session files and ``run --json``."""


class Ending(StrEnum):
    """How a run ended."""

    COMPLETED = "completed"
    INCOMPLETE = "incomplete"
    MAX_TURNS = "max_turns"
    CANCELLED = "cancelled"
    ABORTED = "aborted"
    ERROR = "error"


class NoticeLevel(StrEnum):
    """How loud a notice is."""

    INFO = "info"
    WARNING = "warning"
    ERROR = "error"


class OutputStream(StrEnum):
    """Which stream of a command."""

    STDOUT = "stdout"
    STDERR = "stderr"


@dataclass(frozen=True, slots=True, kw_only=True)
class RunStarted(AgentEventBase):
    """A prompt was taken; the run begins."""

    session_id: SessionId
    prompt: str
    provider: str
    model: str
    mode: ApprovalMode
    profile: str
    is_trusted: bool
    images: tuple[ImageAttachment, ...] = ()
    """Images that went with the prompt."""
    is_retry: bool = False
    """Whether the last run's failed request is sent again: the prompt, which is that run's, is in
    the transcript, and what came of the broken answer is taken out of it."""
    format_version: int = FORMAT_VERSION


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnStarted(AgentEventBase):
    """A request goes out."""

    number: int
    """Turn within the run, from 1."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TextStreamed(AgentEventBase):
    """More answer text."""

    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ThinkingStreamed(AgentEventBase):
    """More thinking text."""

    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class AssistantReplied(AgentEventBase):
    """The model's message is whole (or what came of it, when the stream broke)."""

    message: AssistantMessage


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolCallStreamed(AgentEventBase):
    """A call's arguments grow; before ``ToolCallStarted``."""

    call_id: CallId
    tool: str
    fragment: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolCallStarted(AgentEventBase):
    """A whole call was taken from a properly ended turn."""

    call_id: CallId
    tool: str
    arguments_json: str
    summary: str = ""
    """Short arguments for one row; best effort, before validation."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolCallDecided(AgentEventBase):
    """The policy decided; not sent for calls that could not be prepared."""

    call_id: CallId
    decision: Decision
    summary: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ApprovalRequested(AgentEventBase):
    """The user is asked."""

    request: ApprovalRequest


@dataclass(frozen=True, slots=True, kw_only=True)
class ApprovalSettled(AgentEventBase):
    """A question is closed; exactly one for each ``ApprovalRequested``."""

    approval_id: ApprovalId
    outcome: ApprovalOutcome
    detail: str = ""
    """The remark, or the edited command."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolExecutionStarted(AgentEventBase):
    """The tool itself begins (not sent for cache hits and refusals)."""

    call_id: CallId


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolOutputStreamed(AgentEventBase):
    """Live output of a running command."""

    call_id: CallId
    stream: OutputStream
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolCallFinished(AgentEventBase):
    """The one end of a call, whatever happened."""

    call_id: CallId
    tool: str
    result: ToolResult
    duration_ms: int
    """Wall time of execution; 0 when nothing ran."""
    is_cached: bool = False
    cache_age_s: float = 0.0
    """Age of a cached answer."""
    changes: ChangeSet | None = None
    """What was really written."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FilesChanged(AgentEventBase):
    """Files changed on disk."""

    origin: ChangeOrigin
    changes: tuple[FileChange, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class UsageReported(AgentEventBase):
    """The provider counted a turn."""

    usage: Usage
    """Of this turn."""
    session_usage: Usage
    """Of the session so far."""
    context_window: int | None
    """Tokens the model can hold; ``None`` when unknown."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RetryScheduled(AgentEventBase):
    """A request failed before any content and will be sent again."""

    attempt: int
    """The try that failed, from 1."""
    wait_s: float
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class NoticeRaised(AgentEventBase):
    """Something the user should know."""

    level: NoticeLevel
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class QueueChanged(AgentEventBase):
    """The prompts that wait: for the end of the run, or for its next turn."""

    prompts: tuple[str, ...]
    """For the end of the run, oldest first."""
    steering: tuple[str, ...] = ()
    """For the next turn of the run under way, oldest first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PromptSteered(AgentEventBase):
    """The run under way was given a further prompt; the turn's request has it."""

    text: str
    images: tuple[ImageAttachment, ...] = ()
    """Images that went with it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BackgroundProcess:
    """A process that a command left running."""

    pid: int
    command: str
    call_id: CallId


@dataclass(frozen=True, slots=True, kw_only=True)
class BackgroundChanged(AgentEventBase):
    """The processes that finished commands left running."""

    processes: tuple[BackgroundProcess, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class CacheCounted(AgentEventBase):
    """How the session's cache does; sent at the end of a turn that changed it."""

    hits: int
    misses: int
    """Look-ups of cacheable calls that had to run."""
    entries: int
    kept_bytes: int


@dataclass(frozen=True, slots=True, kw_only=True)
class DiffCounted(AgentEventBase):
    """The session's count of changed lines, or one of its limits, changed."""

    changed_lines: int
    """Added and removed lines of all writes so far, sub-agents' included."""
    deny_above: int | None
    """A write whose projected total is above it is refused; ``None``: no limit."""
    ask_above: int | None
    """A write whose projected total is above it asks; ``None``: no limit."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SubagentStarted(AgentEventBase):
    """A sub-agent begins; the events with its title in their heads are its own."""

    call_id: CallId
    """The parent's call."""
    title: str
    """Unique in the session."""
    role: str
    model: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SubagentEnded(AgentEventBase):
    """A sub-agent stopped; exactly one for each ``SubagentStarted``."""

    call_id: CallId
    title: str
    ending: Ending
    usage: Usage
    turns: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnEnded(AgentEventBase):
    """All calls of a turn are answered."""

    number: int


@dataclass(frozen=True, slots=True, kw_only=True)
class RunEnded(AgentEventBase):
    """The agent stopped."""

    ending: Ending
    refused_calls: int
    """Calls refused because nobody could approve them (headless)."""
    text: str = ""
    """The last assistant text."""
    error: str = ""
    """What went wrong, for ``Ending.ERROR``."""
    can_retry: bool = False
    """Whether the request that failed may be answered when it is sent again."""
    usage: Usage = field(default_factory=Usage)
    """Of this run."""


AgentEvent = (
    RunStarted
    | TurnStarted
    | TextStreamed
    | ThinkingStreamed
    | AssistantReplied
    | ToolCallStreamed
    | ToolCallStarted
    | ToolCallDecided
    | ApprovalRequested
    | ApprovalSettled
    | ToolExecutionStarted
    | ToolOutputStreamed
    | ToolCallFinished
    | FilesChanged
    | ChangesUndone
    | UsageReported
    | RetryScheduled
    | ContextMeasured
    | ContextCompacted
    | SpendingCounted
    | NoticeRaised
    | QueueChanged
    | PromptSteered
    | ModelChanged
    | NoteAdded
    | SkillActivated
    | SessionResumed
    | BackgroundChanged
    | CacheCounted
    | DiffCounted
    | SubagentStarted
    | SubagentEnded
    | TurnEnded
    | RunEnded
)
"""Anything that happens in the agent."""
