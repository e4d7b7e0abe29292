"""The commands and flags that the pages show are those of the program, and none is left out."""

import itertools
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from caramelo_tui.command_line.parsing import SUBCOMMANDS, parse
from tests.docs.examples import DOCS, ExampleWorkspace

_BLOCK = re.compile(r"^```(?:text|sh)?\n(.*?)^```", re.DOTALL | re.MULTILINE)
_BEHIND = re.compile(r" {2,}.*")
"""What a form does, behind it."""
_PART = re.compile(r"\[[^]]*\]|\S+")
_FLAG = re.compile(r"--[a-z][a-z-]+")
_HELP = frozenset({"--help"})
VALUES = {
    "PATH": ".",
    "PROMPT": "hello",
    "NAME": "grep",
    "JSON": "{}",
    "COMMAND": "ls",
    "ID": "last",
    "WORDS": "two words",
    "DIR": ".",
    "FILE": "out.md",
    "ADDRESS": "127.0.0.1",
    "N": "0",
}
HARMLESS = (
    "caramelo --version",
    "caramelo tools",
    "caramelo tools --json",
    "caramelo config show",
    "caramelo config path",
    "caramelo policy test 'ls'",
    "caramelo sessions list",
    "caramelo sessions list --json",
    "caramelo doctor",
)


def forms() -> list[str]:
    """Return the command lines that the pages show plainly, with what may be left out in []."""
    return [
        _BEHIND.sub("", line)
        for page in sorted(DOCS.glob("*.md"))
        for block in _BLOCK.findall(page.read_text(encoding="utf-8"))
        for line in block.splitlines()
        if line.startswith("caramelo ")
    ]


def lines_of(form: str) -> Iterator[list[str]]:
    """Return the command lines that a form stands for, without the program's name."""
    parts = _PART.findall(form)[1:]
    choices = [
        ([], *alternatives(part[1:-1])) if part.startswith("[") else tuple(alternatives(part))
        for part in parts
    ]
    for chosen in itertools.product(*choices):
        yield [word for words in chosen for word in words]


def alternatives(part: str) -> Iterator[list[str]]:
    """Return the words that a part stands for, a list for each alternative."""
    options = [word.split("|") for word in part.split()]
    for words in itertools.product(*options):
        yield [VALUES.get(word, word) for word in words]


def flags_of_help(command: str, capsys: pytest.CaptureFixture[str]) -> set[str]:
    with pytest.raises(SystemExit) as ended:
        parse([*command.split(), "--help"])
    assert ended.value.code == 0
    own, _, _ = capsys.readouterr().out.partition("\ncommands:\n")
    return set(_FLAG.findall(own))


@pytest.mark.parametrize("form", forms())
def test_every_form_that_a_page_shows_is_taken(
    form: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for words in lines_of(form):
        if words == ["--version"]:
            with pytest.raises(SystemExit) as ended:
                parse(words)
            assert ended.value.code == 0
        else:
            assert parse(words) is not None


def test_every_command_has_a_form_on_the_page() -> None:
    begun = {_PART.findall(form)[1] for form in forms()}
    assert set(SUBCOMMANDS) <= begun


def test_every_flag_is_on_the_page_and_no_other(capsys: pytest.CaptureFixture[str]) -> None:
    page = (DOCS / "command-line.md").read_text(encoding="utf-8")
    shown = set(_FLAG.findall(page)) - _HELP
    known = set[str]().union(*(flags_of_help(each, capsys) for each in ("", *SUBCOMMANDS)))
    assert known - _HELP - shown == set()
    assert shown - known == set()


@pytest.mark.parametrize("command", HARMLESS)
def test_what_only_reads_runs_to_its_end(command: str, tmp_path: Path) -> None:
    with ExampleWorkspace(tmp_path) as workspace:
        answer = workspace.run_alone(command)
    # The doctor finds what is missing here, and says so by its exit code.
    assert answer.exit_code in ({0, 1} if command == "caramelo doctor" else {0})
    assert "Traceback" not in answer.output
