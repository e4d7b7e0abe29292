"""What only the Responses API promises, over a strict server on loopback."""

from contextlib import AsyncExitStack
from typing import cast

import pytest

from caramelo_tui.domain.errors import AuthenticationFailed
from caramelo_tui.domain.messages import (
    AssistantMessage,
    Message,
    StopReason,
    ThinkingBlock,
    ToolResultsMessage,
    UserMessage,
)
from caramelo_tui.domain.tool_calls import CallState, ToolResult
from caramelo_tui.providers.connection import EndpointSettings
from caramelo_tui.providers.responses import ResponsesProvider
from caramelo_tui.providers.scenario import ScriptedCall, ScriptedTurn
from tests.doubles.model_server import COUNTED_TOKENS, Fault, ModelServer
from tests.doubles.model_server_clients import KEY, hear, request_of

LOOK = ScriptedTurn(
    thinking="Where is it?", calls=(ScriptedCall.of("grep", {"pattern": "x"}, call_id="call_1"),)
)
SAY = ScriptedTurn(thinking="There.", text="Found it.")


async def open_server(
    stack: AsyncExitStack, *turns: ScriptedTurn, faults: tuple[Fault, ...] = (), path: str = ""
) -> tuple[ModelServer, ResponsesProvider]:
    server = await stack.enter_async_context(ModelServer(turns, faults=faults))
    provider = ResponsesProvider(EndpointSettings(key=KEY, base_url=server.url + path))
    stack.push_async_callback(provider.close)
    return server, provider


def results_of(message: AssistantMessage) -> ToolResultsMessage:
    return ToolResultsMessage(
        results=tuple(
            ToolResult(call_id=call.id, text="a.py:1", is_error=False, state=CallState.OK)
            for call in message.calls
        )
    )


async def test_reasoning_goes_back_in_each_later_request_and_the_server_takes_it() -> None:
    async with AsyncExitStack() as stack:
        server, provider = await open_server(stack, LOOK, SAY, SAY)
        messages: list[Message] = [UserMessage(text="find x")]
        for _ in range(3):
            heard = await hear(provider, request_of(*messages))
            assert heard.error is None
            follow = results_of(heard.message) if heard.message.calls else UserMessage(text="on")
            messages += [heard.message, follow]
        sent = inputs_of(server)
        kinds = [[item["type"] for item in items] for items in sent]

    # The strict server refuses reasoning that was changed or stands alone, and stored answers.
    assert kinds[1] == ["message", "reasoning", "function_call", "function_call_output"]
    assert kinds[2] == [*kinds[1], "reasoning", "message", "message"]
    assert sent[2][: len(sent[1])] == sent[1]


def inputs_of(server: ModelServer) -> list[list[dict[str, object]]]:
    return [cast("list[dict[str, object]]", logged.body["input"]) for logged in server.requests]


async def test_an_answer_cut_by_the_limit_keeps_what_came_and_its_reasoning_stays_out() -> None:
    async with AsyncExitStack() as stack:
        cut = ScriptedTurn(thinking="Long", stop_reason=StopReason.MAX_TOKENS)
        server, provider = await open_server(stack, cut, SAY)
        message = (await hear(provider)).message
        assert message.stop_reason is StopReason.MAX_TOKENS
        assert isinstance(message.blocks[0], ThinkingBlock)
        again = request_of(UserMessage(text="go"), message, UserMessage(text="on"))
        assert (await hear(provider, again)).error is None
        assert [item["type"] for item in inputs_of(server)[1]] == ["message", "message"]


async def test_a_request_can_be_counted() -> None:
    async with AsyncExitStack() as stack:
        _, provider = await open_server(stack)
        assert await provider.count_tokens(request_of()) == COUNTED_TOKENS


async def test_an_endpoint_that_counts_nothing_is_no_error_and_a_refused_key_is() -> None:
    async with AsyncExitStack() as stack:
        faults = (Fault(status=404), Fault(status=401))
        _, provider = await open_server(stack, faults=faults)
        assert await provider.count_tokens(request_of()) is None
        with pytest.raises(AuthenticationFailed):
            await provider.count_tokens(request_of())


@pytest.mark.parametrize("path", ["", "/", "/v1", "/v1/", "/v1/responses"])
async def test_the_address_is_understood_in_each_form(path: str) -> None:
    async with AsyncExitStack() as stack:
        _, provider = await open_server(stack, SAY, path=path)
        assert (await hear(provider)).message.text == "Found it."
