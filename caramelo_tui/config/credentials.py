"""Find the provider, its endpoint and its key for one start.

Owns the choice: which provider when none is set, which variable or command gives its key, which
endpoint is used. A key is never written anywhere. Proven by
tests/unit/config/test_credentials.py.
"""

import ipaddress
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from caramelo_tui.config import readers
from caramelo_tui.config.key_command import run_key_command
from caramelo_tui.config.settings import BASE_URL_VARIABLES, ProviderName, Settings
from caramelo_tui.domain.errors import ConfigError

KEY_VARIABLES = {
    ProviderName.ANTHROPIC: "ANTHROPIC_API_KEY",
    ProviderName.OPENAI: "OPENAI_API_KEY",
}
"""The vendors' own variables, in the order in which they are looked for."""
OWN_BASE_URL_VARIABLE = "CARAMELO_BASE_URL"
"""Our endpoint variable; wins over the vendors'."""
VENDOR_HOSTS = {
    ProviderName.ANTHROPIC: "api.anthropic.com",
    ProviderName.OPENAI: "api.openai.com",
}
"""Hosts that are not worth a note."""
LOCAL_KEY = "local"
"""Sent to a server on loopback when no key is set; such servers ask for none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Connection:
    """How to reach the provider."""

    provider: ProviderName
    key: str = field(repr=False)
    """The secret; empty for the demo. Never shown: it is left out of ``repr``."""
    base_url: str | None
    note: str = ""
    """Said once to the user: a choice made for them, or a foreign endpoint."""
    endpoint_note: str = ""
    """For the status bar, when the endpoint comes from a variable and is not the vendor's."""


class NoProviderError(ConfigError):
    """No provider is set and no key is present; the message names the three ways."""

    def __init__(self) -> None:
        super().__init__(
            "provider",
            "",
            "none is set and no key was found. Three ways: set ANTHROPIC_API_KEY or "
            "OPENAI_API_KEY in the environment; name a server on this machine by "
            "--provider openai --base-url http://127.0.0.1:PORT/v1 --model ID; or try "
            "`caramelo demo`, which needs no key.",
        )


KeyCommand = Callable[[Settings, Mapping[str, str]], str]
"""Runs the settings' ``key_command`` with the user's variables and returns the key."""


def find_connection(
    settings: Settings,
    environment: Mapping[str, str],
    *,
    key_from_command: KeyCommand = run_key_command,
) -> Connection:
    """Return how to reach the provider that the settings and the environment ask for.

    The key comes from the environment, else from the user's ``provider.key_command``, which is
    run only then and may take a while.

    Raises:
        NoProviderError: If nothing is set.
        ConfigError: If the chosen provider has no usable key, or its endpoint is unusable.
    """
    provider, note = _provider(settings, environment)
    if provider is ProviderName.DEMO:
        return Connection(provider=provider, key="", base_url=None)
    base_url, endpoint_note = _endpoint(provider, settings, environment)
    source = settings.key_env or KEY_VARIABLES[provider]
    key = environment.get(source, "").strip()
    if not key and settings.key_command:
        source, key = "provider.key_command", key_from_command(settings, environment).strip()
    elif not key and base_url and _is_loopback(base_url):
        key = LOCAL_KEY
    _check_key(key, source, provider)
    return Connection(
        provider=provider, key=key, base_url=base_url, note=note, endpoint_note=endpoint_note
    )


def _check_key(key: str, source: str, provider: ProviderName) -> None:
    if not key:
        raise ConfigError(
            source, "", f"is not set; provider {provider.value} needs a key: export {source}=…"
        )
    if not key.isascii() or not key.isprintable() or " " in key:
        raise ConfigError(
            source,
            "",
            "holds characters that no key has (a line break, a blank or a letter outside "
            "ASCII); copy the key again",
        )


def secret_variables(settings: Settings) -> frozenset[str]:
    """Return the variables that provider settings name; children never get them."""
    named = {settings.key_env} if settings.key_env else set[str]()
    return frozenset({*KEY_VARIABLES.values(), *named})


def _provider(settings: Settings, environment: Mapping[str, str]) -> tuple[ProviderName, str]:
    if settings.provider is not None:
        return settings.provider, ""
    present = [
        name for name, variable in KEY_VARIABLES.items() if environment.get(variable, "").strip()
    ]
    if not present and settings.key_command:
        raise ConfigError(
            "provider.key_command", "", "needs provider.name: say whose key the command gives"
        )
    if not present:
        raise NoProviderError
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
    variable = BASE_URL_VARIABLES[provider]
    text = environment.get(variable, "").strip()
    if not text:
        return None, ""
    try:
        base_url = readers.base_url(text)
    except ValueError as error:
        raise ConfigError(variable, "", str(error)) from None
    return base_url, _endpoint_note(provider, variable, base_url)


def _endpoint_note(provider: ProviderName, variable: str, base_url: str) -> str:
    host = urlsplit(base_url).hostname
    return "" if host == VENDOR_HOSTS[provider] else f"{variable} → {host}"


def _is_loopback(base_url: str) -> bool:
    host = urlsplit(base_url).hostname or ""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
