"""What the screen takes from a call's arguments, whatever they are."""

import pytest

from caramelo_tui.ui.router_texts import path_argument


@pytest.mark.parametrize(
    "arguments", ["", "{", "[]", "null", "[" * 100_000, '{"path": 3}', '{"path": ""}']
)
def test_arguments_without_a_path_have_none(arguments: str) -> None:
    assert path_argument(arguments) == ""


def test_a_path_has_no_dots() -> None:
    assert path_argument('{"path": "./a/../b.txt"}') == "b.txt"
