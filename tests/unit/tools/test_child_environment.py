"""Children get the user's variables without keys."""

import pytest

from caramelo_tui.domain.secret_names import looks_secret
from caramelo_tui.tools.child_environment import ChildEnvironment


@pytest.mark.parametrize(
    "name",
    ["DEPLOY_TOKEN", "DB_SECRET", "api_key", "PGPASSWORD", "My_Password_2", "AWS_CREDENTIALS"],
)
def test_names_that_look_secret_are_dropped(name: str) -> None:
    assert looks_secret(name)
    assert name not in ChildEnvironment({name: "x"}).variables()


@pytest.mark.parametrize("name", ["MY_PLAIN", "KEYBOARD", "TOKENIZER", "SSH_AUTH_SOCK", "KEY"])
def test_plain_names_stay(name: str) -> None:
    assert ChildEnvironment({name: "kept"}).variables()[name] == "kept"


def test_a_variable_that_a_provider_setting_names_is_dropped_whatever_it_is_called() -> None:
    environment = ChildEnvironment({"ACME": "sk-1"}, provider_names=["ACME"])

    assert "ACME" not in environment.variables()


def test_single_names_can_be_let_through() -> None:
    environment = ChildEnvironment(
        {"NPM_TOKEN": "n", "OTHER_TOKEN": "o", "ACME": "a"},
        provider_names=["ACME"],
        env_allow=["NPM_TOKEN", "ACME"],
    )

    variables = environment.variables()
    assert variables["NPM_TOKEN"] == "n"
    assert variables["ACME"] == "a"
    assert "OTHER_TOKEN" not in variables


def test_no_pager_waits_and_nothing_internal_leaks() -> None:
    user = {"PAGER": "less", "TEXTUAL_FPS": "30", "BASH_ENV": "/x", "CARAMELO_SESSION": "outer"}

    assert ChildEnvironment(user).variables() == {
        "CARAMELO": "1",
        "PAGER": "cat",
        "GIT_PAGER": "cat",
    }


def test_each_mapping_is_new_and_extras_win() -> None:
    user = {"A": "1"}
    environment = ChildEnvironment(user)
    user["B"] = "2"
    first = environment.variables({"A": "own"})
    first["C"] = "3"

    assert first["A"] == "own"
    assert environment.variables().keys() == {"A", "CARAMELO", "PAGER", "GIT_PAGER"}
