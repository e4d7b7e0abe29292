"""The grammar stops in time."""

from caramelo_tui.policy.shell_grammar import ALWAYS_READ_BYTES, MAX_SIGNS, ShellGrammar

SLOW = b"a()1>" * 400


def test_a_short_text_is_read_even_when_the_time_is_up() -> None:
    root = ShellGrammar(0.0).parse(b"a; b", signs=1)

    assert root is not None
    assert not root.has_error


def test_a_long_text_is_read_within_its_time() -> None:
    root = ShellGrammar(10.0).parse(b"echo " + b"x" * ALWAYS_READ_BYTES, signs=0)

    assert root is not None
    assert not root.has_error


def test_a_text_that_takes_too_long_is_given_up_and_the_next_one_is_read() -> None:
    grammar = ShellGrammar(0.000_001)
    assert grammar.parse(SLOW, signs=0) is None
    assert grammar.parse(SLOW, signs=0) is None

    root = grammar.parse(b"ls", signs=0)
    assert root is not None
    assert not root.has_error


def test_a_long_text_with_very_many_signs_is_not_tried() -> None:
    assert ShellGrammar(10.0).parse(SLOW, signs=MAX_SIGNS + 1) is None
