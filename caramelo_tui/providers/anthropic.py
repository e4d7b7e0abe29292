"""Talk to Anthropic's Messages API through the official SDK.

Owns the client, loaded on first use, and the request's way out and back. The meaning of the
bytes is in ``anthropic_wire`` and ``anthropic_stream``; retries are the caller's. Proven by
tests/contract/test_providers.py.
"""

from collections.abc import AsyncGenerator
from contextlib import aclosing
from importlib import import_module
from typing import TYPE_CHECKING, cast

from caramelo_tui.domain.errors import ProviderError
from caramelo_tui.domain.ids import IdSource
from caramelo_tui.domain.provider_events import ProviderEvent
from caramelo_tui.providers.anthropic_stream import AnthropicStreamReader
from caramelo_tui.providers.anthropic_wire import count_body, request_body
from caramelo_tui.providers.base import Capabilities, ProviderRequest
from caramelo_tui.providers.connection import EndpointSettings
from caramelo_tui.providers.endpoints import ANTHROPIC_BASE_URL, anthropic_base_url
from caramelo_tui.providers.sdk_client import http_client_of
from caramelo_tui.providers.sdk_loading import quiet_import
from caramelo_tui.providers.sdk_provider import SdkProvider
from caramelo_tui.providers.streaming import HttpAnswer, read_answer
from caramelo_tui.providers.vendor_json import count_at, parse_object

if TYPE_CHECKING:
    from anthropic import APIError, AsyncAnthropic
    from anthropic.types.message_count_tokens_params import MessageCountTokensParams
    from anthropic.types.message_create_params import MessageCreateParamsStreaming


class AnthropicProvider(SdkProvider["AsyncAnthropic"]):
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
        base_url = anthropic_base_url(settings.base_url)
        super().__init__(settings, name=name, base_url=base_url, ids=ids)

    @property
    def capabilities(self) -> Capabilities:
        """What the models of this API can do."""
        return Capabilities(tools=True, reasoning=True, caching=True, images=True)

    async def stream(self, request: ProviderRequest) -> AsyncGenerator[ProviderEvent, None]:
        """Send one request, once, and yield what comes.

        Closing the generator or cancelling its consumer closes the HTTP stream.

        Raises:
            ProviderError: Mapped from what the SDK raised; retries are the caller's.
        """
        client = await self._client.ready()
        body = request_body(request, uses_cache=request.able.caching)
        answer = await self._send(client, cast("MessageCreateParamsStreaming", body))
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
            ProviderError: Mapped from what the SDK raised.
        """
        client = await self._client.ready()
        import anthropic  # noqa: PLC0415 - loaded by now

        body = cast("MessageCountTokensParams", count_body(request))
        try:
            # Raw: the SDK takes whatever stands there for a number.
            counted = await client.messages.with_raw_response.count_tokens(**body)
        except anthropic.NotFoundError:
            return None
        except anthropic.APIError as error:
            raise self._error_of(error) from None
        return count_at(parse_object(counted.http_response.text) or {}, "input_tokens")

    def _build_client(self) -> "AsyncAnthropic":
        with quiet_import():
            import anthropic  # noqa: PLC0415 - takes 2 s, so it is loaded on first use

            # The SDK would load it at the first request, on the event loop.
            import_module("anthropic.resources.messages")

        settings = self._settings
        timeout = anthropic.Timeout(settings.stall_s, connect=settings.connect_timeout_s)
        key = settings.usable_key()
        return anthropic.AsyncAnthropic(
            api_key=key,
            base_url=self._base_url,
            max_retries=0,
            timeout=timeout,
            default_headers=self._further_headers(key),
            http_client=http_client_of(anthropic.DefaultAsyncHttpxClient, settings, timeout),
        )

    def _further_headers(self, key: str) -> dict[str, str]:
        """Return the key in its older header too, for endpoints that are not the vendor's.

        The SDK sends it as a bearer token; gateways written for the earlier API version look
        for ``x-api-key``.
        """
        return {} if self._base_url == ANTHROPIC_BASE_URL else {"x-api-key": key}

    async def _send(
        self, client: "AsyncAnthropic", body: "MessageCreateParamsStreaming"
    ) -> HttpAnswer:
        """Send the request and return the answer once its head has come."""
        import anthropic  # noqa: PLC0415 - loaded by now

        try:
            stream = await client.messages.create(**body)
        except anthropic.APIError as error:
            raise self._error_of(error) from None
        return stream.response

    def _error_of(self, error: "APIError") -> ProviderError:
        """Return our error for one of the SDK's.

        The SDK's text may repeat the key, so a traceback must not show it.
        """
        import anthropic  # noqa: PLC0415 - loaded by now

        if isinstance(error, anthropic.APIStatusError):
            return self._faults.error_for_answer(
                error.status_code, error.body, error.response.headers
            )
        return self._faults.error_for(error.__cause__)
