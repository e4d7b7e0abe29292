"""Which model each agent gets, and when a role cannot be used."""

import sys
from pathlib import Path

import pytest

from caramelo_tui.composition.models import ConfiguredModels
from caramelo_tui.config.credentials import Connection
from caramelo_tui.config.settings import EndpointTable, ProviderName, Settings
from caramelo_tui.domain.errors import ConfigError
from caramelo_tui.domain.roles import RoleSettings
from caramelo_tui.providers.catalog import DEFAULT_MODELS

ANTHROPIC = Connection(provider=ProviderName.ANTHROPIC, key="sk-a", base_url=None)


def models(
    roles: dict[str, RoleSettings] | None = None, *, model: str | None = "main-model"
) -> ConfiguredModels:
    settings = Settings(model=model, roles=roles or {})
    return ConfiguredModels(settings, ANTHROPIC, {"OPENAI_API_KEY": "sk-o"})


def test_the_built_in_roles_come_first_then_the_configured_ones() -> None:
    own = {"reviewer": RoleSettings(model="m"), "fast": RoleSettings(model="f")}
    assert models().roles == ("fast", "coder", "architect")
    assert models(own).roles == ("fast", "coder", "architect", "reviewer")


def test_a_role_that_is_not_configured_uses_the_parents_model_and_says_so() -> None:
    found = models()
    child = found.of_role("coder")
    assert child.provider is found.main.provider
    assert child.model == found.main.model == "main-model"
    assert "coder is not configured" in child.note


def test_a_role_with_a_model_uses_the_parents_provider() -> None:
    found = models({"fast": RoleSettings(model="small")})
    child = found.of_role("fast")
    assert child.provider is found.main.provider
    assert (child.model, child.note) == ("small", "")


def test_a_role_with_a_provider_has_its_own_connection_built_once() -> None:
    found = models({"fast": RoleSettings(provider="openai")})
    child = found.of_role("fast")
    assert child.provider.name == "openai"
    assert child.model == DEFAULT_MODELS["openai"]
    assert found.of_role("fast").provider is child.provider


def test_a_role_that_names_the_parents_provider_uses_its_connection() -> None:
    found = models({"fast": RoleSettings(provider="anthropic", model="small")})
    child = found.of_role("fast")
    assert child.provider is found.main.provider
    assert child.model == "small"


def test_the_command_for_the_parents_key_is_not_asked_for_another_vendors(tmp_path: Path) -> None:
    mark = tmp_path / "asked"
    settings = Settings(
        model="m",
        key_command=(sys.executable, "-c", f"open({str(mark)!r}, 'w'); print('sk-a')"),
        roles={"fast": RoleSettings(provider="openai")},
    )
    found = ConfiguredModels(settings, ANTHROPIC, {"HOME": str(tmp_path)})
    with pytest.raises(ConfigError, match="OPENAI_API_KEY"):
        found.of_role("fast")
    assert not mark.exists()


def test_a_role_whose_provider_has_no_key_cannot_be_used() -> None:
    settings = Settings(model="m", roles={"fast": RoleSettings(provider="openai")})
    found = ConfiguredModels(settings, ANTHROPIC, {})
    with pytest.raises(ConfigError, match="OPENAI_API_KEY"):
        found.of_role("fast")


def test_an_unknown_provider_of_a_role_is_named_with_the_known_ones() -> None:
    found = models({"fast": RoleSettings(provider="nobody")})
    with pytest.raises(ConfigError, match=r"roles\.fast\.provider.*'nobody'.*anthropic"):
        found.of_role("fast")


async def test_the_connections_of_roles_are_closed_and_the_main_one_is_left_to_its_agent() -> None:
    found = models({"fast": RoleSettings(provider="openai")})
    found.of_role("fast")
    found.of_role("coder")
    await found.close()
    # The main provider still answers: its agent closes it.
    assert found.main.provider.name == "anthropic"
    await found.main.provider.close()


# --- other models within a session -----------------------------------------------------------


def test_a_provider_is_built_once_and_any_of_its_models_can_be_asked() -> None:
    found = models()
    first, second = found.build("openai", "gpt-5.4"), found.build("openai", "gpt-4o")
    assert first.provider is second.provider
    assert (first.model, second.model) == ("gpt-5.4", "gpt-4o")
    assert found.build("openai", "").model == DEFAULT_MODELS["openai"]


def test_no_name_means_the_provider_in_use() -> None:
    found = models()
    assert found.build("", "other").provider is found.main.provider
    assert found.build("", "").model == "main-model"


def test_a_provider_that_has_no_default_asks_for_a_model() -> None:
    settings = Settings(model="main-model")
    found = ConfiguredModels(settings, ANTHROPIC, {"GROQ_API_KEY": "gsk"})
    with pytest.raises(ConfigError, match="groq has no default model"):
        found.build("groq", "")
    assert found.build("groq", "m").provider.name == "groq"
    # What was asked for first is no default.
    with pytest.raises(ConfigError, match="groq has no default model"):
        found.build("groq", "")


def test_an_unknown_provider_is_named() -> None:
    with pytest.raises(ConfigError, match="nobody"):
        models().build("nobody", "m")


def test_what_is_missing_is_said_and_no_command_is_asked(tmp_path: Path) -> None:
    mark = tmp_path / "asked"
    table = EndpointTable(
        key_command=(sys.executable, "-c", f"open({str(mark)!r}, 'w'); print('gsk')")
    )
    settings = Settings(model="m", endpoints={"groq": table})
    found = ConfiguredModels(settings, ANTHROPIC, {"HOME": str(tmp_path)})

    assert found.missing("anthropic") == ""
    assert found.missing("groq") == ""
    assert not mark.exists()
    assert "OPENAI_API_KEY" in found.missing("openai")


def test_roles_follow_the_main_agent_unless_they_have_a_model_of_their_own() -> None:
    found = models({"architect": RoleSettings(model="big")})
    other = found.build("openai", "gpt-5.4")
    found.change_main(other)

    assert found.main is other
    assert found.of_role("fast").provider is other.provider
    assert found.of_role("fast").model == "gpt-5.4"
    # A model without a provider belongs to the one that the settings mean.
    assert found.of_role("architect").provider.name == "anthropic"
    assert found.of_role("architect").model == "big"


def test_a_role_of_the_session_stands_before_the_configured_one() -> None:
    found = models({"fast": RoleSettings(model="f")})
    small = found.build("openai", "gpt-5.4-nano")
    found.change_role("fast", small)
    found.change_role("reviewer", small)

    assert found.of_role("fast") is small
    assert found.roles == ("fast", "coder", "architect", "reviewer")


def test_the_main_provider_is_the_first_and_the_demo_is_none() -> None:
    found = models()
    assert found.providers[0] == "anthropic"
    assert "demo" not in found.providers
    found.change_main(found.build("openai", "m"))
    assert found.providers[:2] == ("openai", "anthropic")


async def test_every_provider_but_the_main_agents_is_closed() -> None:
    found = models()
    first = found.main.provider
    found.change_main(found.build("openai", "m"))
    await found.close()
    assert found.main.provider is not first
