"""The contract of a provider.

Owns the request value, the capabilities and the protocol; knows no vendor. Proven by
tests/contract/test_providers.py.
"""

from collections.abc import AsyncGenerator
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from caramelo_tui.domain.messages import Message
from caramelo_tui.domain.provider_events import ProviderEvent
from caramelo_tui.domain.tool_calls import ToolSpec


@dataclass(frozen=True, slots=True, kw_only=True)
class Capabilities:
    """What a provider's model can do; decides instead of a vendor's name."""

    tools: bool = True
    reasoning: bool = False
    caching: bool = False
    images: bool = False


EVERYTHING = Capabilities(tools=True, reasoning=True, caching=True, images=True)
"""For a model of which nothing is known that it could not do."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ProviderRequest:
    """One request, in no vendor's form."""

    model: str
    system: str
    messages: tuple[Message, ...]
    """Starts with a user message; each assistant message with calls is followed by one
    ``ToolResultsMessage`` that answers all of them in order."""
    tools: tuple[ToolSpec, ...]
    max_tokens: int
    """Limit of the answer."""
    able: Capabilities = EVERYTHING
    """What is known of the model, by the catalogue and the user's own entries: where thinking or
    caching is not among it, the provider asks for none."""
    is_users_turn: bool = False
    """Whether it carries words of the person of which nothing has come back yet. A vendor that
    counts prompts counts these only: not what follows tools or repeats a request that was answered
    in vain, and nothing of sub-agents or summaries."""


class Provider(Protocol):
    """A vendor behind our protocol."""

    @property
    def name(self) -> str:
        """Name as in the configuration, for display only."""
        ...

    @property
    def capabilities(self) -> Capabilities:
        """What the configured model can do."""
        ...

    async def warm(self) -> None:
        """Load what the first request needs (SDK import) off the event loop; idempotent."""
        ...

    def stream(self, request: ProviderRequest) -> AsyncGenerator[ProviderEvent, None]:
        """Send one request, once, and yield what comes.

        Closing the generator or cancelling its consumer closes the HTTP stream.

        Raises:
            ProviderError: Mapped from the vendor's errors; retries are the caller's.
        """
        ...

    async def count_tokens(self, request: ProviderRequest) -> int | None:
        """Return how many tokens the vendor counts in a request; ``None``: it tells no such thing.

        Sends the request to be counted only; the model does not see it.

        Raises:
            ProviderError: As ``stream`` does.
        """
        ...

    async def close(self) -> None:
        """Release connections; idempotent."""
        ...


@runtime_checkable
class CountsPrompts(Protocol):
    """A provider whose vendor counts the person's prompts, beside tokens or instead."""

    def prompt_cost(self, model: str) -> float:
        """Return what one prompt counts for; 0: nothing, or it is not known."""
        ...


def prompt_cost_of(provider: Provider, model: str) -> float:
    """Return what one prompt of the person counts for at a provider; 0 where none are counted."""
    return provider.prompt_cost(model) if isinstance(provider, CountsPrompts) else 0.0
