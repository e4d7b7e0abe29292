"""Open the app on the whole agent, whose models play what a test says.

Owns the wiring of such a sitting: real files, real commands, the real policy and pipeline; only
the models' words are scripted, and the clock of the questions' guard is moved by hand.
"""

import os
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

from caramelo_tui.agent.approval_broker import PersonAtPrompt
from caramelo_tui.agent.controller import AgentController
from caramelo_tui.composition import AgentOptions, CoreOptions, build_agent
from caramelo_tui.composition.models import ModelInUse
from caramelo_tui.config.credentials import Connection
from caramelo_tui.config.locations import Locations
from caramelo_tui.config.settings import ProviderName, Settings
from caramelo_tui.domain.agent_events import AgentEvent
from caramelo_tui.domain.errors import ConfigError
from caramelo_tui.domain.roles import BUILT_IN_ROLES
from caramelo_tui.ui.app import CarameloApp
from caramelo_tui.ui.start_plan import StartPlan
from tests.doubles.agent_worlds import ScriptedAnswers, Step
from tests.doubles.clocks import ManualClock
from tests.pilot.driving import NARROW, Sitting

_CONNECTION = Connection(provider=ProviderName.ANTHROPIC, key="", base_url=None)


class ScriptedModels:
    """One script for the main agent, one for its sub-agents."""

    def __init__(self, main: Sequence[Sequence[Step]], child: Sequence[Sequence[Step]]) -> None:
        self._main = ModelInUse(provider=ScriptedAnswers(main), model="scripted")
        self._child = ModelInUse(provider=ScriptedAnswers(child), model="scripted-child")

    @property
    def main(self) -> ModelInUse:
        """The main agent's model."""
        return self._main

    @property
    def roles(self) -> tuple[str, ...]:
        """The built-in roles."""
        return BUILT_IN_ROLES

    def of_role(self, role: str) -> ModelInUse:
        """Return the sub-agents' model."""
        del role
        return self._child

    @property
    def providers(self) -> tuple[str, ...]:
        """The only one."""
        return (self._main.provider.name,)

    def missing(self, provider: str) -> str:
        """Return what is missing for any other."""
        return "" if provider in self.providers else f"{provider} is not here"

    def build(self, provider: str, model: str) -> ModelInUse:
        """Return another model of the same script.

        Raises:
            ConfigError: If it is another provider's.
        """
        if self.missing(provider or self.providers[0]):
            raise ConfigError("provider", "", self.missing(provider))
        return replace(self._main, model=model or self._main.model)

    async def served(self, provider: str) -> tuple[str, ...]:
        """Return the script's two models."""
        return (self.build(provider, "").model, "scripted-2")

    def change_main(self, model: ModelInUse) -> None:
        """Answer as another model."""
        self._main = model

    def change_role(self, role: str, model: ModelInUse) -> None:
        """Let all roles use it."""
        del role
        self._child = model

    async def close(self) -> None:
        """Close nothing: scripts hold no connection."""


@dataclass(slots=True, kw_only=True)
class RealSitting(Sitting):
    """A running app on the whole agent."""

    agent: AgentController
    events: list[AgentEvent] = field(default_factory=list[AgentEvent])
    """Everything that happened so far."""

    def of_kind(self, kind: type[AgentEvent]) -> list[AgentEvent]:
        """Return the events of one kind."""
        return [event for event in self.events if isinstance(event, kind)]


def agent_options(root: Path, home: Path, settings: Settings) -> AgentOptions:
    """Return options for a trusted workspace whose user sits at the prompt."""
    return AgentOptions(
        core=CoreOptions(
            root=root,
            settings=replace(settings, model="scripted"),
            locations=Locations(config=home, state=home),
            environment=dict(os.environ),
            approver=PersonAtPrompt(),
            is_trusted=True,
        ),
        connection=_CONNECTION,
    )


@asynccontextmanager
async def opened_for_real(
    options: AgentOptions, models: ScriptedModels, *, size: tuple[int, int] = NARROW
) -> AsyncIterator[RealSitting]:
    """Run the app for the time of the block."""
    agent = build_agent(options, models=models)

    async def build() -> AgentController:
        agent.start()
        return agent

    clock = ManualClock()
    plan = StartPlan(workspace=options.core.root, build_agent=build)
    app = CarameloApp(plan, clock=clock)
    async with app.run_test(size=size, notifications=True) as pilot:
        sitting = RealSitting(app=app, pilot=pilot, clock=clock, agent=agent)

        async def keep() -> None:
            async for event in agent.read_events():
                sitting.events.append(event)

        app.run_worker(keep(), name="keep-events", group="keep-events")
        await sitting.until(lambda: not app.main.status.view.is_starting)
        await sitting.settle()
        yield sitting
        await app.close_agent()
