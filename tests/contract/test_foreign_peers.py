"""The providers against model servers that others wrote.

What only our own server says could be a misreading on both sides. ``make peers`` installs them.
"""

from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from caramelo_tui.agent.event_stream import EventStream
from caramelo_tui.agent.reply_stream import ReplyStream
from caramelo_tui.agent.retry_wait import RetryWait
from caramelo_tui.agent.stream_assembler import CallIds
from caramelo_tui.domain.agent_events import RetryScheduled
from caramelo_tui.domain.errors import (
    AuthenticationFailed,
    ContextTooLong,
    Overloaded,
    ProviderError,
    RateLimited,
    StreamBroken,
)
from caramelo_tui.domain.ids import CountingIds, SystemClock
from caramelo_tui.domain.messages import (
    AssistantMessage,
    StopReason,
    ThinkingBlock,
    ToolResultsMessage,
    UserMessage,
)
from caramelo_tui.domain.tool_calls import CallState, ToolResult
from caramelo_tui.providers.base import Provider
from caramelo_tui.providers.connection import EndpointSettings
from tests.contract.provider_wires import ANTHROPIC_PROVIDER, WIRES, ProviderWire
from tests.doubles.model_server_clients import KEY, hear, request_of
from tests.peers.places import why_no_aimock, why_no_llmock
from tests.peers.running import Llmock, aimock, llmock

STALL_S = 0.5
"""Short: these servers answer at once or not at all."""

needs_llmock = pytest.mark.skipif(bool(why_no_llmock()), reason=why_no_llmock() or "-")
needs_aimock = pytest.mark.skipif(bool(why_no_aimock()), reason=why_no_aimock() or "-")
each_wire = pytest.mark.parametrize("wire", WIRES, ids=lambda wire: wire.name)


def provider_at(stack: AsyncExitStack, wire: ProviderWire, url: str) -> Provider:
    provider = wire.build(EndpointSettings(key=KEY, base_url=url, stall_s=STALL_S))
    stack.push_async_callback(provider.close)
    return provider


# --- llmock -------------------------------------------------------------------------------


def path_of(wire: ProviderWire) -> str:
    return "/anthropic" if wire is ANTHROPIC_PROVIDER else "/v1"


class LlmockBench:
    """A provider on a running ``llmock``, and the agent's way of asking it."""

    def __init__(self, server: Llmock, provider: Provider) -> None:
        self.server = server
        self.provider = provider
        self.events = EventStream(SystemClock())
        self.broken: list[AssistantMessage] = []

    async def ask(self) -> AssistantMessage:
        replies = ReplyStream(
            provider=self.provider,
            events=self.events,
            call_ids=CallIds(CountingIds()),
            waiting=RetryWait(),
        )
        return await replies.receive(request_of(), on_broken=self.broken.append)


@pytest.fixture(scope="module")
def running_llmock(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Llmock]:
    with llmock(tmp_path_factory.mktemp("llmock")) as server:
        yield server


@pytest.fixture(params=WIRES, ids=lambda wire: wire.name)
async def bench(
    request: pytest.FixtureRequest, running_llmock: Llmock
) -> AsyncIterator[LlmockBench]:
    wire: ProviderWire = request.param
    server = running_llmock
    await server.reset()
    async with AsyncExitStack() as stack:
        yield LlmockBench(server, provider_at(stack, wire, server.url + path_of(wire)))


@needs_llmock
async def test_a_tool_is_called_and_its_result_is_answered(bench: LlmockBench) -> None:
    first = (await hear(bench.provider)).message
    (call,) = first.calls
    result = ToolResult(call_id=call.id, text="found", is_error=False, state=CallState.OK)

    second = await hear(
        bench.provider,
        request_of(UserMessage(text="go"), first, ToolResultsMessage(results=(result,))),
    )

    assert (call.name, first.stop_reason) == ("grep", StopReason.TOOL_USE)
    assert "pattern" in call.arguments_json
    assert second.message.text
    assert second.message.stop_reason is StopReason.END_TURN
    assert second.message.usage.output_tokens > 0


@needs_llmock
@pytest.mark.parametrize("kind", ["disconnect", "truncate", "malformed", "stall"])
async def test_a_stream_that_breaks_keeps_what_came_and_is_not_believed(
    bench: LlmockBench, kind: str
) -> None:
    words = " ".join(f"word{number}" for number in range(40))
    # The first eight pieces hold content in each form of API.
    fault = {"type": "stream_fault", "kind": kind, "after_chunks": 8}
    await bench.server.queue({"type": "reply", "text": words}, fault)

    with pytest.raises(StreamBroken):
        await bench.ask()

    (broken,) = bench.broken
    assert broken.is_incomplete
    assert broken.text
    assert words.startswith(broken.text)
    # It counts a stream as believed when nobody asks again, as the user does by one key.
    await bench.ask()
    assert not [each for each in await bench.server.findings() if "truncated_stream" in each]


