"""Compare what became of a run, and of a model's stream, with a case's ``expect``.

Owns one function per expectation key of runs, sub-agents and streams.
"""

import itertools
import json
from collections import Counter
from typing import Any

from caramelo_tui.domain.agent_events import (
    AssistantReplied,
    Ending,
    NoticeRaised,
    RetryScheduled,
    RunEnded,
    SubagentStarted,
    TextStreamed,
    ToolCallFinished,
    ToolCallStarted,
)
from caramelo_tui.domain.messages import AssistantMessage, StopReason
from caramelo_tui.domain.tool_calls import ToolCall
from tests.case_runner.played import Check, Look, differs, found_of
from tests.case_runner.world import Spec

_VENDORS_WORDS = {
    StopReason.END_TURN: {"stop", "end_turn"},
    StopReason.TOOL_USE: {"tool_calls", "tool_use"},
    StopReason.MAX_TOKENS: {"length", "max_tokens"},
    StopReason.STOP_SEQUENCE: {"stop", "stop_sequence"},
    StopReason.PAUSE_TURN: {"pause_turn"},
    StopReason.REFUSAL: {"content_filter", "refusal"},
}
_ERROR_WORDS = {
    "auth": ("key", "401"),
    "rate_limit": ("rate limit", "429"),
    "overloaded": ("busy", "overloaded", "529"),
}
"""What the user reads for each kind of failure; one of them."""


# --- runs ------------------------------------------------------------------------------


def _ending(look: Look, wanted: str) -> list[str]:
    return differs([event.ending.value for event in look.played.of(RunEnded)], [wanted])


def _ends_loop(look: Look, wanted: bool) -> list[str]:
    """Nothing is asked or called behind the call that ends the run."""
    replies = [each for each in look.played.of(AssistantReplied) if not each.head.agent]
    has_finished = bool(look.played.of(RunEnded)) and len(replies) == look.played.model_requests
    last = replies[-1].message.calls if replies else ()
    return differs(has_finished and bool(last), wanted)


def _every_call_answered(look: Look, wanted: Any) -> list[str]:
    """Each call has exactly one result; a list names calls that must be among them."""
    finished = Counter(str(event.call_id) for event in look.played.of(ToolCallFinished))
    asked = {
        str(call.id) for event in look.played.of(AssistantReplied) for call in event.message.calls
    } | {str(event.call_id) for event in look.played.of(ToolCallStarted)}
    named = [str(each) for each in wanted] if isinstance(wanted, list) else []
    return [
        f"{call_id} has {finished[call_id]} results"
        for call_id in sorted({*asked, *named})
        if finished[call_id] != 1
    ]


# --- streams ---------------------------------------------------------------------------


def _reply(look: Look) -> AssistantMessage | None:
    """Return the first answer: what comes after it is asked by the runner's own closing."""
    replies = look.played.of(AssistantReplied)
    return replies[0].message if replies else None


def _calls(look: Look) -> tuple[ToolCall, ...]:
    reply = _reply(look)
    return reply.calls if reply else ()


def _text(look: Look, wanted: str) -> list[str]:
    reply = _reply(look)
    return differs(reply.text if reply else None, wanted)


def _has_call(call: ToolCall, spec: Spec) -> bool:
    is_same = json.loads(call.arguments_json or "{}") == spec["arguments"]
    return bool(is_same and call.name == spec["name"] and spec.get("id", call.id) == call.id)


def _tool_calls(look: Look, wanted: list[Spec]) -> list[str]:
    calls = _calls(look)
    is_same = len(calls) == len(wanted) and all(map(_has_call, calls, wanted))
    return [] if is_same else [f"wanted {wanted}, got {calls}"]


def _tool_calls_include(look: Look, wanted: list[Spec]) -> list[str]:
    return [
        f"{spec} is missing"
        for spec in wanted
        if not any(_has_call(call, spec) for call in _calls(look))
    ]


def _never_merged(look: Look, _: Any) -> list[str]:
    decoder = json.JSONDecoder()
    problems: list[str] = []
    for call in _calls(look):
        text = call.arguments_json.strip() or "{}"
        try:
            _, end = decoder.raw_decode(text)
        except ValueError:
            continue
        problems += [f"two objects in one call: {text}"] if text[end:].strip() else []
    return problems


def _tool_calls_valid_or_error(look: Look, _: Any) -> list[str]:
    failed = {e.call_id for e in look.played.of(ToolCallFinished) if e.result.is_error}
    return [
        f"{call.id} is no JSON and no error"
        for call in _calls(look)
        if not _is_json(call.arguments_json) and call.id not in failed
    ]


def _is_json(text: str) -> bool:
    try:
        json.loads(text or "{}")
    except ValueError:
        return False
    return True


