"""Find the provider, its endpoint and its key for one start.

Owns the choice: which provider when none is set, which variable or command gives its key, which
endpoint is used. A key is never written anywhere. Proven by
tests/unit/config/test_credentials.py and tests/unit/config/test_preset_credentials.py.
"""

import ipaddress
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from urllib.parse import urlsplit

from caramelo_tui.config import readers
from caramelo_tui.config.kept_keys import KeptKeys
from caramelo_tui.config.key_command import run_key_command
from caramelo_tui.config.settings import (
    BASE_URL_VARIABLES,
    ProviderName,
    Settings,
    variables_named_by,
)
from caramelo_tui.domain.errors import ConfigError
from caramelo_tui.providers.presets import PRESETS, Preset, Wire

KEY_VARIABLES = {
    name: PRESETS[name].key_variables[0] for name in ProviderName if PRESETS[name].key_variables
}
"""The variable that each provider's key is asked for in messages."""
COMMON_KEY_VARIABLES = ("ANTHROPIC_API_KEY", "OPENAI_API_KEY")
"""Those that are named where there is no room for all."""
OWN_BASE_URL_VARIABLE = "CARAMELO_BASE_URL"
"""Our endpoint variable; wins over the vendors'."""
LOCAL_KEY = "local"
"""Sent to an endpoint that asks for no key, when none is set."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Connection:
    """How to reach the provider."""

    provider: ProviderName
    key: str = field(repr=False)
    """The secret; empty for the demo. Never shown: it is left out of ``repr``."""
    base_url: str | None
    """Where it is asked, when that is not the preset's own address."""
    endpoint_name: str = ""
    """Name of the user's own endpoint; empty for a preset."""
    like: ProviderName | None = None
    """The preset whose form an endpoint of the user's own speaks."""
    model: str | None = None
    """Model that the endpoint's table names."""
    note: str = ""
    """Said once to the user: a choice made for them, or a foreign endpoint."""
    endpoint_note: str = ""
    """For the status bar, when the endpoint comes from a variable and is not the vendor's."""

    @property
    def name(self) -> str:
        """What the provider is called in the configuration and on the screen."""
        return self.endpoint_name or self.provider.value

    @property
    def preset(self) -> Preset:
        """What is spoken there."""
        return PRESETS[self.like or self.provider]

    @property
    def address(self) -> str:
        """Where it is asked; empty where nothing is."""
        return self.base_url or PRESETS[self.provider].base_url


class MissingKeyError(ConfigError):
    """The chosen provider has no key; in the app one can be given.

    Attributes:
        provider: Whose key it is, as in the configuration.
    """

    def __init__(self, source: str, provider: str) -> None:
        how = (
            "log in by /login in the app, or set a GitHub token of such a login in it"
            if provider == ProviderName.COPILOT
            else f"export {source}=…"
        )
        super().__init__(source, "", f"is not set; provider {provider} needs a key: {how}")
        self.provider = provider


class NoProviderError(ConfigError):
    """No provider is set and no key is present; the message names the three ways."""

    def __init__(self) -> None:
        super().__init__(
            "provider",
            "",
            "none is set and no key was found. Three ways: set ANTHROPIC_API_KEY or "
            "OPENAI_API_KEY (or another provider's key) in the environment; name a server on this "
            "machine by --provider openai --base-url http://127.0.0.1:PORT/v1 --model ID; or try "
            "`caramelo demo`, which needs no key.",
        )


KeyCommand = Callable[[Settings, Mapping[str, str]], str]
"""Runs the settings' ``key_command`` with the user's variables and returns the key."""


def find_connection(
    settings: Settings,
    environment: Mapping[str, str],
    *,
    key_from_command: KeyCommand = run_key_command,
    kept: KeptKeys | None = None,
) -> Connection:
    """Return how to reach the provider that the settings and the environment ask for.

    The key comes from the environment, else from the user's ``key_command``, else from the
    keyring, else from what was typed in this session. Each is asked only when those before it
    give none, and may take a while.

    Raises:
        NoProviderError: If nothing is set.
        MissingKeyError: If the chosen provider has no key.
        ConfigError: If the chosen provider has no usable key, or its endpoint is unusable.
    """
    if kept is not None:
        # Before the keyring is asked, by a child like any other.
        kept.hide(secret_variables(settings))
    provider, note = _provider(settings, environment, kept)
    if not PRESETS[provider].base_url and provider is not ProviderName.CUSTOM:
        return Connection(provider=provider, key="", base_url=None, model=settings.table.model)
    # Chosen by its key, it may have a table all the same.
    chosen = replace(settings, provider=provider)
    base_url, endpoint_note = _endpoint(provider, chosen, environment)
    if provider is ProviderName.CUSTOM and base_url is None:
        raise ConfigError(*_no_address(settings.endpoint_name))
    key = _key(provider, chosen, environment, base_url, key_from_command, kept)
    return Connection(
        provider=provider,
        key=key,
        base_url=base_url,
        endpoint_name=settings.endpoint_name,
        like=chosen.table.like,
        model=chosen.table.model,
        note=note,
        endpoint_note=endpoint_note,
    )


