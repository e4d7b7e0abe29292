"""Say what tokens cost.

Owns the value of a model's prices and the sum over a usage. Knows no model and no vendor; what
a model costs is the catalogue's business. Proven by tests/unit/domain/test_prices.py.
"""

from dataclasses import dataclass

from caramelo_tui.domain.usage import Usage

TOKENS_PER_PRICE = 1_000_000
"""How many tokens a price is for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Prices:
    """What a model costs, in US dollars per million tokens; ``None``: unknown."""

    input: float | None = None
    """Tokens read that no cache held."""
    output: float | None = None
    """Tokens written, thinking included."""
    cache_read: float | None = None
    """Tokens served from the provider's prompt cache."""
    cache_write: float | None = None
    """Tokens written into the provider's prompt cache."""
    long: "LongPrices | None" = None
    """What a long request costs instead; ``None``: the same."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LongPrices:
    """Other prices for the whole of a request that is longer than a limit."""

    above: int
    """Tokens of the request, cached or not, above which they hold."""
    prices: Prices
    """Without further ``long``."""


def cost_of(usage: Usage, prices: Prices | None) -> float | None:
    """Return what a usage cost, in US dollars.

    Args:
        usage: Tokens of one turn; the costs of several are added, since a long request may have
            prices of its own.
        prices: The model's prices; ``None``: none is known.

    Returns:
        ``None`` when a price is unknown that the usage needs: a part is never told as the whole.
    """
    if prices is None:
        return None
    if prices.long is not None and _request_tokens(usage) > prices.long.above:
        return cost_of(usage, prices.long.prices)
    cost = 0.0
    for tokens, price in (
        (usage.input_tokens, prices.input),
        (usage.output_tokens, prices.output),
        (usage.cache_read_tokens, prices.cache_read),
        (usage.cache_write_tokens, prices.cache_write),
    ):
        if tokens and price is None:
            return None
        cost += tokens * (price or 0.0)
    return cost / TOKENS_PER_PRICE


def _request_tokens(usage: Usage) -> int:
    return usage.input_tokens + usage.cache_read_tokens + usage.cache_write_tokens
