"""Hold what providers over HTTP have in common.

Owns their name, their settings, and which courier carries their requests. Knows no vendor and
imports no SDK: what an endpoint speaks is each provider's. Proven by
tests/contract/test_providers.py.
"""

from caramelo_tui.domain.ids import IdSource, RandomIds
from caramelo_tui.providers.connection import EndpointSettings
from caramelo_tui.providers.courier import Courier
from caramelo_tui.providers.transport import EndpointFaults


class HttpProvider:
    """A provider but for its requests."""

    def __init__(
        self,
        faults: EndpointFaults,
        courier: Courier,
        *,
        name: str,
        ids: IdSource | None,
    ) -> None:
        """Set the provider up; nothing is loaded or sent yet.

        Args:
            faults: The endpoint, and what its faults mean.
            courier: Carries the requests there.
            name: Name as in the configuration.
            ids: Where ids of calls come from that the endpoint leaves out; ``None``: random ones.
        """
        self._faults = faults
        self._courier = courier
        self._name = name
        self._ids = ids or RandomIds()

    @property
    def name(self) -> str:
        """Name as in the configuration, for display only."""
        return self._name

    @property
    def _settings(self) -> EndpointSettings:
        """How the endpoint is reached."""
        return self._faults.settings

    async def warm(self) -> None:
        """Load what the first request needs, in a thread; idempotent.

        Cancelled, the thread ends its import by itself; the next call takes it up.

        Raises:
            ProviderError: If the client cannot be built (bad key, unusable proxy).
        """
        await self._courier.ready()

    async def close(self) -> None:
        """Release connections; idempotent."""
        await self._courier.close()
