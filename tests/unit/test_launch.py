"""What is checked and asked before a session begins, in each way of starting."""

import json
import os
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

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


def test_a_run_without_a_model_says_how_one_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GROQ_API_KEY", "gsk-1")
    said = refusal("run", "--provider", "groq", "hi")
    assert "provider groq has no default" in said
    assert "--model ID" in said


def test_a_run_checks_its_flags_and_prompt() -> None:
    demo = ["run", "--provider", "demo"]
    assert "--approver: there is no program 'nobody-here'" in refusal(
        *demo, "hi", "--approver", "nobody-here"
    )
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


# --- the workspace's own configuration ---------------------------------------------------------


def rules_of_the_workspace(project: Path) -> None:
    (project / ".caramelo").mkdir()
    (project / ".caramelo" / "config.toml").write_text(
        '[tools]\ndisable = ["glob"]\n[policy]\nblocked_commands = ["make deploy"]\n'
        '[provider]\nmodel = "other"\n'
    )


NOT_TAKEN = "caramelo: Not taken from the workspace: .caramelo/config.toml:6: provider.model"


@pytest.mark.parametrize(
    ("flags", "is_read"),
    [([], False), (["--trust"], True), (["--trust", "--no-workspace-config"], False)],
    ids=["restricted", "trusted", "unwanted"],
)
def test_a_workspace_has_a_say_where_it_is_trusted(
    project: Path, capsys: pytest.CaptureFixture[str], flags: list[str], *, is_read: bool
) -> None:
    rules_of_the_workspace(project)

    start("tools", "--json", *flags)
    tools = capsys.readouterr()
    assert ('"name": "glob"' in tools.out) is not is_read
    assert (NOT_TAKEN in tools.err) is is_read

    start("policy", "test", "make deploy", *flags)
    policy = capsys.readouterr()
    assert ("blocked command make deploy (.caramelo/config.toml:4)" in policy.out) is is_read
    assert (NOT_TAKEN in policy.err) is is_read

    start("tool", "glob", '{"pattern": "*"}', *flags)
    by_hand = capsys.readouterr()
    assert ("no tool 'glob'" in by_hand.out) is is_read
    assert (NOT_TAKEN in by_hand.err) is is_read

    start("run", "--provider", "demo", "--allow-refusals", "--no-session", "hi", *flags)
    run = capsys.readouterr().err
    assert run.count(NOT_TAKEN) == (1 if is_read else 0)
    assert run.count("working restricted") == (0 if "--trust" in flags else 1)

    start("config", "show", *flags)
    shown = capsys.readouterr().out
    rows = [line.split() for line in shown.splitlines() if line.startswith("tools.disable")]
    glob = ["tools.disable", "glob", ".caramelo/config.toml:2"]
    assert rows == [glob if is_read else ["tools.disable", "(none)", "default"]]


def test_the_configuration_says_where_each_value_came_from(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "c.toml").write_text('[approval]\nmode = "each"\n[limits]\nturns = 7\n')
    monkeypatch.setenv("CARAMELO_PROFILE", "core")
    words = ["--config", str(tmp_path / "c.toml"), "--mode", "plan", "--debug"]
    assert start("config", "show", *words) == 0
    rows = {line.split()[0]: line.split()[1:] for line in capsys.readouterr().out.splitlines()}
    assert rows["approval.mode"] == ["plan", "--mode"]
    assert rows["tools.profile"] == ["core", "CARAMELO_PROFILE"]
    assert rows["limits.turns"] == ["7", f"{tmp_path}/c.toml:4"]
    assert rows["CARAMELO_DEBUG"] == ["true", "--debug"]
    assert start("config", "path", *words) == 0
    assert capsys.readouterr().out.splitlines()[0] == f"{tmp_path}/c.toml  read"


