"""Log in to GitHub with a code that the person types in their browser.

Owns the device flow of RFC 8628 as GitHub documents it: the code, the pace of asking whether it
was typed, and how it ends. The token is returned and kept nowhere. Proven by
tests/contract/test_copilot.py.

Source, read 2026-11-30: docs.github.com, "Authorizing OAuth apps", section "Device flow".
"""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from caramelo_tui.domain.errors import AuthenticationFailed, BadRequest
from caramelo_tui.domain.ids import Clock, SystemClock
from caramelo_tui.providers.copilot_http import CLIENT_ID, GitHubHosts, JsonAnswer, JsonRequests
from caramelo_tui.providers.vendor_json import count_at, text_at

SCOPE = "read:user"
"""All that is asked for: who you are. Copilot comes with the account."""
_GRANT = "urn:ietf:params:oauth:grant-type:device_code"
_USUAL_INTERVAL_S = 5
_USUAL_LIFE_S = 900
_SLOWER_BY_S = 5
"""Seconds by which GitHub wants to be asked less often after ``slow_down``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DeviceCode:
    """What the person types, and where."""

    user_code: str
    address: str
    """Page where it is typed; of the GitHub that was asked."""
    device_code: str = field(repr=False)
    """Our half of it; a secret until the login has ended."""
    interval_s: float
    """Seconds between two questions, at least."""
    life_s: float
    """Seconds for which the code can be used."""


class LoginEnded(AuthenticationFailed):
    """The login did not come about: refused, too late, or not allowed. It can be begun again."""


class CopilotLogin:
    """Logs in to one GitHub."""

    def __init__(
        self,
        hosts: GitHubHosts,
        *,
        requests: JsonRequests | None = None,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
        clock: Clock | None = None,
    ) -> None:
        """Set it up; nothing is sent yet."""
        self._hosts = hosts
        self._requests = requests or JsonRequests()
        self._sleep = sleep
        self._clock = clock or SystemClock()

    async def begin(self) -> DeviceCode:
        """Ask for a code.

        Raises:
            BadRequest: If GitHub gives none that can be used.
            ProviderError: If it cannot be reached.
        """
        answer = await self._requests.post(
            f"{self._hosts.web}/login/device/code", {"client_id": CLIENT_ID, "scope": SCOPE}
        )
        code, device_code = text_at(answer.body, "user_code"), text_at(answer.body, "device_code")
        address = text_at(answer.body, "verification_uri")
        if not code or not device_code or not address:
            msg = f"{self._hosts.web} gave no code for a login (HTTP {answer.status})."
            raise BadRequest(msg)
        if not _is_at(self._hosts.web, address):
            # Whoever types the code there gives the account away.
            msg = f"{self._hosts.web} sends to another host to log in; that is not followed."
            raise BadRequest(msg)
        return DeviceCode(
            user_code=code,
            address=address,
            device_code=device_code,
            interval_s=float(count_at(answer.body, "interval") or _USUAL_INTERVAL_S),
            life_s=float(count_at(answer.body, "expires_in") or _USUAL_LIFE_S),
        )

    async def wait(self, code: DeviceCode) -> str:
        """Return the GitHub token once the person has typed the code.

        Cancelled, nothing is asked any more; the code runs out by itself.

        Raises:
            LoginEnded: If the person refused, or the code ran out.
            ProviderError: If GitHub cannot be reached or answers oddly.
        """
        interval_s = code.interval_s
        until = self._clock.monotonic() + code.life_s
        while self._clock.monotonic() < until:
            await self._sleep(interval_s)
            answer = await self._requests.post(
                f"{self._hosts.web}/login/oauth/access_token",
                {"client_id": CLIENT_ID, "device_code": code.device_code, "grant_type": _GRANT},
            )
            token = text_at(answer.body, "access_token")
            if token:
                return token
            interval_s = _next_interval_s(answer, interval_s)
        raise LoginEnded("The code ran out before it was typed. Begin the login again.")


def _is_at(web: str, address: str) -> bool:
    """Whether an address is a page of a GitHub."""
    try:
        named, own = urlsplit(address), urlsplit(web)
    except ValueError:
        return False
    return (named.scheme, named.netloc) == (own.scheme, own.netloc)


def _next_interval_s(answer: JsonAnswer, interval_s: float) -> float:
    """Return the seconds to the next question.

    Raises:
        LoginEnded: If there is nothing more to ask.
        BadRequest: If the answer means nothing that is known.
    """
    match text_at(answer.body, "error"):
        case "authorization_pending":
            return interval_s
        case "slow_down":
            return float(count_at(answer.body, "interval") or interval_s + _SLOWER_BY_S)
        case "expired_token":
            raise LoginEnded("The code ran out before it was typed. Begin the login again.")
        case "access_denied":
            raise LoginEnded("The login was refused on GitHub's page.")
        case "device_flow_disabled":
            raise LoginEnded("This GitHub does not allow logins with a code.")
        case _:
            msg = f"GitHub answered the login in a way that is not known (HTTP {answer.status})."
            raise BadRequest(msg)
