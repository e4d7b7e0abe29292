"""Requests in the Chat Completions form."""

import json
from collections.abc import Sequence
from typing import cast

import pytest

from caramelo_tui.domain.ids import CallId
from caramelo_tui.domain.messages import (
    AssistantBlock,
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
from caramelo_tui.providers.chat_quirks import ChatQuirks
from caramelo_tui.providers.openai_wire import LONGEST_ID, request_body, wire_id, wire_messages
from caramelo_tui.providers.vendor_json import INVALID_ARGUMENTS_KEY, JsonObject

GO = UserMessage(text="go")
SHOT = ImageAttachment(name="shot.png", media_type="image/png", data=b"\x89PNG")
IMAGE_PART = {"type": "image_url", "image_url": {"url": "data:image/png;base64,iVBORw=="}}
PLAIN = ChatQuirks()
TOOL = ToolSpec(name="glob", description="d", input_schema={"type": "object"})


def said(*blocks: AssistantBlock) -> AssistantMessage:
    return AssistantMessage(blocks=blocks, stop_reason=StopReason.END_TURN)


def call(call_id: str, arguments: str = "{}") -> ToolCall:
    return ToolCall(id=CallId(call_id), name="glob", arguments_json=arguments)


def wired(messages: Sequence[Message], quirks: ChatQuirks = PLAIN) -> list[JsonObject]:
    return wire_messages(messages, quirks)


def body_of(
    *,
    system: str = "s",
    tools: tuple[ToolSpec, ...] = (),
    model: str = "m",
    quirks: ChatQuirks = PLAIN,
) -> JsonObject:
    request = ProviderRequest(model=model, system=system, messages=(GO,), tools=tools, max_tokens=5)
    return request_body(request, quirks=quirks)


def test_calls_and_results_have_their_own_messages() -> None:
    result = ToolResult(call_id=CallId("1"), text="x", is_error=True, state=CallState.ERROR)
    asked = said(ThinkingBlock(text="hm"), TextBlock(text="so"), call("1", '{"ä": 1}'))

    wire = wired([GO, asked, ToolResultsMessage(results=(result,))])

    assert wire[1:] == [
        {
            "role": "assistant",
            "content": "so",
            "tool_calls": [
                {
                    "id": "1",
                    "type": "function",
                    "function": {"name": "glob", "arguments": '{"ä": 1}'},
                }
            ],
        },
        {"role": "tool", "tool_call_id": "1", "content": "x"},
    ]


def test_calls_without_text_have_no_content() -> None:
    (wire,) = wired([said(call("1"))])

    assert wire["content"] is None


def test_user_texts_in_a_row_are_one_message() -> None:
    wire = wired([GO, said(TextBlock(text=" ")), UserMessage(text="on"), said(), GO])

    assert wire == [{"role": "user", "content": "go\n\non\n\ngo"}]


def test_arguments_that_are_no_object_go_back_as_one() -> None:
    (wire,) = wired([said(call("1", '{"a'))])

    (made,) = cast("list[dict[str, dict[str, str]]]", wire["tool_calls"])
    assert json.loads(made["function"]["arguments"]) == {INVALID_ARGUMENTS_KEY: '{"a'}


@pytest.mark.parametrize("call_id", ["x" * 41, "a\nb", "\ud83d"])
def test_ids_become_short_and_stay_distinct(call_id: str) -> None:
    assert len(wire_id(call_id)) <= LONGEST_ID
    assert wire_id(call_id).isascii()
    assert wire_id(call_id) != wire_id(call_id + "x")


def test_a_valid_id_stays() -> None:
    assert wire_id("call_1") == "call_1"


def test_system_stands_first_and_may_be_missing() -> None:
    with_system = cast("list[JsonObject]", body_of()["messages"])

    assert with_system[0] == {"role": "system", "content": "s"}
    assert body_of(system="")["messages"] == [{"role": "user", "content": "go"}]


def test_tools_are_functions_and_may_be_missing() -> None:
    assert "tools" not in body_of()
    assert body_of(tools=(TOOL,))["tools"] == [
        {
            "type": "function",
            "function": {"name": "glob", "description": "d", "parameters": {"type": "object"}},
        }
    ]


@pytest.mark.parametrize(("model", "effort"), [("gpt-6-sol", "none"), ("gpt-5.4", None)])
def test_reasoning_is_off_where_it_excludes_tools(model: str, effort: str | None) -> None:
    assert body_of(model=model, tools=(TOOL,)).get("reasoning_effort") == effort
    assert "reasoning_effort" not in body_of(model=model)


def test_tag_characters_are_sent_nowhere() -> None:
    tags = "\U000e0041\U000e0042"
    result = ToolResult(call_id=CallId("1"), text=f"x{tags}", is_error=False, state=CallState.OK)
    wire = wired(
        [
            UserMessage(text=f"g{tags}o"),
            said(TextBlock(text=f"o{tags}k"), call("1", f'{{"pattern": "a{tags}"}}')),
            ToolResultsMessage(results=(result,)),
            UserMessage(text=tags),
        ]
    )
    assert tags not in json.dumps(wire, ensure_ascii=False)
    assert [message["role"] for message in wire] == ["user", "assistant", "tool"]
    assert [message["content"] for message in wire] == ["go", "ok", "x"]


def test_images_go_before_their_text() -> None:
    (wire,) = wired([UserMessage(text="what is it?", images=(SHOT,))])

    assert wire["content"] == [IMAGE_PART, {"type": "text", "text": "what is it?"}]


def test_an_image_alone_and_neighbours_are_one_message() -> None:
    wire = wired([GO, UserMessage(text=" ", images=(SHOT,)), UserMessage(text="on")])

    text = [{"type": "text", "text": "go"}, IMAGE_PART, {"type": "text", "text": "on"}]
    assert wire == [{"role": "user", "content": text}]


def test_an_endpoint_without_images_is_told_what_is_missing() -> None:
    (wire,) = wired([UserMessage(text="see", images=(SHOT,))], ChatQuirks(takes_images=False))

    assert wire["content"] == (
        "[The image shot.png was left out: this model takes no images.]\n\nsee"
    )


def test_an_endpoint_has_its_own_names_for_limit_and_system() -> None:
    body = body_of(
        quirks=ChatQuirks(max_tokens_field="max_completion_tokens", system_role="developer")
    )

    assert (body["max_completion_tokens"], "max_tokens" in body) == (5, False)
    assert cast("list[JsonObject]", body["messages"])[0]["role"] == "developer"


def test_usage_is_asked_for_where_that_is_known() -> None:
    assert body_of()["stream_options"] == {"include_usage": True}
    assert "stream_options" not in body_of(quirks=ChatQuirks(sends_stream_options=False))


def test_parallel_calls_are_asked_for_where_they_must_be() -> None:
    asks = ChatQuirks(asks_parallel_calls=True)
    assert body_of(quirks=asks, tools=(TOOL,))["parallel_tool_calls"] is True
    assert "parallel_tool_calls" not in body_of(quirks=asks)
    assert "parallel_tool_calls" not in body_of(tools=(TOOL,))


def test_thinking_goes_back_where_it_is_wanted() -> None:
    asked = said(ThinkingBlock(text="h"), ThinkingBlock(text="m"), call("1"))
    wants = ChatQuirks(sends_reasoning_as="reasoning_content")

    assert wired([asked], wants)[0]["reasoning_content"] == "hm"
    assert "reasoning_content" not in wired([asked])[0]
    assert "reasoning_content" not in wired([said(TextBlock(text="so"))], wants)[0]


def test_ids_have_the_length_that_is_asked_for_and_stay_paired() -> None:
    quirks = ChatQuirks(call_id_length=9)
    result = ToolResult(call_id=CallId("call_1"), text="x", is_error=False, state=CallState.OK)
    asked, answered = wired([said(call("call_1")), ToolResultsMessage(results=(result,))], quirks)

    (made,) = cast("list[dict[str, str]]", asked["tool_calls"])
    assert made["id"] == answered["tool_call_id"]
    assert len(made["id"]) == 9
    assert made["id"].isalnum()
    assert wire_id("aB3456789", 9) == "aB3456789"


def test_calls_carry_what_the_endpoint_wants_with_them() -> None:
    (wire,) = wired([said(call("1"))], ChatQuirks(call_extras={"extra_content": {"a": 1}}))

    (made,) = cast("list[JsonObject]", wire["tool_calls"])
    assert made["extra_content"] == {"a": 1}
