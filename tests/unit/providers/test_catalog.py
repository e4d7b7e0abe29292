"""The table of models."""

import pytest

from caramelo_tui.providers.catalog import (
    DEFAULT_MODELS,
    FALLBACK_MAX_OUTPUT_TOKENS,
    context_window_of,
    facts_of,
    max_tokens_for,
)


def test_the_longest_name_that_fits_is_taken() -> None:
    assert context_window_of("gpt-5.4-mini-2026-03-17") == 400_000
    assert context_window_of("gpt-5.4") == 1_050_000


def test_an_unknown_model_has_no_window_and_a_small_limit() -> None:
    assert context_window_of("qwen-99") is None
    assert max_tokens_for("qwen-99") == FALLBACK_MAX_OUTPUT_TOKENS


@pytest.mark.parametrize("provider", ["anthropic", "openai"])
def test_each_default_is_known_and_takes_tools(provider: str) -> None:
    facts = facts_of(DEFAULT_MODELS[provider])
    assert facts is not None
    assert not facts.refuses_reasoning_with_tools
    assert max_tokens_for(DEFAULT_MODELS[provider]) <= facts.max_output_tokens


def test_no_model_may_answer_longer_than_its_window() -> None:
    assert max_tokens_for("gpt-4o") == 16_384
