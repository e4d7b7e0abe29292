"""Carry requests to Anthropic's Messages API over the official SDK.

Owns how its client is set up, and the meaning of its errors. Loads it only when used, since that
takes 2 s. Proven by tests/contract/test_providers.py.
"""

from collections.abc import Mapping
from importlib import import_module
from typing import TYPE_CHECKING, cast

from caramelo_tui.domain.errors import ProviderError
from caramelo_tui.providers.endpoints import ANTHROPIC_BASE_URL
from caramelo_tui.providers.sdk_client import SdkClient, http_client_of
from caramelo_tui.providers.sdk_loading import quiet_import
from caramelo_tui.providers.streaming import HttpAnswer
from caramelo_tui.providers.transport import EndpointFaults
from caramelo_tui.providers.vendor_json import JsonObject, parse_object

if TYPE_CHECKING:
    from anthropic import APIError, AsyncAnthropic
    from anthropic.types.message_count_tokens_params import MessageCountTokensParams
    from anthropic.types.message_create_params import MessageCreateParamsStreaming


class AnthropicSdkCourier:
    """Carries requests by the SDK's client."""

    def __init__(self, faults: EndpointFaults) -> None:
        """Set it up for an endpoint; nothing is loaded or sent yet."""
        self._faults = faults
        self._client = SdkClient(self._build)

    async def ready(self) -> None:
        """Load the SDK and build the client in a thread; idempotent.

        Raises:
            ProviderError: If the client cannot be built (bad key, unusable proxy).
        """
        await self._client.ready()

    async def close(self) -> None:
        """Release connections; idempotent."""
        await self._client.close()

    async def stream(self, body: JsonObject, headers: Mapping[str, str]) -> HttpAnswer:
        """Send a request, once, and return its answer when the head has come.

        Raises:
            ProviderError: Mapped from what the SDK raised.
        """
        client = await self._client.ready()
        import anthropic  # noqa: PLC0415 - loaded by now

        sent = cast("MessageCreateParamsStreaming", body)
        try:
            stream = await client.messages.create(**sent, extra_headers=headers)
        except anthropic.APIError as error:
            raise self._error_of(error) from None
        return stream.response

    async def count(self, body: JsonObject) -> Mapping[str, object] | None:
        """Ask how many tokens a request has; ``None``: the endpoint does not know the question.

        Raises:
            ProviderError: Mapped from what the SDK raised.
        """
        client = await self._client.ready()
        import anthropic  # noqa: PLC0415 - loaded by now

        sent = cast("MessageCountTokensParams", body)
        try:
            # Raw: the SDK takes whatever stands there for a number.
            counted = await client.messages.with_raw_response.count_tokens(**sent)
        except anthropic.NotFoundError:
            return None
        except anthropic.APIError as error:
            raise self._error_of(error) from None
        return parse_object(counted.http_response.text) or {}

    def _build(self) -> "AsyncAnthropic":
        with quiet_import():
            import anthropic  # noqa: PLC0415 - takes 2 s, so it is loaded on first use

            # The SDK would load it at the first request, on the event loop.
            import_module("anthropic.resources.messages")

        settings, base_url = self._faults.settings, self._faults.base_url
        timeout = anthropic.Timeout(settings.stall_s, connect=settings.connect_timeout_s)
        key = settings.usable_key()
        return anthropic.AsyncAnthropic(
            api_key=key,
            base_url=base_url,
            max_retries=0,
            timeout=timeout,
            default_headers=older_key_header(key, base_url),
            http_client=http_client_of(anthropic.DefaultAsyncHttpxClient, settings, timeout),
        )

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


def older_key_header(key: str, base_url: str) -> dict[str, str]:
    """Return the key in its older header too, for endpoints that are not the vendor's.

    The vendor takes it as a bearer token; gateways written for the earlier API version look for
    ``x-api-key``.
    """
    return {} if base_url == ANTHROPIC_BASE_URL else {"x-api-key": key}
