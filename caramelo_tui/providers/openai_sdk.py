"""Carry requests to OpenAI's APIs, or endpoints that speak them, over the official SDK.

Owns how its client is set up, and the meaning of its errors. Loads it only when used, since that
takes 0.8 s. Proven by tests/contract/test_providers.py and tests/contract/test_responses.py.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from importlib import import_module
from typing import TYPE_CHECKING, cast

from caramelo_tui.domain.errors import ProviderError
from caramelo_tui.providers.sdk_client import SdkClient, http_client_of
from caramelo_tui.providers.sdk_loading import quiet_import
from caramelo_tui.providers.streaming import HttpAnswer
from caramelo_tui.providers.transport import EndpointFaults
from caramelo_tui.providers.vendor_json import JsonObject

if TYPE_CHECKING:
    from openai import APIError, AsyncOpenAI
    from openai.types.chat.completion_create_params import CompletionCreateParamsStreaming
    from openai.types.responses.input_token_count_params import InputTokenCountParams
    from openai.types.responses.response_create_params import ResponseCreateParamsStreaming


class _OpenAISdkCourier(ABC):
    """What the couriers of all APIs of this SDK share."""

    resource: str
    """The SDK's module of the API that is used. The SDK would load it at the first request, on
    the event loop."""

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
        import openai  # noqa: PLC0415 - loaded by now

        try:
            return await self._create(client, body, headers)
        except openai.APIError as error:
            failed = self._error_of(error)
            raise failed from None

    async def count(self, body: JsonObject) -> Mapping[str, object] | None:
        """Ask how many tokens a request has; ``None``: the endpoint does not know the question.

        Raises:
            ProviderError: Mapped from what the SDK raised.
        """
        client = await self._client.ready()
        import openai  # noqa: PLC0415 - loaded by now

        try:
            return await self._counted(client, body)
        except openai.NotFoundError:
            return None
        except openai.APIError as error:
            failed = self._error_of(error)
            raise failed from None

    @abstractmethod
    async def _create(
        self, client: "AsyncOpenAI", body: JsonObject, headers: Mapping[str, str]
    ) -> HttpAnswer:
        """Ask for a stream; raises the SDK's errors."""

    @abstractmethod
    async def _counted(
        self, client: "AsyncOpenAI", body: JsonObject
    ) -> Mapping[str, object] | None:
        """Ask for a count; raises the SDK's errors."""

    def _build(self) -> "AsyncOpenAI":
        with quiet_import():
            import openai  # noqa: PLC0415 - takes 0.8 s, so it is loaded on first use

            import_module(self.resource)

        settings = self._faults.settings
        timeout = openai.Timeout(settings.stall_s, connect=settings.connect_timeout_s)
        return openai.AsyncOpenAI(
            api_key=settings.usable_key(),
            base_url=self._faults.base_url,
            max_retries=0,
            timeout=timeout,
            http_client=http_client_of(openai.DefaultAsyncHttpxClient, settings, timeout),
        )

    def _error_of(self, error: "APIError") -> ProviderError:
        """Return our error for one of the SDK's.

        The SDK's text may repeat the key: raise ours ``from None``, so that no traceback shows it.
        """
        import openai  # noqa: PLC0415 - loaded by now

        if isinstance(error, openai.APIStatusError):
            return self._faults.error_for_answer(
                error.status_code, error.body, error.response.headers
            )
        return self._faults.error_for(error.__cause__)


class ChatSdkCourier(_OpenAISdkCourier):
    """Carries Chat Completions."""

    resource = "openai.resources.chat.completions"

    async def _create(
        self, client: "AsyncOpenAI", body: JsonObject, headers: Mapping[str, str]
    ) -> HttpAnswer:
        sent = cast("CompletionCreateParamsStreaming", body)
        stream = await client.chat.completions.create(**sent, extra_headers=headers)
        return stream.response

    async def _counted(
        self, client: "AsyncOpenAI", body: JsonObject
    ) -> Mapping[str, object] | None:
        # This form of the API has no such endpoint.
        del client, body
        return None


class ResponsesSdkCourier(_OpenAISdkCourier):
    """Carries requests of the Responses API."""

    resource = "openai.resources.responses"

    async def _create(
        self, client: "AsyncOpenAI", body: JsonObject, headers: Mapping[str, str]
    ) -> HttpAnswer:
        sent = cast("ResponseCreateParamsStreaming", body)
        stream = await client.responses.create(**sent, extra_headers=headers)
        return stream.response

    async def _counted(
        self, client: "AsyncOpenAI", body: JsonObject
    ) -> Mapping[str, object] | None:
        counted = await client.responses.input_tokens.count(**cast("InputTokenCountParams", body))
        return {"input_tokens": counted.input_tokens}
