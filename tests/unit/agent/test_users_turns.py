"""Only requests that carry new words of the person are marked as theirs."""

from dataclasses import replace

import pytest

from caramelo_tui.agent.context_builder import ContextBuilder
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

BUILDER = ContextBuilder(model="m", system="s", tools=tuple, answer_tokens=10)
PROMPT = UserMessage(text="do it")
NOTE = UserMessage(text="a file changed", is_note=True)
CALL = AssistantMessage(
    blocks=(ToolCall(id=CallId("c"), name="glob", arguments_json="{}"),),
    stop_reason=StopReason.TOOL_USE,
)
RESULTS = ToolResultsMessage(
    results=(ToolResult(call_id=CallId("c"), text="r", is_error=False, state=CallState.OK),)
)
ANSWER = AssistantMessage(blocks=(TextBlock(text="done"),), stop_reason=StopReason.END_TURN)


@pytest.mark.parametrize(
    ("messages", "is_theirs"),
    [
        ((PROMPT,), True),
        ((NOTE, PROMPT, NOTE), True),
        ((PROMPT, CALL, RESULTS), False),
        ((PROMPT, CALL, RESULTS, NOTE), False),
        ((PROMPT, CALL, RESULTS, UserMessage(text="steer")), True),
        ((PROMPT, ANSWER, NOTE), False),
        ((PROMPT, ANSWER, PROMPT), True),
    ],
)
def test_a_request_is_the_persons_when_they_said_something_new(
    messages: tuple[Message, ...],
    is_theirs: bool,  # noqa: FBT001 - a column of the table
) -> None:
    assert BUILDER.build(messages).is_users_turn is is_theirs


def test_what_a_sub_agent_is_told_is_no_prompt_of_the_person() -> None:
    child = replace(BUILDER, speaks_with_person=False)
    assert not child.build((PROMPT,)).is_users_turn
