"""The provider, its endpoint and its key are found as the contract says."""

from collections.abc import Mapping

import pytest

from caramelo_tui.config.credentials import (
    LOCAL_KEY,
    NoProviderError,
    find_connection,
    secret_variables,
)
from caramelo_tui.config.settings import ProviderName, Settings
from caramelo_tui.domain.errors import ConfigError

ANTHROPIC = {"ANTHROPIC_API_KEY": "sk-a"}
OPENAI = {"OPENAI_API_KEY": "sk-o"}


def test_the_provider_whose_key_is_present_is_taken() -> None:
    assert find_connection(Settings(), OPENAI).provider is ProviderName.OPENAI
    assert find_connection(Settings(), ANTHROPIC).provider is ProviderName.ANTHROPIC


def test_anthropic_comes_first_when_both_keys_are_present_and_it_is_said() -> None:
    found = find_connection(Settings(), {**OPENAI, **ANTHROPIC})
    assert found.provider is ProviderName.ANTHROPIC
    assert "anthropic and openai" in found.note


def test_without_any_key_the_error_names_the_three_ways() -> None:
    with pytest.raises(NoProviderError) as caught:
        find_connection(Settings(), {})
    for way in ["ANTHROPIC_API_KEY", "OPENAI_API_KEY", "--base-url", "caramelo demo"]:
        assert way in str(caught.value)


def test_a_chosen_provider_without_its_key_names_the_variable() -> None:
    with pytest.raises(ConfigError, match="OPENAI_API_KEY"):
        find_connection(Settings(provider=ProviderName.OPENAI), ANTHROPIC)


def test_a_server_on_loopback_needs_no_key() -> None:
    for url in ["http://127.0.0.1:8080/v1", "http://localhost:1/v1", "http://[::1]:1/v1"]:
        settings = Settings(provider=ProviderName.OPENAI, base_url=url)
        assert find_connection(settings, {}).key == LOCAL_KEY
    settings = Settings(provider=ProviderName.OPENAI, base_url="https://example.test/v1")
    with pytest.raises(ConfigError):
        find_connection(settings, {})


def test_the_demo_needs_nothing() -> None:
    assert find_connection(Settings(provider=ProviderName.DEMO), {}).key == ""


def test_a_foreign_endpoint_from_a_variable_is_noted() -> None:
    found = find_connection(
        Settings(), {**ANTHROPIC, "ANTHROPIC_BASE_URL": "https://proxy.example.test"}
    )
    assert found.base_url == "https://proxy.example.test"
    assert "proxy.example.test" in found.endpoint_note
    plain = find_connection(
        Settings(), {**ANTHROPIC, "ANTHROPIC_BASE_URL": "https://api.anthropic.com"}
    )
    assert plain.endpoint_note == ""


def test_our_own_variables_endpoint_is_noted_too_and_a_flags_is_not() -> None:
    settings = Settings(provider=ProviderName.OPENAI, base_url="http://127.0.0.1:1/v1")
    variables = {**OPENAI, "CARAMELO_BASE_URL": "http://127.0.0.1:1/v1"}
    assert find_connection(settings, variables).endpoint_note == "CARAMELO_BASE_URL → 127.0.0.1"
    assert find_connection(settings, OPENAI).endpoint_note == ""
    vendor = Settings(provider=ProviderName.OPENAI, base_url="https://api.openai.com/v1")
    variables = {**OPENAI, "CARAMELO_BASE_URL": "https://api.openai.com/v1"}
    assert find_connection(vendor, variables).endpoint_note == ""


@pytest.mark.parametrize(
    "text", ["nonsense", "ftp://x", "http://[::1", "http://x:99999", "https://u:sk-s@x", "http://"]
)
def test_a_broken_endpoint_variable_is_named_and_not_repeated(text: str) -> None:
    with pytest.raises(ConfigError, match="ANTHROPIC_BASE_URL") as caught:
        find_connection(Settings(), {**ANTHROPIC, "ANTHROPIC_BASE_URL": text})
    assert "sk-s" not in str(caught.value)


@pytest.mark.parametrize("key", ["sk\nsecret", "sk secret", "sk-sécret", "sk\x00secret"])
def test_a_key_that_cannot_be_one_is_an_error_that_does_not_show_it(key: str) -> None:
    with pytest.raises(ConfigError, match="ANTHROPIC_API_KEY: holds characters") as caught:
        find_connection(Settings(), {"ANTHROPIC_API_KEY": key})
    assert "secret" not in str(caught.value)


def test_blanks_around_a_key_are_no_part_of_it() -> None:
    assert find_connection(Settings(), {"OPENAI_API_KEY": " sk-o\n"}).key == "sk-o"
    with pytest.raises(NoProviderError):
        find_connection(Settings(), {"OPENAI_API_KEY": " \n"})


def test_the_key_is_not_in_the_representation() -> None:
    assert "sk-a" not in repr(find_connection(Settings(), ANTHROPIC))


def test_variables_named_by_settings_are_secret() -> None:
    assert {"ANTHROPIC_API_KEY", "OPENAI_API_KEY", "MINE"} <= secret_variables(
        Settings(key_env="MINE")
    )


def test_an_own_key_variable_is_used() -> None:
    settings = Settings(provider=ProviderName.OPENAI, key_env="MINE")
    assert find_connection(settings, {"MINE": "sk-m"}).key == "sk-m"


def test_a_command_gives_the_key_when_the_environment_has_none() -> None:
    asked: list[tuple[str, ...]] = []

    def answer(settings: Settings, environment: Mapping[str, str]) -> str:
        assert environment == {}
        asked.append(settings.key_command)
        return " sk-c\n"

    settings = Settings(provider=ProviderName.OPENAI, key_command=("pass", "show", "x"))
    assert find_connection(settings, {}, key_from_command=answer).key == "sk-c"
    assert asked == [("pass", "show", "x")]


def unasked(settings: Settings, environment: Mapping[str, str]) -> str:
    raise AssertionError((settings, environment))


def test_a_command_is_not_run_when_it_is_not_needed() -> None:
    settings = Settings(provider=ProviderName.OPENAI, key_command=("x",), key_env="MINE")
    found = find_connection(settings, {"MINE": "sk-m"}, key_from_command=unasked)
    assert found.key == "sk-m"
    demo = Settings(provider=ProviderName.DEMO, key_command=("x",))
    assert find_connection(demo, {}, key_from_command=unasked).key == ""
    found = find_connection(Settings(key_command=("x",)), OPENAI, key_from_command=unasked)
    assert found.key == "sk-o"


def test_a_command_needs_to_be_told_whose_key_it_gives() -> None:
    with pytest.raises(ConfigError, match=r"provider.key_command: needs provider.name"):
        find_connection(Settings(key_command=("x",)), {}, key_from_command=unasked)


def test_a_commands_key_that_cannot_be_one_is_not_shown() -> None:
    settings = Settings(provider=ProviderName.OPENAI, key_command=("x",))
    with pytest.raises(ConfigError, match=r"provider.key_command: holds characters") as caught:
        find_connection(settings, {}, key_from_command=lambda *_: "login: me\nsecret")
    assert "secret" not in str(caught.value)


def test_a_command_is_asked_for_a_server_on_loopback_too() -> None:
    settings = Settings(
        provider=ProviderName.OPENAI, base_url="http://127.0.0.1:1/v1", key_command=("x",)
    )
    assert find_connection(settings, {}, key_from_command=lambda *_: "sk-l").key == "sk-l"
