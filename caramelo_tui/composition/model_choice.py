"""Let the user choose models within a session.

Owns what the picker is told of each model, and the way from a choice to a model that answers.
Proven by tests/unit/composition/test_model_choice.py.
"""

import asyncio
from collections.abc import Iterator
from dataclasses import replace

from caramelo_tui.agent.current_model import CurrentModel, UsableModel
from caramelo_tui.agent.models_port import AnsweringModel, ModelRow, RoleRow, ServedModels
from caramelo_tui.composition.models import ModelInUse, Models
from caramelo_tui.domain.errors import ConfigError, ProviderError
from caramelo_tui.providers.base import Capabilities
from caramelo_tui.providers.catalog import Catalogue, answer_tokens_of
from caramelo_tui.providers.catalog_file import shipped_catalogue

LONGEST_NAME = 200
"""Characters of a model's or a role's name; none is as long."""


class ModelChoice:
    """The models of a session, as the user chooses among them."""

    def __init__(
        self,
        *,
        current: CurrentModel,
        models: Models,
        catalogue: Catalogue,
    ) -> None:
        """Wire it; nothing is asked of any provider."""
        self._current = current
        self._models = models
        self._catalogue = catalogue

    @property
    def answering(self) -> AnsweringModel:
        """The model that answers the main agent now."""
        return self._current.now.answering

    @property
    def figures_of(self) -> str:
        """Day of the catalogue."""
        return shipped_catalogue().date.isoformat()

    @property
    def rows(self) -> tuple[ModelRow, ...]:
        """The known models; those of the provider in use are the first."""
        chosen = self._current.chosen.answering
        rows: list[ModelRow] = []
        for provider in self._models.providers:
            missing = self._models.missing(provider)
            names = self._catalogue.names(provider)
            if provider == chosen.provider:
                names = tuple(dict.fromkeys((chosen.model, *names)))
            rows += self._rows_of(provider, names, missing)
        return tuple(rows)

    async def roles(self) -> tuple[RoleRow, ...]:
        """Return the roles and their models."""
        # What a role names may be built for this, and its key command take a while.
        found = await asyncio.to_thread(lambda: [self._role(name) for name in self._models.roles])
        return tuple(found)

    async def ask(self, provider: str) -> ServedModels:
        """Ask a provider for its own list."""
        name = provider or self.answering.provider
        try:
            names = await self._models.served(name)
        except (ConfigError, ProviderError) as error:
            return ServedModels(problem=str(error))
        return ServedModels(rows=tuple(self._rows_of(name, names, "")))

    async def choose(self, provider: str, model: str) -> str:
        """Have another model answer from the next turn on; return why not."""
        found = await self._built(provider, model)
        if isinstance(found, str):
            return found
        self._models.change_main(found)
        self._current.take(usable(found, self._catalogue))
        return ""

    async def choose_for_role(self, role: str, provider: str, model: str) -> str:
        """Have sub-agents of a role use a model, to the end of the session; return why not."""
        if not role.isidentifier() or len(role) > LONGEST_NAME:
            return f"{role!r} is no name of a role: letters, digits and _ are."
        found = await self._built(provider, model)
        if isinstance(found, str):
            return found
        self._models.change_role(role, found)
        return ""

    def end_run(self) -> None:
        """Let a model that was chosen during a run answer from here on."""
        self._current.end_run()

    async def _built(self, provider: str, model: str) -> ModelInUse | str:
        if len(model) > LONGEST_NAME or not model.isprintable() or " " in model:
            return "That is no name of a model."
        try:
            # A key command may take a while.
            return await asyncio.to_thread(self._models.build, provider, model)
        except ConfigError as error:
            return str(error)

    def _rows_of(self, provider: str, names: tuple[str, ...], missing: str) -> Iterator[ModelRow]:
        chosen = self._current.chosen.answering
        for name in names:
            row = ModelRow(
                provider=provider,
                model=name,
                missing=missing,
                is_current=(provider, name) == (chosen.provider, chosen.model),
            )
            facts = self._catalogue.facts_of(name, provider=provider)
            if facts is None:
                yield row
                continue
            yield replace(
                row,
                context_window=facts.context_window,
                prices=self._catalogue.prices_of(provider, name),
                tools=facts.tools,
                reasoning=facts.reasoning,
                images=facts.images,
            )

    def _role(self, name: str) -> RoleRow:
        try:
            found = self._models.of_role(name)
        except ConfigError as error:
            return RoleRow(name=name, note=str(error))
        return RoleRow(name=name, provider=found.provider.name, model=found.model, note=found.note)


def usable(model: ModelInUse, catalogue: Catalogue) -> UsableModel:
    """Return a model with what the catalogue knows of it."""
    facts = catalogue.facts_of(model.model, provider=model.provider.name)
    able = model.provider.capabilities
    if facts is not None:
        able = Capabilities(
            tools=able.tools and facts.tools is not False,
            reasoning=able.reasoning and facts.reasoning is not False,
            caching=able.caching and facts.caching is not False,
            images=able.images and facts.images is not False,
        )
    return UsableModel(
        provider=model.provider,
        model=model.model,
        capabilities=able,
        answer_tokens=answer_tokens_of(facts),
        context_window=facts.context_window if facts is not None else None,
        endpoint_note=model.endpoint_note,
    )
