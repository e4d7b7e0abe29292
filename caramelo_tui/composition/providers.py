"""Build the provider that a connection asks for, and say which model is meant.

Owns which vendor's module is loaded, and when: only what a start uses is paid for. Proven by
tests/unit/composition/test_providers.py.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import assert_never

from caramelo_tui.config.credentials import Connection
from caramelo_tui.config.kept_keys import KeptKeys
from caramelo_tui.config.settings import ProviderName, Settings
from caramelo_tui.domain.errors import ConfigError
from caramelo_tui.domain.screen_text import visible
from caramelo_tui.providers.base import Provider
from caramelo_tui.providers.catalog import DEFAULT_MODELS
from caramelo_tui.providers.connection import EndpointSettings
from caramelo_tui.providers.local_servers import find_local_server, is_loopback
from caramelo_tui.providers.presets import Wire
from caramelo_tui.providers.transport_choice import uses_sdk

DEMO_MODEL = "scripted"
"""Name shown where a model's name stands."""
NO_VARIABLES: Mapping[str, str] = MappingProxyType({})
"""An empty environment."""
MOST_NAMED = 10
"""Models of a server that a message lists."""


def build_provider(
    settings: Settings,
    connection: Connection,
    *,
    is_watched: bool = True,
    kept: KeptKeys | None = None,
    environment: Mapping[str, str] = NO_VARIABLES,
) -> tuple[Provider, str]:
    """Return the provider and the model in use.

    Args:
        settings: What the user set.
        connection: How the provider is reached.
        is_watched: Paces the demo.
        kept: Tells of a later login, for a provider that can change it while it is in use.
        environment: The user's variables: some are obeyed by a vendor's SDK only.

    Raises:
        ConfigError: If the endpoint cannot be used, or no model is set and none is the default.
    """
    if connection.provider is ProviderName.DEMO:
        return _demo_provider(is_watched=is_watched), DEMO_MODEL
    model = _model(settings, connection)
    if connection.preset.wire is Wire.FILE:
        return _file(settings, model), model
    try:
        return _endpoint(settings, connection, kept, environment), model
    except ValueError as error:
        raise ConfigError("base URL", "", str(error)) from error


def _model(settings: Settings, connection: Connection) -> str:
    model = settings.model or connection.model or DEFAULT_MODELS.get(connection.provider)
    if model:
        return model
    if connection.preset.is_local:
        return _served_model(connection)
    what = "FILE.gguf" if connection.preset.wire is Wire.FILE else "ID"
    raise ConfigError(
        "provider.model",
        "",
        f"is not set, and provider {connection.name} has no default: name one by --model {what}, "
        f"CARAMELO_MODEL or model in [providers.{connection.name}]",
    )


def _served_model(connection: Connection) -> str:
    """Return the one model that a server on this machine serves.

    Raises:
        ConfigError: If there is no such server, or not just one model.
    """
    if not is_loopback(connection.address):
        msg = f"is not set: name one of the server at {connection.address} by --model ID"
        raise ConfigError("provider.model", "", msg)
    title = connection.preset.title
    found = find_local_server(connection.name, connection.address)
    if found is None:
        where = f"nothing answers at {connection.address}"
        msg = f"{where}: start {title}, or say where it is by --base-url"
        raise ConfigError("provider", connection.name, msg)
    if len(found.models) != 1:
        named = ", ".join(found.models[:MOST_NAMED]) or "none; load one first"
        msg = f"is not set: name one by --model ID; {title} serves {named}"
        raise ConfigError("provider.model", "", visible(msg, keeps_newlines=False))
    return found.models[0]


def _endpoint(
    settings: Settings,
    connection: Connection,
    kept: KeptKeys | None,
    environment: Mapping[str, str],
) -> Provider:
    wire = connection.preset.wire
    endpoint = EndpointSettings(
        key=connection.key,
        base_url=connection.address,
        stall_s=settings.stall_s,
        uses_sdk=uses_sdk(settings.transport, wire, environment),
    )
    match wire:
        case Wire.MESSAGES:
            return _messages(endpoint, connection)
        case Wire.RESPONSES:
            return _responses(endpoint, connection)
        case Wire.COPILOT:
            return _copilot(endpoint, kept)
        case Wire.CHAT | Wire.FILE | Wire.SCRIPT:
            # The last two have no endpoint, and are built before one is looked for.
            return _chat(endpoint, connection)
        case _:
            assert_never(wire)


def _messages(endpoint: EndpointSettings, connection: Connection) -> Provider:
    from caramelo_tui.providers.anthropic import AnthropicProvider  # noqa: PLC0415 - paid for by whoever needs it only

    return AnthropicProvider(endpoint, name=connection.name)


def _chat(endpoint: EndpointSettings, connection: Connection) -> Provider:
    from caramelo_tui.providers.openai_compatible import OpenAICompatibleProvider  # noqa: PLC0415 - paid for by whoever needs it only

    # OpenAI's name is given to compatible servers too: there the address decides.
    is_openai = connection.provider is ProviderName.OPENAI
    quirks = None if is_openai else connection.preset.quirks
    return OpenAICompatibleProvider(endpoint, name=connection.name, quirks=quirks)


def _responses(endpoint: EndpointSettings, connection: Connection) -> Provider:
    from caramelo_tui.providers.responses import ResponsesProvider  # noqa: PLC0415 - paid for by whoever needs it only

    return ResponsesProvider(endpoint, name=connection.name)


def _copilot(endpoint: EndpointSettings, kept: KeptKeys | None) -> Provider:
    from caramelo_tui.providers.copilot import NAME, CopilotProvider  # noqa: PLC0415 - paid for by whoever needs it only

    provider = CopilotProvider(endpoint)
    if kept is not None:
        kept.on_change(NAME, provider.log_in)
    return provider


def _file(settings: Settings, model: str) -> Provider:
    from caramelo_tui.providers.local_model import LocalModelProvider  # noqa: PLC0415 - paid for by whoever needs it only

    try:
        return LocalModelProvider(model, stall_s=settings.stall_s)
    except ValueError as error:
        raise ConfigError("provider", "local", str(error)) from error


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
