"""Stored sessions on the command line."""

import json
from pathlib import Path

import pytest

from caramelo_tui.command_line import parse
from caramelo_tui.domain.errors import ConfigError
from caramelo_tui.domain.sessions import SessionTrouble
from caramelo_tui.launch import launch
from caramelo_tui.sessions.folders import workspace_folder
from tests.doubles.stored_sessions import Told, write_session


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The sessions of the current folder, which is a project of its own."""
    project = tmp_path / "project"
    project.mkdir()
    monkeypatch.chdir(project)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("CARAMELO_HOME", str(tmp_path / "caramelo"))
    return workspace_folder(tmp_path / "caramelo" / "sessions", project.resolve())


def said(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    assert launch(parse(["sessions", *words])) == 0
    return capsys.readouterr().out


def test_the_list_has_a_row_for_each(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_session(folder, Told("one").exchange("mend\x1b[31m it", "done"))
    write_session(folder, Told("two").exchange("a", "b").begin("c").turn())
    rows = said(capsys, "list").splitlines()
    assert len(rows) == 2
    assert "cut off" in rows[0]
    assert "2 prompts" in rows[0]
    assert "mend<U+001B>[31m it" in rows[1]
    assert "one" in said(capsys, "list", "--search", "MEND")
    assert not said(capsys, "list", "--search", "nowhere")


def test_programs_get_an_object_a_line(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_session(folder, Told("one").exchange("a", "b"))
    [line] = said(capsys, "list", "--json").splitlines()
    found = json.loads(line)
    assert (found["id"], found["prompts"], found["is_cut_off"]) == ("one", 1, False)


def test_one_is_shown_and_exported(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_session(folder, Told("one").exchange("the prompt", "the answer"))
    assert "the answer" in said(capsys, "show", "on")
    assert said(capsys, "export", "last", "--format", "html").startswith("<!doctype html>")
    target = tmp_path / "out.json"
    said(capsys, "export", "one", "--format", "json", "-o", str(target))
    assert json.loads(target.read_text())["session_id"] == "one"
    with pytest.raises(SessionTrouble, match="was not written"):
        said(capsys, "export", "one", "-o", str(target))


def test_one_that_is_not_there_is_wrong_usage(folder: Path) -> None:
    del folder
    with pytest.raises(ConfigError, match="no stored session"):
        launch(parse(["sessions", "show", "none"]))


def test_no_session_is_said_on_standard_error(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    del folder
    assert launch(parse(["sessions", "list"])) == 0
    assert "no stored session of this folder" in capsys.readouterr().err
