"""Know the common models: their limits, prices and traits.

Owns how a model is found by its name, in the user's own entries first and then in the dated table
that is shipped (``catalog_file``). A model that is in neither works all the same; what is not
known of it stays unknown. Proven by tests/unit/providers/test_catalog.py.
"""

import re
from collections.abc import Iterable, Mapping
from types import MappingProxyType

from caramelo_tui.domain.prices import Prices
from caramelo_tui.providers.catalog_file import shipped_catalogue
from caramelo_tui.providers.model_facts import ModelFacts

FALLBACK_MAX_OUTPUT_TOKENS = 8_192
"""Answer limit for a model that is not in the table: small enough for old and local ones."""

REQUESTED_OUTPUT_TOKENS = 32_000
"""Answer limit asked of a known model. More than a long edit with its thinking needs, and far
below the vendors' limits, so that a model that runs away is stopped early."""

DEFAULT_MODELS: Mapping[str, str] = MappingProxyType(
    {
        "anthropic": "claude-sonnet-5-5",
        # The newest family that takes function tools over Chat Completions without having its
        # reasoning switched off.
        "openai": "gpt-5.4",
        "openai-responses": "gpt-5.4",
    }
)
"""Model taken when none is set, by provider name; as of the catalogue's date."""

_SAME_MODELS: Mapping[str, str] = MappingProxyType({"openai-responses": "openai"})
"""Providers that serve another one's models at its prices."""
_VERSION = re.compile(
    r"[-@](?:\d{4}-\d\d-\d\d|\d{4,8}|latest|preview)(?:-\d\d-\d\d\d\d|-\d\d-\d\d)?"
)
"""What vendors put behind a model's name to mean a state of the same model."""


class Catalogue:
    """All models that something is known of."""

    def __init__(self, own: Mapping[str, Mapping[str, ModelFacts]] = MappingProxyType({})) -> None:
        """Take the user's entries, by provider and name; each stands before the shipped one."""
        self._own = own

    def names(self, provider: str) -> tuple[str, ...]:
        """Return the models of a provider, the user's first; families are none."""
        named: dict[str, ModelFacts] = {}
        for table in self._tables(provider):
            for name, facts in table.items():
                named.setdefault(name, facts)
        return tuple(name for name, facts in named.items() if not facts.is_family)

    def facts_of(self, model: str, *, provider: str = "") -> ModelFacts | None:
        """Return what is known about ``model``: the entry with the longest name it starts with.

        Args:
            model: Its name at the provider.
            provider: Whose model it is; empty, or a provider that the catalogue does not know
                (a server of the user's own): the name decides.

        Returns:
            ``None`` when the model is not known.
        """
        found = self._longest(model, self._tables(provider))
        if found is None and not self._knows(provider):
            shipped = shipped_catalogue().models.values()
            found = self._longest(model, (*self._own.values(), *shipped))
        return found

    def prices_of(self, provider: str, model: str) -> Prices | None:
        """Return what ``provider`` takes for ``model``, ``None`` when it is not known.

        A name that only begins like a known one may be another model: unlike limits, prices are
        told of the same model alone, in any dated state.
        """
        for table in self._tables(provider):
            for name in sorted(table, key=len, reverse=True):
                is_same = model == name or (
                    model.startswith(name) and _VERSION.fullmatch(model[len(name) :])
                )
                if is_same and (prices := table[name].prices) is not None:
                    return prices
        return None

    def _knows(self, provider: str) -> bool:
        name = _SAME_MODELS.get(provider, provider)
        return provider in self._own or name in shipped_catalogue().models

    def _tables(self, provider: str) -> tuple[Mapping[str, ModelFacts], ...]:
        shipped = shipped_catalogue().models
        name = _SAME_MODELS.get(provider, provider)
        tables = (self._own.get(provider), shipped.get(name))
        return tuple(table for table in tables if table is not None)

    @staticmethod
    def _longest(model: str, tables: Iterable[Mapping[str, ModelFacts]]) -> ModelFacts | None:
        best, found = "", None
        for table in tables:
            for name, facts in table.items():
                if model.startswith(name) and len(name) > len(best):
                    best, found = name, facts
        return found


_SHIPPED = Catalogue()


def facts_of(model: str, *, provider: str = "") -> ModelFacts | None:
    """Return what the shipped table says about ``model``; see ``Catalogue.facts_of``."""
    return _SHIPPED.facts_of(model, provider=provider)


def answer_tokens_of(facts: ModelFacts | None) -> int:
    """Return the answer limit to ask of a model, in tokens; small when its own is unknown."""
    if facts is None or facts.max_output_tokens is None:
        return FALLBACK_MAX_OUTPUT_TOKENS
    return min(REQUESTED_OUTPUT_TOKENS, facts.max_output_tokens)
