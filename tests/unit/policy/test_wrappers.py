"""Programs that run others are seen through."""

import pytest

from caramelo_tui.policy.inner_commands import InnerScript, InnerWords
from caramelo_tui.policy.shell_quotes import UNKNOWN
from caramelo_tui.policy.shell_words import Field
from caramelo_tui.policy.wrapper_options import is_interpreter
from caramelo_tui.policy.wrappers import (
    commands_inside,
    shell_script_operand,
    shell_script_text,
)


def fields(text: str) -> list[Field]:
    return [Field(word) for word in text.split("~", maxsplit=1)[0].split()] + [
        Field(word) for word in text.split("~")[1:]
    ]


def inside(name: str, args: str, *, stdin_text: str | None = None) -> list[str]:
    found = commands_inside(name, fields(args), stdin_text=stdin_text)
    return [
        " ".join(word.text for word in inner.words)
        if isinstance(inner, InnerWords)
        else f"script: {inner.text.text}"
        for inner in found
    ]


@pytest.mark.parametrize(
    ("name", "args", "found"),
    [
        ("ls", "-la rm", []),
        ("env", "", []),
        ("env", "A=1 B=2 x y", ["x y"]),
        ("env", "-u A -i x", ["x"]),
        ("env", "-- x", ["x"]),
        ("env", "-S~x y", ["script: x y"]),
        ("env", "--split-string=x", ["script: x"]),
        ("sudo", "-u root -n x -y", ["x -y"]),
        ("sudo", "-uroot x", ["x"]),
        ("sudo", "--odd a rm b", ["a rm b", "rm b", UNKNOWN]),
        ("timeout", "-s KILL 5 x", ["x"]),
        ("timeout", "5", []),
        ("nice", "-10 x", ["x"]),
        ("xargs", "-0 -n 1 x y", [f"x y {UNKNOWN}"]),
        ("find", ". -name a -exec x {} ; -ok y + -print", ["x {}", "y"]),
        ("find", ". -exec", []),
        ("command", "-v x", []),
        ("command", "x", ["x"]),
        ("eval", "x y", ["script: x y"]),
        ("eval", "", []),
        ("trap", "~x y~EXIT", ["script: x y"]),
        ("trap", "", []),
        ("alias", "~a=x y~b", ["script: x y"]),
        ("watch", "-n 1 x y", ["x y", "script: x y"]),
        ("flock", "f -c~x y", ["script: x y"]),
        ("su", "root -c~x", ["script: x"]),
        ("script", "-qc~x~f", ["script: x"]),
        ("uv", "run x y", ["x y"]),
        ("npm", "exec -- x", ["x"]),
        ("npm", "install x", []),
        ("sh", "-c~x y", ["script: x y"]),
        ("bash", "-euo pipefail -c~x", ["script: x"]),
        ("bash", "--norc +x -ec~x", ["script: x"]),
        ("sh", "file", []),
        ("sh", "-c", []),
    ],
)
def test_the_inner_command_is_found(name: str, args: str, found: list[str]) -> None:
    assert inside(name, args) == found


@pytest.mark.parametrize(
    ("args", "found"),
    [
        ("x", ["x a b"]),
        ("-I{} x {} y", ["x a y", "x b y"]),
        ("-I % x %", ["x a", "x b"]),
        ("-i x {}", ["x a", "x b"]),
        ("-0 x", ["x a b"]),
        ("-I", []),
        ("-0", []),
    ],
)
def test_arguments_that_xargs_reads_are_put_in_where_they_are_known(
    args: str, found: list[str]
) -> None:
    assert inside("xargs", args, stdin_text="a\nb") == found


def test_arguments_after_a_script_are_its_parameters() -> None:
    (found,) = commands_inside("sh", fields("-c~$0 $1~a~b"), stdin_text=None)

    assert isinstance(found, InnerScript)
    assert [field.text for field in found.positional] == ["a", "b"]


def test_what_a_shell_runs_is_told_apart() -> None:
    assert shell_script_operand(fields("-x file a")) == Field("file")
    assert shell_script_operand(fields("-s a")) is None
    assert shell_script_operand(fields("- a")) == Field("a")
    assert shell_script_operand(fields("-c a")) is None
    assert shell_script_operand(fields("")) is None
    assert shell_script_text(fields("-c a b")) == Field("a")
    assert shell_script_text(fields("a -c b")) is None


def test_interpreters_are_known_in_any_version() -> None:
    assert all(map(is_interpreter, ["python", "python3.12", "node", "perl5", "pypy3"]))
    assert not any(map(is_interpreter, ["sh", "pythonic", "", "3"]))
