"""A command line is taken apart into all that it would run."""

import subprocess
import sys
import time

import pytest

from caramelo_tui.policy.shell_commands import parse_command
from caramelo_tui.policy.shell_parts import ParsedCommand, SimpleCommand
from tests.doubles.policy_calls import HOME, ROOT, SURROUNDINGS


def parse(text: str) -> ParsedCommand:
    return parse_command(text, surroundings=SURROUNDINGS)


def shown(part: SimpleCommand) -> str:
    return " ".join(word.text for word in part.words).replace("\0", "?")


def names(text: str) -> list[str]:
    return [shown(part) for part in parse(text).parts]


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("", []),
        ("# nothing", []),
        ("a; b && c || d & e\nf", ["a", "b", "c", "d", "e", "f"]),
        ("a | b |& c", ["a", "b", "c"]),
        ("a 2>&1 | b 2>&1 | c >d", ["a", "b", "c"]),
        ("(a; b) && { c; }", ["a", "b", "c"]),
        ("! a", ["a"]),
        ("if a; then b; elif c; then d; else e; fi", ["a", "b", "c", "d", "e"]),
        ("while a; do b; done; until c; do d; done", ["a", "b", "c", "d"]),
        ("for x in 1 2; do a $x; done", ["a 1", "a 2"]),
        ("for x in 1 2 3 4 5 6 7 8 9; do a $x; done", ["a ?", *(f"a {n}" for n in range(1, 9))]),
        ("for x; do a $x; done", ["a ?"]),
        ("for ((i=0; i<3; i++)); do a; done", ["", "a"]),
        ("case x in a) b;; *) c;; esac", ["b", "c"]),
        ('f() { a "$1"; }; f b', ["a ?", "f b", "a b"]),
        ("f() { f; }; f; f a", ["f", "f a"]),
        ("x=$(a b) c", ["c", "a b"]),
        ('echo "`a`" $(b)', ["echo ? ?", "a", "b"]),
        ("a <(b) >(c)", ["a ? ?", "b", "c"]),
        ("echo ${x:-$(a)}", ["echo ?", "a"]),
        ("[ -f $(a) ] && b", ["a", "b"]),
        ("export A=$(b) C=d; e $C", ["export", "b", "e d"]),
        ("unset A", ["unset A"]),
        ("env A=1 b c", ["env A=1 b c", "b c"]),
        ("sh -c 'a; b \"$1\"' _ c", ['sh -c a; b "$1" _ c', "a", "b c"]),
        ("eval a b", ["eval a b", "a b"]),
        ('sh -c "$x"', ["sh -c ?", "?"]),
        ("echo 'a b' | sh", ["echo a b", "sh", "a b"]),
        ("cat <<E | sh && c\na\nE\n", ["cat", "sh", "a", "c"]),
        ('cat <<E\n$(a "b")\nE\n', ["cat", "a b"]),
        ("cat <<E\n\\$(a) \\`b\\` $((1+$(c)))\nE\n", ["cat", "c"]),
        ("sh <<< 'a'", ["sh", "a"]),
        ("a >x b", ["a b"]),
        ("> x", [""]),
        ("(a) > x", ["", "a"]),
        ("set -- a b; c $1 $2 $@", ["set -- a b", "c a b a b"]),
        ("read x; a $x", ["read x", "a ?"]),
        ("x=1; a $x", ["", "a 1"]),
        ("x+=1; a", ["", "a"]),
        ("x=(a b); c", ["", "c"]),
        ('x=; a "$x"', ["", "a "]),
    ],
)
def test_every_simple_command_is_found(text: str, parts: list[str]) -> None:
    assert names(text) == parts


def test_folders_are_followed_and_forgotten_after_a_subshell() -> None:
    parts = parse("cd /tmp; a; (cd b; c); d; cd; e; cd $x; f; cd ../g; h; cd -; i").parts
    folders = {shown(part): part.cwd for part in parts if not shown(part).startswith("cd")}

    assert folders == {
        "a": "/tmp",
        "c": "/tmp/b",
        "d": "/tmp",
        "e": HOME,
        "f": None,
        "h": None,
        "i": None,
    }
    assert parse("pwd").parts[0].cwd == ROOT
    assert parse("cd a/../b && x").parts[1].cwd == f"{ROOT}/b"


def test_input_is_followed_through_pipes_and_documents() -> None:
    by_name = {shown(part): part for part in parse("echo a | cat | b; c <<E\nd\nE\n").parts}

    assert by_name["b"].stdin.text == "a"
    assert by_name["b"].stdin.is_piped
    assert by_name["c"].stdin.text == "d\n"
    assert by_name["echo a"].stdin.text is None
    assert parse("echo a $(b) | c").parts[-1].stdin.text is None
    assert parse("echo cm0= | base64 -d | c").parts[-1].stdin.text == "rm"
    assert parse("echo '?' | base64 -d | c").parts[-1].stdin.text is None


def test_redirects_background_and_assignments_are_kept() -> None:
    part = parse("A=1 B=$x nohup a >f 2>&1 <g &").parts[0]

    assert [(r.operator, r.target and r.target.text) for r in part.redirects] == [
        (">", "f"),
        (">&", "1"),
        ("<", "g"),
    ]
    assert part.is_background
    assert [(name, value.is_certain) for name, value in part.assignments] == [
        ("A", True),
        ("B", False),
    ]
    assert parse("a >$x$(b)").parts[1].redirects[0].target is not None
    assert parse("x='b c'; a > $x").parts[1].redirects[0].target is None


