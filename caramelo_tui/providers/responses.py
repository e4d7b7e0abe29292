"""Talk to OpenAI's Responses API.

Owns the request's way out and back. The meaning of the bytes is in ``responses_wire`` and
``responses_stream``; a courier carries them; retries are the caller's. Proven by
tests/contract/test_responses.py.
"""

from collections.abc import AsyncGenerator
from contextlib import aclosing

from caramelo_tui.domain.ids import IdSource
from caramelo_tui.domain.provider_events import ProviderEvent
from caramelo_tui.providers.base import Capabilities, ProviderRequest
from caramelo_tui.providers.connection import EndpointSettings
from caramelo_tui.providers.courier import Courier
from caramelo_tui.providers.endpoints import responses_base_url
from caramelo_tui.providers.http_provider import HttpProvider
from caramelo_tui.providers.openai_sdk import ResponsesSdkCourier
from caramelo_tui.providers.responses_stream import ResponsesStreamReader
from caramelo_tui.providers.responses_wire import count_body, request_body
from caramelo_tui.providers.streaming import read_answer
from caramelo_tui.providers.thin_courier import EndpointApi, ThinCourier, bearer_headers
from caramelo_tui.providers.transport import EndpointFaults
from caramelo_tui.providers.vendor_json import count_at


class ResponsesProvider(HttpProvider):
    """OpenAI, or an endpoint that speaks its Responses API."""

    def __init__(
        self,
        settings: EndpointSettings,
        *,
        name: str = "openai-responses",
        ids: IdSource | None = None,
    ) -> None:
        """Set the provider up; nothing is loaded or sent yet.

        Args:
            settings: How to reach the endpoint.
            name: Name as in the configuration.
            ids: Where ids of calls come from that the endpoint leaves out.

        Raises:
            ValueError: If the base URL cannot be used; the message says why.
        """
        faults = EndpointFaults(settings=settings, base_url=responses_base_url(settings.base_url))
        super().__init__(faults, _courier(faults), name=name, ids=ids)

    @property
    def capabilities(self) -> Capabilities:
        """What the models of this API can do."""
        return Capabilities(tools=True, reasoning=True, caching=False, images=True)

    async def stream(self, request: ProviderRequest) -> AsyncGenerator[ProviderEvent, None]:
        """Send one request, once, and yield what comes.

        Closing the generator or cancelling its consumer closes the HTTP stream.

        Raises:
            ProviderError: Mapped from what went wrong; retries are the caller's.
        """
        answer = await self._courier.stream(request_body(request), {})
        reader = ResponsesStreamReader(
            key=self._settings.usable_key(), new_call_id=lambda: self._ids.new("call")
        )
        async with aclosing(read_answer(answer, reader, self._faults)) as events:
            async for event in events:
                yield event

    async def count_tokens(self, request: ProviderRequest) -> int | None:
        """Ask the endpoint how many tokens a request has; it costs nothing.

        Returns:
            ``None`` when the endpoint does not know the question, as compatible ones often do not.

        Raises:
            ProviderError: Mapped from what went wrong.
        """
        counted = await self._courier.count(count_body(request))
        return None if counted is None else count_at(counted, "input_tokens")


def _courier(faults: EndpointFaults) -> Courier:
    if faults.settings.uses_sdk:
        return ResponsesSdkCourier(faults)
    return ThinCourier(
        faults, EndpointApi("/responses", bearer_headers, count_path="/responses/input_tokens")
    )
