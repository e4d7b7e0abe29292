"""Chunks of Chat Completions."""

import json

import pytest

from caramelo_tui.domain.errors import StreamBroken, UnknownStopReason
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
from caramelo_tui.providers.openai_stream import END_MARK, OpenAIStreamReader
from caramelo_tui.providers.sse import ServerEvent

CALL = {"index": 0, "id": "a", "function": {"name": "x", "arguments": "{}"}}


def chunk(finish: str | None = None, index: int = 0, **delta: object) -> str:
    choice = {"index": index, "delta": delta, "finish_reason": finish}
    return json.dumps({"choices": [choice]})


def read(*chunks: str, ends: bool = True) -> list[ProviderEvent]:
    reader = OpenAIStreamReader(key="", new_call_id=lambda: "made")
    events = [event for data in chunks for event in reader.feed(ServerEvent(data=data))]
    return [*events, *reader.finish()] if ends else events


def stop_of(*chunks: str) -> StopReason:
    last = read(*chunks)[-1]
    assert isinstance(last, StreamStopped)
    return last.stop_reason


@pytest.mark.parametrize("field", ["reasoning_content", "reasoning"])
def test_reasoning_is_thinking_that_ends_where_text_begins(field: str) -> None:
    thoughts = [
        json.dumps({"choices": [{"index": 0, "delta": {field: text}}]}) for text in ("h", "m")
    ]
    events = read(*thoughts, chunk(content="so"), chunk("stop"))

    assert events == [
        ThinkingDelta(text="h"),
        ThinkingDelta(text="m"),
        ThinkingEnded(),
        TextDelta(text="so"),
        StreamStopped(stop_reason=StopReason.END_TURN),
    ]


def test_the_older_form_of_a_call_is_one() -> None:
    events = read(
        chunk(function_call={"name": "x", "arguments": '{"p"'}),
        chunk(function_call={"arguments": ":1}"}),
        chunk("function_call"),
    )

    assert events == [
        ToolCallBegan(slot=0, call_id="made", name="x"),
        ToolArgumentsDelta(slot=0, fragment='{"p"'),
        ToolArgumentsDelta(slot=0, fragment=":1}"),
        StreamStopped(stop_reason=StopReason.TOOL_USE),
    ]


def test_a_message_that_comes_whole_in_place_of_pieces_is_taken() -> None:
    whole = {"content": "all of it", "tool_calls": [CALL]}
    choice = {"index": 0, "message": whole, "finish_reason": "stop"}
    events = read(json.dumps({"choices": [choice]}))

    assert events[0] == TextDelta(text="all of it")
    assert events[1] == ToolCallBegan(slot=0, call_id="a", name="x")
    assert events[-1] == StreamStopped(stop_reason=StopReason.TOOL_USE)


def test_a_message_that_repeats_the_pieces_is_not_taken_again() -> None:
    choice = {"index": 0, "delta": {}, "message": {"content": "so"}, "finish_reason": "stop"}
    events = read(chunk(content="so"), json.dumps({"choices": [choice]}))

    assert events == [TextDelta(text="so"), StreamStopped(stop_reason=StopReason.END_TURN)]


def test_thinking_alone_ends_with_the_stream() -> None:
    assert read(chunk(reasoning_content="h"), chunk("length"))[1] == ThinkingEnded()


@pytest.mark.parametrize(
    ("finish", "expected"),
    [
        ("stop", StopReason.END_TURN),
        ("tool_calls", StopReason.TOOL_USE),
        ("function_call", StopReason.TOOL_USE),
        ("length", StopReason.MAX_TOKENS),
        ("content_filter", StopReason.REFUSAL),
        ("eos", StopReason.END_TURN),
        ("end_turn", StopReason.END_TURN),
        ("tool_use", StopReason.TOOL_USE),
        ("max_tokens", StopReason.MAX_TOKENS),
        ("STOP", StopReason.END_TURN),
    ],
)
def test_finish_reasons_are_translated(finish: str, expected: StopReason) -> None:
    assert stop_of(chunk(finish)) is expected


def test_stop_after_calls_is_tool_use() -> None:
    assert stop_of(chunk(tool_calls=[CALL]), chunk("stop")) is StopReason.TOOL_USE


def test_a_refusal_is_shown_and_told() -> None:
    events = read(chunk(refusal="I will not."), chunk("stop"))

    assert events == [
        TextDelta(text="I will not."),
        StreamStopped(stop_reason=StopReason.REFUSAL),
    ]


