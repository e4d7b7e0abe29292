"""Exchange the GitHub token for the short-lived one that Copilot takes, ahead of its end.

Owns one GitHub token of the session and the Copilot token made from it; both live in memory
only and stand in no ``repr``. Proven by tests/contract/test_copilot.py.
"""

import asyncio
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from caramelo_tui.domain.errors import AuthenticationFailed, BadRequest
from caramelo_tui.domain.ids import Clock, SystemClock
from caramelo_tui.domain.screen_text import visible
from caramelo_tui.providers.copilot_http import (
    CHAT_ENDPOINT,
    GitHubHosts,
    JsonAnswer,
    JsonRequests,
)
from caramelo_tui.providers.vendor_json import as_object, count_at, text_at

RENEW_BEFORE_S = 120.0
"""Seconds before its end at which a token is not used for a new request any more."""
LOG_IN_AGAIN = "Log in again with /login, or set a new GITHUB_COPILOT_TOKEN and start again."
"""What helps when GitHub takes the login no longer."""
_COPILOT_HOME = "githubcopilot.com"
"""Domain of Copilot's chat hosts, one for each kind of plan; seen 2026-11-30 in the answers that
GitHub's editor plug-ins get."""
_LONGEST_DETAIL = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class CopilotToken:
    """What chat requests are sent with."""

    key: str = field(repr=False)
    base_url: str
    """Where they are sent to; depends on the person's plan."""
    ends_at: float
    """Seconds since the epoch."""


class CopilotTokens:
    """Gives the token that is good now."""

    def __init__(
        self,
        github_token: str,
        hosts: GitHubHosts,
        *,
        requests: JsonRequests | None = None,
        clock: Clock | None = None,
    ) -> None:
        """Set it up; nothing is sent yet."""
        self._github_token = github_token.strip()
        self._hosts = hosts
        self._requests = requests or JsonRequests()
        self._clock = clock or SystemClock()
        self._token: CopilotToken | None = None
        self._exchanging = asyncio.Lock()

    def log_in(self, github_token: str) -> None:
        """Use another login from the next request on."""
        self._github_token, self._token = github_token.strip(), None

    async def current(self) -> CopilotToken:
        """Return a token that is good for a request that begins now.

        Several that ask at once wait for one exchange.

        Raises:
            AuthenticationFailed: If GitHub takes the login no longer, or it has no Copilot.
            ProviderError: If GitHub cannot be reached.
        """
        async with self._exchanging:
            token = self._token
            if token is None or token.ends_at - self._clock.now() < RENEW_BEFORE_S:
                token = self._token = await self._exchange()
            return token

    def drop(self, refused: CopilotToken) -> None:
        """Note that Copilot refused a token, so that the next one is a new one."""
        if self._token is refused:
            self._token = None

    async def _exchange(self) -> CopilotToken:
        token = self._github_token
        # The HTTP layer would refuse any other one with the token in the message.
        if not token.isascii() or not token.isprintable() or " " in token or not token:
            msg = f"There is no login for GitHub Copilot. {LOG_IN_AGAIN}"
            raise AuthenticationFailed(msg)
        answer = await self._requests.get(
            f"{self._hosts.api}/copilot_internal/v2/token",
            {"Authorization": f"token {self._github_token}"},
        )
        key, ends_at = text_at(answer.body, "token"), count_at(answer.body, "expires_at")
        if answer.status != 200 or not key or ends_at is None:  # noqa: PLR2004 - the only good one
            raise self._refused(answer)
        where = text_at(as_object(answer.body.get("endpoints")), "api") or CHAT_ENDPOINT
        if not self._is_good_place(where):
            msg = f"GitHub names {visible(where)} as the place of Copilot; that is not used."
            raise BadRequest(msg)
        # Counted from now, since the machine's clock may go wrong.
        life_s = count_at(answer.body, "refresh_in")
        ends_at_s = (
            float(ends_at) if life_s is None else self._clock.now() + life_s + RENEW_BEFORE_S
        )
        return CopilotToken(key=key, base_url=where.rstrip("/"), ends_at=ends_at_s)

    def _is_good_place(self, where: str) -> bool:
        """Whether prompts and the token may go there.

        To Copilot's own hosts and those of the GitHub that was named, encrypted; unencrypted only
        to the very machine that was named.
        """
        try:
            parts, asked = urlsplit(where), urlsplit(self._hosts.api)
        except ValueError:
            return False
        host, own = parts.hostname or "", asked.hostname or ""
        if parts.scheme == "http":
            return asked.scheme == "http" and host == own
        homes = (_COPILOT_HOME, own, own.removeprefix("api."))
        is_at_home = any(home and (host == home or host.endswith(f".{home}")) for home in homes)
        return parts.scheme == "https" and is_at_home

    def _refused(self, answer: JsonAnswer) -> AuthenticationFailed | BadRequest:
        details = as_object(answer.body.get("error_details"))
        said = text_at(details, "message") or text_at(answer.body, "message")
        said = said.replace(self._github_token, "[key]")
        detail = visible(" ".join(said.split()), keeps_newlines=False)[:_LONGEST_DETAIL]
        ending = f": {detail}" if detail else "."
        match answer.status:
            case 401:
                return AuthenticationFailed(
                    f"GitHub does not take the login any more (HTTP 401). {LOG_IN_AGAIN}"
                )
            case 403 | 404:
                return AuthenticationFailed(
                    f"This GitHub account cannot use Copilot (HTTP {answer.status}){ending} "
                    "See github.com/settings/copilot, or log in as somebody else with /login."
                )
            case _:
                return BadRequest(
                    f"GitHub gave no token for Copilot (HTTP {answer.status}){ending}"
                )
