"""Keys, passwords in addresses and the home folder are taken out of a text."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from caramelo_tui.config.private_parts import HIDDEN, secrets_of, without_private_parts

HOME = Path("/home/u")


def cleaned(text: str, *secrets: str) -> str:
    return without_private_parts(text, secrets=secrets, home=HOME)


@pytest.mark.parametrize(
    "text",
    [
        "at https://me:SECRET-1@host/v1",
        "at https://SECRET-1@host/v1",
        "GET /v1?api_key=SECRET-1&x=1",
        "GET /v1?x=1&token=SECRET-1",
        "GET /v1?X-Amz-Signature=SECRET-1",
        "Authorization: Bearer SECRET-1",
    ],
)
def test_an_address_is_told_without_its_secrets(text: str) -> None:
    assert "SECRET-1" not in cleaned(text)
    assert HIDDEN in cleaned(text)


@pytest.mark.parametrize("text", ["at https://host/v1@2", "see a?b=c", "monkey=1 in ?monkeys=2"])
def test_what_is_no_secret_stays(text: str) -> None:
    assert cleaned(text) == text


def test_the_home_folder_is_a_tilde() -> None:
    assert cleaned("/home/u/project") == "~/project"


def test_a_root_home_hides_no_slash() -> None:
    assert without_private_parts("/a/b", secrets=(), home=Path("/")) == "/a/b"


def test_named_variables_are_secrets_whatever_their_name() -> None:
    variables = {"PLAIN": "value-of-plain", "MY_TOKEN": "value-of-token", "TERM": "xterm"}
    assert secrets_of(variables, names={"PLAIN"}) == {"value-of-plain", "value-of-token"}


@given(
    st.text("abc /=:"),
    st.lists(st.text("XYZ019", min_size=6), min_size=1, max_size=4),
    st.text("abc /=:"),
)
def test_no_secret_is_left_however_they_overlap(
    before: str, secrets: list[str], after: str
) -> None:
    text = cleaned(before + "".join(secrets) + after, *secrets)
    assert not any(secret in text for secret in secrets)
    assert HIDDEN in text
