"""Keep what the pipeline knows of one call, and say what a turn came to.

Owns the state of a call between its start and its end, and what a permission is (I2). Decides
nothing and does nothing. Proven by tests/unit/agent/test_call_records.py.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TypeVar

from caramelo_tui.agent.review import WriteOutcome
from caramelo_tui.domain.approvals import Remark
from caramelo_tui.domain.decisions import Decision
from caramelo_tui.domain.diffs import ChangeSet, WriteProposal, changed_lines
from caramelo_tui.domain.files import FileStamp
from caramelo_tui.domain.ids import HunkId
from caramelo_tui.domain.tool_calls import (
    ActionKind,
    CallState,
    Effect,
    JsonValue,
    PreparedCall,
    ToolCall,
    ToolResult,
)
from caramelo_tui.tools.base import Tool, ToolOutput

_T = TypeVar("_T")


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnOutcome:
    """What a turn's calls came to."""

    results: tuple[ToolResult, ...]
    """One for each call, in the model's order."""
    stops_run: bool = False
    """Whether the user stopped the run in an approval."""
    refused_calls: int = 0
    """Calls refused because nobody could approve them."""
    summary: str | None = None
    """What the model said when it ended the run by ``task_done``; ``None``: it did not."""
    invalid_argument_calls: int = 0
    """Calls in a row, up to the turn's last, whose arguments were no JSON object; counted on
    over turns."""

    @property
    def has_invalid_arguments(self) -> bool:
        """Whether the turn ended with calls whose arguments were no JSON object."""
        return self.invalid_argument_calls > 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Finish:
    """How a call ended, before it is reported."""

    output: ToolOutput
    state: CallState
    is_cached: bool = False
    cache_age_s: float = 0.0
    changes: ChangeSet | None = None


def required(value: _T | None) -> _T:
    """Return what an earlier stage must have left.

    Raises:
        RuntimeError: If it did not: a fault of the pipeline, never of a call.
    """
    if value is None:
        raise RuntimeError("a stage of the call was left out")
    return value


@dataclass(slots=True)
class CallRecord:
    """One call on its way from start to finish; changed by the pipeline only."""

    index: int
    """Place in the turn, from 0."""
    call: ToolCall
    tool: Tool | None = None
    arguments: Mapping[str, JsonValue] | None = None
    """Validated; ``None`` before that."""
    prepared: PreparedCall | None = None
    decision: Decision | None = None
    permission: str | None = None
    """Fingerprint that the policy or the user allowed; nothing else may run."""
    result: ToolResult | None = None
    """The reported result; final."""
    ready: Finish | None = None
    """How it ended, to be reported at its place in the turn."""
    ran_at: float | None = None
    """Monotonic time when execution began."""
    ended_at: float | None = None
    """Monotonic time when execution ended; the report may wait for its place in the turn."""
    known: Mapping[str, FileStamp | None] = field(default_factory=dict[str, "FileStamp | None"])
    """What the model knows after a success; a stamp is from before a read and after a write."""
    edited_command: str | None = None
    """The command that the user put in place of the model's."""
    is_deferred: bool = False
    """Whether it is prepared and asked at its place only, since calls before it change what it
    would do."""
    told_fallen: frozenset[int] = frozenset()
    """Earlier writes of which the user knew that they fell when allowing this command."""
    accepted: Mapping[HunkId, bool] | None = None
    """The user's answer to a write; ``None`` while it is open."""
    remarks: tuple[Remark, ...] = ()
    proposed_after: bytes | None = None
    """What the model proposed, where the user edited a write; ``None``: the user did not."""
    outcome: WriteOutcome | None = None
    """What the answers to a write come to."""
    why_again: str = ""
    """Why a write is asked again."""
    is_moved: bool = False
    """Whether the file changed on disk since the proposal was made."""
    times_stale: int = 0
    """How often the file changed under an answered write."""
    _counted: tuple[PreparedCall | None, int] = (None, 0)
    """For which proposal lines were counted last, and how many they are."""

    @property
    def is_finished(self) -> bool:
        """Whether the result is reported."""
        return self.result is not None

    @property
    def effect(self) -> Effect | None:
        """Kind of the call; ``None`` for an unknown tool.

        A prepared call can be less than its tool: listing branches only reads.
        """
        if self.prepared is not None:
            return self.prepared.effect
        return self.tool.effect if self.tool is not None else None

    @property
    def is_write(self) -> bool:
        """Whether the call writes a file through a review."""
        return self.effect is Effect.WRITE

    @property
    def is_asked(self) -> bool:
        """Whether the policy wants the user's answer."""
        return self.decision is not None and self.decision.is_ask

    @property
    def kind(self) -> ActionKind | None:
        """What an action does; ``None`` for other calls, and before it is prepared."""
        action = self.prepared.action if self.prepared is not None else None
        return action.kind if action is not None else None

    @property
    def proposal(self) -> WriteProposal | None:
        """The proposed change of a write; ``None`` for other calls, and before it is made."""
        return self.prepared.proposal if self.prepared is not None else None

    @property
    def path(self) -> str | None:
        """The file that a write changes; ``None`` where there is no proposal."""
        return self.proposal.path if self.proposal is not None else None

    @property
    def proposed_lines(self) -> int:
        """Changed lines of the proposal, counted once; 0 for other calls."""
        if self._counted[0] is not self.prepared:
            proposal = self.proposal
            lines = 0 if proposal is None else changed_lines(proposal.hunks)
            self._counted = (self.prepared, lines)
        return self._counted[1]

    @property
    def is_done(self) -> bool:
        """Whether nothing of it is to come but, at most, the report of its end."""
        return self.result is not None or self.ready is not None

    @property
    def is_turned_down(self) -> bool:
        """Whether the user rejected all hunks of a write."""
        return self.accepted is not None and not any(self.accepted.values())

    @property
    def label(self) -> str:
        """How the user knows the call: its summary, or its tool's name."""
        return self.prepared.summary if self.prepared is not None else self.call.name

    @property
    def answers(self) -> Mapping[HunkId, bool] | None:
        """What is accepted of a write: the user's answer, or all where nobody is asked.

        ``None``: the user still has to answer. A proposal that changes nothing is not asked.
        """
        proposal = self.proposal
        if proposal is None:
            return None
        changes_nothing = proposal.before == proposal.after
        if self.is_asked and not changes_nothing:
            return self.accepted
        return {hunk.id: True for hunk in proposal.hunks}

    @property
    def is_open(self) -> bool:
        """Whether this is a write whose answer is still out."""
        return self.is_write and not self.is_finished and self.answers is None

    @property
    def has_fallen(self) -> bool:
        """Whether a write is not (going to be) applied as the model proposed it."""
        if not self.is_write:
            return False
        if self.result is not None and self.result.is_error:
            return True
        return self.outcome is not None and not self.outcome.is_whole

    @property
    def is_permitted(self) -> bool:
        """Whether what would run now is what was allowed (I2).

        The fingerprint is computed anew, so that a change of the prepared call after it was
        shown is noticed.
        """
        if self.prepared is None or self.permission is None:
            return False
        return replace(self.prepared).fingerprint == self.permission

    def reopen(self, why: str) -> None:
        """Void the answer to a write and its permission."""
        self.accepted = None
        self.permission = None
        self.outcome = None
        self.remarks = ()
        self.proposed_after = None
        self.why_again = why
