"""The table of models."""

import tomllib
from datetime import date
from pathlib import Path

import pytest

from caramelo_tui.domain.prices import Prices
from caramelo_tui.providers.catalog import (
    DEFAULT_MODELS,
    FALLBACK_MAX_OUTPUT_TOKENS,
    Catalogue,
    answer_tokens_of,
    facts_of,
)
from caramelo_tui.providers.catalog_file import shipped_catalogue
from caramelo_tui.providers.model_facts import ModelFacts

SHIPPED = Catalogue()


def window_of(model: str, provider: str = "") -> int | None:
    facts = SHIPPED.facts_of(model, provider=provider)
    return facts.context_window if facts else None


def test_the_longest_name_that_fits_is_taken() -> None:
    assert window_of("gpt-5.4-mini-2026-03-17") == 400_000
    assert window_of("gpt-5.4") == 1_050_000


def test_an_unknown_model_has_no_window_and_a_small_limit() -> None:
    assert window_of("qwen-99") is None
    assert answer_tokens_of(facts_of("qwen-99")) == FALLBACK_MAX_OUTPUT_TOKENS


def test_a_known_model_of_unknown_limit_is_asked_for_a_small_answer() -> None:
    facts = facts_of("gpt-6.2-sol", provider="openai")

    assert facts is not None
    assert facts.max_output_tokens is None
    assert answer_tokens_of(facts_of("gpt-6.2-sol")) == FALLBACK_MAX_OUTPUT_TOKENS


@pytest.mark.parametrize("provider", list(DEFAULT_MODELS))
def test_each_default_is_known_and_takes_tools(provider: str) -> None:
    facts = facts_of(DEFAULT_MODELS[provider])
    assert facts is not None
    assert facts.tools
    assert facts.prices is not None
    assert not facts.refuses_reasoning_with_tools
    assert facts.max_output_tokens is not None
    assert answer_tokens_of(facts_of(DEFAULT_MODELS[provider])) <= facts.max_output_tokens


def test_no_model_may_answer_longer_than_its_window() -> None:
    assert answer_tokens_of(facts_of("gpt-4o")) == 16_384


def test_a_provider_has_limits_of_its_own_for_a_model_of_another() -> None:
    assert window_of("gpt-5.4", "copilot") == 400_000
    assert window_of("gpt-5.4", "openai") == 1_050_000


def test_the_responses_api_serves_the_models_of_openai() -> None:
    same = SHIPPED.prices_of("openai", "gpt-5.4")
    assert SHIPPED.prices_of("openai-responses", "gpt-5.4") == same
    assert "gpt-5.4" in Catalogue().names("openai-responses")


def test_a_server_of_the_users_own_serves_a_model_that_is_known_by_name() -> None:
    assert window_of("gpt-4o", "custom") == 128_000
    assert SHIPPED.prices_of("custom", "gpt-4o") is None


def test_the_price_of_a_dated_name_is_that_of_the_model() -> None:
    assert SHIPPED.prices_of("anthropic", "claude-haiku-4-5-20251001") == Prices(
        input=1.0, output=5.0, cache_read=0.1, cache_write=1.25
    )


@pytest.mark.parametrize("model", ["claude-haiku-4-5-turbo", "gpt-5.4-ultra", "claude-nobody"])
def test_a_model_that_only_begins_like_another_has_no_price(model: str) -> None:
    assert SHIPPED.prices_of("anthropic", model) is None
    assert SHIPPED.prices_of("openai", model) is None


def test_long_requests_cost_what_the_vendor_says() -> None:
    prices = SHIPPED.prices_of("openai", "gpt-5.4")

    assert prices is not None
    assert prices.long is not None
    assert prices.long.above == 272_000
    assert prices.long.prices.input == 5.0


def test_the_users_entry_stands_before_the_shipped_one() -> None:
    mine = ModelFacts(context_window=9, prices=Prices(input=0.5))
    catalogue = Catalogue({"openai": {"gpt-5.4": mine}, "house": {"house-1": mine}})

    assert catalogue.facts_of("gpt-5.4", provider="openai") is mine
    assert catalogue.prices_of("openai", "gpt-5.4") == Prices(input=0.5)
    assert catalogue.names("house") == ("house-1",)
    assert catalogue.names("openai")[0] == "gpt-5.4"
    assert catalogue.names("openai").count("gpt-5.4") == 1
    assert catalogue.names("nobody") == ()


def test_a_family_is_no_model() -> None:
    assert "gpt-6" not in Catalogue().names("openai")
    facts = facts_of("gpt-6.9-future")
    assert facts is not None
    assert facts.is_family
    assert facts.refuses_reasoning_with_tools


def test_the_shipped_table_is_dated_and_names_its_sources() -> None:
    shipped = shipped_catalogue()

    assert shipped.date >= date(2026, 11, 30)
    assert len(shipped.sources) > 3
    assert {"anthropic", "openai", "gemini", "groq", "openrouter", "mistral", "deepseek"} <= set(
        shipped.models
    )
    assert "copilot" in shipped.models


def test_the_shipped_table_is_made_of_the_sources_that_are_kept_by_hand() -> None:
    path = Path(__file__).parents[3] / "scripts" / "model_sources.toml"
    sources = tomllib.loads(path.read_text("utf-8"))
    pages = sources.pop("sources")
    shipped = shipped_catalogue()

    assert {provider: list(rows) for provider, rows in sources.items()} == {
        provider: list(models) for provider, models in shipped.models.items()
    }
    assert shipped.date == max(page["read"] for page in pages.values())
    for provider, rows in sources.items():
        for name, row in rows.items():
            facts = shipped.models[provider][name]
            assert row["source"] in pages
            assert row.get("window") in {None, facts.context_window}
            assert row.get("output") == facts.max_output_tokens


def test_no_price_is_below_nothing_and_no_answer_longer_than_the_window() -> None:
    for models in shipped_catalogue().models.values():
        for facts in models.values():
            if facts.prices is not None:
                assert (facts.prices.input or 0) >= 0
                assert (facts.prices.output or 0) >= (facts.prices.input or 0)
            if facts.context_window and facts.max_output_tokens:
                assert facts.max_output_tokens <= facts.context_window
