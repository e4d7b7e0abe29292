"""Models that a test lists, and what was chosen of them."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from caramelo_tui.agent.models_port import AnsweringModel, ModelRow, RoleRow, ServedModels
from caramelo_tui.agent.reports_port import Report
from caramelo_tui.composition.models import ModelInUse
from caramelo_tui.domain.errors import ConfigError


@dataclass
class FakeModels:
    """Remembers what it was asked; refuses with ``problem``."""

    answering: AnsweringModel = field(
        default_factory=lambda: AnsweringModel(
            provider="anthropic", model="claude-test", context_window=200_000
        )
    )
    rows: tuple[ModelRow, ...] = ()
    figures_of: str = "2026-11-30"
    known_roles: tuple[RoleRow, ...] = ()
    served: Mapping[str, ServedModels] = field(default_factory=dict[str, ServedModels])
    """Answers by provider; any other has no list."""
    problem: str = ""
    """Why no choice is taken; empty: all are."""
    asked: list[str] = field(default_factory=list[str])
    chosen: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])
    """Providers and models, in order."""
    chosen_for: list[tuple[str, str, str]] = field(default_factory=list[tuple[str, str, str]])
    """Roles, providers and models, in order."""
    ended_runs: int = 0

    async def roles(self) -> tuple[RoleRow, ...]:
        return self.known_roles

    async def ask(self, provider: str) -> ServedModels:
        self.asked.append(provider)
        return self.served.get(provider, ServedModels(problem=f"{provider} has no list."))

    async def choose(self, provider: str, model: str) -> str:
        if not self.problem:
            self.chosen.append((provider, model))
        return self.problem

    async def choose_for_role(self, role: str, provider: str, model: str) -> str:
        if not self.problem:
            self.chosen_for.append((role, provider, model))
        return self.problem

    def end_run(self) -> None:
        self.ended_runs += 1


@dataclass
class FakeReports:
    """Tells what a test set, and remembers what it was asked."""

    texts: Mapping[str, str] = field(default_factory=dict[str, str])
    asked: list[Report] = field(default_factory=list[Report])

    async def report(self, report: Report) -> str:
        self.asked.append(report)
        return self.texts.get(report.value, f"told of {report.value}")


class NoOtherModels:
    """For doubles of ``Models`` whose models stay as they are."""

    @property
    def providers(self) -> tuple[str, ...]:
        return ()

    def missing(self, provider: str) -> str:
        return f"{provider} is not here"

    def build(self, provider: str, model: str) -> ModelInUse:
        raise ConfigError("model", "", f"{provider}/{model} is not here")

    async def served(self, provider: str) -> tuple[str, ...]:
        raise ConfigError("provider", "", f"{provider} is not here")

    def change_main(self, model: ModelInUse) -> None:
        raise NotImplementedError(model)

    def change_role(self, role: str, model: ModelInUse) -> None:
        raise NotImplementedError(role, model)
