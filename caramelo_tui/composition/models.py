"""Give the main agent its model, and the roles of sub-agents theirs.

Owns which roles there are, what each uses, and the providers that were built meanwhile. Proven by
tests/unit/composition/test_models.py.
"""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Protocol

from caramelo_tui.composition.providers import build_provider
from caramelo_tui.config.credentials import Connection, KeyCommand, find_connection
from caramelo_tui.config.kept_keys import KeptKeys
from caramelo_tui.config.key_command import run_key_command
from caramelo_tui.config.readers import unknown_provider
from caramelo_tui.config.settings import ProviderName, Settings
from caramelo_tui.domain.errors import ConfigError
from caramelo_tui.domain.roles import BUILT_IN_ROLES
from caramelo_tui.providers.base import Provider
from caramelo_tui.providers.catalog import DEFAULT_MODELS
from caramelo_tui.providers.connection import EndpointSettings
from caramelo_tui.providers.presets import PRESETS, Wire

LIST_LIMIT_S = 5.0
"""Seconds for each request that lists Copilot's models: somebody waits at a list."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelInUse:
    """A provider and the model that is asked for."""

    provider: Provider
    model: str
    note: str = ""
    """Why it is this one, when a role names none."""
    endpoint_note: str = ""
    """Said when the address comes from the environment and is not the vendor's."""


