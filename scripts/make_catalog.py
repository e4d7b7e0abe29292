"""Write the catalogue of models that is shipped.

Owns how ``caramelo_tui/providers/models.json`` is made: facts from ``model_sources.toml`` beside
this file, prices from the package ``genai-prices``, which is installed for this purpose only. It
invents nothing: what neither knows is left out. Names that the vendors' SDKs hold and the sources
do not are printed, for the next look at the vendors' pages.

Run it as ``python scripts/make_catalog.py`` where ``genai-prices``, ``anthropic`` and ``openai``
can be imported.
"""

# ruff: noqa: INP001 - a script, in no package
import json
import sys
import tomllib
from datetime import date
from pathlib import Path
from typing import Any, get_args

import genai_prices
from anthropic.types.model_param import ModelParam
from genai_prices import data
from genai_prices.types import (
    ConditionalPrice,
    ModelInfo,
    ModelPrice,
    StartDateConstraint,
    TieredPrices,
    TimeOfDateConstraint,
)
from openai.types.shared.chat_model import ChatModel

HERE = Path(__file__).resolve().parent
TARGET = HERE.parent / "caramelo_tui" / "providers" / "models.json"
PRICE_NAMES = {"gemini": "google", "copilot": "github-copilot"}
"""Names of providers in ``genai-prices``, where they differ from ours."""
PRICE_FIELDS = {
    "input": "input_mtok",
    "output": "output_mtok",
    "cache_read": "cache_read_mtok",
    "cache_write": "cache_write_mtok",
}


def main() -> None:
    """Write the file and say what is missing."""
    sources = tomllib.loads((HERE / "model_sources.toml").read_text("utf-8"))
    pages = sources.pop("sources")
    prices, version = _price_models()
    catalogue: dict[str, dict[str, Any]] = {}
    for provider, rows in sources.items():
        found = prices.get(PRICE_NAMES.get(provider, provider), {})
        catalogue[provider] = {
            name: _entry(row, None if row.get("is_family") else found.get(name))
            for name, row in rows.items()
        }
    today = max(page["read"] for page in pages.values())
    text = {
        "date": today.isoformat(),
        "sources": [f"{page['page']}, read {page['read']}" for page in pages.values()]
        + [f"prices: genai-prices {version}"],
        "providers": catalogue,
    }
    TARGET.write_text(_one_line_a_model(text), "utf-8")
    _say_missing(catalogue)


def _entry(row: dict[str, Any], priced: ModelInfo | None) -> dict[str, Any]:
    entry: dict[str, Any] = {}
    window = row.get("window") or (priced.context_window if priced is not None else None)
    if window:
        entry["window"] = window
    if "output" in row:
        entry["output"] = row["output"]
    entry |= dict.fromkeys(row.get("can", ()), True)
    entry |= dict.fromkeys(row.get("cannot", ()), False)
    if row.get("quirks"):
        entry["quirks"] = row["quirks"]
    if row.get("is_family"):
        entry["is_family"] = True
    if priced is not None and (known := _prices(priced)):
        entry["prices"] = known
    return entry


def _price_models() -> tuple[dict[str, dict[str, ModelInfo]], str]:
    models = {
        provider.id: {model.id: model for model in provider.models} for provider in data.providers
    }
    # Names that a vendor gives to one and the same model are matched as the package does it.
    for provider in data.providers:
        for model in provider.models:
            for clause in getattr(model.match, "or_", ()):
                if (name := getattr(clause, "equals", None)) is not None:
                    models[provider.id].setdefault(name, model)
    return models, genai_prices.__version__


def _prices(model: ModelInfo) -> dict[str, Any]:
    """Return the prices that hold today, and those of long requests where they differ."""
    price = _in_force(model.prices)
    known: dict[str, Any] = {}
    long: dict[str, Any] = {}
    above = 0
    for name, field in PRICE_FIELDS.items():
        value = getattr(price, field)
        if value is None:
            continue
        if not isinstance(value, TieredPrices):
            known[name] = long[name] = float(value)
            continue
        known[name] = float(value.base)
        long[name] = float(value.tiers[-1].price)
        above = value.tiers[-1].start
    if above:
        known |= {"above": above, "long": long}
    return known


def _in_force(prices: ModelPrice | list[ConditionalPrice]) -> ModelPrice:
    """Return the newest that has begun; of prices by the time of day, the dearest."""
    if isinstance(prices, ModelPrice):
        return prices
    begun = prices[0].prices
    by_hour: list[ModelPrice] = []
    today = date.today()  # noqa: DTZ011 - the day where it is made
    for conditional in prices[1:]:
        match conditional.constraint:
            case TimeOfDateConstraint():
                by_hour.append(conditional.prices)
            case StartDateConstraint(start_date=start) if start > today:
                continue
            case _:
                begun = conditional.prices
    return max((begun, *by_hour), key=_output_price)


def _output_price(price: ModelPrice) -> float:
    value = price.output_mtok or 0
    return float(value.base if isinstance(value, TieredPrices) else value)


def _one_line_a_model(text: dict[str, Any]) -> str:
    lines = [
        "{",
        f'"date": {json.dumps(text["date"])},',
        f'"sources": {json.dumps(text["sources"])},',
    ]
    lines.append('"providers": {')
    blocks = []
    for provider, models in text["providers"].items():
        rows = ",\n".join(
            f"{json.dumps(name)}: {json.dumps(entry)}" for name, entry in models.items()
        )
        blocks.append(f"{json.dumps(provider)}: {{\n{rows}\n}}")
    lines.append(",\n".join(blocks))
    return "\n".join(lines) + "\n}}\n"


def _say_missing(catalogue: dict[str, dict[str, Any]]) -> None:
    claude = [name for arg in get_args(ModelParam) for name in get_args(arg)]
    for provider, names in (("anthropic", claude), ("openai", get_args(ChatModel))):
        missing = [name for name in names if not any(map(name.startswith, catalogue[provider]))]
        sys.stdout.write(f"{provider}, in the SDK only: {', '.join(missing) or 'none'}\n")
    for provider, models in catalogue.items():
        bare = [
            n for n, entry in models.items() if "prices" not in entry and "is_family" not in entry
        ]
        sys.stdout.write(f"{provider}: {len(models)} models, without prices: {', '.join(bare)}\n")


if __name__ == "__main__":
    main()
