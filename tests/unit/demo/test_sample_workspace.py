"""The demo's sample comes out of the package whole, writable and fresh."""

import os
import stat
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from caramelo_tui.demo import sample_workspace
from caramelo_tui.demo.sample_workspace import FIRST_PROMPT, copy_sample, scenario_text
from caramelo_tui.domain.errors import ConfigError
from caramelo_tui.providers.scenario_files import parse_scenario
from caramelo_tui.tools.profiles import CARAMELO_TOOLS

BUNDLED = Path(sample_workspace.__file__).parent / "sample"


@pytest.fixture(autouse=True)
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return tmp_path


def files_of(root: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(root)): path.read_bytes()
        for path in root.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }


def test_the_copy_is_the_bundled_sample() -> None:
    copy = copy_sample()
    assert copy.name == "tally"
    assert files_of(copy) == files_of(BUNDLED)
    assert {"README.md", "expenses.txt", "tally/cli.py", "tests/test_cli.py"} <= set(files_of(copy))


def test_two_copies_are_strangers() -> None:
    assert copy_sample() != copy_sample()


def test_the_copy_is_writable_though_the_installation_may_not_be(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = tmp_path / "package" / "sample"
    (package / "inner").mkdir(parents=True)
    (package / "inner" / "a.txt").write_text("x")
    (package / "inner" / "a.txt").chmod(0o444)
    (package / "inner").chmod(0o555)
    monkeypatch.setattr(sample_workspace, "files", lambda _package: tmp_path / "package")
    copy = copy_sample()
    assert (copy / "inner").stat().st_mode & stat.S_IWUSR
    assert (copy / "inner" / "a.txt").stat().st_mode & stat.S_IWUSR
    assert not copy.parent.stat().st_mode & (stat.S_IRWXG | stat.S_IRWXO)


def test_no_room_for_the_copy_is_an_error_that_names_the_variable(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "file"))
    with pytest.raises(ConfigError, match="TMPDIR: the sample cannot be copied"):
        copy_sample()


def test_the_samples_own_tests_fail_before_the_task_is_done() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "unittest", "-q"],
        cwd=copy_sample(),
        env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"},
        check=False,
        capture_output=True,
    )
    assert done.returncode == 1
    assert b"--json" in done.stderr


def test_the_script_is_whole_and_calls_offered_tools_only() -> None:
    scenario = parse_scenario(scenario_text(), source="demo")
    calls = [call for turn in scenario.turns for call in turn.calls]
    assert {call.name for call in calls} <= set(CARAMELO_TOOLS)
    assert {"file_read", "grep", "file_edit", "bash"} <= {call.name for call in calls}
    assert FIRST_PROMPT
