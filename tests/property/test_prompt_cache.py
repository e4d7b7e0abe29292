"""However a conversation goes on, a cache can serve what was sent before: it stays as it was."""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import cast

from hypothesis import given
from hypothesis import strategies as st

from caramelo_tui.agent.transcript import Transcript
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
from caramelo_tui.providers.anthropic_wire import request_body
from caramelo_tui.providers.base import ProviderRequest
from caramelo_tui.providers.chat_quirks import ChatQuirks
from caramelo_tui.providers.openai_wire import request_body as chat_body
from tests.doubles.model_server_rules import MOST_CACHE_MARKS, check_anthropic, check_openai

Json = Mapping[str, object]

TOOL = ToolSpec(name="grep", description="d", input_schema={"type": "object"})
IMAGE = ImageAttachment(name="a.png", media_type="image/png", data=b"\x89PNG")

texts = st.text(max_size=8)
said = st.one_of(
    st.builds(lambda text: TextBlock(text=text), texts),
    st.builds(
        lambda text, signature: ThinkingBlock(text=text, signature=signature),
        texts,
        st.none() | st.just("c2ln"),
    ),
    st.just(ThinkingBlock(text="", redacted_data="b3BhcXVl")),
)
answers = st.tuples(st.lists(said, max_size=3), st.integers(0, 3), texts)
"""Words, how many calls behind them, and what each call gives."""
prompts = st.builds(
    lambda text, is_note, images: UserMessage(text=text, is_note=is_note, images=images),
    texts,
    st.booleans(),
    st.sampled_from([(), (), (IMAGE,)]),
)
conversations = st.lists(st.tuples(st.lists(prompts, max_size=2), answers), max_size=6)


def requests_of(
    turns: Sequence[tuple[list[UserMessage], tuple[list[AssistantBlock], int, str]]],
) -> Iterator[tuple[Message, ...]]:
    """Yield the transcript as each request of a conversation has it."""
    transcript = Transcript()
    transcript.append_user(UserMessage(text="go"))
    for number, (notes, (blocks, count, result)) in enumerate(turns):
        for note in notes:
            transcript.append_user(note)
        yield transcript.snapshot()
        calls = [
            ToolCall(id=CallId(f"c{number}_{at}"), name="grep", arguments_json='{"a": "ä"}')
            for at in range(count)
        ]
        reason = StopReason.TOOL_USE if calls else StopReason.END_TURN
        told = TextBlock(text="told")
        transcript.append_assistant(
            AssistantMessage(blocks=(*blocks, told, *calls), stop_reason=reason)
        )
        if not calls:
            transcript.append_user(UserMessage(text=f"and {number}"))
            continue
        results = (
            ToolResult(call_id=call.id, text=result, is_error=False, state=CallState.OK)
            for call in calls
        )
        transcript.append_results(ToolResultsMessage(results=tuple(results)))
    yield transcript.snapshot()


def request_for(messages: tuple[Message, ...]) -> ProviderRequest:
    return ProviderRequest(
        model="m", system="You are a test.", messages=messages, tools=(TOOL,), max_tokens=9
    )


def pieces_of(body: Json) -> list[tuple[bytes, bool]]:
    """Return the blocks in the order in which the cache sees them, and which are marked."""
    tools, system = (cast("Sequence[Json]", body[name]) for name in ("tools", "system"))
    blocks: list[tuple[object, Json]] = [
        *(("tool", t) for t in tools),
        *(("sys", s) for s in system),
    ]
    for message in cast("Sequence[Json]", body["messages"]):
        content = cast("Sequence[Json]", message["content"])
        blocks += [(message["role"], block) for block in content]
    return [
        (
            json.dumps([role, {k: v for k, v in block.items() if k != "cache_control"}]).encode(),
            "cache_control" in block,
        )
        for role, block in blocks
    ]


@given(conversations)
def test_each_request_begins_with_the_one_before_up_to_its_last_mark(
    turns: list[tuple[list[UserMessage], tuple[list[AssistantBlock], int, str]]],
) -> None:
    before: list[tuple[bytes, bool]] = []
    for messages in requests_of(turns):
        body = request_body(request_for(messages), uses_cache=True)
        check_anthropic(body)
        pieces = pieces_of(body)
        marks = [at for at, (_, is_marked) in enumerate(pieces) if is_marked]
        assert 1 <= len(marks) <= MOST_CACHE_MARKS
        assert marks[-1] == len(pieces) - 1
        end = max((at for at, (_, is_marked) in enumerate(before) if is_marked), default=-1) + 1
        assert [piece for piece, _ in pieces[:end]] == [piece for piece, _ in before[:end]]
        # The place that was written is marked again, so that it is looked for.
        assert not before or end - 1 in marks
        before = pieces


@given(conversations)
def test_what_was_sent_in_chat_completions_stays_as_it_was(
    turns: list[tuple[list[UserMessage], tuple[list[AssistantBlock], int, str]]],
) -> None:
    before: list[object] = []
    for messages in requests_of(turns):
        body = chat_body(request_for(messages), quirks=ChatQuirks())
        check_openai(body)
        sent = cast("list[object]", body["messages"])
        # The last message may have grown by what the user said behind it.
        settled = max(len(before) - 1, 0)
        assert sent[:settled] == before[:settled]
        before = sent