def test_errors_are_said_and_the_rest_is_still_read() -> None:
    parsed = parse('a; echo "b')
    assert parsed.has_error
    assert not parsed.is_whole
    assert "a" in [shown(part) for part in parsed.parts]

    assert parse("a; b").is_whole
    assert "rm x" in names("if rm x; then")
    assert parse("${|a=x=<<E\nE\n`|\n<<E\n;x=done;").has_error


def test_a_piece_that_is_too_much_for_the_grammar_hides_no_other() -> None:
    parsed = parse("a " + "?x " * 600 + "; b")

    assert parsed.is_cut
    assert [shown(part) for part in parsed.parts] == ["b"]


def test_both_readings_of_what_shells_read_differently_are_taken() -> None:
    assert "b" in names(r"echo $'\'; b #'")
    assert "b x" in names("((b x))")


def test_functions_are_named_and_self_starters_noticed() -> None:
    parsed = parse("f() { a; }; :(){ :|:& };:")

    assert parsed.functions == ("f", ":")
    assert parsed.fork_bombs == (":",)


def test_a_long_text_in_quotes_is_no_long_command() -> None:
    program = "print({'a': [1, 2], \"b\": (3 | 4)})\n".replace("'", '"') * 300

    assert parse(f"python3 -c '{program}' && a").is_whole
    assert parse(f"python3 - <<E\n{program}E\na").is_whole


def test_depth_is_bounded_and_said() -> None:
    nested = "a"
    for _ in range(14):
        nested = f"eval {nested}"
    assert parse(nested).is_cut

    document = "a"
    for level in range(14):
        document = f"cat <<E{level}\n$({document})\nE{level}\n"
    assert parse(document).is_cut

    deep = parse("$(" * 60 + "a" + ")" * 60)
    assert deep.is_cut


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("a|" * 8_000, id="pipes"),
        pytest.param("<" * 16_000, id="redirects"),
        pytest.param("a()1>" * 3_000, id="slow recovery"),
        pytest.param("a;" * 8_000, id="parts"),
        pytest.param("env " * 4_000, id="wrappers"),
        pytest.param("sudo -Z rm " * 1_400, id="guesses"),
        pytest.param('"$(' * 5_000, id="open substitutions"),
        pytest.param("{a,b}" * 3_000, id="braces"),
        pytest.param("for i in 1 2 3 4 5 6 7 8; do " * 400 + "x" + "; done" * 400, id="loops"),
        pytest.param("a 2>&1 | " * 1_800 + "b", id="nested redirects"),
        pytest.param("(" * 8_000 + ")" * 8_000, id="subshells"),
        pytest.param("x=aaaaaaaa;" + "x=$x$x$x$x;" * 400 + "b $x", id="growing variable"),
        pytest.param("a=" + "b" * 8_000 + ";" + "$a;" * 2_700, id="repeated variable"),
        pytest.param("a=" + "b" * 8_000 + ";x" + " $a" * 2_700, id="words of a variable"),
        pytest.param("script -c " * 1_600, id="scripts with arguments"),
        pytest.param("su -c " * 2_700, id="short scripts"),
        pytest.param("f(){ g;g; };g(){ h;h; };h(){ i;i; };i(){ j;j; };" * 60 + "f", id="calls"),
    ],
)
def test_any_sixteen_kilobytes_are_read_in_a_moment(text: str) -> None:
    began = time.process_time()
    parse(text[:16_384])

    # About 0.2 s on an idle machine; the bound leaves room for a busy one.
    assert time.process_time() - began < 1.0


@pytest.mark.parametrize(
    "text",
    [
        "tee >&- a b",
        "tee 2>&- a b",
        "tee <&- a b",
        "tee <<E a b\nx\nE\n",
        "<<E tee a b\nx\nE\n",
        ">x 2>&1 >y tee a b",
        "A=1 >x tee a b",
        "{fd}>x tee a b",
        "A=1 {fd}>x B=2 {fd}>y tee a b",
        ">x { tee a b",
        "tee {fd}<x a b",
    ],
)
def test_words_that_the_grammar_counts_to_a_redirect_belong_to_the_command(text: str) -> None:
    found = [
        [word.text for word in part.words if word.text[-1] not in "{}"]
        for part in parse(text).parts
    ]

    assert ["tee", "a", "b"] in found


def test_a_redirect_without_a_command_has_no_words() -> None:
    (part,) = parse("> x").parts

    assert part.words == ()
    assert len(part.redirects) == 1


def test_a_subshell_in_a_substitution_is_not_taken_for_arithmetic() -> None:
    parsed = parse("y=$((tee a) >b)")

    assert not parsed.has_error
    assert "tee" in [part.name for part in parsed.parts]


def test_two_words_that_the_grammar_takes_for_one_are_an_error() -> None:
    assert parse("<<<[ {mark,a}").has_error
    assert not parse("a ${x:-b c} \"$(d e)\" f\\ g <(h i) 'j k'").has_error


def test_an_error_stays_where_two_readings_differ_by_quotes() -> None:
    assert parse("<>x y $'a' z").has_error


def test_the_grammar_is_loaded_on_first_use_only() -> None:
    code = (
        "import sys; import caramelo_tui.policy.engine; "
        "sys.exit(any(name.startswith('tree_sitter') for name in sys.modules))"
    )

    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
