"""Options and operands are told apart."""

import pytest

from caramelo_tui.policy.options import has_option, operands, option_value
from caramelo_tui.policy.shell_words import Field


def fields(text: str) -> list[Field]:
    return [Field(word) for word in text.split()]


@pytest.mark.parametrize("args", ["-r", "-fr", "x -rf", "--recursive", "--recur", "-R"])
def test_an_option_is_found_however_it_is_written(args: str) -> None:
    assert has_option(fields(args), short="rR", long="recursive")


@pytest.mark.parametrize("args", ["", "r", "-f", "-- -r", "--re", "--recursively", "--"])
def test_other_words_are_not_the_option(args: str) -> None:
    assert not has_option(fields(args), short="rR", long="recursive")


@pytest.mark.parametrize(
    ("args", "value"),
    [
        ("-o f x", "f"),
        ("-of x", "f"),
        ("--output=f x", "f"),
        ("--output f", "f"),
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
