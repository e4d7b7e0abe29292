"""Requests in the Chat Completions form."""

import json
from typing import cast

import pytest

from caramelo_tui.domain.ids import CallId
from caramelo_tui.domain.messages import (
    AssistantBlock,
    AssistantMessage,
    StopReason,
    TextBlock,
    ThinkingBlock,
    ToolResultsMessage,
    UserMessage,
)
from caramelo_tui.domain.tool_calls import CallState, ToolCall, ToolResult, ToolSpec
from caramelo_tui.providers.base import ProviderRequest
from caramelo_tui.providers.openai_wire import LONGEST_ID, request_body, wire_id, wire_messages
from caramelo_tui.providers.vendor_json import INVALID_ARGUMENTS_KEY, JsonObject

GO = UserMessage(text="go")
TOOL = ToolSpec(name="glob", description="d", input_schema={"type": "object"})


def said(*blocks: AssistantBlock) -> AssistantMessage:
    return AssistantMessage(blocks=blocks, stop_reason=StopReason.END_TURN)


def call(call_id: str, arguments: str = "{}") -> ToolCall:
    return ToolCall(id=CallId(call_id), name="glob", arguments_json=arguments)


def body_of(*, system: str = "s", tools: tuple[ToolSpec, ...] = (), model: str = "m") -> JsonObject:
    request = ProviderRequest(model=model, system=system, messages=(GO,), tools=tools, max_tokens=5)
    return request_body(request, max_tokens_field="max_tokens")


def test_calls_and_results_have_their_own_messages() -> None:
    result = ToolResult(call_id=CallId("1"), text="x", is_error=True, state=CallState.ERROR)
    asked = said(ThinkingBlock(text="hm"), TextBlock(text="so"), call("1", '{"ä": 1}'))

    wire = wire_messages([GO, asked, ToolResultsMessage(results=(result,))])

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
    (wire,) = wire_messages([said(call("1"))])

    assert wire["content"] is None


def test_user_texts_in_a_row_are_one_message() -> None:
    wire = wire_messages([GO, said(TextBlock(text=" ")), UserMessage(text="on"), said(), GO])

    assert wire == [{"role": "user", "content": "go\n\non\n\ngo"}]


def test_arguments_that_are_no_object_go_back_as_one() -> None:
    (wire,) = wire_messages([said(call("1", '{"a'))])

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
    wire = wire_messages(
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
