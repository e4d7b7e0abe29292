"""Events of the Responses API."""

import json
from collections.abc import Mapping

import pytest

from caramelo_tui.domain.errors import (
    BadRequest,
    ContextTooLong,
    StreamBroken,
    UnknownStopReason,
)
from caramelo_tui.domain.messages import StopReason
from caramelo_tui.domain.provider_events import (
    ProviderEvent,
    StreamStopped,
    TextDelta,
    ThinkingDelta,
    ThinkingEnded,
    ToolArgumentsDelta,
    ToolCallBegan,
    UsageSeen,
)
from caramelo_tui.domain.usage import Usage
from caramelo_tui.providers.responses_stream import ResponsesStreamReader
from caramelo_tui.providers.responses_wire import signature_of
from caramelo_tui.providers.sse import ServerEvent

REASONING: Mapping[str, object] = {
    "type": "reasoning",
    "id": "rs_1",
    "summary": [],
    "encrypted_content": "abc=",
}
CALL: Mapping[str, object] = {"type": "function_call", "call_id": "a", "name": "grep"}


def event(kind: str, **fields: object) -> str:
    return json.dumps({"type": f"response.{kind}", **fields})


def item(kind: str, value: Mapping[str, object], at: int = 0) -> str:
    return event(f"output_item.{kind}", output_index=at, item=value)


def ended(kind: str = "completed", **fields: object) -> str:
    return event(kind, response=fields)


def read(*data: str, ends: bool = True) -> list[ProviderEvent]:
    reader = ResponsesStreamReader(key="sk-secret", new_call_id=lambda: "made")
    events = [each for text in data for each in reader.feed(ServerEvent(data=text))]
    return [*events, *reader.finish()] if ends else events


def stop_of(*data: str) -> StopReason:
    last = read(*data)[-1]
    assert isinstance(last, StreamStopped)
    return last.stop_reason


def test_reasoning_ends_with_what_is_needed_to_send_it_back() -> None:
    events = read(
        item("added", REASONING),
        event("reasoning_summary_part.added", summary_index=0),
        event("reasoning_summary_text.delta", summary_index=0, delta="a"),
        event("reasoning_summary_part.added", summary_index=1),
        event("reasoning_summary_text.delta", summary_index=1, delta="b"),
        item("done", REASONING),
        event("output_text.delta", output_index=1, delta="so"),
        ended(),
    )
    assert events == [
        ThinkingDelta(text="a"),
        ThinkingDelta(text="\n\n"),
        ThinkingDelta(text="b"),
        ThinkingEnded(signature=signature_of(REASONING)),
        TextDelta(text="so"),
        StreamStopped(stop_reason=StopReason.END_TURN),
    ]


def test_reasoning_without_text_is_kept_too() -> None:
    assert read(item("done", REASONING), ended())[0] == ThinkingEnded(
        signature=signature_of(REASONING)
    )


def test_reasoning_that_is_not_ended_ends_where_text_begins() -> None:
    events = read(
        event("reasoning_text.delta", delta="h"),
        event("output_text.delta", output_index=1, delta="so"),
        ended(),
    )
    assert events[:3] == [ThinkingDelta(text="h"), ThinkingEnded(), TextDelta(text="so")]


def test_calls_come_by_their_place_with_the_fragments_of_their_own() -> None:
    events = read(
        item("added", CALL, 1),
        item("added", {**CALL, "call_id": "b"}, 2),
        event("function_call_arguments.delta", output_index=2, delta='{"x"'),
        event("function_call_arguments.delta", output_index=1, delta="{}"),
        event("function_call_arguments.delta", output_index=2, delta=": 1}"),
        event("function_call_arguments.done", output_index=2, arguments='{"x": 1}'),
        item("done", {**CALL, "arguments": "{}"}, 1),
        ended(),
    )
    assert events == [
        ToolCallBegan(slot=0, call_id="a", name="grep"),
        ToolCallBegan(slot=1, call_id="b", name="grep"),
        ToolArgumentsDelta(slot=1, fragment='{"x"'),
        ToolArgumentsDelta(slot=0, fragment="{}"),
        ToolArgumentsDelta(slot=1, fragment=": 1}"),
        StreamStopped(stop_reason=StopReason.TOOL_USE),
    ]


def test_a_call_that_comes_whole_is_taken_once() -> None:
    events = read(
        item("done", {"type": "function_call", "name": "grep", "arguments": '{"x": 1}'}), ended()
    )
    assert events[:2] == [
        ToolCallBegan(slot=0, call_id="made", name="grep"),
        ToolArgumentsDelta(slot=0, fragment='{"x": 1}'),
    ]