def test_the_policy_knows_the_folder_and_the_home(
    project: Path, clean_environment: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    commands = {
        f"cp x {project}/y": "allow",
        "cp x /opt/y": "ask",
        f"rm -r {clean_environment}": "deny",
    }
    for command, verdict in commands.items():
        assert start("policy", "test", command) == 0
        assert f"run_command: {verdict}\n" in capsys.readouterr().out
    assert not list(project.iterdir())


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


def test_a_tools_name_chooses_the_profile_unless_a_flag_does(
    project: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    (project / "a.txt").write_text("hello\n")
    (tmp_path / "c.toml").write_text('[tools]\nenable = ["file_read", "task_done"]\n')
    call = ("tool", "read_file", '{"path": "a.txt"}')
    for words in ([], ["--config", str(tmp_path / "c.toml")], ["--profile", "core"]):
        assert start(*call, *words) == 0
        assert capsys.readouterr().out == "   1 | hello\n"
    said = "NAME: read_file belongs to profile core: leave out --profile caramelo"
    assert refusal(*call, "--profile", "caramelo") == said
    monkeypatch.setenv("CARAMELO_PROFILE", "core")
    assert start("tool", "file_read", '{"path": "a.txt"}') == 0
    assert "lines: 1-1 of 1" in capsys.readouterr().out
    assert start("tool", "nope") == 1
    assert "The offered tools are: read_file" in capsys.readouterr().out


def test_the_tools_are_printed_as_each_vendor_takes_them(
    capsys: pytest.CaptureFixture[str],
) -> None:
    def printed(*words: str) -> list[dict[str, Any]]:
        assert start("tools", "--profile", "core", *words) == 0
        shapes: list[dict[str, Any]] = json.loads(capsys.readouterr().out)
        return shapes

    neutral = printed("--json")
    assert [tool["name"] for tool in neutral] == list(profile_names("core"))
    assert printed("--shape", "neutral") == neutral
    assert printed("--shape", "anthropic") == neutral
    functions = [tool["function"] for tool in printed("--shape", "openai", "--json")]
    assert [tool["parameters"] for tool in functions] == [tool["input_schema"] for tool in neutral]
    editor = [tool["inputSchema"] for tool in printed("--shape", "copilot")]
    assert editor == [tool["input_schema"] for tool in neutral]


def test_in_mode_plan_the_tools_are_those_that_read(capsys: pytest.CaptureFixture[str]) -> None:
    assert start("tools", "--json", "--mode", "plan") == 0
    names = {tool["name"] for tool in json.loads(capsys.readouterr().out)}
    assert {"file_read", "git_diff"} < names
    assert not names & {"file_write", "file_edit", "bash", "git_commit"}


def test_a_commit_by_hand_needs_trust_and_its_approval(
    project: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    git("init", "-q", "-b", "main")
    for role in ("AUTHOR", "COMMITTER"):
        monkeypatch.setenv(f"GIT_{role}_NAME", "me")
        monkeypatch.setenv(f"GIT_{role}_EMAIL", "me@example.org")
    (project / "a.txt").write_text("hello\n")
    call = ("tool", "git_commit", '{"message": "first"}')
    assert start(*call, "--approve", "all") == 1
    assert "not trusted" in capsys.readouterr().out
    assert start(*call, "--trust", "--approve", "writes") == 1
    assert "--approve all" in capsys.readouterr().out
    assert start(*call, "--trust", "--approve", "all") == 0
    assert git("log", "--format=%s") == "first\n"


def git(*arguments: str) -> str:
    """Run git in the current folder and return what it prints."""
    done = subprocess.run(["git", *arguments], check=True, capture_output=True, text=True)
    return done.stdout


def test_nothing_of_a_hand_run_tool_is_kept_but_before_images(
    clean_environment: Path, project: Path
) -> None:
    assert start("tool", "bash", '{"command": "echo x"}', "--approve", "all") == 0
    assert not [path for path in clean_environment.rglob("*") if path.is_file()]
    assert not list(project.iterdir())
