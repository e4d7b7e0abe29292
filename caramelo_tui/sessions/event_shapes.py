"""Say how each event and each value inside it is stored.

Owns the table of shapes, nothing else. A new event or field without its shape fails at
import. Proven by tests/unit/sessions/test_codec.py.
"""

from collections.abc import Mapping
from typing import Any

from caramelo_tui.domain import agent_events as events
from caramelo_tui.domain import approvals, decisions, diffs, messages
from caramelo_tui.domain.files import ChangeKind, ChangeOrigin, FileChange
from caramelo_tui.domain.ids import ApprovalId, CallId, HunkId, RunId, SessionId, TurnId
from caramelo_tui.domain.tool_calls import (
    Action,
    ActionFact,
    ActionKind,
    CallState,
    CommandLine,
    ToolCall,
    ToolResult,
)
from caramelo_tui.domain.undo import SwitchedHunk, UndoScope
from caramelo_tui.domain.usage import Usage
from caramelo_tui.sessions.json_shapes import (
    BYTES,
    COUNT,
    FLAG,
    MOMENT,
    NUMBER,
    TEXT,
    WHOLE,
    Shape,
    name_of,
    one_of,
    optional,
    record,
    sequence,
    word_of,
)

_CALL_ID = name_of(CallId)
_APPROVAL_ID = name_of(ApprovalId)
_LINES = sequence(TEXT)

_HEAD = record(
    events.EventHead,
    seq=COUNT,
    at=MOMENT,
    run_id=optional(name_of(RunId)),
    turn_id=optional(name_of(TurnId)),
    agent=TEXT,
)