class Models(Protocol):
    """Who gives each agent its model."""

    @property
    def main(self) -> ModelInUse:
        """The main agent's."""
        ...

    @property
    def roles(self) -> tuple[str, ...]:
        """The roles that a sub-agent can be given, in the order in which they are listed."""
        ...

    def of_role(self, role: str) -> ModelInUse:
        """Return the model of a known role; the same one each time.

        Raises:
            ConfigError: If the role is configured in a way that cannot be used.
        """
        ...

    @property
    def providers(self) -> tuple[str, ...]:
        """The names that ``build`` takes."""
        ...

    def missing(self, provider: str) -> str:
        """Return what is missing to use a provider, and how to get it; empty: nothing known.

        Asks no command for its key.
        """
        ...

    def build(self, provider: str, model: str) -> ModelInUse:
        """Return a model of a provider, ready to be asked; may run the user's key command.

        Args:
            provider: Name; empty: the main agent's.
            model: Name at the provider; empty: the provider's default.

        Raises:
            ConfigError: If there is no such provider, no key or no default.
        """
        ...

    async def served(self, provider: str) -> tuple[str, ...]:
        """Ask a provider for the names of its models.

        Raises:
            ConfigError: As ``build`` does.
            ProviderError: If it does not answer, in a few seconds, with a list.
        """
        ...

    def change_main(self, model: ModelInUse) -> None:
        """Give the main agent another model; roles without one of their own follow."""
        ...

    def change_role(self, role: str, model: ModelInUse) -> None:
        """Give a role a model, to the end of the session; any name is a role then."""
        ...

    async def close(self) -> None:
        """Release all connections but the main agent's, which are its agent's."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class _Opened:
    """A provider that was built, with the way to it."""

    provider: Provider
    default_model: str
    """Empty: it has none."""
    connection: Connection


class ConfiguredModels:
    """The models that settings and environment name."""

    def __init__(
        self,
        settings: Settings,
        connection: Connection,
        environment: Mapping[str, str],
        *,
        is_watched: bool = True,
        kept: KeptKeys | None = None,
    ) -> None:
        """Build the main provider; others are built when they are asked for.

        Raises:
            ConfigError: If the endpoint cannot be used.
        """
        self._settings = settings
        self._environment = environment
        self._is_watched = is_watched
        self._kept = kept
        provider, model = build_provider(
            settings, connection, is_watched=is_watched, kept=kept, environment=environment
        )
        self._main = ModelInUse(
            provider=provider, model=model, endpoint_note=connection.endpoint_note
        )
        self._main_name = connection.name
        self._start_name = connection.name
        opened = _Opened(provider=provider, default_model=model, connection=connection)
        self._opened = {connection.name: opened}
        self._let_go: list[Provider] = []
        self._listen(connection)
        self._of_session: dict[str, ModelInUse] = {}

    @property
    def main(self) -> ModelInUse:
        """The main agent's."""
        return self._main

    @property
    def roles(self) -> tuple[str, ...]:
        """The built-in roles, then the configured ones and those of the session."""
        return tuple(dict.fromkeys((*BUILT_IN_ROLES, *self._settings.roles, *self._of_session)))

    def of_role(self, role: str) -> ModelInUse:
        """Return the model of a known role.

        Raises:
            ConfigError: If the role is configured in a way that cannot be used.
        """
        if role in self._of_session:
            return self._of_session[role]
        wanted = self._settings.roles.get(role)
        if wanted is None or (wanted.provider is None and wanted.model is None):
            return replace(
                self._main, note=f"the role {role} is not configured: the parent's model"
            )
        if wanted.provider is None and self._main_name == self._start_name:
            return replace(self._main, model=wanted.model or self._main.model)
        if wanted.provider is not None and self._found(wanted.provider) is None:
            problem = unknown_provider(wanted.provider, self._settings.endpoints)
            raise ConfigError("configuration", f"roles.{role}.provider", problem)
        # A model without a provider is one of the provider that the settings name.
        return self.build(wanted.provider or self._start_name, wanted.model or "")

    @property
    def providers(self) -> tuple[str, ...]:
        """The presets, without the demo, then the user's own endpoints; the main one is first."""
        presets = (name for name in PRESETS if name not in {ProviderName.DEMO, ProviderName.CUSTOM})
        return tuple(dict.fromkeys((self._main_name, *presets, *self._settings.endpoints)))

    def missing(self, provider: str) -> str:
        """Return what is missing to use a provider; no command is asked for its key."""
        if provider in self._opened:
            return ""
        try:
            self._connection(provider, key_from_command=_not_asked, waits=False)
        except ConfigError as error:
            return str(error)
        return ""

    def build(self, provider: str, model: str) -> ModelInUse:
        """Return a model of a provider, ready to be asked.

        Raises:
            ConfigError: If there is no such provider, no key or no default.
        """
        opened = self._open(provider or self._main_name, model)
        chosen = model or opened.default_model
        if not chosen:
            name = opened.connection.name
            raise ConfigError(
                "model", "", f"{name} has no default model: name one by /model {name}/ID"
            )
        return ModelInUse(
            provider=opened.provider,
            model=chosen,
            endpoint_note=opened.connection.endpoint_note,
        )

    async def served(self, provider: str) -> tuple[str, ...]:
        """Ask a provider for the names of its models.

        Raises:
            ConfigError: As ``build`` does.
            ProviderError: If it does not answer, in a few seconds, with a list.
        """
        from caramelo_tui.providers.model_lists import ask_for_models  # noqa: PLC0415 - paid for by whoever needs it only

        name = provider or self._main_name
        opened = self._opened.get(name)
        if opened is not None:
            connection = opened.connection
        else:
            connection = await asyncio.to_thread(self._connection, name)
        if connection.preset.wire is Wire.COPILOT:
            return await self._served_by_copilot(connection)
        settings = EndpointSettings(key=connection.key, base_url=connection.address)
        return await ask_for_models(settings, connection.preset.wire)

    async def _served_by_copilot(self, connection: Connection) -> tuple[str, ...]:
        from caramelo_tui.providers.copilot_http import GitHubHosts  # noqa: PLC0415 - as above
        from caramelo_tui.providers.copilot_models import list_models  # noqa: PLC0415 - as above

        # A login of this session counts more than the one it was opened with.
        kept = "" if self._kept is None else self._kept.typed(connection.name)
        listed = await list_models(
            kept or connection.key, GitHubHosts.of(connection.address), timeout_s=LIST_LIMIT_S
        )
        return tuple(model.id for model in listed)

    def change_main(self, model: ModelInUse) -> None:
        """Give the main agent another model; roles without one of their own follow."""
        self._main = model
        names = (name for name, each in self._opened.items() if each.provider is model.provider)
        self._main_name = next(names, self._main_name)

    def change_role(self, role: str, model: ModelInUse) -> None:
        """Give a role a model, to the end of the session."""
        self._of_session[role] = model

    async def close(self) -> None:
        """Release all connections but the main agent's."""
        providers = (*self._let_go, *(opened.provider for opened in self._opened.values()))
        for provider in providers:
            if provider is not self._main.provider:
                await provider.close()

    def _listen(self, connection: Connection) -> None:
        """Build a provider anew when another key of it is given; Copilot takes it by itself."""
        if self._kept is not None and connection.preset.wire is not Wire.COPILOT:
            self._kept.on_change(connection.name, lambda _key: self._forget(connection.name))

    def _forget(self, name: str) -> None:
        opened = self._opened.pop(name, None)
        if opened is not None:
            # It may be in the middle of an answer, which ends as it began.
            self._let_go.append(opened.provider)

    def _open(self, name: str, model: str) -> _Opened:
        """Return the provider of a name, built once."""
        if name not in self._opened:
            connection = self._connection(name)
            default = connection.model or DEFAULT_MODELS.get(connection.provider, "")
            # The provider is built for any of its models; which one is asked says each request.
            settings = replace(self._settings, model=model or default or name)
            provider, _model = build_provider(
                settings,
                connection,
                is_watched=self._is_watched,
                kept=self._kept,
                environment=self._environment,
            )
            self._opened[name] = _Opened(
                provider=provider, default_model=default, connection=connection
            )
            self._listen(connection)
        return self._opened[name]

    def _found(self, name: str) -> tuple[ProviderName, str] | None:
        return self._settings.provider_called(name)

    def _connection(
        self, name: str, key_from_command: KeyCommand = run_key_command, *, waits: bool = True
    ) -> Connection:
        found = self._found(name)
        if found is None:
            problem = unknown_provider(name, self._settings.endpoints)
            raise ConfigError("provider", "", problem)
        # Endpoint and sources of the key in the settings are those of the first provider:
        # another vendor gets neither.
        settings = replace(
            self._settings,
            provider=found[0],
            endpoint_name=found[1],
            model=None,
            base_url=None,
            key_env=None,
            key_command=(),
        )
        # The keyring may ask the person to unlock it: a list on the screen does not wait for it.
        kept = self._kept if waits or (self._kept and self._kept.is_read) else None
        return find_connection(
            settings, self._environment, key_from_command=key_from_command, kept=kept
        )


def _not_asked(settings: Settings, environment: Mapping[str, str]) -> str:  # noqa: ARG001 - the form of a key command
    return "not-asked"
