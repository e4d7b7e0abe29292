"""The doctor looks at everything, whatever is broken, and shows no key."""

import json
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest

from caramelo_tui.command_line import parse
from caramelo_tui.domain.errors import ConfigError
from caramelo_tui.launch import launch
from tests.doubles.answers import one_answer
from tests.doubles.logs import logging_as_before

KEY = "sk-never-shown-91"


@pytest.fixture(autouse=True)
def _restored() -> Iterator[None]:
    with logging_as_before():
        yield


@dataclass(frozen=True, kw_only=True)
class Patient:
    """A user, a folder, and what the doctor says about them."""

    home: Path
    root: Path
    capture: pytest.CaptureFixture[str]

    @property
    def config(self) -> Path:
        folder = self.home / ".config" / "caramelo"
        folder.mkdir(parents=True, exist_ok=True)
        return folder

    def configure(self, text: str) -> None:
        (self.config / "config.toml").write_text(text)

    def examine(self, *words: str) -> tuple[int, Mapping[str, list[tuple[str, str]]]]:
        """Return the exit code, and by name the levels and texts that were found."""
        code = launch(parse(["doctor", "--json", *words]))
        found: dict[str, list[tuple[str, str]]] = {}
        out = self.capture.readouterr()
        assert KEY not in out.out + out.err
        for line in out.out.splitlines():
            check = json.loads(line)
            found.setdefault(check["name"], []).append((check["level"], check["text"]))
        return code, found


