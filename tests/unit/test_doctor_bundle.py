"""A bug report holds what helps, none of the user's words, and no key."""

import io
import logging
import sys
import zipfile
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from caramelo_tui.command_line import parse
from caramelo_tui.config.crash_report import write_crash_report
from caramelo_tui.config.locations import Locations
from caramelo_tui.config.log_file import start_logging
from caramelo_tui.domain.errors import CarameloError, ConfigError
from caramelo_tui.launch import launch
from caramelo_tui.launch.doctor_bundle import MOST_BYTES
from caramelo_tui.sessions.folders import workspace_folder
from tests.doubles.logs import logging_as_before

KEY = "planted-key-0123456789"
TYPED = "planted-prompt"


class Terminal(io.StringIO):
    """What is typed, as a terminal gives it."""

    def isatty(self) -> bool:
        return True


@pytest.fixture(autouse=True)
def _restored() -> Iterator[None]:
    with logging_as_before():
        yield


@pytest.fixture
def locations(
    tmp_path: Path, clean_environment: Path, monkeypatch: pytest.MonkeyPatch
) -> Locations:
    """A user with a key, a log, a crash report and a session."""
    project = tmp_path / "project"
    project.mkdir()
    monkeypatch.chdir(project)
    monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)
    monkeypatch.setenv("TERM", "xterm-256color")
    found = Locations.from_environment({"HOME": str(clean_environment)})
    start_logging(found.logs, is_debug=False)
    logging.getLogger("caramelo_tui").warning("the server said: bad key %s", KEY)
    write_crash_report(found.logs, ValueError(f"key {KEY}"), environment={}, home=clean_environment)
    sessions = workspace_folder(found.sessions, project)
    sessions.mkdir(parents=True)
    (sessions / "20260101-000000-aaaa.jsonl").write_text(f'{{"prompt": "{TYPED}"}}\n')
    return found


def bundle(*words: str) -> Mapping[str, str]:
    """Return what is in the written report, by name."""
    assert launch(parse(["doctor", "--bundle", "report.zip", *words])) == 0
    with zipfile.ZipFile("report.zip") as file:
        return {name: file.read(name).decode() for name in file.namelist()}


def test_it_holds_what_helps_and_nothing_private(
    locations: Locations, clean_environment: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    members = bundle("--yes")
    assert {"doctor.txt", "machine.txt", "settings.txt", "sessions.txt", "caramelo.log"} < set(
        members
    )
    assert any(name.startswith("crash-") for name in members)
    assert "Python: 3." in members["machine.txt"]
    assert "bad key [hidden]" in members["caramelo.log"]
    assert "20260101-000000-aaaa.jsonl" in members["sessions.txt"]
    everything = "".join(members.values()) + capsys.readouterr().out
    assert KEY not in everything
    assert TYPED not in everything
    assert str(clean_environment) not in everything
    assert locations.logs.is_dir()


def test_everything_is_listed_before_anything_is_written(
    locations: Locations, capsys: pytest.CaptureFixture[str]
) -> None:
    del locations
    with pytest.raises(ConfigError, match="--yes"):
        launch(parse(["doctor", "--bundle", "report.zip"]))
    out = capsys.readouterr().out
    assert all(name in out for name in ("doctor.txt", "caramelo.log", "settings.txt", "crash-"))
    assert not Path("report.zip").exists()


@pytest.mark.parametrize(("answer", "is_written"), [("y\n", True), ("\n", False), ("", False)])
@pytest.mark.usefixtures("locations")
def test_at_a_terminal_the_user_is_asked(
    answer: str,
    is_written: bool,  # noqa: FBT001 - a parameter of the test
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(sys, "stdin", Terminal(answer))
    monkeypatch.setattr(sys, "stdout", Terminal())
    assert launch(parse(["doctor", "--bundle", "report.zip"])) == 0
    assert Path("report.zip").exists() is is_written


@pytest.mark.usefixtures("locations")
def test_a_report_that_is_there_is_not_replaced() -> None:
    Path("report.zip").write_text("mine")
    with pytest.raises(CarameloError, match="there already"):
        launch(parse(["doctor", "--bundle", "report.zip", "--yes"]))
    assert Path("report.zip").read_text() == "mine"


@pytest.mark.usefixtures("locations")
def test_without_a_name_it_gets_one_with_the_time(capsys: pytest.CaptureFixture[str]) -> None:
    assert launch(parse(["doctor", "--bundle", "--yes"])) == 0
    (written,) = Path().glob("caramelo-report-*.zip")
    assert written.name in capsys.readouterr().out


def test_of_a_long_log_whole_lines_of_the_end_are_taken(locations: Locations) -> None:
    log = locations.logs / "caramelo.log"
    log.write_text("".join(f"{number:06} {KEY}\n" for number in range(40_000)))
    text = bundle("--yes")["caramelo.log"]
    assert len(text) <= MOST_BYTES
    assert text.endswith("039999 [hidden]\n")
    assert KEY[-8:] not in text


def test_settings_that_cannot_be_used_do_not_hinder_it(locations: Locations) -> None:
    locations.config.mkdir(parents=True, exist_ok=True)
    locations.config_file.write_text("mode = 'nonsense'\n")
    members = bundle("--yes")
    assert "settings.txt" not in members
    assert "config.toml" in members["doctor.txt"]


@pytest.mark.parametrize("words", [["--yes"], ["--bundle", "--json"]])
def test_flags_that_do_not_go_together_are_refused(
    words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        parse(["doctor", *words])
    assert "--bundle" in capsys.readouterr().err
