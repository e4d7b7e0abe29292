"""Speak with GitHub's side of Copilot: where it is, and one small JSON request at a time.

Owns the addresses, the headers that say who asks, and the meaning of failed requests. It follows
no redirect and keeps no token. Proven by tests/contract/test_copilot.py.

Sources, read 2026-11-30: docs.github.com, "Authorizing OAuth apps: device flow" (login);
RFC 8628; docs.github.com, "About premium requests" (counting). GitHub documents neither the
exchange of tokens nor the chat endpoint; both are as its own editor plug-ins use them.
"""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import urlsplit, urlunsplit

from caramelo_tui import __version__
from caramelo_tui.domain.errors import BadRequest, Overloaded, ProviderError, StreamBroken
from caramelo_tui.providers.vendor_json import parse_object

if TYPE_CHECKING:
    import httpx2

PUBLIC_GITHUB = "https://github.com"
"""Where everybody logs in who has no GitHub of their company."""
CHAT_ENDPOINT = "https://api.githubcopilot.com"
"""Where chat is sent to when the token's answer names no place."""
CLIENT_ID = "Iv1.b507a08c87ecfe98"
"""Public id of GitHub's own Copilot plug-in: tokens are exchanged for logins through it."""
TIMEOUT_S = 20.0
"""Seconds for one of these small requests, connecting included."""
_LIMIT_BYTES = 4 * 1024 * 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class GitHubHosts:
    """The two addresses of one GitHub."""

    web: str
    """Where people log in; without a trailing slash."""
    api: str
    """Where tokens are exchanged; without a trailing slash."""

    @classmethod
    def of(cls, address: str = "") -> "GitHubHosts":
        """Return the addresses of the GitHub that a person names; empty: the public one.

        A company's GitHub (``https://NAME.ghe.com``) has its API at ``api.`` before the name; an
        address with a port or on this machine has it at the same place.

        Raises:
            ValueError: If it is no http or https address.
        """
        parts = urlsplit(address.strip() or PUBLIC_GITHUB)
        host = parts.hostname
        if parts.scheme not in {"http", "https"} or not host:
            raise ValueError("the base URL must start with https:// and name a GitHub")
        web = urlunsplit((parts.scheme, parts.netloc, "", "", ""))
        if parts.port is not None or host == "localhost":
            return cls(web=web, api=web)
        return cls(web=web, api=urlunsplit((parts.scheme, f"api.{host}", "", "", "")))


def client_headers() -> dict[str, str]:
    """Return the headers by which GitHub knows what asks; it answers no request without them."""
    return {
        "User-Agent": f"Caramelo/{__version__}",
        "Editor-Version": f"Caramelo/{__version__}",
        "Editor-Plugin-Version": f"caramelo-tui/{__version__}",
        "Copilot-Integration-Id": "vscode-chat",
    }


@dataclass(frozen=True, slots=True, kw_only=True)
class JsonAnswer:
    """What came of one request."""

    status: int
    body: Mapping[str, object]
    """Empty where the answer was no JSON object."""


class JsonRequests:
    """Sends small requests, each over a connection of its own."""

    def __init__(self, *, timeout_s: float = TIMEOUT_S, obeys_proxy_variables: bool = True) -> None:
        self._timeout_s = timeout_s
        self._obeys_proxy_variables = obeys_proxy_variables

    async def get(self, url: str, headers: Mapping[str, str]) -> JsonAnswer:
        """Fetch an object.

        Raises:
            ProviderError: If nobody answers or the server is busy; it holds no header.
        """
        return await self._ask("GET", url, headers, None)

    async def post(self, url: str, form: Mapping[str, str]) -> JsonAnswer:
        """Send a form and fetch an object.

        Raises:
            ProviderError: If nobody answers or the server is busy; it holds nothing of the form.
        """
        return await self._ask("POST", url, {}, form)

    async def _ask(
        self, method: str, url: str, headers: Mapping[str, str], form: Mapping[str, str] | None
    ) -> JsonAnswer:
        import httpx2  # noqa: PLC0415 - 150 ms, for those who log in

        sent = {"Accept": "application/json", **client_headers(), **headers}
        data, host = None if form is None else dict(form), urlsplit(url).netloc
        try:
            async with (
                # Of the whole answer; the client's own limit is for each wait.
                asyncio.timeout(self._timeout_s),
                self._client() as client,
                client.stream(method, url, headers=sent, data=data) as answer,
            ):
                content = await _content(answer, host)
        except (ImportError, ValueError) as error:
            msg = f"The proxy of the environment cannot be used: {error}"
            raise BadRequest(msg) from error
        except (TimeoutError, httpx2.TimeoutException) as error:
            msg = f"{host} did not answer within {self._timeout_s:g} s."
            raise StreamBroken(msg) from error
        except httpx2.RequestError as error:
            msg = f"Could not reach {host}: {str(error) or 'the connection was lost'}."
            raise StreamBroken(msg) from error
        return _answer(answer.status_code, content, host)

    def _client(self) -> "httpx2.AsyncClient":
        import httpx2  # noqa: PLC0415 - see above

        return httpx2.AsyncClient(
            timeout=self._timeout_s,
            # A redirect would carry the token to a host that nobody named.
            follow_redirects=False,
            trust_env=self._obeys_proxy_variables,
        )


async def _content(answer: "httpx2.Response", host: str) -> bytes:
    """Return a body, inflated.

    Raises:
        BadRequest: If it is longer than any that is meant.
    """
    content = bytearray()
    async for part in answer.aiter_bytes():
        content += part
        if len(content) > _LIMIT_BYTES:
            msg = f"The answer of {host} is too long."
            raise BadRequest(msg)
    return bytes(content)


def _answer(status: int, content: bytes, host: str) -> JsonAnswer:
    if status == 429 or status >= 500:  # noqa: PLR2004 - the class of server errors
        raise _busy(status, host)
    text = content.decode("utf-8", "replace")
    return JsonAnswer(status=status, body=parse_object(text) or {})


def _busy(status: int, host: str) -> ProviderError:
    return Overloaded(f"{host} is busy or failed (HTTP {status}).")
