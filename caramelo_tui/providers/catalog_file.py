"""Read the catalogue that is shipped.

Owns the form of ``models.json``, which ``scripts/make_catalog.py`` writes; a file that does not
have it is a fault of the package and raises. Proven by tests/unit/providers/test_catalog.py.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from functools import lru_cache
from importlib.resources import files
from typing import Any

from caramelo_tui.domain.prices import LongPrices, Prices
from caramelo_tui.providers.model_facts import ModelFacts


@dataclass(frozen=True, slots=True, kw_only=True)
class ShippedCatalogue:
    """The file's content."""

    date: date
    """When the figures were last compared with their sources."""
    sources: tuple[str, ...]
    """Titles of the pages, with the day on which each was read."""
    models: Mapping[str, Mapping[str, ModelFacts]]
    """By provider and name, in the order in which they are listed."""


@lru_cache(maxsize=1)
def shipped_catalogue() -> ShippedCatalogue:
    """Return the catalogue of this version; read once, when it is first asked for."""
    text = files("caramelo_tui.providers").joinpath("models.json").read_text("utf-8")
    content: dict[str, Any] = json.loads(text)
    return ShippedCatalogue(
        date=date.fromisoformat(content["date"]),
        sources=tuple(content["sources"]),
        models={
            provider: {name: _facts(entry) for name, entry in models.items()}
            for provider, models in content["providers"].items()
        },
    )


def _facts(entry: dict[str, Any]) -> ModelFacts:
    quirks = entry.get("quirks", ())
    return ModelFacts(
        context_window=entry.get("window"),
        max_output_tokens=entry.get("output"),
        tools=entry.get("tools"),
        reasoning=entry.get("reasoning"),
        caching=entry.get("caching"),
        images=entry.get("images"),
        prices=_prices(entry["prices"]) if "prices" in entry else None,
        has_adaptive_thinking="adaptive_thinking" in quirks,
        refuses_reasoning_with_tools="no_reasoning_with_tools" in quirks,
        is_family=entry.get("is_family", False),
    )


def _prices(entry: dict[str, Any]) -> Prices:
    long = None
    if "above" in entry:
        long = LongPrices(above=entry["above"], prices=_prices(entry["long"]))
    return Prices(
        input=entry.get("input"),
        output=entry.get("output"),
        cache_read=entry.get("cache_read"),
        cache_write=entry.get("cache_write"),
        long=long,
    )
