"""A stored session of any events is shown again, and the screen stays alive."""

from typing import get_args

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from caramelo_tui.domain.agent_events import AgentEvent
from tests.doubles.fake_agent import FakeAgent
from tests.doubles.fake_sessions import FakeSessions
from tests.pilot.conftest import OpenApp
from tests.pilot.driving import WIDE
from tests.property.event_values import register

register()
EVENTS = st.lists(st.sampled_from(list(get_args(AgentEvent))).flatmap(st.from_type), max_size=30)


@settings(
    max_examples=6,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)
@given(events=EVENTS)
async def test_any_events_are_shown(open_app: OpenApp, events: list[AgentEvent]) -> None:
    agent = FakeAgent(sessions=FakeSessions(earlier=tuple(events)))
    async with open_app(size=WIDE, agent=agent) as app:
        await app.settle()
        for key in ("f2", "f3", "f4", "end", "home", "down", "enter", "escape"):
            await app.pilot.press(key)
        await app.settle()
        assert app.app.is_running
