"""Give the main agent its model, and the roles of sub-agents theirs.

Owns which roles there are and what each uses. Proven by tests/unit/composition/test_models.py.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Protocol

from caramelo_tui.composition.providers import build_provider
from caramelo_tui.config.credentials import Connection, find_connection
from caramelo_tui.config.readers import unknown_provider
from caramelo_tui.config.settings import Settings
from caramelo_tui.domain.errors import ConfigError
from caramelo_tui.domain.roles import BUILT_IN_ROLES, RoleSettings
from caramelo_tui.providers.base import Provider


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelInUse:
    """A provider and the model that is asked for."""

    provider: Provider
    model: str
    note: str = ""
    """Why it is this one, when a role names none."""


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

    async def close(self) -> None:
        """Release the connections of all roles; the main provider is its agent's."""
        ...


class ConfiguredModels:
    """The models that settings and environment name."""

    def __init__(
        self,
        settings: Settings,
        connection: Connection,
        environment: Mapping[str, str],
        *,
        is_watched: bool = True,
    ) -> None:
        """Build the main provider; those of roles are built when they are asked for.

        Raises:
            ConfigError: If the endpoint cannot be used.
        """
        self._settings = settings
        self._own_provider = connection.name
        self._environment = environment
        self._is_watched = is_watched
        provider, model = build_provider(settings, connection, is_watched=is_watched)
        self._main = ModelInUse(provider=provider, model=model)
        self._built: dict[str, ModelInUse] = {}

    @property
    def main(self) -> ModelInUse:
        """The main agent's."""
        return self._main

    @property
    def roles(self) -> tuple[str, ...]:
        """The built-in roles, then the configured ones."""
        return tuple(dict.fromkeys((*BUILT_IN_ROLES, *self._settings.roles)))

    def of_role(self, role: str) -> ModelInUse:
        """Return the model of a known role; the same one each time.

        Raises:
            ConfigError: If the role is configured in a way that cannot be used.
        """
        if role not in self._built:
            self._built[role] = self._build(role, self._settings.roles.get(role))
        return self._built[role]

    async def close(self) -> None:
        """Release the connections of all roles."""
        for built in self._built.values():
            if built.provider is not self._main.provider:
                await built.provider.close()

    def _build(self, role: str, wanted: RoleSettings | None) -> ModelInUse:
        if wanted is None or (wanted.provider is None and wanted.model is None):
            return replace(
                self._main, note=f"the role {role} is not configured: the parent's model"
            )
        named = self._own_provider
        if wanted.provider is not None:
            named = wanted.provider
        if named == self._own_provider:
            return replace(self._main, model=wanted.model or self._main.model)
        found = self._settings.provider_called(named)
        if found is None:
            problem = unknown_provider(named, self._settings.endpoints)
            raise ConfigError("configuration", f"roles.{role}.provider", problem)
        # Endpoint and sources of the key in the settings are those of the parent's provider:
        # another vendor gets neither.
        settings = replace(
            self._settings,
            provider=found[0],
            endpoint_name=found[1],
            model=wanted.model,
            base_url=None,
            key_env=None,
            key_command=(),
        )
        connection = find_connection(settings, self._environment)
        provider, model = build_provider(settings, connection, is_watched=self._is_watched)
        return ModelInUse(provider=provider, model=model)
