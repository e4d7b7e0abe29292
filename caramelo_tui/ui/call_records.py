"""Remember each tool call for the tool log and its details.

Owns one growing record per call, folded from events in their order. Pure: draws nothing, asks
nothing. Proven by tests/unit/ui/test_call_records.py.
"""

from collections import OrderedDict, deque
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from enum import StrEnum

from caramelo_tui.domain.agent_events import (
    BackgroundChanged,
    BackgroundProcess,
    Ending,
    EventHead,
    SubagentEnded,
    SubagentStarted,
    ToolCallDecided,
    ToolCallFinished,
    ToolCallStarted,
    ToolCallStreamed,
    ToolExecutionStarted,
    ToolOutputStreamed,
    TurnStarted,
    UsageReported,
)
from caramelo_tui.domain.approvals import ProposedWrite
from caramelo_tui.domain.decisions import Decision
from caramelo_tui.domain.diffs import ChangeSet
from caramelo_tui.domain.ids import CallId
from caramelo_tui.domain.sessions import StoredCall
from caramelo_tui.domain.tool_calls import ToolResult
from caramelo_tui.domain.usage import Usage
from caramelo_tui.ui.call_filter import CallFilter

HELD_CHARACTERS = 2_000_000
"""Texts of ended calls that are held: some hundred calls; older ones are in the session file."""
TAIL_CHARACTERS = 65_536
"""Live output kept per running call; the whole of it is in the artifact."""


REPEATABLE_TOOLS = frozenset(
    {
        "file_read",
        "read_file",
        "list_dir",
        "list_files",
        "grep",
        "glob",
        "search_codebase",
        "git_status",
        "git_diff",
        "git_log",
    }
)
"""Tools whose answers are cached; their calls can be run again past the cache."""


class RowState(StrEnum):
    """What a call does now, in the words that rows show."""

    STREAMING = "streaming"
    VALIDATING = "validating"
    WAITING = "waiting"
    RUNNING = "running"
    OK = "ok"
    ERROR = "error"
    DENIED = "denied"
    REJECTED = "rejected"
    CACHED = "cached"
    CANCELLED = "cancelled"
    NOT_RUN = "not_run"
    BACKGROUND = "background"