@pytest.fixture
def patient(
    tmp_path: Path,
    clean_environment: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> Patient:
    (tmp_path / "project").mkdir()
    monkeypatch.chdir(tmp_path / "project")
    return Patient(home=clean_environment, root=tmp_path / "project", capture=capsys)


def test_without_a_key_that_is_the_one_problem(patient: Patient) -> None:
    code, found = patient.examine()
    assert code == 1
    problems = [name for name, rows in found.items() if "problem" in {level for level, _ in rows}]
    assert problems == ["provider"]
    assert "ANTHROPIC_API_KEY" in found["provider"][0][1]
    assert {"python", "textual", "terminal", "trust", "configuration"} < set(found)
    assert {"skills", "git", "gh", "rg", "bwrap", "web", "watcher", "state"} < set(found)
    assert found["skills"] == [("ok", "none")]


def test_the_demo_and_a_server_on_this_machine_need_no_key(patient: Patient) -> None:
    code, found = patient.examine("--provider", "demo")
    assert (code, found["provider"][0][0]) == (0, "ok")
    local = ["--provider", "openai", "--base-url", "http://127.0.0.1:9/v1"]
    code, found = patient.examine(*local)
    assert (code, "no key is needed, at http://127.0.0.1:9" in found["provider"][0][1]) == (0, True)


def test_a_key_is_seen_and_not_shown(patient: Patient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    code, found = patient.examine()
    assert code == 0
    assert found["provider"][0][1].startswith("anthropic: a key is set (keys for anthropic and")
    monkeypatch.setenv("ANTHROPIC_API_KEY", f"{KEY}\n x")
    code, found = patient.examine()
    assert (code, found["provider"][0][0]) == (1, "problem")


def test_what_carries_requests_is_said(patient: Patient, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "transport" not in patient.examine("--provider", "demo")[1]
    monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)
    alone = "auto: requests go over the HTTP client alone, no SDK is loaded"
    assert patient.examine()[1]["transport"] == [("ok", alone)]
    monkeypatch.setenv("ANTHROPIC_CUSTOM_HEADERS", "a: b")
    said = patient.examine()[1]["transport"]
    assert said == [("ok", "auto: requests go over the vendor's SDK")]


def test_the_command_for_a_key_is_looked_for_and_not_run(
    patient: Patient, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    mark = tmp_path / "ran"
    program = tmp_path / "give-key"
    program.write_text(f"#!/bin/sh\ntouch {mark}\n")
    program.chmod(0o755)
    patient.configure('[provider]\nname = "openai"\nkey_command = ["give-key", "x"]\n')
    assert "there is no program 'give-key'" in patient.examine()[1]["provider"][0][1]
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    code, found = patient.examine()
    assert (code, found["provider"]) == (0, [("ok", "openai: the key is asked of give-key")])
    assert not mark.exists()


def test_a_broken_configuration_hides_no_other_check(patient: Patient) -> None:
    patient.configure("[limits]\nturns = 2\n")
    (patient.config / "trust.json").write_text("{")
    code, found = patient.examine()
    assert code == 1
    assert "config.toml:2: limits.turns" in found["configuration"][0][1]
    assert "trust.json" in found["trust"][0][1]
    assert "provider" not in found
    assert found["watcher"][0][0] == "ok"


def test_the_folders_trust_is_said(patient: Patient, monkeypatch: pytest.MonkeyPatch) -> None:
    demo = ("--provider", "demo")
    assert "is not trusted yet: the app asks" in patient.examine(*demo)[1]["trust"][0][1]
    assert "is trusted" in patient.examine(*demo, "--trust")[1]["trust"][0][1]
    folders = {"format": 1, "folders": {str(patient.root): "restricted"}}
    (patient.config / "trust.json").write_text(json.dumps(folders))
    assert "restricted, as you chose" in patient.examine(*demo)[1]["trust"][0][1]
    monkeypatch.chdir(patient.home)
    assert patient.examine(*demo)[1]["trust"][0][0] == "warn"


def test_what_a_workspace_asks_for_in_vain_is_a_warning(patient: Patient) -> None:
    own = patient.root / ".caramelo"
    own.mkdir()
    (own / "config.toml").write_text('[provider]\nmodel = "x"\n')
    code, found = patient.examine("--provider", "demo", "--trust")
    assert code == 0
    assert [level for level, _ in found["configuration"]] == ["ok", "ok", "warn"]
    assert "provider.model" in found["configuration"][-1][1]
    unread = patient.examine("--provider", "demo", "--trust", "--no-workspace-config")[1]
    assert "not read: --no-workspace-config" in unread["configuration"][-1][1]


def test_skills_are_loaded_and_what_is_wrong_with_them_is_a_warning(patient: Patient) -> None:
    for folder, name in ((patient.config, "mine"), (patient.root / ".caramelo", "theirs")):
        (folder / "skills").mkdir(parents=True)
        skill = {"name": name, "description": "d", "triggers": ["x"], "promptTemplate": "Do."}
        (folder / "skills" / "good.json").write_text(json.dumps(skill))
    (patient.config / "skills" / "broken.json").write_text("{")
    demo = ("--provider", "demo")
    code, found = patient.examine(*demo)
    assert (code, found["skills"][0]) == (0, ("ok", "mine"))
    assert (found["skills"][1][0], "broken.json" in found["skills"][1][1]) == ("warn", True)
    assert patient.examine(*demo, "--trust")[1]["skills"][0] == ("ok", "mine, theirs")


def test_own_folders_inside_the_workspace_are_a_problem(
    patient: Patient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CARAMELO_HOME", str(patient.root / "own"))
    code, found = patient.examine("--provider", "demo")
    assert (code, found["state"][0][0]) == (1, "problem")


def test_a_sandbox_that_is_wanted_and_does_not_work_is_a_problem(
    patient: Patient, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    _code, found = patient.examine()
    assert found["sandbox"][0][0] == "ok"
    assert "full rights; bwrap is not installed" in found["sandbox"][0][1]
    patient.configure('[commands]\nsandbox = "bwrap"\n')
    code, found = patient.examine()
    assert code == 1
    assert found["sandbox"] == [
        ("problem", "commands.sandbox is bwrap, and bwrap is not installed: no command runs")
    ]


def test_people_get_columns(patient: Patient) -> None:
    assert launch(parse(["doctor", "--provider", "demo"])) == 0
    out = patient.capture.readouterr().out
    assert out.startswith("ok       python         Python 3.")
    assert "problems: 0, warnings: " in out


def test_a_folder_that_is_gone_is_wrong_usage(patient: Patient) -> None:
    patient.root.rmdir()
    with pytest.raises(ConfigError, match="no such folder"):
        launch(parse(["doctor"]))


def test_nothing_is_sent_unless_it_is_wanted(
    patient: Patient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    with one_answer("200 OK", '{"data": [{"id": "m"}]}') as server:
        words = ["--provider", "openai", "--base-url", f"http://127.0.0.1:{server.port}/v1"]
        _code, found = patient.examine(*words)
        assert (server.seen, "endpoint" in found) == (b"", False)
        code, found = patient.examine(*words, "--online")
        assert code == 0
        assert "answers and takes the key: 1 models" in found["endpoint"][0][1]
        assert KEY.encode() in server.seen


def test_online_runs_the_command_for_a_key(patient: Patient, tmp_path: Path) -> None:
    program = tmp_path / "give-key"
    program.write_text(f"#!/bin/sh\necho {KEY}\n")
    program.chmod(0o700)
    with one_answer("401 Unauthorized") as server:
        patient.configure(
            '[provider]\nname = "openai"\n'
            f'base_url = "http://127.0.0.1:{server.port}/v1"\nkey_command = ["{program}"]\n'
        )
        code, found = patient.examine("--online")
        assert (code, found["provider"][0][1].split(",")[0]) == (1, "openai: a key is set")
        assert found["endpoint"][0][0] == "problem"
        assert KEY.encode() in server.seen


def test_the_keyring_is_named_and_asked_only_online(
    patient: Patient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTHON_KEYRING_BACKEND", "keyring.backends.fail.Keyring")
    _code, found = patient.examine("--provider", "demo")
    level, before = found["keyring"][0]
    assert level == "ok"
    _code, found = patient.examine("--provider", "demo", "--online")
    if "not installed" not in before:
        assert "no keyring" in found["keyring"][0][1]
