"""Build the provider of the main agent, and those of the roles of sub-agents.

Owns which vendor's module is loaded, and when: only what a start uses is paid for. Proven by
tests/unit/composition/test_models.py.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Protocol

from caramelo_tui.config.credentials import Connection, find_connection
from caramelo_tui.config.settings import ProviderName, Settings
from caramelo_tui.domain.errors import ConfigError
from caramelo_tui.domain.roles import BUILT_IN_ROLES, RoleSettings
from caramelo_tui.providers.base import Provider
from caramelo_tui.providers.catalog import DEFAULT_MODELS
from caramelo_tui.providers.connection import EndpointSettings

DEMO_MODEL = "scripted"
"""Name shown where a model's name stands."""


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
        self._own_provider = connection.provider
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
            named = _provider_name(role, wanted.provider)
        if named is self._own_provider:
            return replace(self._main, model=wanted.model or self._main.model)
        # Endpoint and sources of the key in the settings are those of the parent's provider:
        # another vendor gets neither.
        settings = replace(
            self._settings,
            provider=named,
            model=wanted.model,
            base_url=None,
            key_env=None,
            key_command=(),
        )
        connection = find_connection(settings, self._environment)
        provider, model = build_provider(settings, connection, is_watched=self._is_watched)
        return ModelInUse(provider=provider, model=model)


def _provider_name(role: str, text: str) -> ProviderName:
    try:
        return ProviderName(text)
    except ValueError as error:
        known = ", ".join(name.value for name in ProviderName)
        raise ConfigError(
            "configuration", f"roles.{role}.provider", f"unknown provider {text!r}; known: {known}"
        ) from error


def build_provider(
    settings: Settings, connection: Connection, *, is_watched: bool = True
) -> tuple[Provider, str]:
    """Return the provider and the model in use; ``is_watched`` paces the demo.

    Raises:
        ConfigError: If the endpoint cannot be used.
    """
    if connection.provider is ProviderName.DEMO:
        return _demo_provider(is_watched=is_watched), DEMO_MODEL
    endpoint = EndpointSettings(
        key=connection.key, base_url=connection.base_url or "", stall_s=settings.stall_s
    )
    model = settings.model or DEFAULT_MODELS[connection.provider]
    build = _anthropic if connection.provider is ProviderName.ANTHROPIC else _openai
    try:
        return build(endpoint), model
    except ValueError as error:
        raise ConfigError("base URL", "", str(error)) from error


def _anthropic(endpoint: EndpointSettings) -> Provider:
    from caramelo_tui.providers.anthropic import AnthropicProvider  # noqa: PLC0415 - paid for by whoever needs it only

    return AnthropicProvider(endpoint)


def _openai(endpoint: EndpointSettings) -> Provider:
    from caramelo_tui.providers.openai_compatible import OpenAICompatibleProvider  # noqa: PLC0415 - paid for by whoever needs it only

    return OpenAICompatibleProvider(endpoint)


def _demo_provider(*, is_watched: bool) -> Provider:
    from caramelo_tui.demo.sample_workspace import scenario_text  # noqa: PLC0415 - paid for by whoever needs it only
    from caramelo_tui.providers.scenario_files import parse_scenario  # noqa: PLC0415 - paid for by whoever needs it only
    from caramelo_tui.providers.scripted import (  # noqa: PLC0415 - paid for by whoever needs it only
        AT_ONCE,
        LIFELIKE,
        ScriptedProvider,
    )

    scenario = parse_scenario(scenario_text(), source="demo")
    return ScriptedProvider(scenario, pace=LIFELIKE if is_watched else AT_ONCE)