def test_arguments_of_no_call_break_the_stream() -> None:
    with pytest.raises(StreamBroken, match="never began"):
        read(event("function_call_arguments.delta", output_index=0, delta="{"))


def test_a_message_that_comes_whole_is_taken_once() -> None:
    message = {"type": "message", "content": [{"type": "output_text", "text": "hi"}]}
    assert read(item("done", message), ended())[0] == TextDelta(text="hi")
    pieces = event("output_text.delta", output_index=0, delta="hi")
    assert read(pieces, item("done", message), ended())[:-1] == [TextDelta(text="hi")]


def test_a_refusal_is_text_and_the_reason_of_the_end() -> None:
    assert stop_of(event("refusal.delta", delta="no"), ended()) is StopReason.REFUSAL
    message = {"type": "message", "content": [{"type": "refusal", "refusal": "no"}]}
    assert stop_of(item("done", message), ended()) is StopReason.REFUSAL


@pytest.mark.parametrize(
    ("reason", "meaning"),
    [("max_output_tokens", StopReason.MAX_TOKENS), ("content_filter", StopReason.REFUSAL)],
)
def test_an_unfinished_answer_says_why(reason: str, meaning: StopReason) -> None:
    end = ended("incomplete", incomplete_details={"reason": reason})
    assert stop_of(item("added", CALL), end) is meaning


def test_an_unknown_reason_is_named() -> None:
    with pytest.raises(UnknownStopReason, match="'bored'"):
        read(ended("incomplete", incomplete_details={"reason": "bored"}))


def test_usage_counts_cached_tokens_apart() -> None:
    usage = {
        "input_tokens": 10,
        "input_tokens_details": {"cached_tokens": 4, "cache_write_tokens": 1},
        "output_tokens": 3,
    }
    assert read(ended(usage=usage))[0] == UsageSeen(
        usage=Usage(input_tokens=5, output_tokens=3, cache_read_tokens=4, cache_write_tokens=1)
    )


@pytest.mark.parametrize(
    ("code", "error"),
    [
        ("server_error", StreamBroken),
        ("rate_limit_exceeded", StreamBroken),
        ("context_length_exceeded", ContextTooLong),
        ("invalid_prompt", BadRequest),
        ("bio_policy", BadRequest),
    ],
)
def test_a_failed_answer_is_an_error_of_its_kind(code: str, error: type[Exception]) -> None:
    failure = {"code": code, "message": "it failed with sk-secret"}
    with pytest.raises(error, match=r"it failed with \[key\]") as caught:
        read(ended("failed", error=failure))
    assert type(caught.value) is error


def test_usage_of_a_failed_answer_is_counted_first() -> None:
    reader = ResponsesStreamReader(key="", new_call_id=lambda: "made")
    end = ended("failed", usage={"input_tokens": 7}, error={"code": "server_error"})
    events = reader.feed(ServerEvent(data=end))
    assert next(events) == UsageSeen(usage=Usage(input_tokens=7))
    with pytest.raises(StreamBroken):
        next(events)


@pytest.mark.parametrize(
    "data",
    [
        json.dumps({"type": "error", "code": "server_error", "message": "made to fail"}),
        json.dumps({"type": "error", "error": {"message": "made to fail"}}),
        json.dumps({"error": {"message": "made to fail"}}),
    ],
)
def test_an_error_event_breaks_the_stream(data: str) -> None:
    with pytest.raises(StreamBroken, match="made to fail"):
        read(data)


def test_what_is_no_object_or_was_cancelled_breaks_the_stream() -> None:
    with pytest.raises(StreamBroken, match="no JSON object"):
        read("[]")
    with pytest.raises(StreamBroken, match="cancelled"):
        read(event("cancelled"))


def test_a_stream_without_an_end_is_broken() -> None:
    with pytest.raises(StreamBroken, match="before the model was done"):
        read(event("output_text.delta", delta="x"))


def test_what_is_not_known_is_skipped() -> None:
    assert (
        read(event("web_search_call.searching"), item("added", {"type": "mcp_call"}), ended())[:-1]
        == []
    )


def test_the_kind_may_stand_in_the_events_name_alone() -> None:
    reader = ResponsesStreamReader(key="", new_call_id=lambda: "made")
    data = json.dumps({"delta": "hi"})
    events = list(reader.feed(ServerEvent(data=data, name="response.output_text.delta")))
    assert events == [TextDelta(text="hi")]
