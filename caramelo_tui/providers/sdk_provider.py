"""Hold what providers over a vendor's SDK have in common.

Owns their name, their settings and the life of their client, loaded on first use. Knows no
vendor and imports no SDK: how a client is built and what an endpoint speaks is each provider's.
Proven by tests/contract/test_providers.py.
"""

from abc import ABC, abstractmethod
from typing import Generic

from caramelo_tui.domain.ids import IdSource, RandomIds
from caramelo_tui.providers.connection import EndpointSettings
from caramelo_tui.providers.sdk_client import C, SdkClient
from caramelo_tui.providers.transport import EndpointFaults


class SdkProvider(ABC, Generic[C]):
    """A provider but for its requests."""

    def __init__(
        self, settings: EndpointSettings, *, name: str, base_url: str, ids: IdSource | None
    ) -> None:
        """Set the provider up; nothing is loaded or sent yet.

        Args:
            settings: How to reach the endpoint.
            name: Name as in the configuration.
            base_url: The endpoint's address as the SDK wants it.
            ids: Where ids of calls come from that the endpoint leaves out; ``None``: random ones.
        """
        self._settings = settings
        self._name = name
        self._base_url = base_url
        self._ids = ids or RandomIds()
        self._faults = EndpointFaults(settings=settings, base_url=base_url)
        self._client = SdkClient(self._build_client)

    @property
    def name(self) -> str:
        """Name as in the configuration, for display only."""
        return self._name

    async def warm(self) -> None:
        """Load the SDK and build the client in a thread; idempotent.

        Cancelled, the thread ends its import by itself; the next call takes it up.

        Raises:
            ProviderError: If the client cannot be built (bad key, unusable proxy).
        """
        await self._client.ready()

    async def close(self) -> None:
        """Release connections; idempotent."""
        await self._client.close()

    @abstractmethod
    def _build_client(self) -> C:
        """Load the SDK and return its client; called in a thread."""
