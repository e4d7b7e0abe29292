"""Words are read as the shell would read them after quote removal."""

import pytest

from caramelo_tui.policy.shell_quotes import UNKNOWN, decode_ansi
from caramelo_tui.policy.shell_words import MAX_BRACES, Origin, Variable, printed_text, read_word

VARIABLES = {
    "HOME": Variable("/home/u"),
    "IFS": Variable(" \t\n"),
    "a": Variable("su"),
    "two": Variable("x y"),
    "glob": Variable("*"),
    "lost": Variable(None),
}


def texts(source: str) -> list[str]:
    return [field.text for field in read_word(source, VARIABLES).fields]


@pytest.mark.parametrize(
    ("source", "fields"),
    [
        ("plain", ["plain"]),
        (r"r\m", ["rm"]),
        ('"r"m', ["rm"]),
        ("r''m", ["rm"]),
        ('""', [""]),
        ("''", [""]),
        (r"a\ b", ["a b"]),
        ("'a b'", ["a b"]),
        (r'"a\"b\c"', [r'a"b\c']),
        (r"$'\x72m'", ["rm"]),
        (r"$'a\'b'", ["a'b"]),
        ('$"text"', ["text"]),
        ("${a}do", ["sudo"]),
        ("$a", ["su"]),
        ("rm${IFS}-rf${IFS}/", ["rm", "-rf", "/"]),
        ("$two", ["x", "y"]),
        ('"$two"', ["x y"]),
        ("~", ["/home/u"]),
        ("~/x", ["/home/u/x"]),
        ("~root", ["/home/u"]),
        ("'~'", ["~"]),
        ("a~", ["a~"]),
        ('"$HOME"/*', ["/home/u/*"]),
        ("$(echo rm)", ["rm"]),
        ("`echo /`", ["/"]),
        (r"`echo \`echo /\``", ["/"]),
        ('"$(echo a b)"', ["a b"]),
        ("$(echo a b)", ["a", "b"]),
        ("$(echo $(printf '%s' rm))", ["rm"]),
        ("{/,x}", ["/", "x"]),
        ("a{b,c{d,e}}f", ["abf", "acdf", "acef"]),
        ("{a}", ["{a}"]),
        ("{a,b", ["{a,b"]),
        ("'{a,b}'", ["{a,b}"]),
        ("$", ["$"]),
        ('"$"', ["$"]),
        ("a#b", ["a#b"]),
        ("${a+yes}", ["yes"]),
        ("${a:-no}", ["su"]),
        ("'open", ["open"]),
        ('"open', ["open"]),
        ("`open", [UNKNOWN]),
        ("$(open", [UNKNOWN]),
        (r'"$(a "b\"c")d"', [f"{UNKNOWN}d"]),
    ],
)
def test_quotes_and_known_expansions_are_worked_out(source: str, fields: list[str]) -> None:
    assert texts(source) == fields


@pytest.mark.parametrize(
    "source",
    [
        "$nobody",
        "$lost",
        "$(date)",
        "$(echo a; date)",
        "$(echo $lost)",
        "${a%x}",
        "${!a}",
        "${a@P}",
        "$((1+2))",
        "<(date)",
        ">(date)",
        "~+",
        "$?",
        "$(" * 20 + "echo a" + ")" * 20,
        "${x:-" * 20 + "a" + "}" * 20,
    ],
)
def test_what_only_the_shell_knows_is_not_certain(source: str) -> None:
    fields = read_word(source, VARIABLES).fields

    assert not all(field.is_certain for field in fields)
    assert UNKNOWN in fields[0].text


def test_a_default_is_read_but_not_taken_for_certain() -> None:
    (field,) = read_word("${nobody:-/}", VARIABLES).fields
    assert (field.text, field.is_certain) == ("/", False)

    (field,) = read_word("${nobody:+/}", VARIABLES).fields
    assert (field.text, field.is_certain) == ("/", False)


def test_only_an_unquoted_star_is_a_glob() -> None:
    assert read_word("*", VARIABLES).fields[0].has_glob
    assert read_word("a[b]", VARIABLES).fields[0].has_glob
    assert read_word("$glob", VARIABLES).fields[0].has_glob
    assert not read_word("'*'", VARIABLES).fields[0].has_glob
    assert not read_word('"$glob"', VARIABLES).fields[0].has_glob


def test_an_unquoted_operator_shows_that_it_was_no_single_word() -> None:
    assert read_word("a;b", VARIABLES).has_operator
    assert not read_word("'a;b'", VARIABLES).has_operator


def test_a_word_names_where_its_text_comes_from() -> None:
    origin = Origin()
    variables = {"x": Variable(None, (origin,))}

    assert read_word('"$x"', variables).origins == [origin]
    assert read_word("${y:-$x}", variables).origins == [origin]


def test_braces_are_bounded() -> None:
    assert len(read_word("{a,b}" * 20, VARIABLES).fields) <= MAX_BRACES + 1
    assert texts("{" * 100) == ["{" * 100]


def test_without_a_home_a_tilde_stays() -> None:
    assert read_word("~", {}).fields[0].text == "~"


@pytest.mark.parametrize(
    ("escaped", "text"),
    [
        (r"\n\t\r\a\b\f\v\e", "\n\t\r\a\b\f\v\x1b"),
        (r"\x41\101\u0041\U00000041", "AAAA"),
        (r"\cA\q\\", "\x01q\\"),
        (r"\U00110000", UNKNOWN),
        ("plain", "plain"),
    ],
)
def test_ansi_escapes_are_decoded(escaped: str, text: str) -> None:
    assert decode_ansi(escaped) == text


@pytest.mark.parametrize(
    ("words", "text"),
    [
        (["echo", "a", "b"], "a b"),
        (["/bin/echo", "-n", "a"], "a"),
        (["echo", "-e", r"a\nb\n"], "a\nb"),
        (["printf", "a"], "a"),
        (["printf", r"a\n"], "a"),
        (["printf", "%s", "a"], "a"),
        (["printf", "%s %s", "a", "b"], "a b"),
        (["printf", "%d", "1"], None),
        (["printf"], None),
        (["date"], None),
        ([], None),
    ],
)
def test_plain_printing_is_worked_out(words: list[str], text: str | None) -> None:
    assert printed_text(words) == text


def test_a_sequence_in_braces_is_known_to_bash_only() -> None:
    for word in ("r{m..m}", "{1..3}", "a{x,{1..2}}"):
        assert not any(field.is_certain for field in read_word(word, {}).fields)
    for word in ("'{1..3}'", "a..b", "{a}..", "\\{1..3}"):
        assert all(field.is_certain for field in read_word(word, {}).fields)


def test_what_is_quoted_in_braces_parts_nothing() -> None:
    assert [field.text for field in read_word("{'a,b',c}", {}).fields] == ["a,b", "c"]


@pytest.mark.parametrize(
    ("word", "is_expanded"),
    [
        ("ls", False),
        ("'l*'", False),
        ("l''s", False),
        ("$'ls'", False),
        ("~/ls", False),
        ("{a,b}", False),
        ("$x", True),
        ('"$x"', True),
        ("$(echo ls)", True),
        ("${y:-ls}", True),
        ("l?", True),
        ("[l]s", True),
    ],
)
def test_what_the_shell_puts_into_a_word_is_known(word: str, *, is_expanded: bool) -> None:
    fields = read_word(word, {"x": Variable("ls"), "HOME": Variable("/h")}).fields

    assert all(field.is_expanded is is_expanded for field in fields)
