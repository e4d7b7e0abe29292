"""Requests in the Messages API's form."""

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
from caramelo_tui.providers.anthropic_wire import (
    EMPTY_RESULT,
    MARKED_USER_MESSAGES,
    count_body,
    request_body,
    wire_id,
    wire_messages,
)
from caramelo_tui.providers.base import ProviderRequest
from caramelo_tui.providers.thinking_marks import RESPONSES_MARK
from caramelo_tui.providers.vendor_json import JsonObject

GO = UserMessage(text="go")
MARK = {"type": "ephemeral"}


def said(*blocks: AssistantBlock) -> AssistantMessage:
    return AssistantMessage(blocks=blocks, stop_reason=StopReason.END_TURN)


def call(call_id: str, arguments: str = "{}") -> ToolCall:
    return ToolCall(id=CallId(call_id), name="glob", arguments_json=arguments)


def result(call_id: str, text: str = "x", *, is_error: bool = False) -> ToolResult:
    return ToolResult(call_id=CallId(call_id), text=text, is_error=is_error, state=CallState.OK)


def body_of(
    *messages: Message, model: str = "m", system: str = "sys", tools: int = 1
) -> JsonObject:
    specs = tuple(
        ToolSpec(name=f"t{number}", description="d", input_schema={"type": "object"})
        for number in range(tools)
    )
    request = ProviderRequest(
        model=model, system=system, messages=messages, tools=specs, max_tokens=5
    )
    return request_body(request, uses_cache=True)


def test_results_of_one_turn_come_in_one_user_message_before_its_notes() -> None:
    wire = wire_messages(
        [
            GO,
            said(call("1"), call("2")),
            ToolResultsMessage(results=(result("1"), result("2", "no", is_error=True))),
            UserMessage(text="a.py changed", is_note=True),
            UserMessage(text="go on"),
        ]
    )

    assert [message["role"] for message in wire] == ["user", "assistant", "user"]
    assert wire[2]["content"] == [
        {"type": "tool_result", "tool_use_id": "1", "content": "x"},
        {"type": "tool_result", "tool_use_id": "2", "content": "no", "is_error": True},
        {"type": "text", "text": "a.py changed"},
        {"type": "text", "text": "go on"},
    ]


def test_a_paused_turn_and_what_follows_are_one_assistant_message() -> None:
    wire = wire_messages([GO, said(TextBlock(text="a")), said(TextBlock(text="b")), GO])

    assert [message["role"] for message in wire] == ["user", "assistant", "user"]
    assert len(wire[1]["content"]) == 2


def test_blank_texts_are_left_out_and_messages_around_them_merged() -> None:
    wire = wire_messages([GO, said(TextBlock(text=" \n")), UserMessage(text=""), GO])

    assert len(wire) == 1
    assert len(wire[0]["content"]) == 2


def test_thinking_goes_back_unchanged_with_its_signature() -> None:
    thinking = ThinkingBlock(text="hm", signature="s")
    redacted = ThinkingBlock(text="", redacted_data="zzz")
    unsigned = ThinkingBlock(text="other vendor's")

    (_, wire) = wire_messages([GO, said(thinking, redacted, unsigned, call("1"))])

    assert wire["content"][:-1] == [
        {"type": "thinking", "thinking": "hm", "signature": "s"},
        {"type": "redacted_thinking", "data": "zzz"},
    ]


def test_thinking_without_text_keeps_its_signature() -> None:
    (_, wire) = wire_messages([GO, said(ThinkingBlock(text="", signature="s"))])

    assert wire["content"] == [{"type": "thinking", "thinking": "", "signature": "s"}]


def test_thinking_that_another_vendor_signed_is_left_out() -> None:
    foreign = ThinkingBlock(text="hm", signature=f"{RESPONSES_MARK}{{}}")

    (_, wire) = wire_messages([GO, said(foreign, TextBlock(text="so"))])

    assert wire["content"] == [{"type": "text", "text": "so"}]


def test_an_empty_result_says_so() -> None:
    (wire,) = wire_messages([ToolResultsMessage(results=(result("1", "", is_error=True),))])

    assert wire["content"][0]["content"] == EMPTY_RESULT


def test_arguments_go_back_as_an_object() -> None:
    (wire,) = wire_messages([said(call("1", '{"a": [1]}'), call("2", ""))])

    assert [block["input"] for block in wire["content"]] == [{"a": [1]}, {}]


@pytest.mark.parametrize("call_id", ["call:1", "", "ä", "a b", "\ud83d"])
def test_foreign_ids_become_valid_and_stay_distinct(call_id: str) -> None:
    assert wire_id(call_id).isascii()
    assert wire_id(call_id) == wire_id(call_id)
    assert wire_id(call_id) != wire_id(call_id + ".")