def test_an_unknown_finish_reason_is_named() -> None:
    with pytest.raises(UnknownStopReason, match="'bored'"):
        read(chunk("bored"))


def test_usage_may_come_after_the_finish_reason() -> None:
    usage = {
        "prompt_tokens": 10,
        "completion_tokens": 4,
        "prompt_tokens_details": {"cached_tokens": 6, "cache_write_tokens": 1},
    }
    events = read(chunk("stop"), json.dumps({"choices": [], "usage": usage}), END_MARK, ends=False)

    assert events == [
        UsageSeen(
            usage=Usage(input_tokens=3, output_tokens=4, cache_read_tokens=6, cache_write_tokens=1)
        ),
        StreamStopped(stop_reason=StopReason.END_TURN),
    ]


def test_usage_with_more_cached_than_asked_does_not_go_below_zero() -> None:
    usage = {"prompt_tokens": 1, "prompt_tokens_details": {"cached_tokens": 6}}
    (seen, *_) = read(json.dumps({"choices": [], "usage": usage}), chunk("stop"))

    assert seen == UsageSeen(usage=Usage(cache_read_tokens=6))


def test_nulls_and_missing_parts_are_nothing() -> None:
    odd = [
        chunk(content=None, tool_calls=None, role="assistant"),
        json.dumps({"choices": [None, {"index": 0}]}),
        json.dumps({"choices": None, "usage": None, "error": None}),
        json.dumps({"object": "chat.completion.chunk"}),
    ]
    assert read(*odd, chunk("stop")) == [StreamStopped(stop_reason=StopReason.END_TURN)]


def test_further_choices_are_not_ours() -> None:
    assert read(chunk(content="b", index=1), chunk("stop"))[:-1] == []


def test_text_before_and_between_calls_stays_in_order() -> None:
    events = read(chunk(content="a", tool_calls=[CALL]), chunk("tool_calls"))

    assert events[:2] == [TextDelta(text="a"), ToolCallBegan(slot=0, call_id="a", name="x")]


@pytest.mark.parametrize(
    "data",
    ['{"error": {"message": "overloaded", "code": 503}}', '{"error": "flat"}', "{", "[1]"],
)
def test_errors_and_odd_data_break_the_stream(data: str) -> None:
    with pytest.raises(StreamBroken):
        read(chunk(content="a"), data)


def test_the_end_mark_without_a_finish_reason_is_a_broken_stream() -> None:
    with pytest.raises(StreamBroken):
        read(chunk(content="a"), END_MARK, ends=False)


def test_an_end_is_taken_once() -> None:
    events = read(chunk("stop"), END_MARK)

    assert events == [StreamStopped(stop_reason=StopReason.END_TURN)]


def test_content_in_parts_is_thinking_and_text() -> None:
    thought = [{"type": "thinking", "thinking": [{"type": "text", "text": "hm"}]}]
    events = read(
        chunk(content=thought),
        chunk(content=[{"type": "text", "text": "so"}, {"type": "novelty", "text": "x"}]),
        chunk("stop"),
    )

    assert events[:3] == [ThinkingDelta(text="hm"), ThinkingEnded(), TextDelta(text="so")]


@pytest.mark.parametrize("reason", ["error", "insufficient_system_resource"])
def test_a_finish_reason_that_stands_for_a_failure_breaks_the_stream(reason: str) -> None:
    with pytest.raises(StreamBroken, match="broke off"):
        read(chunk(content="x"), chunk(reason))


def test_a_full_window_is_the_limit_of_the_answer() -> None:
    assert stop_of(chunk(content="x"), chunk("model_length")) is StopReason.MAX_TOKENS


def test_only_the_fields_that_hold_thinking_are_read() -> None:
    reader = OpenAIStreamReader(key="", new_call_id=lambda: "made", reasoning_fields=("thoughts",))
    data = [chunk(thoughts="hm"), chunk(reasoning="no")]
    events = [event for each in data for event in reader.feed(ServerEvent(data=each))]

    assert events == [ThinkingDelta(text="hm")]


def test_cached_tokens_may_stand_beside_the_details() -> None:
    usage = {"prompt_tokens": 10, "completion_tokens": 2, "prompt_cache_hit_tokens": 4}
    (seen,) = read(json.dumps({"choices": [], "usage": usage}), ends=False)

    assert seen == UsageSeen(usage=Usage(input_tokens=6, output_tokens=2, cache_read_tokens=4))
