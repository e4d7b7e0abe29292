"""The assembler: blocks in order, arguments by slot, ids of their own, nothing invented."""

import pytest

from caramelo_tui.agent.stream_assembler import CallIds, StreamAssembler
from caramelo_tui.domain.errors import StreamBroken
from caramelo_tui.domain.ids import CountingIds
from caramelo_tui.domain.messages import AssistantMessage, StopReason, TextBlock, ThinkingBlock
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
from caramelo_tui.domain.tool_calls import ToolCall
from caramelo_tui.domain.usage import Usage


def fold(*events: ProviderEvent, call_ids: CallIds | None = None) -> AssistantMessage:
    assembler = StreamAssembler(call_ids or CallIds(CountingIds()))
    for event in events:
        assembler.add(event)
    return assembler.message()


STOP = StreamStopped(stop_reason=StopReason.TOOL_USE)


def test_blocks_come_in_the_order_of_their_beginning() -> None:
    message = fold(
        ThinkingDelta(text="hm "),
        ThinkingDelta(text="so"),
        ThinkingEnded(signature="proof"),
        TextDelta(text="I "),
        TextDelta(text="look"),
        ToolCallBegan(slot=0, call_id="a", name="grep"),
        ToolArgumentsDelta(slot=0, fragment='{"p":'),
        ToolCallBegan(slot=1, call_id="b", name="glob"),
        ToolArgumentsDelta(slot=1, fragment="{}"),
        ToolArgumentsDelta(slot=0, fragment="1}"),
        TextDelta(text="after"),
        UsageSeen(usage=Usage(input_tokens=1)),
        UsageSeen(usage=Usage(input_tokens=5)),
        STOP,
    )
    assert message.blocks == (
        ThinkingBlock(text="hm so", signature="proof"),
        TextBlock(text="I look"),
        ToolCall(id=CallIds(CountingIds()).claim("a"), name="grep", arguments_json='{"p":1}'),
        ToolCall(id=CallIds(CountingIds()).claim("b"), name="glob", arguments_json="{}"),
        TextBlock(text="after"),
    )
    assert message.usage == Usage(input_tokens=5)
    assert message.stop_reason is StopReason.TOOL_USE


def test_without_a_stop_the_message_is_incomplete() -> None:
    assert fold(TextDelta(text="par")).is_incomplete
    assert not fold(TextDelta(text="all"), STOP).is_incomplete


def test_empty_blocks_are_left_out() -> None:
    assert fold(TextDelta(text=""), ThinkingEnded(), STOP).blocks == ()


def test_a_redacted_thinking_block_is_kept_without_text() -> None:
    message = fold(ThinkingEnded(redacted_data="opaque"), ThinkingDelta(text="next"), STOP)
    assert message.blocks == (
        ThinkingBlock(text="", redacted_data="opaque"),
        ThinkingBlock(text="next"),
    )


def test_call_ids_are_unique_in_the_session_and_never_empty() -> None:
    call_ids = CallIds(CountingIds())
    begun = [
        ToolCallBegan(slot=slot, call_id=call_id, name="glob")
        for slot, call_id in enumerate(["x", "x", "", "", "x-2"])
    ]
    first = fold(*begun, STOP, call_ids=call_ids)
    second = fold(*begun, STOP, call_ids=call_ids)
    ids = [call.id for call in (*first.calls, *second.calls)]
    assert len(set(ids)) == len(ids) == 10
    assert all(ids)
    assert ids[0] == "x"


@pytest.mark.parametrize(
    "events",
    [
        [ToolArgumentsDelta(slot=3, fragment="{}")],
        [
            ToolCallBegan(slot=0, call_id="a", name="x"),
            ToolCallBegan(slot=0, call_id="b", name="x"),
        ],
        [STOP, TextDelta(text="late")],
        [STOP, STOP],
    ],
)
def test_a_stream_that_contradicts_itself_is_broken(events: list[ProviderEvent]) -> None:
    with pytest.raises(StreamBroken):
        fold(*events)


def test_usage_after_the_stop_still_counts() -> None:
    assert fold(STOP, UsageSeen(usage=Usage(output_tokens=3))).usage.output_tokens == 3
