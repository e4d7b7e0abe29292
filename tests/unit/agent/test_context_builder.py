"""The context builder: what is sent, what it is estimated at, and that nothing is dropped."""

import pytest

from caramelo_tui.agent.context_builder import ContextBuilder, system_prompt
from caramelo_tui.domain.errors import ContextTooLong
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
from caramelo_tui.domain.usage import Usage
from caramelo_tui.providers.base import Capabilities

SPEC = ToolSpec(name="glob", description="find", input_schema={"type": "object"})


def builder(window: int | None = None) -> ContextBuilder:
    return ContextBuilder(
        model="m", system="s" * 360, tools=lambda: (SPEC,), answer_tokens=100, context_window=window
    )


def test_a_request_holds_everything_in_order() -> None:
    messages = [UserMessage(text="a"), UserMessage(text="b")]
    request = builder().build(messages)
    assert request.messages == tuple(messages)
    assert (request.model, request.tools, request.max_tokens) == ("m", (SPEC,), 100)


def test_a_model_gets_no_tools_and_no_images_that_it_does_not_take() -> None:
    image = ImageAttachment(name="a.png", media_type="image/png", data=b"png")
    prompt = UserMessage(text="look", images=(image,))
    context = builder()
    assert context.build([prompt]).messages == (prompt,)

    context.take_model(
        "blind", able=Capabilities(tools=False), answer_tokens=9, context_window=None
    )
    request = context.build([prompt])

    assert (request.model, request.tools, request.able) == ("blind", (), context.able)
    (told,) = request.messages
    assert told == UserMessage(
        text="[The image a.png was left out: this model takes no images.]\n\nlook"
    )


def test_the_estimate_counts_all_parts_at_3_6_characters_a_token() -> None:
    messages: list[Message] = [
        UserMessage(text="u" * 36),
        AssistantMessage(
            blocks=(
                TextBlock(text="t" * 36),
                ThinkingBlock(text="h" * 36),
                ToolCall(id=CallId("c"), name="glob", arguments_json="a" * 32),
            ),
            stop_reason=StopReason.TOOL_USE,
        ),
        ToolResultsMessage(
            results=(
                ToolResult(call_id=CallId("c"), text="r" * 36, is_error=False, state=CallState.OK),
            )
        ),
    ]
    characters = 360 + len("glob" + "find" + '{"type": "object"}') + 36 * 5
    assert builder().estimated_tokens(messages) == -(-characters * 10 // 36)


def test_the_providers_own_count_replaces_the_estimate() -> None:
    counted = AssistantMessage(
        blocks=(TextBlock(text="x" * 9999),),
        stop_reason=StopReason.END_TURN,
        usage=Usage(input_tokens=1000, cache_read_tokens=200, output_tokens=34),
    )
    messages: list[Message] = [UserMessage(text="y" * 9999), counted, UserMessage(text="z" * 36)]
    assert builder().estimated_tokens(messages) == 1234 + 10


def test_what_does_not_fit_is_an_error_that_says_so() -> None:
    messages = [UserMessage(text="x" * 3600)]
    with pytest.raises(ContextTooLong, match=r"about 1,1.. tokens; m can hold 1,000"):
        builder(window=1000).build(messages)
    builder(window=2000).build(messages)


def test_the_system_prompt_names_the_place_and_no_more() -> None:
    text = system_prompt(root_name="my$project\u202e", system="Linux", date="2026-01-31")
    assert 'the folder "my$project<U+202E>"' in text
    assert "Linux" in text
    assert "2026-01-31" in text
    assert "hunk" in text
    assert "$root" not in text
