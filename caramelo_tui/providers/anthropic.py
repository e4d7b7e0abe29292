"""Talk to Anthropic's Messages API.

Owns the request's way out and back. What carries it is a courier, over the HTTP client or the
official SDK; the meaning of the bytes is in ``anthropic_wire`` and ``anthropic_stream``; retries
are the caller's. Proven by tests/contract/test_providers.py.
"""

from collections.abc import AsyncGenerator
from contextlib import aclosing

from caramelo_tui.domain.ids import IdSource
from caramelo_tui.domain.provider_events import ProviderEvent
from caramelo_tui.providers.anthropic_sdk import AnthropicSdkCourier, older_key_header
from caramelo_tui.providers.anthropic_stream import AnthropicStreamReader
from caramelo_tui.providers.anthropic_wire import count_body, request_body
from caramelo_tui.providers.base import Capabilities, ProviderRequest
from caramelo_tui.providers.connection import EndpointSettings
from caramelo_tui.providers.courier import Courier
from caramelo_tui.providers.endpoints import anthropic_base_url
from caramelo_tui.providers.http_provider import HttpProvider
from caramelo_tui.providers.streaming import read_answer
from caramelo_tui.providers.thin_courier import EndpointApi, ThinCourier, bearer_headers
from caramelo_tui.providers.transport import EndpointFaults
from caramelo_tui.providers.vendor_json import count_at

API_VERSION = "2026-10-21"
"""Of the Messages API, as the official SDK names it in each request."""


class AnthropicProvider(HttpProvider):
    """Anthropic, or an endpoint that speaks the Messages API."""

    def __init__(
        self, settings: EndpointSettings, *, name: str = "anthropic", ids: IdSource | None = None
    ) -> None:
        """Set the provider up; nothing is loaded or sent yet.

        Args:
            settings: How to reach the endpoint.
            name: Name as in the configuration.
            ids: Where ids of calls come from that the endpoint leaves out.

        Raises:
            ValueError: If the base URL cannot be used; the message says why.
        """
        faults = EndpointFaults(settings=settings, base_url=anthropic_base_url(settings.base_url))
        super().__init__(faults, _courier(faults), name=name, ids=ids)

    @property
    def capabilities(self) -> Capabilities:
        """What the models of this API can do."""
        return Capabilities(tools=True, reasoning=True, caching=True, images=True)

    async def stream(self, request: ProviderRequest) -> AsyncGenerator[ProviderEvent, None]:
        """Send one request, once, and yield what comes.

        Closing the generator or cancelling its consumer closes the HTTP stream.

        Raises:
            ProviderError: Mapped from what went wrong; retries are the caller's.
        """
        body = request_body(request, uses_cache=request.able.caching)
        answer = await self._courier.stream(body, {})
        reader = AnthropicStreamReader(
            key=self._settings.usable_key(), new_call_id=lambda: self._ids.new("toolu")
        )
        async with aclosing(read_answer(answer, reader, self._faults)) as events:
            async for event in events:
                yield event

    async def count_tokens(self, request: ProviderRequest) -> int | None:
        """Ask the endpoint how many tokens a request has; it costs nothing.

        Returns:
            ``None`` when the endpoint does not know the question, as compatible ones often do not,
            or answers with no number.

        Raises:
            ProviderError: Mapped from what went wrong.
        """
        counted = await self._courier.count(count_body(request))
        return None if counted is None else count_at(counted, "input_tokens")


def _courier(faults: EndpointFaults) -> Courier:
    if faults.settings.uses_sdk:
        return AnthropicSdkCourier(faults)
    return ThinCourier(
        faults, EndpointApi("/v1/messages", _headers, count_path="/v1/messages/count_tokens")
    )


def _headers(settings: EndpointSettings, base_url: str) -> dict[str, str]:
    key = settings.usable_key()
    return {
        **bearer_headers(settings, base_url),
        "anthropic-version": API_VERSION,
        **older_key_header(key, base_url),
    }
