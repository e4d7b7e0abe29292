"""Requests in the form of the Responses API."""

import json
from collections.abc import Mapping, Sequence
from typing import cast

import pytest

from caramelo_tui.domain.ids import CallId
from caramelo_tui.domain.messages import (
    AssistantMessage,
    ImageAttachment,
    Message,
    StopReason,
    TextBlock,
    ThinkingBlock,
    ToolResultsMessage,
    UserMessage,
)
from caramelo_tui.domain.tool_calls import CallState, ToolCall, ToolResult, ToolSpec
from caramelo_tui.providers.base import ProviderRequest
from caramelo_tui.providers.responses_wire import (
    ENCRYPTED_REASONING,
    count_body,
    request_body,
    signature_of,
    wire_items,
)
from caramelo_tui.providers.thinking_marks import RESPONSES_MARK

REASONING = {
    "type": "reasoning",
    "id": "rs_1",
    "summary": [{"type": "summary_text", "text": "a"}, {"type": "summary_text", "text": "b"}],
    "encrypted_content": "abc=",
}
THOUGHT = ThinkingBlock(text="a\n\nb", signature=signature_of(REASONING))
CALL = ToolCall(id=CallId("call_1"), name="grep", arguments_json='{"pattern": "x"}')
TOOL = ToolSpec(name="grep", description="Search.", input_schema={"type": "object"})


def said(*blocks: TextBlock | ThinkingBlock | ToolCall) -> AssistantMessage:
    return AssistantMessage(blocks=blocks, stop_reason=StopReason.END_TURN)


def answered(text: str = "found") -> ToolResultsMessage:
    result = ToolResult(call_id=CALL.id, state=CallState.OK, text=text, is_error=False)
    return ToolResultsMessage(results=(result,))


def request(*messages: Message, model: str = "gpt-5.4", tools: int = 1) -> ProviderRequest:
    return ProviderRequest(
        model=model,
        system="Be brief.",
        messages=messages or (UserMessage(text="go"),),
        tools=(TOOL,) * tools,
        max_tokens=1000,
    )


def kinds(items: Sequence[Mapping[str, object]]) -> list[str]:
    return [str(item["type"]) for item in items]


def test_nothing_is_stored_and_reasoning_is_asked_for_in_encrypted_form() -> None:
    body = request_body(request())

    assert body["store"] is False
    assert body["stream"] is True
    assert body["include"] == [ENCRYPTED_REASONING]
    assert body["reasoning"] == {"summary": "auto"}
    assert body["instructions"] == "Be brief."
    assert body["max_output_tokens"] == 1000


@pytest.mark.parametrize("model", ["gpt-4o", "gpt-4.1-mini", "chatgpt-4o-latest"])
def test_models_without_reasoning_are_not_asked_for_it(model: str) -> None:
    body = request_body(request(model=model))

    assert "include" not in body
    assert "reasoning" not in body


def test_a_tool_is_a_function_whose_schema_is_not_strict() -> None:
    (tool,) = cast("list[dict[str, object]]", request_body(request())["tools"])
    assert (tool["type"], tool["name"], tool["strict"]) == ("function", "grep", False)
    assert tool["parameters"] == {"type": "object"}
    assert "tools" not in request_body(request(tools=0))


def test_a_reasoning_item_goes_back_as_it_came_before_what_it_led_to() -> None:
    items = wire_items([UserMessage(text="go"), said(THOUGHT, CALL), answered()])

    assert kinds(items) == ["message", "reasoning", "function_call", "function_call_output"]
    assert items[1] == REASONING
    assert items[2] == {
        "type": "function_call",
        "call_id": "call_1",
        "name": "grep",
        "arguments": '{"pattern": "x"}',
    }
    assert items[3] == {"type": "function_call_output", "call_id": "call_1", "output": "found"}


@pytest.mark.parametrize(
    "thought",
    [
        ThinkingBlock(text="hm"),
        ThinkingBlock(text="hm", signature="c2lnbmF0dXJl"),
        ThinkingBlock(text="", redacted_data="x"),
        ThinkingBlock(text="hm", signature=RESPONSES_MARK + "{broken"),
    ],
)
def test_thinking_of_another_vendor_is_left_out(thought: ThinkingBlock) -> None:
    assert kinds(wire_items([said(thought, TextBlock(text="x"))])) == ["message"]


def test_reasoning_that_led_to_nothing_is_left_out() -> None:
    assert kinds(wire_items([said(TextBlock(text="x"), THOUGHT)])) == ["message"]
    assert wire_items([said(THOUGHT, TextBlock(text="  "))]) == []


def test_a_reasoning_item_without_its_encrypted_form_has_no_signature() -> None:
    assert signature_of({"type": "reasoning", "id": "rs_1", "summary": []}) is None


def test_images_stand_before_the_text() -> None:
    image = ImageAttachment(name="a.png", media_type="image/png", data=b"\x89PNG")
    (item,) = wire_items([UserMessage(text="look", images=(image,))])

    assert item["content"] == [
        {"type": "input_image", "detail": "auto", "image_url": "data:image/png;base64,iVBORw=="},
        {"type": "input_text", "text": "look"},
    ]


def test_arguments_that_are_no_object_go_back_as_text() -> None:
    broken = ToolCall(id=CallId("c"), name="grep", arguments_json='{"pattern": "x')
    (item,) = wire_items([said(broken)])
    assert json.loads(str(item["arguments"])) == {"invalid_arguments": '{"pattern": "x'}


def test_blank_texts_are_left_out_and_surrogates_replaced() -> None:
    assert wire_items([UserMessage(text=" "), said(TextBlock(text="\n"))]) == []
    (item,) = wire_items([UserMessage(text="a\ud800b")])
    assert "a\ufffdb" in json.dumps(item, ensure_ascii=False)


def test_more_messages_only_add_items_at_the_end() -> None:
    messages = (UserMessage(text="go"), said(THOUGHT, CALL), answered(), said(TextBlock(text="x")))
    whole = wire_items(messages)
    for count in range(len(messages)):
        part = wire_items(messages[:count])
        assert whole[: len(part)] == part


def test_what_is_counted_is_what_would_be_sent() -> None:
    body = request_body(request())
    counted = count_body(request())
    assert set(counted) == {"model", "input", "instructions", "tools", "reasoning"}
    assert all(body[key] == value for key, value in counted.items())
