"""Events of the Messages API."""

import json
from collections.abc import Mapping

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
from caramelo_tui.providers.anthropic_stream import AnthropicStreamReader
from caramelo_tui.providers.sse import ServerEvent

Event = Mapping[str, object]
STOP: Event = {"type": "message_delta", "delta": {"stop_reason": "end_turn"}}
END: Event = {"type": "message_stop"}


def read(*events: Event, names_events: bool = False) -> list[ProviderEvent]:
    reader = AnthropicStreamReader(key="", new_call_id=lambda: "made-up")
    got: list[ProviderEvent] = []
    for event in events:
        name = str(event["type"])
        data = {key: value for key, value in event.items() if key != "type" or not names_events}
        got += reader.feed(ServerEvent(name=name if names_events else "", data=json.dumps(data)))
    return got


def start(index: int, **block: object) -> Event:
    return {"type": "content_block_start", "index": index, "content_block": block}


def delta(index: int, **change: object) -> Event:
    return {"type": "content_block_delta", "index": index, "delta": change}


def stop(index: int) -> Event:
    return {"type": "content_block_stop", "index": index}


@pytest.mark.parametrize("names_events", [True, False])
def test_the_type_is_read_from_the_event_or_its_data(*, names_events: bool) -> None:
    events = read(
        start(0, type="text", text="a"),
        delta(0, type="text_delta", text="b"),
        stop(0),
        STOP,
        END,
        names_events=names_events,
    )

    assert events == [
        TextDelta(text="a"),
        TextDelta(text="b"),
        StreamStopped(stop_reason=StopReason.END_TURN),
    ]


def test_a_signature_may_come_in_pieces_and_before_its_text() -> None:
    events = read(
        start(0, type="thinking", thinking="h", signature="a"),
        delta(0, type="signature_delta", signature="b"),
        delta(0, type="thinking_delta", thinking="m"),
        stop(0),
    )

    assert events == [
        ThinkingDelta(text="h"),
        ThinkingDelta(text="m"),
        ThinkingEnded(signature="ab"),
    ]


def test_redacted_thinking_keeps_its_data() -> None:
    events = read(start(0, type="redacted_thinking", data="zz"), stop(0))

    assert events == [ThinkingEnded(redacted_data="zz")]


def test_interleaved_blocks_keep_their_slots() -> None:
    events = read(
        start(0, type="tool_use", id="a", name="x", input={}),
        start(1, type="tool_use", id="b", name="y", input={}),
        delta(1, type="input_json_delta", partial_json="{1"),
        delta(0, type="input_json_delta", partial_json="{0"),
        stop(1),
        stop(0),
    )

    assert events == [
        ToolCallBegan(slot=0, call_id="a", name="x"),
        ToolCallBegan(slot=1, call_id="b", name="y"),
        ToolArgumentsDelta(slot=1, fragment="{1"),
        ToolArgumentsDelta(slot=0, fragment="{0"),
    ]


def test_input_that_comes_whole_with_the_start_is_taken() -> None:
    events = read(start(0, type="tool_use", id="a", name="x", input={"p": 1}), stop(0))

    assert events[-1] == ToolArgumentsDelta(slot=0, fragment='{"p": 1}')


def test_a_call_without_an_id_gets_one() -> None:
    assert read(start(0, type="tool_use", name="x", input={})) == [
        ToolCallBegan(slot=0, call_id="made-up", name="x")
    ]


def test_usage_keeps_what_a_later_event_leaves_out() -> None:
    first = {"input_tokens": 1, "cache_read_input_tokens": 2, "cache_creation_input_tokens": 3}
    events = read(
        {"type": "message_start", "message": {"usage": {**first, "output_tokens": 0}}},
        {"type": "message_delta", "delta": {}, "usage": {"output_tokens": 9}},
    )

    assert events[-1] == UsageSeen(
        usage=Usage(input_tokens=1, output_tokens=9, cache_read_tokens=2, cache_write_tokens=3)
    )


@pytest.mark.parametrize("reason", [each.value for each in StopReason])
def test_every_known_stop_reason_ends_the_message(reason: str) -> None:
    events = read({"type": "message_delta", "delta": {"stop_reason": reason}}, END)

    assert events == [StreamStopped(stop_reason=StopReason(reason))]


def test_a_full_window_is_the_limit_of_the_answer() -> None:
    reason = "model_context_window_exceeded"
    events = read({"type": "message_delta", "delta": {"stop_reason": reason}}, END)

    assert events == [StreamStopped(stop_reason=StopReason.MAX_TOKENS)]


@pytest.mark.parametrize(("reason", "said"), [("bored", "'bored'"), (None, "no reason")])
def test_an_unknown_stop_reason_is_named(reason: str | None, said: str) -> None:
    with pytest.raises(UnknownStopReason, match=said):
        read({"type": "message_delta", "delta": {"stop_reason": reason}}, END)


def test_unknown_events_blocks_and_deltas_are_skipped() -> None:
    events = read(
        {"type": "ping"},
        {"type": "news"},
        start(0, type="server_tool_use", id="s", name="search", input={}),
        delta(0, type="input_json_delta", partial_json="{}"),
        delta(0, type="citations_delta", citation={}),
        stop(0),
        stop(7),
        STOP,
        END,
    )

    assert events == [StreamStopped(stop_reason=StopReason.END_TURN)]


@pytest.mark.parametrize(
    "event",
    [
        {"type": "error", "error": {"type": "overloaded_error", "message": "busy"}},
        delta(3, type="text_delta", text="x"),
    ],
)
def test_errors_and_pieces_out_of_nowhere_break_the_stream(event: Event) -> None:
    with pytest.raises(StreamBroken):
        read(event)


def test_data_that_is_no_object_breaks_the_stream() -> None:
    reader = AnthropicStreamReader(key="", new_call_id=str)
    with pytest.raises(StreamBroken):
        list(reader.feed(ServerEvent(data="[1]")))


def test_an_end_before_the_message_stopped_is_a_broken_stream() -> None:
    reader = AnthropicStreamReader(key="", new_call_id=str)
    list(reader.feed(ServerEvent(data=json.dumps(STOP))))
    with pytest.raises(StreamBroken):
        list(reader.finish())


def test_half_a_surrogate_pair_does_not_reach_the_screen() -> None:
    (event,) = read(start(0, type="text", text="a\ud83d"))

    assert event == TextDelta(text="a\ufffd")
