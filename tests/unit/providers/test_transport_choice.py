"""What carries requests is what was set, or what the environment needs."""

import pytest

from caramelo_tui.providers.presets import Wire
from caramelo_tui.providers.transport_choice import SDK_VARIABLES, Transport, uses_sdk


@pytest.mark.parametrize("wire", Wire)
def test_what_is_set_holds(wire: Wire) -> None:
    variables = {name: "x" for names in SDK_VARIABLES.values() for name in names}
    assert not uses_sdk(Transport.THIN, wire, variables)
    assert uses_sdk(Transport.SDK, wire, {})


def test_the_sdk_is_taken_by_itself_where_only_it_obeys_the_environment() -> None:
    for wire, names in SDK_VARIABLES.items():
        for name in names:
            assert uses_sdk(Transport.AUTO, wire, {name: "x"})
            assert not uses_sdk(Transport.AUTO, wire, {name: ""})
    assert not uses_sdk(Transport.AUTO, Wire.MESSAGES, {"OPENAI_ORG_ID": "x"})
    assert not any(uses_sdk(Transport.AUTO, wire, {"PATH": "/bin"}) for wire in Wire)
