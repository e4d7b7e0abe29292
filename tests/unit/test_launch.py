"""What is checked and asked before a session begins, in each of the four ways."""

import json
import os
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from caramelo_tui.command_line import parse
from caramelo_tui.config.credentials import NoProviderError
from caramelo_tui.domain.errors import ConfigError
from caramelo_tui.launch import launch, workspace_root
from caramelo_tui.tools.profiles import profile_names
from tests.doubles.logs import logging_as_before


@pytest.fixture(autouse=True)
def _restored() -> Iterator[None]:
    with logging_as_before():
        yield


@pytest.fixture(autouse=True)
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder."""
    folder = tmp_path / "project"
    folder.mkdir()
    monkeypatch.chdir(folder)
    return folder


@pytest.fixture(autouse=True)
def _no_input(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    with Path(os.devnull).open(encoding="utf-8") as stream:
        monkeypatch.setattr("sys.stdin", stream)
        yield


def start(*words: str) -> int:
    return launch(parse(list(words)))


def refusal(*words: str) -> str:
    """Return what is said when a start is refused."""
    with pytest.raises(ConfigError) as caught:
        start(*words)
    return str(caught.value)


# --- the folder ---------------------------------------------------------------------------


def test_the_root_is_resolved_with_its_links(tmp_path: Path, project: Path) -> None:
    (tmp_path / "link").symlink_to(project)
    assert workspace_root(tmp_path / "link") == project
    assert workspace_root(Path()) == project


def test_a_path_that_is_no_folder_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    (tmp_path / "loop").symlink_to("loop")
    assert refusal(str(tmp_path / "none")) == f"{tmp_path}/none: there is no such folder"
    assert "is no folder; name the folder" in refusal(str(tmp_path / "file"))
    assert "cannot be opened" in refusal(str(tmp_path / "loop"))
    assert "cannot be opened" in refusal("~nobody-of-this-name/x")
    assert "cannot be opened" in refusal(str(tmp_path / "file" / "below"))
    assert "there is no such folder" in refusal("tool", "list_dir", "--workspace", "none")


def test_a_current_folder_that_is_gone_is_said(project: Path) -> None:
    project.rmdir()
    for words in (["."], ["run", "--provider", "demo", "hi"], ["tool", "list_dir"]):
        assert "there is no such folder" in refusal(*words)


def test_a_folder_that_cannot_be_entered_is_said(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # The tests may run as a user to whom every folder is open.
    monkeypatch.setattr(os, "access", lambda _path, _mode: False)
    with pytest.raises(ConfigError, match="permission denied"):
        workspace_root(project)


def test_the_app_needs_a_terminal() -> None:
    for words in ([], ["demo"]):
        assert "needs one; without a terminal use `caramelo run`" in refusal(*words)


def test_the_programs_own_folders_may_not_be_put_into_the_workspace(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ways: tuple[list[str], ...] = ([], ["run", "--provider", "demo", "hi"], ["tool", "list_dir"])
    monkeypatch.setenv("CARAMELO_HOME", str(project / "own"))
    for words in ways:
        assert f"lies in the workspace {project}" in refusal(*words)
    monkeypatch.delenv("CARAMELO_HOME")
    monkeypatch.setenv("XDG_STATE_HOME", str(project / "state"))
    for words in ways:
        assert f"{project}/state/caramelo: holds Caramelo's own files" in refusal(*words)


def test_a_part_of_the_home_folder_that_holds_them_by_default_may_be_opened(
    clean_environment: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = clean_environment / ".config"
    folder.mkdir()
    for place in (folder, clean_environment):
        monkeypatch.chdir(place)
        assert start("tool", "list_dir") == 0


# --- settings and keys --------------------------------------------------------------------


@pytest.mark.parametrize(
    "way",
    [
        *([], ["run", "hi"], ["tool", "list_dir"], ["tools"]),
        *(["config", "show"], ["config", "path"], ["policy", "test", "ls"]),
    ],
)
def test_wrong_settings_stop_every_way_and_name_their_place(
    way: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "mine.toml"
    file.write_text("[limits]\nturns = 2\n")
    assert f"{file}:2: limits.turns: must be a whole" in refusal(*way, "--config", str(file))
    assert "none.toml: does not exist" in refusal(*way, "--config", "none.toml")
    assert "--mode" in refusal(*way, "--mode", "plans")
    assert "allowed: caramelo, core" in refusal(*way, "--profile", "cor")
    assert "--base-url: provider.base_url: must be" in refusal(*way, "--base-url", "x")
    monkeypatch.setenv("CARAMELO_DEBUG", "perhaps")
    assert "CARAMELO_DEBUG" in refusal(*way)


def test_a_run_without_any_key_names_the_three_ways() -> None:
    with pytest.raises(NoProviderError):
        start("run", "hi")


def test_a_run_checks_its_flags_and_prompt() -> None:
    demo = ["run", "--provider", "demo"]
    assert "PROMPT: is missing" in refusal(*demo, "")
    assert "--allow-command" in refusal(*demo, "hi", "--allow-command", "=3")


def test_a_broken_trust_file_stops_a_run_unless_the_flag_decides(
    clean_environment: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = clean_environment / ".config" / "caramelo" / "trust.json"
    file.parent.mkdir(parents=True)
    file.write_text("{")
    assert str(file) in refusal("run", "--provider", "demo", "hi")
    assert start("run", "--provider", "demo", "--quiet", "--allow-refusals", "--trust", "hi") == 0
    assert capsys.readouterr().out


# --- tools --------------------------------------------------------------------------------


def test_the_tools_are_printed_in_the_neutral_shape(capsys: pytest.CaptureFixture[str]) -> None:
    assert start("tools", "--json") == 0
    shapes = json.loads(capsys.readouterr().out)
    assert [shape["name"] for shape in shapes] == list(profile_names("caramelo"))
    for shape in shapes:
        assert list(shape) == ["name", "description", "input_schema"]
        assert shape["description"].strip()
        assert shape["input_schema"]["type"] == "object"
        assert shape["input_schema"]["additionalProperties"] is False


def test_a_disabled_tool_is_not_printed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "c.toml").write_text('[tools]\ndisable = ["bash"]\n')
    assert start("tools", "--json", "--config", str(tmp_path / "c.toml")) == 0
    names = [shape["name"] for shape in json.loads(capsys.readouterr().out)]
    assert names == [name for name in profile_names("caramelo") if name != "bash"]


@pytest.mark.parametrize(("columns", "width"), [("40", 40), ("1000", 100), ("1", 33)])
def test_the_plain_listing_fits_the_terminal(
    columns: str, width: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    assert start("tools") == 0
    lines = capsys.readouterr().out.splitlines()
    assert max(map(len, lines)) <= width
    names = [line.split()[0] for line in lines if not line.startswith(" ")]
    assert names == list(profile_names("caramelo"))
    assert all(re.match(r"(?:\w+ +| {20})\S", line) for line in lines)


def test_a_tool_is_run_by_hand_in_the_named_folder(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "a.txt").write_text("hello\n")
    words = ["--workspace", str(tmp_path / "other")]
    assert start("tool", "file_read", '{"path": "a.txt"}', *words) == 0
    assert capsys.readouterr().out.endswith("\n\nhello\n")
    assert start("tool", "nope", "{}", *words) == 1
    assert "The offered tools are: file_read" in capsys.readouterr().out
    assert start("tool", "bash", '{"command": "pwd"}', *words) == 1
    assert "--approve all" in capsys.readouterr().out
    assert start("tool", "bash", '{"command": "pwd"}', "--approve", "all", *words) == 0
    assert str(tmp_path / "other") in capsys.readouterr().out


def test_nothing_of_a_hand_run_tool_is_kept_but_before_images(
    clean_environment: Path, project: Path
) -> None:
    assert start("tool", "bash", '{"command": "echo x"}', "--approve", "all") == 0
    assert not [path for path in clean_environment.rglob("*") if path.is_file()]
    assert not list(project.iterdir())
