"""Layers are laid over each other, and each value knows where it came from."""

import pytest

from caramelo_tui.config.merging import MOST_HINTS, Layers
from caramelo_tui.config.toml_file import values_of
from caramelo_tui.domain.errors import ConfigError


def layers(user: str = "", workspace: str = "", *, profile: str = "caramelo") -> Layers:
    made = Layers()
    made.lay_user_file(values_of(user.encode(), shown="user.toml"))
    made.lay_workspace_file(values_of(workspace.encode(), shown="own.toml"), profile=profile)
    return made


def test_each_element_of_a_list_keeps_its_origin_over_the_layers() -> None:
    made = layers(
        '[policy]\nprotected_paths = ["a",\n"b"]\n',
        '[policy]\nprotected_paths = [\n"b",\n"c",\n"c"]\n',
    )
    found = made.values["policy.protected_paths"]
    assert found.value == ("a", "b", "c")
    assert found.element_origins == ("user.toml:2", "user.toml:3", "own.toml:4")
    assert found.origin == "user.toml:2"


def test_a_list_that_only_the_workspace_has_comes_from_there() -> None:
    found = layers("", '[policy]\nblocked_commands = ["make"]\n').values["policy.blocked_commands"]
    assert (found.origin, found.element_origins) == ("own.toml:2", ("own.toml:2",))


def test_what_changes_nothing_leaves_the_origin_as_it_was() -> None:
    made = layers("[limits]\nturns = 9\n", "[limits]\nturns = 9\n")
    assert made.values["limits.turns"].origin == "user.toml:2"
    assert "limits.turns" not in layers("", "[limits]\nturns = 15\n").values
    assert made.not_taken == ()


def test_an_empty_table_that_is_known_is_let_be_and_an_unknown_one_named() -> None:
    assert layers("[policy]\n[tools.run_command]\n[roles]\n", "[policy]\n").values == {}
    with pytest.raises(ConfigError, match=r"^user.toml:1: tool: unknown key"):
        layers("[tool]\n")
    (problem,) = layers("", "[tool]\n").not_taken
    assert (problem.origin, problem.name) == ("own.toml:1", "tool")


def test_a_role_without_settings_is_a_role() -> None:
    assert list(layers("[roles.writer]\n").settings().roles) == ["writer"]


def test_thousands_of_unknown_keys_are_noted_without_a_search_for_each() -> None:
    text = "".join(f"modl{number} = 1\n" for number in range(MOST_HINTS + 5))
    made = layers("", f"[provider]\n{text}")
    assert len(made.not_taken) == MOST_HINTS + 5
    assert "did you mean" in made.not_taken[0].why
    assert made.not_taken[-1].why == "unknown key"


def test_an_empty_variable_counts_as_not_set() -> None:
    made = Layers()
    made.lay_outer({"CARAMELO_MODE": ""}, {"--mode": None})
    assert made.values == {}
