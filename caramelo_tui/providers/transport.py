"""Say what went wrong at one endpoint, in HTTP and below it.

Owns the meaning of the HTTP client's exceptions, for both SDKs (they share the client,
httpx2). Imports it only when used, since that takes 150 ms. Proven by
tests/contract/test_providers.py and tests/unit/providers/test_transport.py.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from caramelo_tui.domain.errors import ProviderError, StreamBroken
from caramelo_tui.providers.connection import EndpointSettings
from caramelo_tui.providers.endpoints import host_of
from caramelo_tui.providers.error_mapping import error_for_status, without_keys


@dataclass(frozen=True, slots=True, kw_only=True)
class EndpointFaults:
    """The faults of one endpoint."""

    settings: EndpointSettings
    base_url: str

    @property
    def host(self) -> str:
        """Who is spoken to, for messages."""
        return host_of(self.base_url)

    @property
    def types(self) -> tuple[type[Exception], ...]:
        """The exceptions that stand for a lost or stalled connection."""
        import httpx2  # noqa: PLC0415 - loaded with the SDK, never before the first request

        return (httpx2.RequestError,)

    def error_for_answer(
        self, status: int, body: object, headers: Mapping[str, str]
    ) -> ProviderError:
        """Return our error for an answer with an error status."""
        lowered = {name.lower(): value for name, value in headers.items()}
        return error_for_status(
            status, body, lowered, key=self.settings.usable_key(), host=self.host
        )

    def error_for(self, fault: BaseException | None) -> StreamBroken:
        """Return our error for an exception of the HTTP client; the next try may succeed."""
        import httpx2  # noqa: PLC0415 - loaded with the SDK, never before the first request

        match fault:
            case httpx2.ConnectTimeout():
                said = f"No connection to {self.host} within {self.settings.connect_timeout_s:g} s."
            case httpx2.TimeoutException():
                said = f"{self.host} sent nothing for {self.settings.stall_s:g} s."
            case httpx2.ConnectError():
                reason = without_keys(str(fault), self.settings.key) or "refused or unreachable"
                said = f"Could not connect to {self.host}: {reason}."
            case _:
                said = f"The connection to {self.host} was lost."
        return StreamBroken(said)
