"""Keys are looked for in their order, and the first one that is there counts."""

from collections.abc import Mapping
from dataclasses import replace

import pytest

from caramelo_tui.config.credentials import (
    LOCAL_KEY,
    MissingKeyError,
    NoProviderError,
    find_connection,
)
from caramelo_tui.config.kept_keys import KeptKeys
from caramelo_tui.config.settings import ProviderName, Settings
from tests.doubles.keyrings import FakeKeyring

OPENAI = Settings(provider=ProviderName.OPENAI)


def kept(in_keyring: Mapping[str, str] | None = None, typed: str = "") -> KeptKeys:
    keys = KeptKeys(FakeKeyring(in_keyring), ["anthropic", "openai", "copilot"])
    if typed:
        keys.use("openai", typed)
    return keys


def test_the_environment_comes_first_then_the_command_the_keyring_and_what_was_typed() -> None:
    environment = {"OPENAI_API_KEY": "from-environment"}
    with_command = Settings(provider=ProviderName.OPENAI, key_command=("pass",))
    keys = kept({"openai": "from-keyring"})

    def key(settings: Settings, variables: Mapping[str, str], kept: KeptKeys) -> str:
        return find_connection(
            settings, variables, key_from_command=lambda _s, _e: "from-command", kept=kept
        ).key

    assert key(with_command, environment, keys) == "from-environment"
    assert key(with_command, {}, keys) == "from-command"
    assert key(OPENAI, {}, keys) == "from-keyring"
    assert key(OPENAI, {}, kept(typed="typed")) == "typed"


def test_the_keyring_is_not_asked_while_the_environment_has_a_key() -> None:
    keyring = FakeKeyring({"openai": "k"})
    keys = KeptKeys(keyring, ["openai"])
    find_connection(Settings(), {"ANTHROPIC_API_KEY": "a"}, kept=keys)
    assert keyring.reads == 0


def test_a_server_on_this_machine_is_not_sent_a_kept_key() -> None:
    settings = Settings(provider=ProviderName.OPENAI, base_url="http://127.0.0.1:1/v1")
    assert find_connection(settings, {}, kept=kept({"openai": "k"})).key == LOCAL_KEY


def test_a_provider_is_chosen_by_its_kept_key() -> None:
    found = find_connection(Settings(), {}, kept=kept({"copilot": "gho"}))
    assert (found.provider, found.key) == (ProviderName.COPILOT, "gho")
    with pytest.raises(NoProviderError):
        find_connection(Settings(), {}, kept=kept())


def test_a_missing_key_names_whose_it_is() -> None:
    with pytest.raises(MissingKeyError, match="OPENAI_API_KEY") as caught:
        find_connection(OPENAI, {}, kept=kept())
    assert caught.value.provider == "openai"


def test_copilot_takes_a_token_from_its_variables_and_is_logged_in_to_otherwise() -> None:
    copilot = Settings(provider=ProviderName.COPILOT)
    for variable in ("GITHUB_COPILOT_TOKEN", "COPILOT_GITHUB_TOKEN"):
        assert find_connection(copilot, {variable: "gho"}).key == "gho"
    with pytest.raises(MissingKeyError, match="/login"):
        find_connection(copilot, {})
    # Also a GitHub on this machine is one that somebody must log in to.
    here = replace(copilot, base_url="http://127.0.0.1:1")
    with pytest.raises(MissingKeyError):
        find_connection(here, {})
    assert find_connection(here, {}, kept=kept({"copilot": "gho"})).key == "gho"
