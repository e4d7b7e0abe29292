"""Each preset has its own key and address; endpoints of the user's own have theirs."""

from collections.abc import Mapping
from dataclasses import replace

import pytest

from caramelo_tui.config.credentials import (
    KEY_VARIABLES,
    LOCAL_KEY,
    Connection,
    find_connection,
    secret_variables,
)
from caramelo_tui.config.merging import Layers
from caramelo_tui.config.settings import EndpointTable, ProviderName, Settings
from caramelo_tui.config.toml_file import values_of
from caramelo_tui.domain.errors import ConfigError
from caramelo_tui.providers.presets import PRESETS, Wire

KEYED = [name for name in ProviderName if PRESETS[name].key_variables]
LOCAL = [name for name in ProviderName if PRESETS[name].is_local]
GATEWAY = EndpointTable(base_url="https://gateway.test/v1", key_env="GATEWAY_KEY", model="big")


def own(table: EndpointTable = GATEWAY, name: str = "gateway") -> Settings:
    return Settings(
        provider=ProviderName.CUSTOM, endpoint_name=name, endpoints={name: table, "other": GATEWAY}
    )


def settings_of(text: str, flags: Mapping[str, str] | None = None, **variables: str) -> Settings:
    layers = Layers()
    layers.lay_user_file(values_of(text.encode(), shown="config.toml"))
    layers.lay_outer(variables, flags or {})
    return layers.settings()


@pytest.mark.parametrize("name", KEYED)
def test_each_preset_is_chosen_with_the_key_of_its_own_variable(name: ProviderName) -> None:
    found = find_connection(Settings(provider=name), {KEY_VARIABLES[name]: "k"})
    assert (found.provider, found.key, found.base_url) == (name, "k", None)
    assert found.address == PRESETS[name].base_url
    assert found.name == name.value


@pytest.mark.parametrize("name", KEYED)
def test_the_key_of_another_preset_is_never_taken(name: ProviderName) -> None:
    others = {
        variable: "sk-other"
        for preset in PRESETS.values()
        for variable in preset.key_variables
        if variable not in PRESETS[name].key_variables
    }
    with pytest.raises(ConfigError, match=KEY_VARIABLES[name]):
        find_connection(Settings(provider=name), others)


def test_a_second_variable_counts_where_the_first_is_not_set() -> None:
    chosen = Settings(provider=ProviderName.GEMINI)
    assert find_connection(chosen, {"GOOGLE_API_KEY": "g"}).key == "g"
    both = {"GOOGLE_API_KEY": "g", "GEMINI_API_KEY": "own"}
    assert find_connection(chosen, both).key == "own"


def test_the_one_whose_key_is_present_is_taken_and_the_vendors_come_first() -> None:
    assert find_connection(Settings(), {"GROQ_API_KEY": "k"}).provider is ProviderName.GROQ
    several = {"MISTRAL_API_KEY": "m", "OPENAI_API_KEY": "o", "GROQ_API_KEY": "g"}
    found = find_connection(Settings(), several)
    assert found.provider is ProviderName.OPENAI
    assert "openai and groq and mistral" in found.note


@pytest.mark.parametrize("name", LOCAL)
def test_servers_on_this_machine_need_no_key(name: ProviderName) -> None:
    found = find_connection(Settings(provider=name), {"OPENAI_API_KEY": "sk-o"})
    assert found.key == LOCAL_KEY
    assert found.address.startswith("http://127.0.0.1:")


def test_a_model_file_needs_no_endpoint() -> None:
    found = find_connection(Settings(provider=ProviderName.LOCAL), {"OPENAI_API_KEY": "sk-o"})
    assert (found.key, found.address) == ("", "")


@pytest.mark.parametrize("form", ["https://proxy.test", "https://proxy.test/v1"])
def test_openai_is_redirected_by_its_variable_in_both_forms(form: str) -> None:
    variables = {"OPENAI_API_KEY": "k", "OPENAI_BASE_URL": form}
    for name in (ProviderName.OPENAI, ProviderName.OPENAI_RESPONSES):
        found = find_connection(Settings(provider=name), variables)
        assert found.base_url == form
        assert found.endpoint_note == "OPENAI_BASE_URL → proxy.test"
    groq = find_connection(Settings(provider=ProviderName.GROQ), {**variables, "GROQ_API_KEY": "g"})
    assert groq.base_url is None


def test_a_custom_endpoint_needs_an_address_and_gets_no_vendors_key() -> None:
    custom = Settings(provider=ProviderName.CUSTOM)
    with pytest.raises(ConfigError, match=r"--base-url URL, or a table \[providers.NAME\]"):
        find_connection(custom, {})
    found = find_connection(replace(custom, base_url="https://x.test"), {"OPENAI_API_KEY": "sk-o"})
    assert found.key == LOCAL_KEY


