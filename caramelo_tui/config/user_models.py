"""Read the user's own models from ``models.toml``.

Owns the file's form: a table ``[models.PROVIDER.MODEL]`` with limits, traits and prices. What it
says of a model that is shipped stands before that, field by field. What cannot be read is a
problem beside what can, never an exception. Proven by tests/unit/config/test_user_models.py.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from caramelo_tui.config.toml_file import FileValue, read_user_file
from caramelo_tui.domain.errors import ConfigError
from caramelo_tui.domain.prices import Prices
from caramelo_tui.providers.catalog_file import shipped_catalogue
from caramelo_tui.providers.model_facts import ModelFacts

_TABLE = "models"
_TOKENS = ("context_window", "max_output_tokens")
_TRAITS = ("tools", "reasoning", "caching", "images")
_PRICES = ("input", "output", "cache_read", "cache_write")
_NAMES_BEFORE_FIELD = 3
"""``models``, the provider, and at least one name of the model."""
MOST_TOKENS = 1_000_000_000
"""More than any model holds; a larger number is a slip."""


@dataclass(frozen=True, slots=True, kw_only=True)
class UserModels:
    """What the file says."""

    models: Mapping[str, Mapping[str, ModelFacts]]
    """By provider and name, in the file's order."""
    problems: tuple[str, ...] = ()
    """What could not be taken, each with file and line."""


def read_user_models(path: Path) -> UserModels:
    """Return what the file says; nothing when it does not exist. Never raises."""
    try:
        values = read_user_file(path, shown=path.name, is_required=False)
    except ConfigError as error:
        return UserModels(models={}, problems=(str(error),))
    reading = _Reading()
    for value in values:
        reading.take(value)
    return UserModels(models=reading.models, problems=tuple(reading.problems))


class _Reading:
    """The file's values, taken one by one."""

    def __init__(self) -> None:
        self.models: dict[str, dict[str, ModelFacts]] = {}
        self.problems: list[str] = []

    def take(self, value: FileValue) -> None:
        problem = self._problem_of_path(value.path, value.value)
        if problem:
            self._refuse(value, problem)
            return
        # ``[models.openai.gpt-5.4]`` and ``[models.openai."gpt-5.4"]`` mean the same.
        names = value.path[2:] if value.value == {} else value.path[2:-1]
        provider, model = value.path[1], ".".join(names)
        facts = self._known(provider, model)
        if value.value != {}:
            changed = _with(facts, value.path[-1], value.value)
            if isinstance(changed, str):
                self._refuse(value, changed)
                return
            facts = changed
        self.models.setdefault(provider, {})[model] = facts

    def _problem_of_path(self, path: tuple[str, ...], value: object) -> str:
        if path[0] != _TABLE:
            return f"only the table [{_TABLE}.PROVIDER.MODEL] is known"
        if len(path) < _NAMES_BEFORE_FIELD + (value != {}):
            return f"must be a table: [{_TABLE}.PROVIDER.MODEL]"
        return ""

    def _known(self, provider: str, model: str) -> ModelFacts:
        mine = self.models.get(provider, {}).get(model)
        if mine is not None:
            return mine
        return shipped_catalogue().models.get(provider, {}).get(model) or ModelFacts()

    def _refuse(self, value: FileValue, problem: str) -> None:
        self.problems.append(f"{value.origin}: {value.name}: {problem}")


def _with(facts: ModelFacts, field: str, value: object) -> ModelFacts | str:
    """Return the facts with one more, or what is wrong with it."""
    if field in _TOKENS:
        return _with_tokens(facts, field, value)
    if field in _TRAITS:
        return _with_trait(facts, field, value)
    if field in _PRICES:
        return _with_price(facts, field, value)
    return f"is unknown; known: {', '.join((*_TOKENS, *_TRAITS, *_PRICES))}"


def _with_tokens(facts: ModelFacts, field: str, value: object) -> ModelFacts | str:
    if not isinstance(value, int) or isinstance(value, bool) or not 0 < value <= MOST_TOKENS:
        return f"must be a number of tokens from 1 to {MOST_TOKENS:,}"
    if field == "context_window":
        return replace(facts, context_window=value)
    return replace(facts, max_output_tokens=value)


def _with_trait(facts: ModelFacts, field: str, value: object) -> ModelFacts | str:
    if not isinstance(value, bool):
        return "must be true or false"
    match field:
        case "tools":
            return replace(facts, tools=value)
        case "reasoning":
            return replace(facts, reasoning=value)
        case "caching":
            return replace(facts, caching=value)
        case _:
            return replace(facts, images=value)


def _with_price(facts: ModelFacts, field: str, value: object) -> ModelFacts | str:
    if (
        not isinstance(value, int | float)
        or isinstance(value, bool)
        or not 0 <= value < MOST_TOKENS
    ):
        return "must be US dollars per million tokens, 0 or more"
    price, prices = float(value), facts.prices or Prices()
    # The shipped prices of long requests do not hold beside a price of the user's own.
    prices = replace(prices, long=None)
    match field:
        case "input":
            prices = replace(prices, input=price)
        case "output":
            prices = replace(prices, output=price)
        case "cache_read":
            prices = replace(prices, cache_read=price)
        case _:
            prices = replace(prices, cache_write=price)
    return replace(facts, prices=prices)
