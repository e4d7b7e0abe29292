"""The installed program's reports: what they print, with which exit code, and at what price."""

import json
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest


@pytest.fixture
def caramelo(program: str, user: Mapping[str, str], project: Path) -> "Caramelo":
    return Caramelo(program, user, project)


class Caramelo:
    """The program in a project."""

    def __init__(self, program: str, user: Mapping[str, str], project: Path) -> None:
        self.program = program
        self.user = user
        self.project = project

    def __call__(self, *words: str) -> "subprocess.CompletedProcess[str]":
        return subprocess.run(
            [self.program, *words],
            cwd=self.project,
            env=dict(self.user),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
            timeout=60,
        )

    def modules(self, *words: str) -> set[str]:
        """Return the top-level modules that are loaded when the program has ended."""
        code = (
            f"import sys; sys.argv = ['caramelo', *{words!r}]\n"
            "from caramelo_tui.cli import main\nmain()\n"
            "print(*sorted(sys.modules), file=sys.stderr)"
        )
        done = subprocess.run(
            [sys.executable, "-c", code],
            cwd=self.project,
            env=dict(self.user),
            capture_output=True,
            text=True,
            check=True,
        )
        return set(done.stderr.split())


def test_the_reports_end_well(caramelo: Caramelo) -> None:
    for words, start in (
        (("config", "show"), "provider.name"),
        (("config", "path"), str(caramelo.user["CARAMELO_HOME"])),
        (("policy", "test", "git push"), "command: git push\n"),
        (("tools",), "file_read"),
        (("tools", "--shape", "openai", "--profile", "core"), "[\n"),
        (("doctor", "--provider", "demo"), "ok "),
    ):
        done = caramelo(*words)
        assert (done.returncode, done.stderr) == (0, ""), words
        assert done.stdout.startswith(start)


def test_the_doctors_problems_are_its_exit_code(caramelo: Caramelo) -> None:
    done = caramelo("doctor", "--json")
    levels = [json.loads(line)["level"] for line in done.stdout.splitlines()]
    assert (done.returncode, levels.count("problem")) == (1, 1)
    # It changes nothing, its own folder included.
    assert not list(caramelo.project.iterdir())
    assert not Path(caramelo.user["CARAMELO_HOME"]).exists()


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (
            ["config", "show", "--mode", "x"],
            "--mode: approval.mode: unknown mode 'x'; allowed: plan, review",
        ),
        (["policy", "test"], "the following arguments are required: COMMAND"),
        (
            ["tools", "--profile", "x"],
            "--profile: tools.profile: unknown profile 'x'; allowed: caramelo, core",
        ),
        (["tools", "--shape", "x"], "--shape: must be one of neutral, anthropic, openai, copilot"),
        (["tool", "grep", "--workspace", "none"], "none: there is no such folder"),
        (["doctor", "--config"], "--config: expected one argument"),
        (["run", "--provider", "demo", "--approver", "none", "x"], "--approver: there is no prog"),
    ],
)
def test_a_wrong_value_is_a_line_and_two(caramelo: Caramelo, words: list[str], says: str) -> None:
    done = caramelo(*words)
    assert (done.returncode, done.stdout) == (2, "")
    last = done.stderr.splitlines()[-1]
    assert says in last
    assert "Traceback" not in done.stderr


def test_nothing_is_loaded_that_an_answer_does_without(caramelo: Caramelo) -> None:
    heavy = {"textual", "rich", "anthropic", "openai", "pydantic", "httpx2", "tree_sitter"}
    version = caramelo.modules("--version")
    assert not version & {*heavy, "argparse", "asyncio", "json", "caramelo_tui.command_line"}
    assert not caramelo.modules("config", "show") & {*heavy, "asyncio"}
    for words in (("tools", "--json"), ("doctor",)):
        assert not caramelo.modules(*words) & (heavy - {"tree_sitter"})
