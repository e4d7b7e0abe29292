"""Take keys and logins for this session, and say what this machine offers.

Owns what the login screens ask (``agent/login_port``): which providers take a key, the keyring,
GitHub's login, the models of a login. A key is only handed to ``KeptKeys``. Proven by
tests/unit/config/test_logins.py.
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from caramelo_tui.agent.login_port import (
    COPILOT,
    FoundServer,
    KeyringOffer,
    KeyTarget,
    LoginCode,
    OfferedModel,
)
from caramelo_tui.config.credentials import Connection, find_connection
from caramelo_tui.config.kept_keys import KeptKeys
from caramelo_tui.config.settings import ProviderName, Settings
from caramelo_tui.domain.errors import ConfigError, ProviderError
from caramelo_tui.providers.catalog import DEFAULT_MODELS
from caramelo_tui.providers.presets import PRESETS

if TYPE_CHECKING:
    from caramelo_tui.providers.copilot_http import GitHubHosts
    from caramelo_tui.providers.copilot_login import CopilotLogin, DeviceCode

FindServers = Callable[[], Awaitable[tuple[FoundServer, ...]]]
"""Finds the model servers on this machine."""
LONGEST_KEY = 4_096
"""Characters of a key; what is longer was pasted by mistake."""


async def servers_here() -> tuple[FoundServer, ...]:
    """Return those that answer at the presets' addresses on this machine."""
    from caramelo_tui.providers.local_servers import find_local_servers  # noqa: PLC0415 - for those who log in

    return tuple(
        FoundServer(
            provider=server.name,
            title=PRESETS[server.name].title,
            address=server.base_url,
            models=server.models,
        )
        for server in await find_local_servers()
    )


@dataclass(slots=True, kw_only=True)
class _Begun:
    """A login that waits for its code."""

    login: "CopilotLogin"
    code: "DeviceCode"


@dataclass(slots=True, kw_only=True)
class Logins:
    """The logins of one session."""

    settings: Settings
    environment: Mapping[str, str] = field(repr=False)
    keys: KeptKeys
    find: FindServers = servers_here
    _begun: _Begun | None = field(default=None, init=False)

    @property
    def key_targets(self) -> tuple[KeyTarget, ...]:
        """The providers that take a key, in the order in which they are looked for."""
        return tuple(
            KeyTarget(
                provider=name,
                title=preset.title,
                variable=preset.key_variables[0],
                is_set=any(self.environment.get(each, "").strip() for each in preset.key_variables),
            )
            for name, preset in PRESETS.items()
            if preset.key_variables and name != COPILOT
        )

    async def find_servers(self) -> tuple[FoundServer, ...]:
        """Return the model servers that answer on loopback now."""
        return await self.find()

    async def find_keyring(self) -> KeyringOffer:
        """Say whether keys can be kept; found out once, in a child process."""
        state = await asyncio.to_thread(self.keys.probe)
        return KeyringOffer(is_usable=state.is_usable, words=state.problem or state.backend)

    async def take_key(self, provider: str, key: str, *, is_kept: bool) -> str:
        """Use a key that was typed; returns why it was not taken or not kept."""
        text = key.strip()
        problem = key_problem(text)
        if problem:
            return problem
        await asyncio.to_thread(self.keys.use, provider, text)
        return await asyncio.to_thread(self.keys.keep, provider) if is_kept else ""

    async def begin_copilot(self) -> LoginCode:
        """Begin a login to GitHub Copilot.

        Raises:
            ProviderError: If none can begin.
        """
        from caramelo_tui.providers.copilot_login import CopilotLogin  # noqa: PLC0415 - for those who log in

        login = CopilotLogin(self._hosts())
        code = await login.begin()
        self._begun = _Begun(login=login, code=code)
        return LoginCode(user_code=code.user_code, address=code.address)

    async def finish_copilot(self) -> None:
        """Wait until the code was typed, then use the login.

        Raises:
            ProviderError: If it did not come about.
        """
        begun, self._begun = self._begun, None
        if begun is None:
            raise ProviderError("No login has begun.")
        token = await begun.login.wait(begun.code)
        await asyncio.to_thread(self.keys.use, COPILOT, token)

    async def keep_copilot(self) -> str:
        """Keep the login in the keyring; returns why not, empty: it is kept."""
        return await asyncio.to_thread(self.keys.keep, COPILOT)

    async def models_of(self, provider: str) -> tuple[OfferedModel, ...]:
        """Return the models that a provider lists, asked with its key; some seconds at most.

        Raises:
            ProviderError: If they cannot be asked for.
        """
        if provider != COPILOT:
            return await self._listed(provider)
        # The SDK that it brings is needed right after anyway; loaded off the loop.
        from caramelo_tui.providers.copilot_models import list_models  # noqa: PLC0415 - see above

        connection = await asyncio.to_thread(self._connection, COPILOT)
        listed = await list_models(connection.key, self._hosts())
        return tuple(OfferedModel(id=each.id, words=each.words) for each in listed)

    def has_default_model(self, provider: str) -> bool:
        """Whether a model is set or known that is used when none is chosen."""
        return bool(self.settings.model) or provider in {*map(str, DEFAULT_MODELS)}

    async def _listed(self, provider: str) -> tuple[OfferedModel, ...]:
        from caramelo_tui.providers.connection import EndpointSettings  # noqa: PLC0415 - for those who log in
        from caramelo_tui.providers.model_lists import ask_for_models  # noqa: PLC0415 - as above

        connection = await asyncio.to_thread(self._connection, provider)
        settings = EndpointSettings(key=connection.key, base_url=connection.address)
        names = await ask_for_models(settings, connection.preset.wire)
        title = connection.preset.title
        return tuple(OfferedModel(id=name, words=f"a model of {title}") for name in names)

    def _connection(self, provider: str) -> Connection:
        """Return how a provider is reached with the keys there are.

        Raises:
            ProviderError: If it cannot be.
        """
        meant = self.settings if self.settings.provider == provider else Settings()
        try:
            return find_connection(
                replace(meant, provider=ProviderName(provider)), self.environment, kept=self.keys
            )
        except ConfigError as error:
            raise ProviderError(str(error)) from error

    def _hosts(self) -> "GitHubHosts":
        from caramelo_tui.providers.copilot_http import GitHubHosts  # noqa: PLC0415 - see above

        is_meant = self.settings.provider is ProviderName.COPILOT
        try:
            return GitHubHosts.of((self.settings.base_url or "") if is_meant else "")
        except ValueError as error:
            raise ProviderError(str(error)) from error


def key_problem(key: str) -> str:
    """Return why a text cannot be a key; empty: it can."""
    if not key:
        return "Nothing was typed."
    if len(key) > LONGEST_KEY or not key.isascii() or not key.isprintable() or " " in key:
        return (
            "This holds characters that no key has (a line break, a blank or a letter outside "
            "ASCII). Copy the key again."
        )
    return ""
