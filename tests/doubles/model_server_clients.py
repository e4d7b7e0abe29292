"""Both providers against the model server, under one name each.

Owns what the contract suite varies: which provider, and how a vendor writes the odd things
(an unknown stop reason, a stream of its own).
"""

from collections.abc import Callable
from contextlib import aclosing
from dataclasses import dataclass

from caramelo_tui.agent.stream_assembler import CallIds, StreamAssembler
from caramelo_tui.domain.errors import ProviderError
from caramelo_tui.domain.ids import CountingIds
from caramelo_tui.domain.messages import AssistantMessage, Message, UserMessage
from caramelo_tui.domain.provider_events import ProviderEvent
from caramelo_tui.domain.tool_calls import ToolSpec
from caramelo_tui.providers.anthropic import AnthropicProvider
from caramelo_tui.providers.base import Provider, ProviderRequest
from caramelo_tui.providers.connection import EndpointSettings
from caramelo_tui.providers.openai_compatible import OpenAICompatibleProvider
from caramelo_tui.providers.scenario import ScriptedTurn
from tests.doubles.model_server import ANTHROPIC, OPENAI
from tests.doubles.model_server_streams import anthropic_stream, openai_stream

KEY = "sk-test-key-1234567890"
MODEL = "test-model"
GREP = ToolSpec(
    name="grep",
    description="Search.",
    input_schema={"type": "object", "properties": {"pattern": {"type": "string"}}},
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Vendor:
    """One provider under test."""

    name: str
    build: Callable[[EndpointSettings], Provider]
    stream_of: Callable[[ScriptedTurn], bytes]
    """The recorded stream of a turn."""
    stop_field: bytes
    """How the stop reason ``end_turn`` stands in that stream."""
    stop_value: bytes


ANTHROPIC_VENDOR = Vendor(
    name=ANTHROPIC,
    build=AnthropicProvider,
    stream_of=lambda turn: anthropic_stream(turn, model=MODEL, number=1),
    stop_field=b'"stop_reason": "end_turn"',
    stop_value=b'"stop_reason": "bored"',
)
OPENAI_VENDOR = Vendor(
    name=OPENAI,
    build=OpenAICompatibleProvider,
    stream_of=lambda turn: openai_stream(turn, model=MODEL, number=1, with_usage=True),
    stop_field=b'"finish_reason": "stop"',
    stop_value=b'"finish_reason": "bored"',
)
VENDORS = (ANTHROPIC_VENDOR, OPENAI_VENDOR)


def request_of(
    *messages: Message, tools: tuple[ToolSpec, ...] = (GREP,), model: str = MODEL
) -> ProviderRequest:
    """Return a request; without messages one with a short prompt."""
    return ProviderRequest(
        model=model,
        system="You are a test.",
        messages=messages or (UserMessage(text="go"),),
        tools=tools,
        max_tokens=1000,
    )


@dataclass(slots=True, kw_only=True)
class Heard:
    """What came of one request."""

    events: list[ProviderEvent]
    error: ProviderError | None = None

    @property
    def message(self) -> AssistantMessage:
        """The events, folded as the agent folds them."""
        assembler = StreamAssembler(CallIds(CountingIds()))
        for event in self.events:
            assembler.add(event)
        return assembler.message()


async def hear(provider: Provider, request: ProviderRequest | None = None) -> Heard:
    """Send a request and collect what comes, errors included."""
    heard = Heard(events=[])
    try:
        async with aclosing(provider.stream(request or request_of())) as events:
            async for event in events:
                heard.events.append(event)
    except ProviderError as error:
        heard.error = error
    return heard
