"""What was said, in no vendor's form."""

from caramelo_tui.domain.ids import CallId
from caramelo_tui.domain.messages import (
    AssistantMessage,
    StopReason,
    TextBlock,
    ThinkingBlock,
    UserMessage,
)
from caramelo_tui.domain.tool_calls import ToolCall


def call(call_id: str) -> ToolCall:
    return ToolCall(id=CallId(call_id), name="glob", arguments_json="{}")


MIXED = AssistantMessage(
    blocks=(
        ThinkingBlock(text="hm"),
        TextBlock(text="one "),
        call("1"),
        TextBlock(text="two"),
        call("2"),
    ),
    stop_reason=StopReason.TOOL_USE,
)


def test_the_text_of_an_answer_is_what_was_said_without_the_thinking() -> None:
    assert MIXED.text == "one two"
    assert AssistantMessage(blocks=(), stop_reason=StopReason.END_TURN).text == ""


def test_the_calls_of_an_answer_keep_their_order() -> None:
    assert [each.id for each in MIXED.calls] == ["1", "2"]


def test_an_answer_is_incomplete_until_the_model_has_stopped() -> None:
    assert AssistantMessage(blocks=MIXED.blocks, stop_reason=None).is_incomplete
    assert not MIXED.is_incomplete


def test_a_message_is_the_persons_unless_it_says_otherwise() -> None:
    assert not UserMessage(text="go").is_note