def _no_address(name: str) -> tuple[str, str, str]:
    if name:
        return "configuration", f"providers.{name}.base_url", "is missing: say where it is"
    how = "--base-url URL, or a table [providers.NAME] with base_url and --provider NAME"
    return "provider", "", f"custom needs the address of its endpoint: {how}"


def _key(
    provider: ProviderName,
    settings: Settings,
    environment: Mapping[str, str],
    base_url: str | None,
    key_from_command: KeyCommand,
    kept: KeptKeys | None,
) -> str:
    source, key = _key_of_environment(provider, settings, environment)
    command = settings.key_command or settings.table.key_command
    if not key and command:
        own = f"providers.{settings.endpoint_name or provider}.key_command"
        source = "provider.key_command" if settings.key_command else own
        key = key_from_command(replace(settings, key_command=command), environment).strip()
    elif not key and _asks_for_none(provider, settings, base_url):
        key = LOCAL_KEY
    elif not key and kept is not None and not settings.endpoint_name:
        key = kept.key_of(provider.value)
    _check_key(key, source, settings.endpoint_name or provider.value)
    return key


def _key_of_environment(
    provider: ProviderName, settings: Settings, environment: Mapping[str, str]
) -> tuple[str, str]:
    """Return the variable that holds the key, or should, and the key."""
    named = settings.key_env or settings.table.key_env
    variables = (named,) if named else PRESETS[provider].key_variables
    found = ((name, environment.get(name, "").strip()) for name in variables)
    first = variables[0] if variables else f"the key of {provider.value}"
    return next((each for each in found if each[1]), (first, ""))


def _asks_for_none(provider: ProviderName, settings: Settings, base_url: str | None) -> bool:
    # A variable that is named and not set is a mistake, unless the server is on this machine.
    is_named = bool(settings.key_env or settings.table.key_env)
    # Somebody must be logged in to a GitHub wherever it is.
    is_login = PRESETS[provider].wire is Wire.COPILOT
    is_here = bool(base_url) and _is_loopback(str(base_url)) and not is_login
    return is_here or (not PRESETS[provider].needs_key and not is_named)


def _check_key(key: str, source: str, provider: str) -> None:
    if not key:
        raise MissingKeyError(source, provider)
    if not key.isascii() or not key.isprintable() or " " in key:
        raise ConfigError(
            source,
            "",
            "holds characters that no key has (a line break, a blank or a letter outside "
            "ASCII); copy the key again",
        )


def secret_variables(settings: Settings) -> frozenset[str]:
    """Return the variables that hold keys: the presets', and those that settings name.

    Children never get them.
    """
    presets = (name for each in PRESETS.values() for name in each.key_variables)
    return frozenset({*presets, *variables_named_by(settings)})


def _provider(
    settings: Settings, environment: Mapping[str, str], kept: KeptKeys | None
) -> tuple[ProviderName, str]:
    if settings.provider is not None:
        return settings.provider, ""
    # Of two providers with one variable, the first is meant.
    variables = {variable: name for name, variable in reversed(KEY_VARIABLES.items())}
    present = [
        name
        for name, variable in KEY_VARIABLES.items()
        if variables[variable] is name and environment.get(variable, "").strip()
    ]
    if not present and settings.key_command:
        raise ConfigError(
            "provider.key_command", "", "needs provider.name: say whose key the command gives"
        )
    if not present:
        found = None if kept is None else kept.first_provider()
        if found is None:
            raise NoProviderError
        return ProviderName(found), ""
    if len(present) == 1:
        return present[0], ""
    return present[0], (
        f"keys for {' and '.join(name.value for name in present)} are set; "
        f"using {present[0].value} (--provider chooses)"
    )


def _endpoint(
    provider: ProviderName, settings: Settings, environment: Mapping[str, str]
) -> tuple[str | None, str]:
    if settings.base_url:
        is_from_variable = environment.get(OWN_BASE_URL_VARIABLE) == settings.base_url
        note = _endpoint_note(provider, OWN_BASE_URL_VARIABLE, settings.base_url)
        return settings.base_url, note if is_from_variable else ""
    variable = BASE_URL_VARIABLES.get(provider, "")
    text = environment.get(variable, "").strip() if variable else ""
    if settings.table.base_url or not text:
        return settings.table.base_url, ""
    try:
        base_url = readers.base_url(text)
    except ValueError as error:
        raise ConfigError(variable, "", str(error)) from None
    return base_url, _endpoint_note(provider, variable, base_url)


def _endpoint_note(provider: ProviderName, variable: str, base_url: str) -> str:
    host = urlsplit(base_url).hostname
    own = urlsplit(PRESETS[provider].base_url).hostname
    return "" if host == own else f"{variable} → {host}"


def _is_loopback(base_url: str) -> bool:
    host = urlsplit(base_url).hostname or ""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
