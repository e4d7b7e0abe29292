"""Every event that can be built survives the session file."""

import json
from typing import get_args

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from caramelo_tui.domain.agent_events import AgentEvent
from caramelo_tui.sessions.codec import decode_event, encode_line
from tests.property.event_values import register

KINDS: list[type[AgentEvent]] = list(get_args(AgentEvent))

register()


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
@settings(max_examples=25, suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(data=st.data())
def test_an_event_comes_back_as_it_was(kind: type[AgentEvent], data: st.DataObject) -> None:
    event = data.draw(st.from_type(kind))
    line = encode_line(event)
    assert line.isascii()
    assert "\n" not in line
    assert decode_event(json.loads(line)) == event
