"""A tool call has a name, whatever the vendor's form of API is."""

import re

import pytest

from caramelo_tui.domain.errors import StreamBroken
from caramelo_tui.providers.call_names import name_of_call
from caramelo_tui.providers.scenario import ScriptedCall, ScriptedTurn
from tests.contract.provider_wires import WIRES, ProviderWire
from tests.property.test_streams import events_of


@pytest.mark.parametrize("holder", [{}, {"name": ""}, {"name": 3}, {"name": None}])
def test_a_call_without_a_name_breaks_the_answer_off(holder: dict[str, object]) -> None:
    with pytest.raises(StreamBroken, match="without a name"):
        name_of_call(holder)


def test_a_lone_surrogate_in_a_name_can_be_sent_again() -> None:
    assert name_of_call({"name": "a\ud800"}).encode().startswith(b"a")


@pytest.mark.parametrize("wire", WIRES, ids=lambda wire: wire.name)
def test_no_answer_has_a_call_without_a_name(wire: ProviderWire) -> None:
    turn = ScriptedTurn(calls=(ScriptedCall.of("grep", {"pattern": "a"}, call_id="a"),))
    stream = re.sub(rb'"name": ?"grep"', b'"name": ""', wire.stream_of(turn))

    _, error = events_of(wire, [stream])

    assert isinstance(error, StreamBroken)
    assert "without a name" in str(error)
