"""The border of the program: exit codes, broken streams, and never a traceback."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from caramelo_tui import __version__, cli, launch
from caramelo_tui.domain.errors import ConfigError, ToolFailure
from caramelo_tui.ui import start_frame


def run_main(monkeypatch: pytest.MonkeyPatch, *words: str) -> int:
    monkeypatch.setattr(sys, "argv", ["caramelo", *words])
    return cli.main()


def shell(line: str) -> "subprocess.CompletedProcess[str]":
    """Run a line of bash in which ``$C`` is the program, with its streams as users have them."""
    program = f"unset PYTHONUNBUFFERED; C='{sys.executable} -m caramelo_tui'; "
    return subprocess.run(
        ["bash", "-c", program + line], check=False, capture_output=True, text=True
    )


def test_the_version_is_printed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run_main(monkeypatch, "--version") == 0
    assert capsys.readouterr().out == f"caramelo {__version__}\n"


def test_wrong_usage_and_help_come_back_as_codes(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run_main(monkeypatch, "--nonsense") == 2
    assert "--nonsense" in capsys.readouterr().err
    assert run_main(monkeypatch, "--help") == 0
    assert "usage: caramelo" in capsys.readouterr().out


@pytest.mark.parametrize("platform", ["win32", "cygwin"])
def test_other_systems_are_told_so(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], platform: str
) -> None:
    monkeypatch.setattr(sys, "platform", platform)
    assert run_main(monkeypatch, "run", "hi") == 2
    assert "WSL" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("error", "code", "says"),
    [
        (ConfigError("c.toml", "limits.turns", "must be 3 to 50"), 2, "c.toml: limits.turns: must"),
        (ToolFailure("no"), 1, "caramelo: no\n"),
        (RuntimeError("bad \x1b[2J"), 1, "unexpected error: RuntimeError: bad <U+001B>[2J\n"),
        (FileNotFoundError(2, "No such file", "/x"), 1, "unexpected error: FileNotFoundError"),
        (OSError(28, "No space left on device"), 1, "cannot be written: No space left"),
        (KeyboardInterrupt(), 130, ""),
    ],
)
def test_whatever_ends_the_program_is_one_line_and_a_code(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    error: BaseException,
    code: int,
    says: str,
) -> None:
    def fail(_options: object) -> int:
        raise error

    monkeypatch.setattr(launch, "launch", fail)
    assert run_main(monkeypatch, "run", "hi") == code
    said = capsys.readouterr().err
    assert says in said
    assert said.count("\n") == (1 if says else 0)
    assert "Traceback" not in said


def test_the_terminal_is_back_before_anything_is_said(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    steps: list[str] = []

    def fail(_options: object) -> int:
        steps.append("launched")
        raise ConfigError("c.toml", "theme", "is none")

    def take_back() -> None:
        steps.append(f"taken back, said: {capsys.readouterr().err!r}")

    monkeypatch.setattr(start_frame, "show", lambda words, _variables: steps.append(words[0]))
    monkeypatch.setattr(start_frame, "take_back", take_back)
    monkeypatch.setattr(launch, "launch", fail)
    assert run_main(monkeypatch, "run", "hi") == 2
    assert steps == ["run", "launched", "taken back, said: ''"]
    assert "theme" in capsys.readouterr().err


def test_closed_and_full_streams_are_no_crash() -> None:
    done = shell(
        "$C --version >&-; echo $?;"
        "$C --version >/dev/full; echo $?;"
        "$C --help >/dev/full; echo $?;"
        "$C --nonsense 2>&-; echo $?;"
        "$C --nonsense 2>/dev/full; echo $?;"
        "$C --version <&-; echo $?"
    )
    assert done.stdout == f"0\n1\n1\n2\n2\ncaramelo {__version__}\n0\n"
    assert done.stderr == ("caramelo: the output cannot be written: No space left on device\n" * 2)


def test_a_reader_that_went_away_is_not_told_anything() -> None:
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run(
        [sys.executable, "-m", "caramelo_tui", "--version"],
        check=False,
        stdout=writing,
        stderr=subprocess.PIPE,
    )
    os.close(writing)
    assert (done.returncode, done.stderr) == (1, b"")


def test_the_first_opened_file_does_not_get_a_standard_streams_number(tmp_path: Path) -> None:
    code = (
        "import os, sys; from caramelo_tui import cli; cli._open_missing_streams();"
        f"print(os.open({str(tmp_path)!r}, os.O_RDONLY), file=sys.stderr);"
        "print('lost')"
    )
    done = shell(f'{sys.executable} -c "{code}" <&- >&-')
    assert done.returncode == 0
    assert int(done.stderr) > 2


def test_a_locale_that_lacks_a_character_is_no_crash() -> None:
    code = (
        "import sys; from caramelo_tui import cli; cli._open_missing_streams(); print('caf\\u00e9')"
    )
    done = shell(f'PYTHONIOENCODING=ascii {sys.executable} -c "{code}"')
    assert (done.returncode, done.stdout, done.stderr) == (0, "caf\\xe9\n", "")


def test_a_projects_modules_are_not_imported_in_place_of_the_librarys(tmp_path: Path) -> None:
    for name in ("argparse", "asyncio", "json", "jsonschema"):
        (tmp_path / f"{name}.py").write_text("raise SystemExit('the project ran')")
    done = subprocess.run(
        [sys.executable, "-m", "caramelo_tui", "tools"],
        cwd=tmp_path,
        check=False,
        capture_output=True,
        text=True,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("file_read")
