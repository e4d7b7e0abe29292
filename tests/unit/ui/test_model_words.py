"""What is said of a model."""

import pytest

from caramelo_tui.agent.models_port import ModelRow
from caramelo_tui.domain.prices import LongPrices, Prices
from caramelo_tui.ui.model_words import dollars, figures_text, model_sentence, prices_sentence

UNHEARD = ModelRow(provider="p", model="m")


@pytest.mark.parametrize(
    ("amount", "text"),
    [
        (None, "?"),
        (0.0, "$0"),
        (3.0, "$3"),
        (2.5, "$2.50"),
        (0.125, "$0.125"),
        (0.0028, "$0.0028"),
        (0.003625, "$0.003625"),
    ],
)
def test_an_amount_has_the_digits_that_it_needs(amount: float | None, text: str) -> None:
    assert dollars(amount) == text


def test_what_is_unknown_is_said_to_be_so() -> None:
    assert figures_text(UNHEARD).split() == ["?", "?", "/", "?", "???"]
    assert model_sentence(UNHEARD) == (
        "p/m: context unknown tokens · prices unknown · tools: unknown, reasoning: unknown, "
        "images: unknown"
    )


def test_what_a_model_does_not_do_is_told_from_what_is_unknown() -> None:
    row = ModelRow(provider="p", model="m", tools=True, reasoning=False, missing="no key here")

    assert figures_text(row).split() == ["!", "?", "?", "/", "?", "T-?"]
    assert model_sentence(row).startswith("p/m: no key here · context unknown tokens")
    assert model_sentence(row).endswith("tools, no reasoning, images: unknown")


def test_the_model_in_use_is_marked_and_columns_stand_below_each_other() -> None:
    used = ModelRow(provider="p", model="m", is_current=True, context_window=200_000)

    assert figures_text(used).startswith("*  200k ")
    assert len(figures_text(used)) == len(figures_text(UNHEARD))


def test_long_requests_are_told_with_their_prices() -> None:
    long = LongPrices(above=272_000, prices=Prices(input=5.0, output=22.5))
    prices = Prices(input=2.5, output=15.0, cache_read=0.25, long=long)

    assert prices_sentence(prices) == (
        "$2.50 in, $15 out per million tokens, cache $0.25 read, ? written; requests above 272k: "
        "$5 in, $22.50 out"
    )
