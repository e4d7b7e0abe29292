"""The table of presets holds together with the rest of the program."""

import pytest

from caramelo_tui.config.settings import BASE_URL_VARIABLES, ProviderName
from caramelo_tui.providers.endpoints import openai_base_url
from caramelo_tui.providers.local_servers import is_loopback
from caramelo_tui.providers.presets import LOCAL_PRESETS, PRESETS, Wire


def test_each_provider_that_can_be_chosen_has_a_preset_and_no_other_has_one() -> None:
    assert list(PRESETS) == [name.value for name in ProviderName]


@pytest.mark.parametrize("name", [name for name, each in PRESETS.items() if each.base_url])
def test_an_address_is_in_the_form_that_is_used(name: str) -> None:
    preset = PRESETS[name]
    if preset.wire in {Wire.CHAT, Wire.RESPONSES}:
        assert openai_base_url(preset.base_url) == preset.base_url
    assert preset.base_url.startswith("http://127.0.0.1:" if preset.is_local else "https://")


def test_keys_are_asked_for_by_vendors_and_by_no_server_on_this_machine() -> None:
    for name, preset in PRESETS.items():
        assert preset.needs_key == bool(preset.key_variables), name
        assert not (preset.is_local and preset.needs_key)
    assert LOCAL_PRESETS == ("ollama", "lmstudio", "llamacpp", "vllm")
    assert all(is_loopback(PRESETS[name].base_url) for name in LOCAL_PRESETS)


def test_the_vendors_own_address_variables_are_those_of_the_table() -> None:
    assert BASE_URL_VARIABLES == {
        "anthropic": "ANTHROPIC_BASE_URL",
        "openai": "OPENAI_BASE_URL",
        "openai-responses": "OPENAI_BASE_URL",
    }


def test_peculiarities_that_break_requests_are_known() -> None:
    assert PRESETS["openai"].quirks.max_tokens_field == "max_completion_tokens"
    assert PRESETS["groq"].quirks.reasoning_fields == ("reasoning",)
    assert PRESETS["mistral"].quirks.call_id_length == 9
    assert not PRESETS["mistral"].quirks.sends_stream_options
    assert PRESETS["deepseek"].quirks.sends_reasoning_as == "reasoning_content"
    assert PRESETS["gemini"].quirks.call_extras["extra_content"]
    assert PRESETS["llamacpp"].quirks.asks_parallel_calls
