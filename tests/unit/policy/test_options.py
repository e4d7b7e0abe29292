"""Options and operands are told apart."""

import pytest

from caramelo_tui.policy.options import given_options, has_option, operands, option_value
from caramelo_tui.policy.shell_words import Field


def fields(text: str) -> list[Field]:
    return [Field(word) for word in text.split()]


@pytest.mark.parametrize("args", ["-r", "-fr", "x -rf", "--recursive", "--r", "-R"])
def test_an_option_is_found_however_it_is_written(args: str) -> None:
    assert has_option(fields(args), short="rR", long="recursive")


@pytest.mark.parametrize("args", ["", "r", "-f", "-- -r", "--f", "--recursively", "--"])
def test_other_words_are_not_the_option(args: str) -> None:
    assert not has_option(fields(args), short="rR", long="recursive")


@pytest.mark.parametrize(
    ("args", "value"),
    [
        ("-o f x", "f"),
        ("-of x", "f"),
        ("--output=f x", "f"),
        ("--output f", "f"),
        ("--out=f", "f"),
        ("--o f", "f"),
        ("-xo f", "f"),
        ("-xo", None),
        ("--output", None),
        ("-o", None),
        ("x y", None),
    ],
)
def test_values_are_found(args: str, value: str | None) -> None:
    found = option_value(fields(args), "-o", "--output")

    assert (found.text if found is not None else None) == value


def test_operands_are_what_is_left() -> None:
    found = operands(fields("a -x -o f b - -- -c"), value_options=("-o",))

    assert [field.text for field in found] == ["a", "b", "-", "-c"]


def test_options_are_given_with_what_may_be_their_value() -> None:
    found = given_options(fields("-sLo f -of --x=1 --y z -q w -- -n"), valued="o")

    assert [(name, value.text if value is not None else None) for name, value in found] == [
        ("-s", None),
        ("-L", None),
        ("-o", "f"),
        ("-o", "f"),
        ("--x", "1"),
        ("--y", "z"),
        ("-q", None),
    ]


def test_an_option_at_the_end_has_no_value() -> None:
    assert list(given_options(fields("-o"), valued="o")) == [("-o", None)]
    assert list(given_options(fields("--output"), valued="o")) == [("--output", None)]
