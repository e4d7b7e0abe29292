"""Carry an endpoint's requests over the HTTP client alone, without the vendor's SDK.

Owns the body's bytes, the headers of every request and the meaning of an answer's head. What the
bytes of an answer mean is the wire modules' business, as with an SDK. Loads the HTTP client only
when used: an SDK takes ten times as long. Proven by tests/contract/test_providers.py,
tests/contract/test_hostile_endpoints.py and tests/architecture/test_import_hygiene.py.
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from caramelo_tui import __version__
from caramelo_tui.domain.errors import BadRequest
from caramelo_tui.providers.connection import EndpointSettings
from caramelo_tui.providers.sdk_client import SdkClient, http_client_of
from caramelo_tui.providers.sdk_loading import quiet_import
from caramelo_tui.providers.streaming import HttpAnswer
from caramelo_tui.providers.transport import EndpointFaults
from caramelo_tui.providers.vendor_json import JsonObject, as_object, parse_object

if TYPE_CHECKING:
    import httpx2

NOT_FOUND = 404


Headers = Callable[[EndpointSettings, str], Mapping[str, str]]
"""Gives the headers that every request to a base URL carries, the key included."""


@dataclass(frozen=True, slots=True)
class EndpointApi:
    """Where one vendor's API answers, and how its requests are signed."""

    stream_path: str
    """Behind the base URL, with its slash."""
    headers: Headers
    """May raise ``AuthenticationFailed`` for a key that cannot stand in one."""
    count_path: str = ""
    """Where tokens are counted; empty: nowhere."""


class _HttpClient:
    """The HTTP client, under the name that a client is closed by."""

    def __init__(self, client: "httpx2.AsyncClient") -> None:
        self.http = client

    async def close(self) -> None:
        await self.http.aclose()


class ThinCourier:
    """Carries requests as bytes."""

    def __init__(self, faults: EndpointFaults, api: EndpointApi) -> None:
        """Set it up; nothing is loaded or sent yet.

        Args:
            faults: The endpoint, and what its faults mean.
            api: What is asked there.
        """
        self._faults = faults
        self._api = api
        self._client = SdkClient(self._build)

    async def ready(self) -> None:
        """Load the HTTP client in a thread; idempotent.

        Raises:
            ProviderError: If it cannot be built (bad key, unusable proxy).
        """
        await self._client.ready()

    async def close(self) -> None:
        """Release the connections; idempotent."""
        await self._client.close()

    async def stream(self, body: JsonObject, headers: Mapping[str, str]) -> HttpAnswer:
        """Send a request, once, and return its answer when the head has come.

        Raises:
            ProviderError: If there is none, or it has an error status.
        """
        answer = await self._post(self._api.stream_path, body, headers)
        if answer.is_success:
            return answer
        # Redirects too: the prompt and the key go to no host that the user did not name.
        raise self._faults.error_for_answer(
            answer.status_code, await self._error_body(answer), answer.headers
        )

    async def count(self, body: JsonObject) -> Mapping[str, object] | None:
        """Ask how many tokens a request has; ``None``: the endpoint does not know the question.

        Raises:
            ProviderError: If there is no answer, or it has another error status.
        """
        if not self._api.count_path:
            return None
        answer = await self._post(self._api.count_path, body, {})
        read = await self._error_body(answer)
        if answer.status_code == NOT_FOUND:
            return None
        if not answer.is_success:
            raise self._faults.error_for_answer(answer.status_code, read, answer.headers)
        return as_object(read)

    async def _post(
        self, path: str, body: JsonObject, headers: Mapping[str, str]
    ) -> "httpx2.Response":
        faults, http = self._faults, (await self._client.ready()).http
        signed = self._api.headers(faults.settings, faults.base_url)
        # Names differ in case between the two, and each may be sent once.
        named = {name.lower(): value for name, value in (*signed.items(), *headers.items())}
        request = http.build_request(
            "POST", faults.base_url + path, content=encoded(body), headers=named
        )
        try:
            return await http.send(request, stream=True)
        except faults.types as fault:
            failed = faults.error_for(fault)
            # The client's own text may repeat a header, so a traceback must not show it.
            raise failed from None

    async def _error_body(self, answer: "httpx2.Response") -> object:
        """Return the JSON object of a small answer, or its text where it is none; closes it."""
        try:
            await answer.aread()
        except self._faults.types as fault:
            failed = self._faults.error_for(fault)
            raise failed from None
        finally:
            await answer.aclose()
        return parse_object(answer.text) or answer.text

    def _build(self) -> _HttpClient:
        with quiet_import():
            import httpx2  # noqa: PLC0415 - takes 0.1 s, so it is loaded on first use

        settings = self._faults.settings
        timeout = httpx2.Timeout(settings.stall_s, connect=settings.connect_timeout_s)
        try:
            make = _client_maker(self._faults)
            return _HttpClient(http_client_of(make, settings, timeout))
        except httpx2.InvalidURL as error:
            msg = f"The proxy of the environment cannot be used: {error}"
            raise BadRequest(msg) from error


def _client_maker(faults: EndpointFaults) -> "Callable[..., httpx2.AsyncClient]":
    """Return how the HTTP client is made: over connections of our own, unless there is a proxy."""
    from urllib.request import getproxies  # noqa: PLC0415 - loaded with the HTTP client

    import httpx2  # noqa: PLC0415 - loaded by now

    from caramelo_tui.providers.direct_transport import DirectTransport  # noqa: PLC0415 - loads the HTTP client

    if faults.settings.obeys_proxy_variables and getproxies():
        return httpx2.AsyncClient
    is_secure = faults.base_url.startswith("https:")
    trust_env = faults.settings.obeys_proxy_variables
    tls = httpx2.create_ssl_context(trust_env=trust_env) if is_secure else None
    if tls is not None:
        tls.set_alpn_protocols(["http/1.1"])
    return partial(httpx2.AsyncClient, transport=DirectTransport(tls))


def encoded(body: JsonObject) -> bytes:
    """Return a body as it is sent: equal bodies, and equal beginnings of them, are equal bytes."""
    return json.dumps(body, ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode()


def bearer_headers(settings: EndpointSettings, base_url: str) -> dict[str, str]:
    """Return the headers of a request that carries its key as a bearer token.

    Raises:
        AuthenticationFailed: If the key cannot stand in a header.
    """
    del base_url
    return {
        "accept": "application/json",
        "authorization": f"Bearer {settings.usable_key()}",
        "content-type": "application/json",
        "user-agent": f"caramelo-tui/{__version__}",
    }
