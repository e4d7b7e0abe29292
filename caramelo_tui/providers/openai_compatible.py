"""Talk to OpenAI's Chat Completions, and to endpoints that speak it.

Owns the request's way out and back. The meaning of the bytes is in ``openai_wire`` and
``openai_stream``; a courier carries them; retries are the caller's. Proven by
tests/contract/test_providers.py.
"""

from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import aclosing

from caramelo_tui.domain.ids import IdSource
from caramelo_tui.domain.provider_events import ProviderEvent
from caramelo_tui.providers.base import Capabilities, ProviderRequest
from caramelo_tui.providers.chat_quirks import OPENAI_QUIRKS, ChatQuirks
from caramelo_tui.providers.connection import EndpointSettings
from caramelo_tui.providers.courier import Courier
from caramelo_tui.providers.endpoints import OPENAI_BASE_URL, host_of, openai_base_url
from caramelo_tui.providers.http_provider import HttpProvider
from caramelo_tui.providers.openai_sdk import ChatSdkCourier
from caramelo_tui.providers.openai_stream import OpenAIStreamReader
from caramelo_tui.providers.openai_wire import request_body
from caramelo_tui.providers.streaming import read_answer
from caramelo_tui.providers.thin_courier import EndpointApi, ThinCourier, bearer_headers
from caramelo_tui.providers.transport import EndpointFaults

RequestHeaders = Callable[[ProviderRequest], Mapping[str, str]]
"""Gives the headers that one request carries beside those of all requests."""


def no_headers(_request: ProviderRequest) -> Mapping[str, str]:
    """Add nothing."""
    return {}


class OpenAICompatibleProvider(HttpProvider):
    """OpenAI, or an endpoint that speaks Chat Completions."""

    def __init__(
        self,
        settings: EndpointSettings,
        *,
        name: str = "openai",
        ids: IdSource | None = None,
        headers: RequestHeaders = no_headers,
        quirks: ChatQuirks | None = None,
    ) -> None:
        """Set the provider up; nothing is loaded or sent yet.

        Args:
            settings: How to reach the endpoint.
            name: Name as in the configuration.
            ids: Where ids of calls come from that the endpoint leaves out.
            headers: What each request carries beside those of all requests.
            quirks: How the endpoint differs; ``None``: not at all for OpenAI itself, else as most
                compatible servers do.

        Raises:
            ValueError: If the base URL cannot be used; the message says why.
        """
        base_url = (
            settings.base_url if settings.is_exact_url else openai_base_url(settings.base_url)
        )
        faults = EndpointFaults(settings=settings, base_url=base_url)
        super().__init__(faults, _courier(faults), name=name, ids=ids)
        self._headers = headers
        is_openai = host_of(base_url) == host_of(OPENAI_BASE_URL)
        self._quirks = quirks or (OPENAI_QUIRKS if is_openai else ChatQuirks())

    @property
    def capabilities(self) -> Capabilities:
        """What the models of this API can do."""
        return Capabilities(
            tools=True, reasoning=True, caching=False, images=self._quirks.takes_images
        )

    async def stream(self, request: ProviderRequest) -> AsyncGenerator[ProviderEvent, None]:
        """Send one request, once, and yield what comes.

        Closing the generator or cancelling its consumer closes the HTTP stream.

        Raises:
            ProviderError: Mapped from what went wrong; retries are the caller's.
        """
        body = request_body(request, quirks=self._quirks)
        answer = await self._courier.stream(body, self._headers(request))
        reader = OpenAIStreamReader(
            key=self._settings.usable_key(),
            new_call_id=lambda: self._ids.new("call"),
            reasoning_fields=self._quirks.reasoning_fields,
        )
        async with aclosing(read_answer(answer, reader, self._faults)) as events:
            async for event in events:
                yield event

    async def count_tokens(self, request: ProviderRequest) -> int | None:  # noqa: ARG002 - the protocol's form
        """Return ``None``: this form of the API has no such endpoint."""
        return None


def _courier(faults: EndpointFaults) -> Courier:
    if faults.settings.uses_sdk:
        return ChatSdkCourier(faults)
    return ThinCourier(faults, EndpointApi("/chat/completions", bearer_headers))