@needs_llmock
async def test_too_many_requests_are_waited_for_as_long_as_is_asked(bench: LlmockBench) -> None:
    await bench.server.queue(
        {"type": "fail", "status": 429, "retry_after": 0.2, "times": 2},
        {"type": "reply", "text": "at last"},
    )

    message = await bench.ask()

    waits = [event.wait_s for event in bench.events.events if isinstance(event, RetryScheduled)]
    assert message.text == "at last"
    assert len(waits) == 2
    assert min(waits) >= 0.2
    assert not [each for each in await bench.server.findings() if "retry_after" in each]


@needs_llmock
@pytest.mark.parametrize(
    ("status", "expected"), [(401, AuthenticationFailed), (500, Overloaded), (503, Overloaded)]
)
async def test_its_error_statuses_are_ours(
    bench: LlmockBench, status: int, expected: type[ProviderError]
) -> None:
    await bench.server.queue({"type": "fail", "status": status})

    heard = await hear(bench.provider)

    assert type(heard.error) is expected
    assert heard.events == []


@needs_llmock
async def test_broken_arguments_reach_the_agent_as_they_came(bench: LlmockBench) -> None:
    await bench.server.queue({"type": "tool_fault", "kind": "malformed_arguments"})

    (call,) = (await hear(bench.provider)).message.calls

    assert call.name == "grep"
    assert call.arguments_json


@needs_llmock
async def test_a_full_context_is_told_from_a_bad_request(tmp_path: Path) -> None:
    with llmock(tmp_path, "--context-window", "20") as server:
        for wire in WIRES:
            async with AsyncExitStack() as stack:
                provider = provider_at(stack, wire, server.url + path_of(wire))

                heard = await hear(provider, request_of(UserMessage(text="word " * 500)))

                assert isinstance(heard.error, ContextTooLong), wire.name


# --- aimock -------------------------------------------------------------------------------

PARALLEL = [
    {"name": "grep", "arguments": {"pattern": "naïve 🚀"}},
    {"name": "grep", "arguments": {"pattern": "b"}},
]
FIXTURES: list[Mapping[str, object]] = [
    {
        "match": {"userMessage": "think"},
        "response": {"content": "Grüße, 漢字 🚀", "reasoning": "Let me see."},
    },
    {"match": {"userMessage": "call", "hasToolResult": True}, "response": {"content": "both done"}},
    {"match": {"userMessage": "call"}, "response": {"content": "I look.", "toolCalls": PARALLEL}},
    {
        "match": {"userMessage": "limit"},
        "response": {"error": {"message": "slow down", "type": "rate_limit_error"}, "status": 429},
    },
    {
        "match": {"userMessage": "busy"},
        "response": {"error": {"message": "full", "type": "overloaded_error"}, "status": 529},
    },
]


@pytest.fixture(scope="module")
def aimock_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with aimock(tmp_path_factory.mktemp("aimock"), FIXTURES, "--chunk-size", "3") as url:
        yield url


@needs_aimock
@each_wire
async def test_text_thinking_and_parallel_calls_of_another_server_are_understood(
    wire: ProviderWire, aimock_url: str
) -> None:
    async with AsyncExitStack() as stack:
        provider = provider_at(stack, wire, aimock_url)

        thought = await hear(provider, request_of(UserMessage(text="think")))
        asked = await hear(provider, request_of(UserMessage(text="call")))
        results = tuple(
            ToolResult(call_id=call.id, text="x", is_error=False, state=CallState.OK)
            for call in asked.message.calls
        )
        answered = ToolResultsMessage(results=results)
        done = await hear(provider, request_of(UserMessage(text="call"), asked.message, answered))

        assert thought.error is None, thought.error
        assert thought.message.text == "Grüße, 漢字 🚀"
        assert [b.text for b in thought.message.blocks if isinstance(b, ThinkingBlock)] == [
            "Let me see."
        ]
        assert asked.message.stop_reason is StopReason.TOOL_USE
        assert len({call.id for call in asked.message.calls}) == 2
        assert ["naïve 🚀" in call.arguments_json for call in asked.message.calls] == [True, False]
        assert done.message.text == "both done"


@needs_aimock
@each_wire
async def test_errors_of_another_server_are_ours(wire: ProviderWire, aimock_url: str) -> None:
    async with AsyncExitStack() as stack:
        provider = provider_at(stack, wire, aimock_url)

        limited = await hear(provider, request_of(UserMessage(text="limit")))
        busy = await hear(provider, request_of(UserMessage(text="busy")))

        assert isinstance(limited.error, RateLimited)
        assert "slow down" in str(limited.error)
        assert isinstance(busy.error, Overloaded)


@needs_aimock
async def test_a_connection_that_another_server_destroys_is_a_broken_stream(
    tmp_path: Path,
) -> None:
    with aimock(tmp_path, FIXTURES, "--chaos-disconnect", "1") as url:
        for wire in WIRES:
            async with AsyncExitStack() as stack:
                provider = provider_at(stack, wire, url)

                heard = await hear(provider, request_of(UserMessage(text="think")))

                assert isinstance(heard.error, StreamBroken), wire.name
                assert heard.message.is_incomplete