def test_a_valid_id_stays() -> None:
    assert wire_id("toolu_01-A") == "toolu_01-A"


def marks_in(body: JsonObject) -> list[str]:
    messages = cast("list[dict[str, list[JsonObject]]]", body["messages"])
    places = [
        *(("tools", block) for block in cast("list[JsonObject]", body.get("tools", []))),
        *(("system", block) for block in cast("list[JsonObject]", body.get("system", []))),
        *(
            (f"messages.{at}.{number}", block)
            for at, message in enumerate(messages)
            for number, block in enumerate(message["content"])
        ),
    ]
    return [place for place, block in places if block.get("cache_control") == MARK]


def test_tools_system_and_the_last_user_messages_are_marked() -> None:
    turns: list[Message] = [GO]
    for number in range(4):
        turns += [
            said(call(str(number))),
            ToolResultsMessage(results=(result(str(number)),)),
        ]

    body = body_of(*turns, tools=2)

    assert marks_in(body) == ["tools", "system", "messages.6.0", "messages.8.0"]
    assert len(marks_in(body)) == 2 + MARKED_USER_MESSAGES
    assert "cache_control" not in cast("list[JsonObject]", body["tools"])[0]


def test_without_a_cache_nothing_is_marked() -> None:
    request = ProviderRequest(model="m", system="s", messages=(GO,), tools=(), max_tokens=5)

    assert marks_in(request_body(request, uses_cache=False)) == []


def test_building_a_body_twice_gives_the_same() -> None:
    assert body_of(GO) == body_of(GO)


def test_without_system_and_tools_the_fields_are_left_out() -> None:
    body = body_of(GO, system="", tools=0)

    assert set(body) == {"model", "max_tokens", "messages", "stream"}


@pytest.mark.parametrize(
    ("model", "asks"), [("claude-sonnet-5-5", True), ("claude-haiku-4-5", False), ("x", False)]
)
def test_thinking_is_asked_for_where_the_model_decides_how_much(model: str, *, asks: bool) -> None:
    body = body_of(GO, model=model)

    assert body.get("thinking") == ({"type": "adaptive", "display": "summarized"} if asks else None)


TAGS = "\U000e0041\U000e0042"


def test_tag_characters_are_sent_nowhere_but_in_signed_thinking() -> None:
    body = body_of(
        UserMessage(text=f"g{TAGS}o"),
        UserMessage(text=TAGS),
        said(
            ThinkingBlock(text=f"hm{TAGS}", signature="s"),
            TextBlock(text=f"o{TAGS}k"),
            TextBlock(text=TAGS),
            call("1", f'{{"pattern": "a{TAGS}"}}'),
        ),
        ToolResultsMessage(results=(result("1", f"x{TAGS}"), result("2", TAGS))),
        system=f"s{TAGS}",
    )
    assert body["system"] == [{"type": "text", "text": "s", "cache_control": MARK}]
    user, assistant, results = cast("list[dict[str, list[JsonObject]]]", body["messages"])
    assert [block["text"] for block in user["content"]] == ["go"]
    thinking, text, tool = assistant["content"]
    assert (thinking["thinking"], text["text"]) == (f"hm{TAGS}", "ok")
    assert tool["input"] == {"pattern": "a"}
    assert [block["content"] for block in results["content"]] == ["x", EMPTY_RESULT]


SHOT = ImageAttachment(name="shot.png", media_type="image/png", data=b"\x89PNG")
IMAGE_BLOCK = {
    "type": "image",
    "source": {"type": "base64", "media_type": "image/png", "data": "iVBORw=="},
}


def test_images_go_before_their_text() -> None:
    (wire,) = wire_messages([UserMessage(text="what is it?", images=(SHOT, SHOT))])

    assert wire["content"] == [IMAGE_BLOCK, IMAGE_BLOCK, {"type": "text", "text": "what is it?"}]


def test_an_image_without_words_is_a_message_and_can_be_marked() -> None:
    body = body_of(UserMessage(text=" ", images=(SHOT,)))

    (message,) = cast("list[JsonObject]", body["messages"])
    assert message["content"] == [{**IMAGE_BLOCK, "cache_control": MARK}]


def test_what_is_counted_is_what_would_be_sent() -> None:
    request = ProviderRequest(
        model="claude-opus-5", system="s", messages=(GO,), tools=(), max_tokens=5
    )
    body = request_body(request, uses_cache=False)

    counted = count_body(request)

    assert {"stream", "max_tokens"}.isdisjoint(counted)
    assert {**counted, "stream": True, "max_tokens": 5} == body
