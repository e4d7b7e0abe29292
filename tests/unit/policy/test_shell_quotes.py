"""Quotes and substitutions end where the shell says they do."""

import pytest

from caramelo_tui.policy.shell_quotes import (
    MAX_QUOTE_DEPTH,
    UNKNOWN,
    closing,
    closing_quote,
    decode_ansi,
    substitutions_in,
)


@pytest.mark.parametrize(
    ("source", "inner"),
    [
        ("a b) c", "a b"),
        ("a (b) c) d", "a (b) c"),
        (r"a \) b) c", r"a \) b"),
        ("a ')' b) c", "a ')' b"),
        ('a ")" b) c', 'a ")" b'),
        ('a "$(b ")" c)" d) e', 'a "$(b ")" c)" d'),
        (r'a "\")" b) c', r'a "\")" b'),
        ("never ends", "never ends"),
        ("'never ends", "'never ends"),
    ],
)
def test_a_substitution_ends_at_its_own_parenthesis(source: str, inner: str) -> None:
    assert source[: closing(source, 0, ")")] == inner


def test_a_braced_variable_ends_at_its_own_brace() -> None:
    assert closing("x:-{y}} z", 0, "}") == len("x:-{y}")


def test_quotes_that_are_nested_too_deep_end_somewhere() -> None:
    deep = '"$(' * (MAX_QUOTE_DEPTH + 5) + "x"
    assert closing(deep, 0, ")") == len(deep)


def test_a_quote_ends_at_the_next_that_is_not_escaped() -> None:
    assert closing_quote(r"a\`b` c", 0, "`") == len(r"a\`b")
    assert closing_quote("open", 0, "`") == len("open")


@pytest.mark.parametrize(
    ("text", "commands"),
    [
        ("a $(b) c `d` e", ["b", "d"]),
        ("$(a $(b))", ["a $(b)"]),
        (r"\$(a) \`b\`", []),
        ("$((1 + 2))", []),
        (r"`a \`b\``", ["a `b`"]),
        ("'$(a)'", ["a"]),
    ],
)
def test_commands_are_found_where_quotes_mean_nothing(text: str, commands: list[str]) -> None:
    assert substitutions_in(text) == commands


@pytest.mark.parametrize(
    ("text", "decoded"),
    [
        ("plain", "plain"),
        (r"\x72m\n", "rm\n"),
        (r"\u0041\U00000042\103", "ABC"),
        (r"\e[\ca\'", "\x1b[\x01'"),
        (r"\U00110000", UNKNOWN),
    ],
)
def test_escapes_are_decoded(text: str, decoded: str) -> None:
    assert decode_ansi(text) == decoded