def test_an_endpoint_of_ones_own_has_its_address_key_and_model() -> None:
    found = find_connection(own(), {"GATEWAY_KEY": "k", "OPENAI_API_KEY": "sk-o"})
    assert found == Connection(
        provider=ProviderName.CUSTOM,
        key="k",
        base_url="https://gateway.test/v1",
        endpoint_name="gateway",
        model="big",
    )
    assert found.name == "gateway"
    assert found.preset.wire is Wire.CHAT


def test_it_speaks_like_the_preset_that_it_names() -> None:
    table = replace(GATEWAY, like=ProviderName.ANTHROPIC)
    assert find_connection(own(table), {"GATEWAY_KEY": "k"}).preset.wire is Wire.MESSAGES


def test_its_named_variable_must_be_set_and_without_one_no_key_is_sent() -> None:
    with pytest.raises(ConfigError, match=r"GATEWAY_KEY: is not set; provider gateway"):
        find_connection(own(), {"OPENAI_API_KEY": "sk-o"})
    keyless = find_connection(own(replace(GATEWAY, key_env=None)), {"OPENAI_API_KEY": "sk-o"})
    assert keyless.key == LOCAL_KEY


def test_its_command_gives_the_key_and_is_named_when_it_does_not() -> None:
    table = replace(GATEWAY, key_env=None, key_command=("pass", "show", "x"))
    asked: list[tuple[str, ...]] = []

    def answer(settings: Settings, _environment: Mapping[str, str]) -> str:
        asked.append(settings.key_command)
        return "k"

    assert find_connection(own(table), {}, key_from_command=answer).key == "k"
    assert asked == [("pass", "show", "x")]
    with pytest.raises(ConfigError, match=r"providers\.gateway\.key_command"):
        find_connection(own(table), {}, key_from_command=lambda *_: "two words")


def test_without_an_address_the_table_is_named() -> None:
    with pytest.raises(ConfigError, match=r"providers\.gateway\.base_url: is missing"):
        find_connection(own(EndpointTable()), {})


def test_a_table_of_a_presets_name_says_what_holds_for_it() -> None:
    table = EndpointTable(key_env="WORK", base_url="https://eu.test/v1", model="m")
    settings = Settings(provider=ProviderName.GROQ, endpoints={"groq": table})
    found = find_connection(settings, {"WORK": "w", "GROQ_API_KEY": "g"})
    assert (found.key, found.base_url, found.model) == ("w", "https://eu.test/v1", "m")
    assert found.preset is PRESETS["groq"]
    wins = replace(settings, base_url="https://flag.test", key_env="FLAG")
    assert find_connection(wins, {"FLAG": "f", "WORK": "w"}).key == "f"


def test_all_keys_variables_are_kept_from_children() -> None:
    named = secret_variables(own())
    assert {variable for each in PRESETS.values() for variable in each.key_variables} <= named
    assert "GATEWAY_KEY" in named


def test_a_table_makes_a_provider_and_a_role_can_name_it() -> None:
    text = '[providers.eu]\nbase_url = "https://eu.test"\nlike = "mistral"\n'
    settings = settings_of(
        f'[provider]\nname = "eu"\n{text}[roles.fast]\nprovider = "eu"\n[providers.empty]\n'
    )
    assert (settings.provider, settings.endpoint_name) == (ProviderName.CUSTOM, "eu")
    assert settings.table.like is ProviderName.MISTRAL
    assert settings.roles["fast"].provider == "eu"
    assert settings.endpoints["empty"] == EndpointTable()
    by_flag = settings_of(text, {"--provider": "eu"})
    assert by_flag.endpoint_name == "eu"


def test_a_name_that_nothing_has_is_refused_wherever_it_stands() -> None:
    with pytest.raises(ConfigError, match=r"--provider: provider\.name: .*'eu'.*allowed.*groq"):
        settings_of("", {"--provider": "eu"})
    with pytest.raises(ConfigError, match=r"roles\.fast\.provider"):
        settings_of('[roles.fast]\nprovider = "eu"\n')


OPENAI_FILE = (
    '[provider]\nname = "openai"\nmodel = "m"\nbase_url = "https://x.test"\n'
    'key_env = "MINE"\nkey_command = ["x"]\n'
)


def test_what_the_file_says_of_one_provider_does_not_hold_for_another() -> None:
    settings = settings_of(OPENAI_FILE, {"--provider": "groq"})
    assert settings == Settings(provider=ProviderName.GROQ)
    settings = settings_of(OPENAI_FILE, {"--model": "q"}, CARAMELO_PROVIDER="groq")
    assert settings == Settings(provider=ProviderName.GROQ, model="q")
    same = settings_of(OPENAI_FILE, {"--provider": "openai"})
    assert (same.model, same.key_env) == ("m", "MINE")
    unnamed = settings_of('[provider]\nmodel = "m"\n', {"--provider": "groq"})
    assert unnamed.model == "m"
