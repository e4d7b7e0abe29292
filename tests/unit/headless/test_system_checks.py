"""The machine is looked at, and each lack says what it costs and what to do."""

import os
import re
import tomllib
from collections.abc import Iterable
from pathlib import Path

import pytest

from caramelo_tui.headless.doctor_report import Check, Level
from caramelo_tui.headless.system_checks import (
    LEAST_PYTHON,
    TEXTUAL,
    Screen,
    program_checks,
    state_check,
    terminal_checks,
    this_screen,
    version_checks,
    watcher_checks,
    web_check,
)
from caramelo_tui.workspace import inotify

RICH = {"TERM": "xterm-256color", "COLORTERM": "truecolor"}


def levels(checks: Iterable[Check]) -> dict[str, Level]:
    found = list(checks)
    # Whatever is wrong says what to do.
    assert all(bool(check.advice) is not (check.level is Level.OK) for check in found)
    return {check.name: check.level for check in found}


def screen(columns: int = 80, lines: int = 24, encoding: str = "utf-8") -> Screen:
    return Screen(is_terminal=True, size=os.terminal_size((columns, lines)), encoding=encoding)


def program(folder: Path, name: str) -> None:
    file = folder / name
    file.write_text("#!/bin/sh\nexit 1\n")
    file.chmod(0o755)


def test_the_versions_here_are_fine() -> None:
    assert levels(version_checks()) == {"python": Level.OK, "textual": Level.OK}


@pytest.mark.parametrize("textual", ["7.9", "8.1.9", "9.0.0", "x", "8"])
def test_other_versions_are_named(textual: str) -> None:
    assert levels(version_checks((3, 10, 2), textual)) == {
        "python": Level.PROBLEM,
        "textual": Level.WARN,
    }


def test_the_versions_are_those_of_the_package() -> None:
    project = tomllib.loads((Path(__file__).parents[3] / "pyproject.toml").read_text())["project"]
    assert project["requires-python"] == ">=" + ".".join(map(str, LEAST_PYTHON))
    (textual,) = [each for each in project["dependencies"] if each.startswith("textual")]
    (least, below) = TEXTUAL
    numbers = [int(number) for number in re.findall(r"\d+", textual)]
    assert numbers == [*least, below[0]]


def test_a_rich_terminal_is_fine() -> None:
    assert levels(terminal_checks(RICH, screen())) == {"terminal": Level.OK, "colours": Level.OK}
    direct = {"TERM": "xterm-direct"}
    assert levels(terminal_checks(direct, screen()))["colours"] is Level.OK
    assert levels(terminal_checks({**RICH, "NO_COLOR": "1"}, screen()))["colours"] is Level.OK


@pytest.mark.parametrize("variables", [{}, {"TERM": ""}, {"TERM": "dumb"}])
def test_a_terminal_that_cannot_be_drawn_on_is_a_problem(variables: dict[str, str]) -> None:
    assert levels(terminal_checks(variables, screen())) == {"terminal": Level.PROBLEM}


def test_a_poor_terminal_is_warned_of() -> None:
    poor = levels(terminal_checks({"TERM": "xterm"}, screen(79, 24, "iso8859-1")))
    assert poor == {
        "terminal": Level.OK,
        "size": Level.WARN,
        "colours": Level.WARN,
        "encoding": Level.WARN,
    }
    assert levels(terminal_checks(RICH, screen(80, 23)))["size"] is Level.WARN


def test_a_pipe_is_not_judged() -> None:
    pipe = Screen(is_terminal=False, size=os.terminal_size((1, 1)), encoding="ascii")
    assert levels(terminal_checks({}, pipe)) == {"terminal": Level.OK}
    assert not this_screen().is_terminal


def test_programs_are_found_and_never_started(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # The program's own copy of ripgrep would be found wherever the tests run.
    monkeypatch.setattr("sysconfig.get_path", lambda *_arguments: str(tmp_path))
    variables = {"PATH": str(tmp_path)}
    assert levels(program_checks(variables, tmp_path / "project", needs_ripgrep=False)) == {
        "git": Level.WARN,
        "gh": Level.WARN,
        "rg": Level.WARN,
        "bwrap": Level.OK,
    }
    assert (
        levels(program_checks(variables, tmp_path / "project", needs_ripgrep=True))["rg"]
        is Level.PROBLEM
    )
    for name in ("git", "gh", "rg", "bwrap"):
        program(tmp_path, name)
    found = list(program_checks(variables, tmp_path / "project", needs_ripgrep=True))
    assert {check.level for check in found} == {Level.OK}
    assert all(check.text.startswith(str(tmp_path / check.name)) for check in found)
    of_workspace = list(program_checks(variables, tmp_path, needs_ripgrep=True))
    assert [check.name for check in of_workspace if check.level is Level.OK] == ["rg", "bwrap"]


def test_the_web_extra_is_looked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda _name: None)
    lacking = web_check()
    assert (lacking.level, "[web]" in lacking.advice) == (Level.WARN, True)
    monkeypatch.setattr("importlib.util.find_spec", lambda _name: object())
    assert web_check().level is Level.OK


def test_a_change_of_a_file_is_heard_of(tmp_path: Path) -> None:
    assert levels(watcher_checks(tmp_path, tmp_path / "none")) == {"watcher": Level.OK}
    (tmp_path / "few").write_text("100\n")
    assert levels(watcher_checks(tmp_path, tmp_path / "few")) == {
        "watcher": Level.OK,
        "watches": Level.WARN,
    }


def test_a_system_without_watches_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(_queue: object, folder: str) -> int:
        raise OSError(28, "No space left on device", folder)

    monkeypatch.setattr(inotify.Inotify, "watch", refused)
    (only,) = watcher_checks(tmp_path)
    assert (only.level, "No space left" in only.text) == (Level.WARN, True)


def test_a_system_without_a_table_of_mounts_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def missing() -> None:
        raise FileNotFoundError(2, "No such file or directory", "mountinfo")

    monkeypatch.setattr("caramelo_tui.headless.system_checks.MountTable", missing)
    (only,) = watcher_checks(tmp_path)
    assert (only.level, "cannot be watched" in only.text) == (Level.WARN, True)


def test_a_change_that_is_not_heard_of_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(inotify.Inotify, "events", lambda _queue: iter(()))
    (only,) = watcher_checks(tmp_path)
    assert (only.level, "not heard of" in only.text) == (Level.WARN, True)


def test_a_file_system_of_others_is_said(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("caramelo_tui.headless.system_checks.is_local", lambda *_parts: False)
    (only,) = watcher_checks(tmp_path)
    assert (only.level, "others can change unheard" in only.text) == (Level.WARN, True)


def test_the_state_folder_is_private_writable_and_not_made(tmp_path: Path) -> None:
    folder = tmp_path / "state" / "caramelo"
    assert "is made when it is needed" in state_check(folder).text
    assert not folder.parent.exists()
    folder.mkdir(parents=True, mode=0o700)
    assert state_check(folder).level is Level.OK
    assert not list(folder.iterdir())
    folder.chmod(0o750)
    opened = state_check(folder)
    assert (opened.level, opened.advice[:9]) == (Level.WARN, "chmod 700")


def test_a_state_folder_that_cannot_be_written_is_a_problem(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert state_check(Path("/proc/self")).level is Level.PROBLEM
    # The tests may run as a user to whom every folder is open.
    monkeypatch.setattr(os, "access", lambda _path, _mode: False)
    assert state_check(tmp_path / "none" / "x").level is Level.PROBLEM
