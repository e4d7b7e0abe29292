"""Hold a vendor's SDK client: built when it is first needed, closed once.

Owns what the clients of all SDKs share: that they are built in a thread, one at a time, and how
their HTTP client is set up. Knows no vendor and imports no SDK. Proven by
tests/unit/providers/test_sdk_client.py and tests/contract/test_providers.py.
"""

import asyncio
from collections.abc import Callable
from typing import Generic, Protocol, TypeVar

from caramelo_tui.domain.errors import BadRequest
from caramelo_tui.providers.bounded_answers import bound_answer
from caramelo_tui.providers.connection import EndpointSettings


class Closable(Protocol):
    """What is needed of a client."""

    async def close(self) -> None:
        """Release its connections."""
        ...


C = TypeVar("C", bound=Closable)
H = TypeVar("H")


class SdkClient(Generic[C]):
    """One client, or none yet."""

    def __init__(self, build: Callable[[], C]) -> None:
        """Set it up; nothing is loaded yet.

        Args:
            build: Loads the SDK and builds the client; called in a thread.
        """
        self._build = build
        self._loading = asyncio.Lock()
        self._client: C | None = None

    async def ready(self) -> C:
        """Return the client, built when it is first asked for.

        Cancelled, the thread ends its work by itself; the next call takes it up.

        Raises:
            ProviderError: Whatever ``build`` raises.
        """
        async with self._loading:
            if self._client is None:
                self._client = await asyncio.to_thread(self._build)
            return self._client

    async def close(self) -> None:
        """Release its connections; idempotent, and it can be built again."""
        client, self._client = self._client, None
        if client is not None:
            await client.close()


def http_client_of(make: Callable[..., H], settings: EndpointSettings, timeout: object) -> H:
    """Return an SDK's HTTP client for an endpoint; what answers it takes is bounded.

    Args:
        make: The SDK's class for it.
        settings: How the endpoint is reached.
        timeout: The SDK's value for its time limits.

    Raises:
        BadRequest: If the environment's proxy cannot be used.
    """
    try:
        return make(
            timeout=timeout,
            # A redirect would carry the prompt to a host that the user did not name.
            follow_redirects=False,
            trust_env=settings.obeys_proxy_variables,
            event_hooks={"response": [bound_answer]},
        )
    except (ImportError, ValueError) as error:
        msg = f"The proxy of the environment cannot be used: {error}"
        raise BadRequest(msg) from error
