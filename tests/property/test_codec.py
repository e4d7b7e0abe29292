"""Every event that can be built survives the session file."""

import json
from typing import get_args

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from caramelo_tui.domain.agent_events import AgentEvent, EventHead
from caramelo_tui.sessions.codec import decode_event, encode_line

KINDS: list[type[AgentEvent]] = list(get_args(AgentEvent))

# Texts may hold lone surrogates (names that are not UTF-8); numbers of ours are finite, whole
# ones are counts, and times are in the calendar.
st.register_type_strategy(str, st.text(st.characters(exclude_categories=()), max_size=12))
st.register_type_strategy(float, st.floats(allow_nan=False, allow_infinity=False))
st.register_type_strategy(int, st.integers(min_value=0, max_value=2**63 - 1))
st.register_type_strategy(
    EventHead,
    st.builds(EventHead, at=st.floats(min_value=0, max_value=2.5e11)),
)


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
@settings(max_examples=25, suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(data=st.data())
def test_an_event_comes_back_as_it_was(kind: type[AgentEvent], data: st.DataObject) -> None:
    event = data.draw(st.from_type(kind))
    line = encode_line(event)
    assert line.isascii()
    assert "\n" not in line
    assert decode_event(json.loads(line)) == event
