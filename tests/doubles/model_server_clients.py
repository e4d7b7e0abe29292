"""Ask a provider, and keep what comes.

Owns the request that tests send and the value that holds what came of it.
"""

from contextlib import aclosing
from dataclasses import dataclass

from caramelo_tui.agent.stream_assembler import CallIds, StreamAssembler
from caramelo_tui.domain.errors import ProviderError
from caramelo_tui.domain.ids import CountingIds
from caramelo_tui.domain.messages import AssistantMessage, Message, UserMessage
from caramelo_tui.domain.provider_events import ProviderEvent
from caramelo_tui.domain.tool_calls import ToolSpec
from caramelo_tui.providers.base import Provider, ProviderRequest

KEY = "sk-test-key-1234567890"
MODEL = "test-model"
GREP = ToolSpec(
    name="grep",
    description="Search.",
    input_schema={"type": "object", "properties": {"pattern": {"type": "string"}}},
)


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
