"""Check the provider for ``caramelo doctor``: whose key, from where, and whether it answers.

Owns what is asked only with ``--online``: the key command, the keyring, the endpoint. Without it
they are named, and nothing is started or sent. No key is shown. Proven by
tests/unit/test_doctor.py.
"""

import shutil
from collections.abc import Iterator, Mapping

from caramelo_tui.config.credentials import (
    LOCAL_KEY,
    Connection,
    NoProviderError,
    find_connection,
)
from caramelo_tui.config.settings import ProviderName, Settings
from caramelo_tui.domain.errors import ConfigError
from caramelo_tui.headless.doctor_report import Check, good, problem, warning
from caramelo_tui.headless.endpoint_check import endpoint_check
from caramelo_tui.launch.start import Start
from caramelo_tui.providers.connection import EndpointSettings
from caramelo_tui.providers.presets import Wire
from caramelo_tui.providers.transport_choice import uses_sdk

_MEND = "mend what is named"
_NOT_ASKED = "not-asked"
"""Stands for a key that a command would give."""


def provider_checks(settings: Settings, start: Start, *, is_online: bool) -> Iterator[Check]:
    """Yield what is found of keyring, provider, key and endpoint.

    Args:
        settings: What holds in the folder.
        start: The user's variables and keys.
        is_online: Ask the key command, the keyring and the endpoint.
    """
    yield _keyring(start, is_online=is_online)
    try:
        found = _connection(settings, start, is_online=is_online)
    except NoProviderError as error:
        yield problem("provider", error.problem, _ways(start, is_online=is_online))
        return
    except ConfigError as error:
        yield problem("provider", str(error), _MEND)
        return
    yield _provider(settings, start, found)
    yield from _transport(settings, start, found)
    if is_online:
        endpoint = EndpointSettings(key=found.key, base_url=found.address)
        yield endpoint_check(endpoint, found.preset.wire, start.environment)


def _connection(settings: Settings, start: Start, *, is_online: bool) -> Connection:
    if is_online:
        return find_connection(settings, start.environment, kept=start.keys)
    return find_connection(settings, start.environment, key_from_command=_not_asked)


def _keyring(start: Start, *, is_online: bool) -> Check:
    """Say whether keys can be kept; the backend is asked only where that is wanted."""
    if not start.keys.has_keyring:
        return good("keyring", "the extra is not installed: no key is looked for there")
    if not is_online:
        return good("keyring", "the extra is installed; --online asks it")
    state = start.keys.probe()
    if not state.is_usable:
        return warning("keyring", state.problem, "keys are then not kept; nothing else is lost")
    names = ", ".join(start.keys.kept_names) or "none"
    return good("keyring", f"{state.backend}; keys are kept for: {names}")


def _ways(start: Start, *, is_online: bool) -> str:
    if start.keys.has_keyring and not is_online:
        return "take one of the three ways; a key in the keyring is found with --online"
    return "take one of the three ways"


def _provider(settings: Settings, start: Start, found: Connection) -> Check:
    """Say where the key comes from; a command that was not run is at least looked for."""
    if found.provider is ProviderName.DEMO:
        return good("provider", "demo: a scripted model, no key is needed")
    source = "a key is set"
    if found.key == LOCAL_KEY:
        source = "no key is needed"
    if found.key == _NOT_ASKED:
        program = (settings.key_command or settings.table.key_command)[0]
        if shutil.which(program, path=start.environment.get("PATH", "")) is None:
            text = f"provider.key_command: there is no program {program!r}"
            return problem("provider", text, _MEND)
        source = f"the key is asked of {program}"
    where = f", at {found.base_url}" if found.base_url else ""
    note = f" ({found.note})" if found.note else ""
    return good("provider", f"{found.name}: {source}{where}{note}")


def _transport(settings: Settings, start: Start, found: Connection) -> Iterator[Check]:
    """Say what carries requests, where any are sent."""
    wire = found.preset.wire
    if wire is Wire.SCRIPT:
        return
    is_sdk = uses_sdk(settings.transport, wire, start.environment)
    by = "the vendor's SDK" if is_sdk else "the HTTP client alone, no SDK is loaded"
    yield good("transport", f"{settings.transport}: requests go over {by}")


def _not_asked(_settings: Settings, _environment: Mapping[str, str]) -> str:
    return _NOT_ASKED