LIVE_STATES = frozenset(
    {RowState.STREAMING, RowState.VALIDATING, RowState.WAITING, RowState.RUNNING}
)
"""States of a call that has no result yet."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Subagent:
    """The sub-agent that a call started."""

    title: str
    """Unique in the session; the calls with it in their record are its own."""
    role: str
    model: str
    turns: int = 0
    """Turns begun so far."""
    usage: Usage = field(default_factory=Usage)
    """Of all its turns so far."""
    ending: Ending | None = None
    """``None`` while it works."""


@dataclass(slots=True, kw_only=True)
class CallRecord:
    """All that is known of one call; grows with its events."""

    call_id: CallId
    tool: str
    started_at: float
    """Seconds since the epoch when the call was first heard of."""
    agent: str = ""
    """Title of the sub-agent; empty for the main agent."""
    state: RowState = RowState.STREAMING
    summary: str = ""
    arguments_json: str = ""
    """Argument text as streamed so far, later the whole."""
    decision: Decision | None = None
    result: ToolResult | None = None
    duration_ms: int | None = None
    """``None`` until the call ended."""
    cache_age_s: float = 0.0
    changes: ChangeSet | None = None
    proposed: tuple[int, int] | None = None
    """Lines that a write asks to add and to remove; ``None`` where nothing was reviewed."""
    subagent: Subagent | None = None
    """The sub-agent that this call started, if it did."""
    background: tuple[BackgroundProcess, ...] = ()
    """Processes that this call left running."""
    output_characters: int = 0
    """Characters of live output so far."""
    tail: deque[str] = field(default_factory=deque[str])
    """Last pieces of live output, together about ``TAIL_CHARACTERS``."""
    tail_characters: int = 0
    set_aside_bytes: int | None = None
    """Bytes of a result whose text is left to the session file; ``None`` while it is held."""

    @property
    def held_characters(self) -> int:
        """Characters of the texts of an ended call that are held here."""
        result = "" if self.result is None else self.result.text
        return len(self.arguments_json) + len(result)

    def set_aside(self) -> None:
        """Let go the texts of an ended call; all that its row shows stays."""
        if self.result is not None:
            self.set_aside_bytes = self.size_bytes
            self.result = replace(self.result, text="")
            self.arguments_json = ""

    def bring_back(self, stored: StoredCall) -> None:
        """Take the texts from the session file again."""
        self.set_aside_bytes = None
        self.result = stored.result
        self.arguments_json = stored.arguments_json

    @property
    def is_live(self) -> bool:
        """Whether the call has no result yet."""
        return self.state in LIVE_STATES

    @property
    def can_repeat(self) -> bool:
        """Whether it is worth asking the agent to run the call again: a read that succeeded."""
        return self.state in {RowState.OK, RowState.CACHED} and self.tool in REPEATABLE_TOOLS

    @property
    def tail_text(self) -> str:
        """The kept end of the live output."""
        return "".join(self.tail)

    @property
    def size_bytes(self) -> int | None:
        """Bytes of the result for the model; of the live output while it runs; or ``None``."""
        if self.set_aside_bytes is not None:
            return self.set_aside_bytes
        if self.result is not None:
            return len(self.result.text.encode("utf-8", "surrogatepass"))
        return self.output_characters or None

    @property
    def changed_lines(self) -> tuple[int, int] | None:
        """Lines added and removed: as written, else as proposed; ``None`` where none are."""
        if self.changes is None:
            return self.proposed
        return (
            sum(file.added_lines for file in self.changes.files),
            sum(file.removed_lines for file in self.changes.files),
        )

    def matches(self, wanted: CallFilter) -> bool:
        """Return whether a filter leaves the call."""
        state = self.state.replace("_", " ")
        row = f"{self.tool} {self.summary} {state} {self.agent}"
        return wanted.matches(state=self.state.value, tool=self.tool, row=row)

    def add_output(self, text: str) -> None:
        """Append live output, dropping the oldest pieces above the limit."""
        self.tail.append(text)
        self.output_characters += len(text)
        self.tail_characters += len(text)
        while self.tail_characters > TAIL_CHARACTERS and len(self.tail) > 1:
            self.tail_characters -= len(self.tail.popleft())


class CallRecords:
    """The calls of the session; those of a sub-agent stand below the call that started it."""

    def __init__(self) -> None:
        self._records: dict[CallId, CallRecord] = {}
        self._parents: dict[str, CallId] = {}
        """Title of a sub-agent to the call that started it."""
        self._held: OrderedDict[CallId, int] = OrderedDict()
        """Characters of the texts of ended calls, the oldest first."""
        self._held_characters = 0
        self.can_set_aside = False
        """Whether the texts of old calls can be had again from a session file."""

    def __iter__(self) -> Iterator[CallRecord]:
        """Iterate in order of first appearance, each sub-agent's calls behind their parent."""
        if not self._parents:
            yield from self._records.values()
            return
        children: dict[str, list[CallRecord]] = {title: [] for title in self._parents}
        main: list[CallRecord] = []
        for record in self._records.values():
            children.get(record.agent, main).append(record)
        for record in main:
            yield record
            if record.subagent is not None:
                yield from children.get(record.subagent.title, ())

    def __len__(self) -> int:
        """Count the calls."""
        return len(self._records)

    def get(self, call_id: CallId) -> CallRecord | None:
        """Return a call's record, or ``None`` when it was never heard of."""
        return self._records.get(call_id)

    def matching(self, words: str) -> tuple[CallRecord, ...]:
        """Return the records that a filter leaves, in order; all for an empty text."""
        if not words.strip():
            # Asked for at every event of every call: thousands of them must cost little.
            return tuple(self)
        wanted = CallFilter.read(words)
        return tuple(record for record in self if record.matches(wanted))

    def take_streamed(self, event: ToolCallStreamed) -> CallRecord:
        """Add a fragment of the arguments."""
        record = self._record(event.call_id, event.tool, event.head)
        record.arguments_json += event.fragment
        return record

    def take_started(self, event: ToolCallStarted) -> CallRecord:
        """Take the whole call."""
        record = self._record(event.call_id, event.tool, event.head)
        record.state = RowState.VALIDATING
        record.summary = event.summary
        record.arguments_json = event.arguments_json
        return record

    def take_decided(self, event: ToolCallDecided) -> CallRecord | None:
        """Note what the policy said."""
        record = self.get(event.call_id)
        if record is None:
            return None
        record.decision = event.decision
        record.summary = event.summary or record.summary
        if event.decision.is_ask:
            record.state = RowState.WAITING
        return record

    def take_subagent_started(self, event: SubagentStarted) -> CallRecord | None:
        """Note the sub-agent that a call started."""
        record = self.get(event.call_id)
        if record is None:
            return None
        record.subagent = Subagent(title=event.title, role=event.role, model=event.model)
        self._parents[event.title] = event.call_id
        return record

    def take_subagent_turn(self, event: TurnStarted | UsageReported) -> CallRecord | None:
        """Note how far a sub-agent is; ``None`` when its start was never heard of."""
        record = self._parent_of(event.head.agent)
        if record is None or record.subagent is None:
            return None
        if isinstance(event, TurnStarted):
            record.subagent = replace(record.subagent, turns=event.number)
        else:
            record.subagent = replace(record.subagent, usage=record.subagent.usage + event.usage)
        return record

    def take_subagent_ended(self, event: SubagentEnded) -> CallRecord | None:
        """Note how a sub-agent ended, and what it used in all."""
        record = self._parent_of(event.title)
        if record is None or record.subagent is None:
            return None
        record.subagent = replace(
            record.subagent, ending=event.ending, usage=event.usage, turns=event.turns
        )
        return record

    def take_proposed(self, write: ProposedWrite) -> CallRecord | None:
        """Note how much a write that waits for its review would change."""
        record = self.get(write.call_id)
        if record is not None:
            record.proposed = (write.proposal.added_lines, write.proposal.removed_lines)
        return record

    def take_executing(self, event: ToolExecutionStarted) -> CallRecord | None:
        """Note that the tool itself runs."""
        record = self.get(event.call_id)
        if record is not None:
            record.state = RowState.RUNNING
        return record

    def take_output(self, event: ToolOutputStreamed) -> CallRecord | None:
        """Add live output."""
        record = self.get(event.call_id)
        if record is not None:
            record.add_output(event.text)
        return record

    def take_finished(self, event: ToolCallFinished) -> CallRecord:
        """Note the end of a call."""
        record = self._record(event.call_id, event.tool, event.head)
        record.result = event.result
        record.duration_ms = event.duration_ms
        record.cache_age_s = event.cache_age_s
        # Rows and details show paths and hunks; whole files would add up over a session.
        record.changes = None if event.changes is None else event.changes.without_contents()
        record.state = RowState.CACHED if event.is_cached else RowState(event.result.state.value)
        if record.background:
            record.state = RowState.BACKGROUND
        # The result stands in the place of what was seen of it on the way.
        record.tail.clear()
        self._hold(record)
        return record

    def bring_back(self, record: CallRecord, stored: StoredCall) -> None:
        """Take the texts of a call that were set aside; it is the last to be set aside again."""
        record.bring_back(stored)
        self._hold(record)

    def _hold(self, record: CallRecord) -> None:
        """Hold the texts of an ended call, and set the oldest aside above the limit."""
        self._held_characters -= self._held.pop(record.call_id, 0)
        self._held[record.call_id] = record.held_characters
        self._held_characters += record.held_characters
        while (
            self.can_set_aside and self._held_characters > HELD_CHARACTERS and len(self._held) > 1
        ):
            call_id, characters = self._held.popitem(last=False)
            self._held_characters -= characters
            self._records[call_id].set_aside()

    def take_background(self, event: BackgroundChanged) -> tuple[CallRecord, ...]:
        """Note which processes run on; return the records that changed."""
        changed: list[CallRecord] = []
        for record in self:
            running = tuple(p for p in event.processes if p.call_id == record.call_id)
            if running != record.background:
                record.background = running
                record.state = _state_after_background(record)
                changed.append(record)
        return tuple(changed)

    def end_live(self) -> tuple[CallRecord, ...]:
        """Drop calls whose arguments were still streaming when the run ended; they never were.

        Returns:
            The dropped records.
        """
        dropped = tuple(r for r in self if r.state is RowState.STREAMING)
        for record in dropped:
            del self._records[record.call_id]
        return dropped

    def _parent_of(self, title: str) -> CallRecord | None:
        call_id = self._parents.get(title)
        return None if call_id is None else self.get(call_id)

    def _record(self, call_id: CallId, tool: str, head: EventHead) -> CallRecord:
        record = self._records.get(call_id)
        if record is None:
            record = CallRecord(call_id=call_id, tool=tool, started_at=head.at, agent=head.agent)
            self._records[call_id] = record
        return record


def _state_after_background(record: CallRecord) -> RowState:
    if record.result is None:
        return record.state
    return RowState.BACKGROUND if record.background else RowState(record.result.state.value)
