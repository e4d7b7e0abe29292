"""Talk to OpenAI's Responses API through the official SDK.

Owns the request's way out and back. The meaning of the bytes is in ``responses_wire`` and
``responses_stream``, the client is ``openai_sdk``'s, retries are the caller's. Proven by
tests/contract/test_responses.py.
"""

from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import TYPE_CHECKING, cast

from caramelo_tui.domain.ids import IdSource
from caramelo_tui.domain.provider_events import ProviderEvent
from caramelo_tui.providers.base import Capabilities, ProviderRequest
from caramelo_tui.providers.connection import EndpointSettings
from caramelo_tui.providers.endpoints import responses_base_url
from caramelo_tui.providers.openai_sdk import error_of, openai_client
from caramelo_tui.providers.responses_stream import ResponsesStreamReader
from caramelo_tui.providers.responses_wire import count_body, request_body
from caramelo_tui.providers.sdk_provider import SdkProvider
from caramelo_tui.providers.streaming import HttpAnswer, read_answer

if TYPE_CHECKING:
    from openai import AsyncOpenAI
    from openai.types.responses.input_token_count_params import InputTokenCountParams
    from openai.types.responses.response_create_params import ResponseCreateParamsStreaming


class ResponsesProvider(SdkProvider["AsyncOpenAI"]):
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
        base_url = responses_base_url(settings.base_url)
        super().__init__(settings, name=name, base_url=base_url, ids=ids)

    @property
    def capabilities(self) -> Capabilities:
        """What the models of this API can do."""
        return Capabilities(tools=True, reasoning=True, caching=False, images=True)

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
            failed = error_of(error, self._faults)
            raise failed from None
        return counted.input_tokens

    def _build_client(self) -> "AsyncOpenAI":
        return openai_client(self._settings, self._base_url, resource="openai.resources.responses")

    async def _send(
        self, client: "AsyncOpenAI", body: "ResponseCreateParamsStreaming"
    ) -> HttpAnswer:
        """Send the request and return the answer once its head has come."""
        import openai  # noqa: PLC0415 - loaded by now

        try:
            stream = await client.responses.create(**body)
        except openai.APIError as error:
            failed = error_of(error, self._faults)
            raise failed from None
        return stream.response
