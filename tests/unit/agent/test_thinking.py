"""What another model is given of an answer."""

from caramelo_tui.agent.thinking import without_thinking
from caramelo_tui.domain.ids import CallId
from caramelo_tui.domain.messages import (
    AssistantMessage,
    StopReason,
    TextBlock,
    ThinkingBlock,
    ToolResultsMessage,
    UserMessage,
)
from caramelo_tui.domain.tool_calls import CallState, ToolCall, ToolResult

USER = UserMessage(text="go")
THOUGHT = ThinkingBlock(text="hm", signature="proof")
HIDDEN = ThinkingBlock(text="", redacted_data="opaque")
CALL = ToolCall(id=CallId("c1"), name="glob", arguments_json="{}")


def answer(*blocks: TextBlock | ThinkingBlock | ToolCall) -> AssistantMessage:
    return AssistantMessage(blocks=blocks, stop_reason=StopReason.END_TURN)


def test_words_calls_and_results_stay_and_thinking_with_its_proof_goes() -> None:
    results = ToolResultsMessage(
        results=(ToolResult(call_id=CALL.id, text="", is_error=False, state=CallState.OK),)
    )
    said = (USER, answer(THOUGHT, TextBlock(text="I look"), HIDDEN, CALL), results)

    assert without_thinking(said) == (USER, answer(TextBlock(text="I look"), CALL), results)


def test_an_answer_of_thinking_alone_is_left_out() -> None:
    assert without_thinking((USER, answer(THOUGHT), USER)) == (USER, USER)


def test_a_transcript_without_thinking_is_the_same() -> None:
    said = (USER, answer(TextBlock(text="yes")))

    assert without_thinking(said) == said
