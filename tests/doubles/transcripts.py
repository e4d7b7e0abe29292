"""Transcripts for tests of what becomes of them."""

from collections.abc import Sequence

from caramelo_tui.domain.ids import CallId
from caramelo_tui.domain.messages import (
    AssistantMessage,
    Message,
    StopReason,
    TextBlock,
    ToolResultsMessage,
    UserMessage,
)
from caramelo_tui.domain.tool_calls import CallState, ToolCall, ToolResult
from caramelo_tui.domain.usage import Usage


def said(text: str) -> UserMessage:
    return UserMessage(text=text)


def noted(text: str) -> UserMessage:
    return UserMessage(text=text, is_note=True)


def answered(text: str, *, tokens: int = 0) -> AssistantMessage:
    return AssistantMessage(
        blocks=(TextBlock(text=text),),
        stop_reason=StopReason.END_TURN,
        usage=Usage(input_tokens=tokens),
    )


def turn(call_id: str, result: str, *, tool: str = "file_read", tokens: int = 0) -> list[Message]:
    """An answer with one call, and its result."""
    call = ToolCall(id=CallId(call_id), name=tool, arguments_json="{}")
    return [
        AssistantMessage(
            blocks=(call,),
            stop_reason=StopReason.TOOL_USE,
            usage=Usage(input_tokens=tokens),
        ),
        ToolResultsMessage(
            results=(ToolResult(call_id=call.id, text=result, is_error=False, state=CallState.OK),)
        ),
    ]


def characters(messages: Sequence[Message]) -> int:
    """An estimate that tests can count by hand: 100, and a token for each character."""
    total = 100
    for message in messages:
        match message:
            case UserMessage():
                total += len(message.text)
            case AssistantMessage():
                total += len(message.text)
            case ToolResultsMessage():
                total += sum(len(result.text) for result in message.results)
    return total
