"""Open the app on a double of the agent."""

from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from caramelo_tui.ui.app import CarameloApp
from caramelo_tui.ui.start_plan import StartPlan
from tests.doubles.clocks import ManualClock
from tests.doubles.fake_agent import FakeAgent
from tests.pilot.driving import NARROW, OpenedApp

OpenApp = Callable[..., AbstractAsyncContextManager[OpenedApp]]
"""``open_app(size=…, agent=…, plan=…)``: runs the app for the time of the block."""


def plan_for(agent: FakeAgent) -> StartPlan:
    """Return a plan without questions."""

    async def build() -> FakeAgent:
        return agent

    return StartPlan(workspace=Path("/home/project"), build_agent=build)


@asynccontextmanager
async def opened(
    *,
    size: tuple[int, int] = NARROW,
    agent: FakeAgent | None = None,
    plan: StartPlan | None = None,
    waits_for_agent: bool = True,
    app_type: type[CarameloApp] = CarameloApp,
) -> AsyncIterator[OpenedApp]:
    """Run the app; with ``waits_for_agent`` until the agent is attached."""
    agent = agent or FakeAgent()
    base = plan_for(agent)
    wanted = base if plan is None else replace(plan, build_agent=base.build_agent)
    clock = ManualClock()
    app = app_type(wanted, clock=clock)
    async with app.run_test(size=size, notifications=True) as pilot:
        running = OpenedApp(app=app, pilot=pilot, agent=agent, clock=clock)
        if waits_for_agent:
            await running.until(lambda: not app.main.status.view.is_starting)
            await running.settle()
        yield running
    await app.close_agent()


@pytest.fixture
def open_app() -> OpenApp:
    """Return what opens the app."""
    return opened
