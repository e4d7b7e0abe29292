"""Talk to OpenAI's Chat Completions, and to endpoints that speak it, through the official SDK.

Owns the client, loaded on first use, and the request's way out and back. The meaning of the
bytes is in ``openai_wire`` and ``openai_stream``; retries are the caller's. Proven by
tests/contract/test_providers.py.
"""

from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import aclosing
from importlib import import_module
from typing import TYPE_CHECKING, cast

from caramelo_tui.domain.ids import IdSource, RandomIds
from caramelo_tui.domain.provider_events import ProviderEvent
from caramelo_tui.providers.base import Capabilities, ProviderRequest
from caramelo_tui.providers.chat_quirks import OPENAI_QUIRKS, ChatQuirks
from caramelo_tui.providers.connection import EndpointSettings
from caramelo_tui.providers.endpoints import OPENAI_BASE_URL, host_of, openai_base_url
from caramelo_tui.providers.openai_stream import OpenAIStreamReader
from caramelo_tui.providers.openai_wire import request_body
from caramelo_tui.providers.sdk_client import SdkClient, http_client_of
from caramelo_tui.providers.sdk_loading import quiet_import
from caramelo_tui.providers.streaming import HttpAnswer, read_answer
from caramelo_tui.providers.transport import EndpointFaults

if TYPE_CHECKING:
    from openai import AsyncOpenAI
    from openai.types.chat.completion_create_params import CompletionCreateParamsStreaming

RequestHeaders = Callable[[ProviderRequest], Mapping[str, str]]
"""Gives the headers that one request carries beside the SDK's own."""


def no_headers(_request: ProviderRequest) -> Mapping[str, str]:
    """Add nothing."""
    return {}


class OpenAICompatibleProvider:
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
            headers: What each request carries beside the SDK's own headers.
            quirks: How the endpoint differs; ``None``: not at all for OpenAI itself, else as most
                compatible servers do.

        Raises:
            ValueError: If the base URL cannot be used; the message says why.
        """
        self._settings = settings
        self._name = name
        self._ids = ids or RandomIds()
        self._headers = headers
        self._base_url = (
            settings.base_url if settings.is_exact_url else openai_base_url(settings.base_url)
        )
        is_openai = host_of(self._base_url) == host_of(OPENAI_BASE_URL)
        self._quirks = quirks or (OPENAI_QUIRKS if is_openai else ChatQuirks())
        self._faults = EndpointFaults(settings=settings, base_url=self._base_url)
        self._client = SdkClient(self._build_client)

    @property
    def name(self) -> str:
        """Name as in the configuration, for display only."""
        return self._name

    @property
    def capabilities(self) -> Capabilities:
        """What the models of this API can do."""
        return Capabilities(
            tools=True, reasoning=True, caching=False, images=self._quirks.takes_images
        )

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
        body = request_body(request, quirks=self._quirks)
        answer = await self._send(
            client, cast("CompletionCreateParamsStreaming", body), self._headers(request)
        )
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

    async def close(self) -> None:
        """Release connections; idempotent."""
        await self._client.close()

    def _build_client(self) -> "AsyncOpenAI":
        with quiet_import():
            import openai  # noqa: PLC0415 - takes 0.8 s, so it is loaded on first use

            # The SDK would load it at the first request, on the event loop.
            import_module("openai.resources.chat.completions")

        settings = self._settings
        timeout = openai.Timeout(settings.stall_s, connect=settings.connect_timeout_s)
        key = settings.usable_key()
        return openai.AsyncOpenAI(
            api_key=key,
            base_url=self._base_url,
            max_retries=0,
            timeout=timeout,
            http_client=http_client_of(openai.DefaultAsyncHttpxClient, settings, timeout),
        )

    async def _send(
        self,
        client: "AsyncOpenAI",
        body: "CompletionCreateParamsStreaming",
        headers: Mapping[str, str],
    ) -> HttpAnswer:
        """Send the request and return the answer once its head has come."""
        import openai  # noqa: PLC0415 - loaded by now

        try:
            stream = await client.chat.completions.create(**body, extra_headers=headers)
        except openai.APIStatusError as error:
            # The SDK's text may repeat the key, so a traceback must not show it.
            refused = self._faults.error_for_answer(
                error.status_code, error.body, error.response.headers
            )
            raise refused from None
        except openai.APIConnectionError as error:
            broken = self._faults.error_for(error.__cause__)
            raise broken from error
        return stream.response
