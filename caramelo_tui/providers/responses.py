"""Talk to OpenAI's Responses API through the official SDK.

Owns the client, loaded on first use, and the request's way out and back. The meaning of the
bytes is in ``responses_wire`` and ``responses_stream``; retries are the caller's. Proven by
tests/contract/test_responses.py.
"""

from collections.abc import AsyncGenerator
from contextlib import aclosing
from importlib import import_module
from typing import TYPE_CHECKING, cast

from caramelo_tui.domain.errors import ProviderError
from caramelo_tui.domain.ids import IdSource, RandomIds
from caramelo_tui.domain.provider_events import ProviderEvent
from caramelo_tui.providers.base import Capabilities, ProviderRequest
from caramelo_tui.providers.connection import EndpointSettings
from caramelo_tui.providers.endpoints import responses_base_url
from caramelo_tui.providers.responses_stream import ResponsesStreamReader
from caramelo_tui.providers.responses_wire import count_body, request_body
from caramelo_tui.providers.sdk_client import SdkClient, http_client_of
from caramelo_tui.providers.sdk_loading import quiet_import
from caramelo_tui.providers.streaming import HttpAnswer, read_answer
from caramelo_tui.providers.transport import EndpointFaults

if TYPE_CHECKING:
    from openai import APIError, AsyncOpenAI
    from openai.types.responses.input_token_count_params import InputTokenCountParams
    from openai.types.responses.response_create_params import ResponseCreateParamsStreaming


class ResponsesProvider:
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
        self._settings = settings
        self._name = name
        self._ids = ids or RandomIds()
        self._base_url = responses_base_url(settings.base_url)
        self._faults = EndpointFaults(settings=settings, base_url=self._base_url)
        self._client = SdkClient(self._build_client)

    @property
    def name(self) -> str:
        """Name as in the configuration, for display only."""
        return self._name

    @property
    def capabilities(self) -> Capabilities:
        """What the models of this API can do."""
        return Capabilities(tools=True, reasoning=True, caching=False, images=True)

    async def warm(self) -> None:
        """Load the SDK and build the client in a thread; idempotent.

        Cancelled, the thread ends its import by itself; the next call takes it up.

        Raises:
            ProviderError: If the client cannot be built (bad key, unusable proxy).
        """
        await self._client.ready()

    async def stream(self, request: ProviderRequest) -> AsyncGenerator[ProviderEvent, None]:
        """Send one request, once, and yield what comes.

        Closing the generator or cancelling its consumer closes the HTTP stream.

        Raises:
            ProviderError: Mapped from what the SDK raised; retries are the caller's.
        """
        client = await self._client.ready()
        body = cast("ResponseCreateParamsStreaming", request_body(request))
        answer = await self._send(client, body)
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
            ProviderError: Mapped from what the SDK raised.
        """
        client = await self._client.ready()
        import openai  # noqa: PLC0415 - loaded by now

        body = cast("InputTokenCountParams", count_body(request))
        try:
            counted = await client.responses.input_tokens.count(**body)
        except openai.NotFoundError:
            return None
        except openai.APIError as error:
            raise self._error_of(error) from None
        return counted.input_tokens

    async def close(self) -> None:
        """Release connections; idempotent."""
        await self._client.close()

    def _build_client(self) -> "AsyncOpenAI":
        with quiet_import():
            import openai  # noqa: PLC0415 - takes 0.8 s, so it is loaded on first use

            # The SDK would load it at the first request, on the event loop.
            import_module("openai.resources.responses")

        settings = self._settings
        timeout = openai.Timeout(settings.stall_s, connect=settings.connect_timeout_s)
        return openai.AsyncOpenAI(
            api_key=settings.usable_key(),
            base_url=self._base_url,
            max_retries=0,
            timeout=timeout,
            http_client=http_client_of(openai.DefaultAsyncHttpxClient, settings, timeout),
        )

    async def _send(
        self, client: "AsyncOpenAI", body: "ResponseCreateParamsStreaming"
    ) -> HttpAnswer:
        """Send the request and return the answer once its head has come."""
        import openai  # noqa: PLC0415 - loaded by now

        try:
            stream = await client.responses.create(**body)
        except openai.APIError as error:
            # The SDK's text may repeat the key, so a traceback must not show it.
            raise self._error_of(error) from None
        return stream.response

    def _error_of(self, error: "APIError") -> ProviderError:
        import openai  # noqa: PLC0415 - loaded by now

        if isinstance(error, openai.APIStatusError):
            return self._faults.error_for_answer(
                error.status_code, error.body, error.response.headers
            )
        return self._faults.error_for(error.__cause__)
