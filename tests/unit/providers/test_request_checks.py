"""Requests that no vendor would take."""

import pytest

from caramelo_tui.domain.errors import BadRequest
from caramelo_tui.domain.ids import CallId
from caramelo_tui.domain.messages import (
    AssistantMessage,
    Message,
    StopReason,
    TextBlock,
    ToolResultsMessage,
    UserMessage,
)
from caramelo_tui.domain.tool_calls import CallState, ToolCall, ToolResult, ToolSpec
from caramelo_tui.providers.base import ProviderRequest
from caramelo_tui.providers.request_checks import check_request

GO = UserMessage(text="go")
SAID = AssistantMessage(blocks=(TextBlock(text="x"),), stop_reason=StopReason.END_TURN)


def asked(*ids: str) -> AssistantMessage:
    calls = tuple(ToolCall(id=CallId(each), name="glob", arguments_json="{}") for each in ids)
    return AssistantMessage(blocks=calls, stop_reason=StopReason.TOOL_USE)


def answered(*ids: str) -> ToolResultsMessage:
    return ToolResultsMessage(
        results=tuple(
            ToolResult(call_id=CallId(each), text="x", is_error=False, state=CallState.OK)
            for each in ids
        )
    )


def check(*messages: Message, tools: tuple[ToolSpec, ...] = (), max_tokens: int = 1) -> None:
    check_request(
        ProviderRequest(model="m", system="", messages=messages, tools=tools, max_tokens=max_tokens)
    )


@pytest.mark.parametrize(
    "messages",
    [
        (GO,),
        (GO, GO),
        (GO, SAID, GO),
        (GO, asked("1", "2"), answered("1", "2")),
        (GO, asked("1"), answered("1"), UserMessage(text="note", is_note=True)),
        (GO, asked("1"), answered("1"), asked("2"), answered("2"), SAID, GO),
    ],
)
def test_valid_transcripts_pass(messages: tuple[Message, ...]) -> None:
    check(*messages)


@pytest.mark.parametrize(
    ("messages", "said"),
    [
        ((), "first message"),
        ((SAID, GO), "first message"),
        ((GO, SAID), "last message"),
        ((GO, asked("1"), GO), "Message 3 answers nothing; asked were 1"),
        ((GO, asked("1", "2"), answered("1")), "asked were 1, 2"),
        ((GO, asked("1", "2"), answered("2", "1")), "answers 2, 1"),
        ((GO, asked("1"), answered("1", "1")), "answers 1, 1"),
        ((GO, answered("1")), "asked were nothing"),
        ((GO, asked("1"), answered("1"), answered("1")), "asked were nothing"),
        ((GO, asked("1", "1"), answered("1", "1")), "repeats"),
        ((GO, asked("1"), answered("1"), asked("1"), answered("1")), "repeats"),
    ],
)
def test_invalid_transcripts_are_refused(messages: tuple[Message, ...], said: str) -> None:
    with pytest.raises(BadRequest, match=said):
        check(*messages)


def test_two_tools_of_one_name_are_refused() -> None:
    tool = ToolSpec(name="a", description="", input_schema={})
    with pytest.raises(BadRequest, match="two tools"):
        check(GO, tools=(tool, tool))


def test_a_request_without_a_limit_is_refused() -> None:
    with pytest.raises(BadRequest, match="limit"):
        check(GO, max_tokens=0)
