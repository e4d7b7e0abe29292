"""What tokens cost."""

import pytest

from caramelo_tui.domain.prices import LongPrices, Prices, cost_of
from caramelo_tui.domain.usage import Usage

_PRICES = Prices(input=3.0, output=15.0, cache_read=0.3, cache_write=3.75)


def test_each_kind_of_token_has_its_own_price() -> None:
    usage = Usage(
        input_tokens=1_000_000,
        output_tokens=200_000,
        cache_read_tokens=2_000_000,
        cache_write_tokens=400_000,
    )

    assert cost_of(usage, _PRICES) == pytest.approx(3.0 + 3.0 + 0.6 + 1.5)


def test_nothing_is_known_of_a_model_without_prices() -> None:
    assert cost_of(Usage(input_tokens=1), None) is None


def test_a_part_is_never_told_as_the_whole() -> None:
    assert (
        cost_of(Usage(input_tokens=1, cache_read_tokens=1), Prices(input=3.0, output=1.0)) is None
    )


def test_a_price_that_is_not_needed_may_be_unknown() -> None:
    assert cost_of(Usage(input_tokens=1_000_000), Prices(input=3.0)) == 3.0


def test_no_tokens_cost_nothing_even_where_prices_are_free() -> None:
    assert cost_of(Usage(), Prices()) == 0.0
    assert cost_of(Usage(output_tokens=5), Prices(input=0.0, output=0.0)) == 0.0


def test_a_long_request_has_prices_of_its_own_and_cached_tokens_count() -> None:
    long = LongPrices(above=1000, prices=Prices(input=4.0, output=10.0, cache_read=0.4))
    prices = Prices(input=2.0, output=5.0, cache_read=0.2, long=long)

    assert cost_of(Usage(input_tokens=500_000), prices) == 2.0  # 4 dollars a million
    assert cost_of(Usage(input_tokens=1000), prices) == pytest.approx(0.002)
    assert cost_of(Usage(input_tokens=1, cache_read_tokens=1000), prices) == pytest.approx(0.000404)
    assert cost_of(Usage(output_tokens=5000), prices) == pytest.approx(0.025)
