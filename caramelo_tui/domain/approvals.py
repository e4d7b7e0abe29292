"""Questions to the user and their answers.

Owns requests and answers; the futures behind them belong to the approval broker. An answer
counts only for the request whose id and fingerprints it names. Proven by
tests/unit/agent/test_approval_broker.py.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from caramelo_tui.domain.decisions import CommandPart
from caramelo_tui.domain.diffs import WriteProposal
from caramelo_tui.domain.ids import ApprovalId, CallId, HunkId
from caramelo_tui.domain.tool_calls import Action, CommandLine


@dataclass(frozen=True, slots=True, kw_only=True)
class CommandRequest:
    """May this literal command run?"""

    id: ApprovalId
    call_id: CallId
    fingerprint: str
    tool: str
    command: CommandLine
    cwd_shown: str
    """Absolute resolved start folder."""
    parts: tuple[CommandPart, ...]
    reason: str
    """Why it is asked, from the decision."""
    note: str = ""
    """Said above the command, such as that a write before it was rejected."""
    agent_title: str = ""
    """Title of the asking sub-agent; empty for the main agent."""
    is_sandboxed: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ActionRequest:
    """May this be done: a commit, a request to the web, a skill's tool?"""

    id: ApprovalId
    call_id: CallId
    fingerprint: str
    tool: str
    action: Action
    reason: str
    """Why it is asked, from the decision."""
    note: str = ""
    """Said above it, such as that a write before it was rejected."""
    agent_title: str = ""
    """Title of the asking sub-agent; empty for the main agent."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ProposedWrite:
    """One write call within a review."""

    call_id: CallId
    fingerprint: str
    tool: str
    proposal: WriteProposal
    reason: str
    """Why it is asked."""
    warning: str = ""
    """Said at the file, such as a protected path or further hard links."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewRequest:
    """Which hunks of these writes may be written?"""

    id: ApprovalId
    writes: tuple[ProposedWrite, ...]
    """In the model's order; several may stand on one file."""
    note: str = ""
    """Such as that a proposal was made again because its file changed."""
    agent_title: str = ""


ApprovalRequest = CommandRequest | ActionRequest | ReviewRequest
"""A question that waits for the user."""


class CommandAction(StrEnum):
    """What the user may answer to a command, and (but for ``EDIT``) to an action."""

    RUN = "run"
    EDIT = "edit"
    """Run ``CommandAnswer.command`` instead; it is validated and decided again."""
    DENY = "deny"
    STOP = "stop"
    """Deny and end the run."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CommandAnswer:
    """The answer to a ``CommandRequest`` or an ``ActionRequest``."""

    action: CommandAction
    command: str | None = None
    """For ``EDIT``: the new literal command."""
    remark: str = ""
    """For the model, with a denial."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Remark:
    """What the user says about a proposal."""

    path: str
    text: str
    line: int | None = None
    """Line after the edit, 1-based; ``None``: about the whole file."""
    excerpt: str = ""
    """The line itself, as shown."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewAnswer:
    """The answer to a ``ReviewRequest``; a hunk that is not named is rejected."""

    accepted: Mapping[HunkId, bool] = field(default_factory=dict[HunkId, bool])
    remarks: tuple[Remark, ...] = ()
    stops_run: bool = False
    edited: Mapping[CallId, str] = field(default_factory=dict[CallId, str])
    """Whole files as the user edited them, by the write whose proposal they take the place of;
    ``accepted`` then names the hunks of ``agent.review.edited_write``."""


ApprovalAnswer = CommandAnswer | ReviewAnswer
"""An answer of the user."""


class ApprovalOutcome(StrEnum):
    """How a question was settled."""

    APPROVED = "approved"
    EDITED = "edited"
    PARTLY = "partly"
    DENIED = "denied"
    STOPPED = "stopped"
    WITHDRAWN = "withdrawn"
    """Nobody answered: the run was interrupted or the program closes. Never an approval."""
    REPLACED = "replaced"
    """The question became stale and was asked again under another id."""