_USAGE = record(
    Usage,
    input_tokens=COUNT,
    output_tokens=COUNT,
    cache_read_tokens=COUNT,
    cache_write_tokens=COUNT,
)
_BLOCK = one_of(
    text=(messages.TextBlock, record(messages.TextBlock, text=TEXT)),
    thinking=(
        messages.ThinkingBlock,
        record(
            messages.ThinkingBlock,
            text=TEXT,
            signature=optional(TEXT),
            redacted_data=optional(TEXT),
        ),
    ),
    call=(ToolCall, record(ToolCall, id=_CALL_ID, name=TEXT, arguments_json=TEXT)),
)
_MESSAGE = record(
    messages.AssistantMessage,
    blocks=sequence(_BLOCK),
    stop_reason=optional(word_of(messages.StopReason)),
    usage=_USAGE,
)
_IMAGES = sequence(
    record(messages.ImageAttachment, name=TEXT, media_type=TEXT, data=BYTES),
)
_RESULT = record(
    ToolResult,
    call_id=_CALL_ID,
    text=TEXT,
    is_error=FLAG,
    state=word_of(CallState),
    is_truncated=FLAG,
    artifact=optional(TEXT),
    exit_code=optional(WHOLE),
)
_DECISION = record(
    decisions.Decision,
    verdict=word_of(decisions.Verdict),
    reason=TEXT,
    rule=TEXT,
    origin=TEXT,
    code=TEXT,
)
_HUNK = record(
    diffs.Hunk,
    id=name_of(HunkId),
    old_start=COUNT,
    old_lines=_LINES,
    new_start=COUNT,
    new_lines=_LINES,
    context_before=_LINES,
    context_after=_LINES,
    kept=sequence(record(diffs.KeptLines, old=COUNT, new=COUNT, count=COUNT)),
)
_EDIT = one_of(
    search_replace=(
        diffs.SearchReplace,
        record(diffs.SearchReplace, search=TEXT, replace=TEXT),
    ),
    whole_content=(
        diffs.WholeContent,
        record(diffs.WholeContent, content=TEXT, can_overwrite=FLAG),
    ),
)
_PROPOSAL = record(
    diffs.WriteProposal,
    call_id=_CALL_ID,
    path=TEXT,
    shown_path=TEXT,
    edit=_EDIT,
    before=optional(BYTES),
    after=BYTES,
    hunks=sequence(_HUNK),
    base_hash=optional(TEXT),
    hard_links=COUNT,
)
_FILE_DIFF = record(
    diffs.FileDiff,
    path=TEXT,
    before=optional(BYTES),
    after=optional(BYTES),
    applied=sequence(_HUNK),
    rejected=sequence(_HUNK),
)
_CHANGES = record(diffs.ChangeSet, call_id=_CALL_ID, files=sequence(_FILE_DIFF))
_COMMAND_REQUEST = record(
    approvals.CommandRequest,
    id=_APPROVAL_ID,
    call_id=_CALL_ID,
    fingerprint=TEXT,
    tool=TEXT,
    command=record(CommandLine, command=TEXT, cwd=TEXT, timeout_ms=COUNT),
    cwd_shown=TEXT,
    parts=sequence(record(decisions.CommandPart, text=TEXT, risks=_LINES)),
    reason=TEXT,
    note=TEXT,
    agent_title=TEXT,
    is_sandboxed=FLAG,
)
_ACTION = record(
    Action,
    kind=word_of(ActionKind),
    title=TEXT,
    facts=sequence(record(ActionFact, label=TEXT, value=TEXT)),
    body=TEXT,
    asks_because=TEXT,
)
_ACTION_REQUEST = record(
    approvals.ActionRequest,
    id=_APPROVAL_ID,
    call_id=_CALL_ID,
    fingerprint=TEXT,
    tool=TEXT,
    action=_ACTION,
    reason=TEXT,
    note=TEXT,
    agent_title=TEXT,
)
_REVIEW_REQUEST = record(
    approvals.ReviewRequest,
    id=_APPROVAL_ID,
    writes=sequence(
        record(
            approvals.ProposedWrite,
            call_id=_CALL_ID,
            fingerprint=TEXT,
            tool=TEXT,
            proposal=_PROPOSAL,
            reason=TEXT,
            warning=TEXT,
        )
    ),
    note=TEXT,
    agent_title=TEXT,
)
REQUEST_SHAPE: Shape[Any] = one_of(
    command=(approvals.CommandRequest, _COMMAND_REQUEST),
    action=(approvals.ActionRequest, _ACTION_REQUEST),
    review=(approvals.ReviewRequest, _REVIEW_REQUEST),
)
"""A question to the user, by its ``kind``."""
_FILE_CHANGE = record(FileChange, path=TEXT, kind=word_of(ChangeKind))
_PROCESS = record(events.BackgroundProcess, pid=COUNT, command=TEXT, call_id=_CALL_ID)


def _event(kind: type[Any], /, **fields: Shape[Any]) -> tuple[type[Any], Shape[Any]]:
    return kind, record(kind, head=_HEAD, **fields)