def _ids_nonempty_unique(look: Look, _: bool) -> list[str]:
    ids = [call.id for call in _calls(look)]
    sent_back = "\n".join(request.text for request in look.played.sent[1:])
    problems = [] if all(ids) and len(set(ids)) == len(ids) else [f"ids are {ids}"]
    # Both sides agree: the ids go back with the results.
    return problems + [
        f"{call_id} was not sent back" for call_id in ids if call_id not in sent_back
    ]


def _stop_reason(look: Look, wanted: str) -> list[str]:
    reply = _reply(look)
    reason = reply.stop_reason if reply else None
    words = _VENDORS_WORDS[reason] if reason else set()
    return [] if wanted in words else [f"wanted {wanted}, got {reason}"]


def _incomplete(look: Look, wanted: bool) -> list[str]:
    reply = _reply(look)
    is_so = reply is not None and reply.is_incomplete and not look.played.executed
    return differs(is_so, wanted)


def _retry_offered(look: Look, wanted: bool) -> list[str]:
    """The run ended by the failure, and the agent can send its last request again."""
    ended = look.played.of(RunEnded)
    is_told = bool(ended) and ended[-1].ending is Ending.ERROR and ended[-1].can_retry
    return differs(is_told and look.played.can_retry, wanted)


def _error_to_model(look: Look, wanted: bool) -> list[str]:
    failed = [event for event in look.played.of(ToolCallFinished) if event.result.is_error]
    return differs(bool(failed) and len(look.played.sent) > 1, wanted)


def _min_delay_s(look: Look, wanted: float) -> list[str]:
    times = [request.at for request in look.played.sent]
    gaps = [after - before for before, after in itertools.pairwise(times)]
    return [] if gaps and min(gaps) >= wanted else [f"the gaps are {gaps}"]


def _told_in_run(look: Look) -> str:
    texts = [event.error for event in look.played.of(RunEnded)]
    texts += [event.text for event in look.played.of(NoticeRaised) if event.head.run_id]
    texts += [event.reason for event in look.played.of(RetryScheduled)]
    return "\n".join(texts)


def _told(look: Look) -> str:
    """Return what the user was told beside the conversation, at the start too."""
    texts = [event.text for event in look.played.of(NoticeRaised)]
    return "\n".join([_told_in_run(look), *texts, *look.played.told])


def _shown(look: Look) -> str:
    streamed = "".join(event.text for event in look.played.of(TextStreamed))
    return f"{streamed}\n{_told(look)}"


def _error_kind(look: Look, wanted: str) -> list[str]:
    ended = look.played.of(RunEnded)
    text = ended[-1].error.casefold() if ended else ""
    is_said = any(word in text for word in _ERROR_WORDS[wanted])
    return [] if is_said else [f"wanted an error of the kind {wanted}, got {text!r}"]


RUN_CHECKS: dict[str, Check] = {
    "ending": _ending,
    "ends_loop": _ends_loop,
    "every_call_answered": _every_call_answered,
    "model_requests": lambda look, wanted: differs(look.played.model_requests, wanted),
    "subagents_started": lambda look, wanted: differs(len(look.played.of(SubagentStarted)), wanted),
    "subagent_requests": lambda look, wanted: differs(
        sum(look.played.child_requests) if isinstance(wanted, int) else look.played.child_requests,
        wanted,
    ),
    "text": _text,
    "tool_calls": _tool_calls,
    "tool_calls_include": _tool_calls_include,
    "tool_calls_valid_or_error": _tool_calls_valid_or_error,
    "never_merged": _never_merged,
    "ids_nonempty_unique": _ids_nonempty_unique,
    "stop_reason": _stop_reason,
    "incomplete": _incomplete,
    "retry_offered": _retry_offered,
    "error_to_model": _error_to_model,
    "executed_before_retry": lambda look, wanted: differs(look.played.executed, wanted),
    "min_delay_s": _min_delay_s,
    "error_kind": _error_kind,
    "user_told": lambda look, wanted: differs(bool(_told_in_run(look).strip()), wanted),
    "can_be_cancelled": lambda look, wanted: differs(
        [event.ending for event in look.played.of(RunEnded)] == [Ending.CANCELLED], wanted
    ),
    "user_text_contains": lambda look, wanted: [
        f"{text!r} is missing" for text in wanted if text not in _shown(look)
    ],
    "user_text_not_contains": lambda look, wanted: found_of(wanted, _shown(look), "the text"),
    "error_contains": lambda look, wanted: [
        f"{text!r} is missing in {_told(look)!r}" for text in wanted if text not in _told(look)
    ],
}
"""Expectations about runs and streams."""