EVENT_SHAPES: Mapping[type[Any], Shape[Any]] = dict(
    (
        _event(
            events.RunStarted,
            session_id=name_of(SessionId),
            prompt=TEXT,
            provider=TEXT,
            model=TEXT,
            mode=word_of(decisions.ApprovalMode),
            profile=TEXT,
            is_trusted=FLAG,
            images=_IMAGES,
            is_retry=FLAG,
            format_version=COUNT,
        ),
        _event(events.TurnStarted, number=COUNT),
        _event(events.TextStreamed, text=TEXT),
        _event(events.ThinkingStreamed, text=TEXT),
        _event(events.AssistantReplied, message=_MESSAGE),
        _event(events.ToolCallStreamed, call_id=_CALL_ID, tool=TEXT, fragment=TEXT),
        _event(
            events.ToolCallStarted, call_id=_CALL_ID, tool=TEXT, arguments_json=TEXT, summary=TEXT
        ),
        _event(events.ToolCallDecided, call_id=_CALL_ID, decision=_DECISION, summary=TEXT),
        _event(events.ApprovalRequested, request=REQUEST_SHAPE),
        _event(
            events.ApprovalSettled,
            approval_id=_APPROVAL_ID,
            outcome=word_of(approvals.ApprovalOutcome),
            detail=TEXT,
        ),
        _event(events.ToolExecutionStarted, call_id=_CALL_ID),
        _event(
            events.ToolOutputStreamed,
            call_id=_CALL_ID,
            stream=word_of(events.OutputStream),
            text=TEXT,
        ),
        _event(
            events.ToolCallFinished,
            call_id=_CALL_ID,
            tool=TEXT,
            result=_RESULT,
            duration_ms=COUNT,
            is_cached=FLAG,
            cache_age_s=NUMBER,
            changes=optional(_CHANGES),
        ),
        _event(events.FilesChanged, origin=word_of(ChangeOrigin), changes=sequence(_FILE_CHANGE)),
        _event(
            events.ChangesUndone,
            scope=word_of(UndoScope),
            is_redo=FLAG,
            changes=_CHANGES,
            hunks=sequence(
                record(SwitchedHunk, call_id=_CALL_ID, path=TEXT, old_start=COUNT, old_count=COUNT)
            ),
        ),
        _event(
            events.UsageReported,
            usage=_USAGE,
            session_usage=_USAGE,
            context_window=optional(COUNT),
        ),
        _event(events.ContextMeasured, tokens=COUNT, context_window=optional(COUNT)),
        _event(
            events.ContextCompacted,
            is_by_hand=FLAG,
            tokens_before=COUNT,
            tokens_after=COUNT,
            dropped_messages=COUNT,
            kept_answers=COUNT,
            pinned=sequence(COUNT),
            shortened=sequence(_CALL_ID),
            summary=TEXT,
            problem=TEXT,
        ),
        _event(
            events.SpendingCounted,
            model=TEXT,
            usage=_USAGE,
            cost=optional(NUMBER),
            session_cost=NUMBER,
            session_unknown=COUNT,
            is_summary=FLAG,
            premium_requests=NUMBER,
            session_premium_requests=NUMBER,
        ),
        _event(events.RetryScheduled, attempt=COUNT, wait_s=NUMBER, reason=TEXT),
        _event(events.NoticeRaised, level=word_of(events.NoticeLevel), text=TEXT),
        _event(events.QueueChanged, prompts=_LINES, steering=_LINES),
        _event(events.PromptSteered, text=TEXT, images=_IMAGES),
        _event(events.NoteAdded, text=TEXT),
        _event(
            events.ModelChanged,
            provider=TEXT,
            model=TEXT,
            context_window=optional(COUNT),
            endpoint_note=TEXT,
        ),
        _event(events.SkillActivated, name=TEXT),
        _event(
            events.SessionResumed,
            session_id=name_of(SessionId),
            runs=COUNT,
            forked_from=optional(name_of(SessionId)),
            problems=_LINES,
        ),
        _event(events.BackgroundChanged, processes=sequence(_PROCESS)),
        _event(events.CacheCounted, hits=COUNT, misses=COUNT, entries=COUNT, kept_bytes=COUNT),
        _event(
            events.DiffCounted,
            changed_lines=COUNT,
            deny_above=optional(COUNT),
            ask_above=optional(COUNT),
        ),
        _event(events.SubagentStarted, call_id=_CALL_ID, title=TEXT, role=TEXT, model=TEXT),
        _event(
            events.SubagentEnded,
            call_id=_CALL_ID,
            title=TEXT,
            ending=word_of(events.Ending),
            usage=_USAGE,
            turns=COUNT,
        ),
        _event(events.TurnEnded, number=COUNT),
        _event(
            events.RunEnded,
            ending=word_of(events.Ending),
            refused_calls=COUNT,
            text=TEXT,
            error=TEXT,
            can_retry=FLAG,
            usage=_USAGE,
        ),
    )
)
"""The shape of every member of ``AgentEvent``."""
