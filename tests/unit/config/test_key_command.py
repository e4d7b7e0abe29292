"""The key comes from a command of the user's, bounded in every way, and goes nowhere else."""

import logging
import sys
from pathlib import Path

import pytest

from caramelo_tui.config.key_command import LIMIT_BYTES, run_key_command
from caramelo_tui.config.settings import EndpointTable, Settings
from caramelo_tui.domain.errors import ConfigError


def run(
    source: str, environment: dict[str, str], *, limit_s: float = 20.0, **settings: tuple[str, ...]
) -> str:
    """Run a command that is a small Python program."""
    command = (sys.executable, "-c", source)
    return run_key_command(
        Settings(key_command=command, **settings),  # type: ignore[arg-type]  # tuples only
        environment,
        limit_s=limit_s,
    )


@pytest.fixture
def user(clean_environment: Path) -> dict[str, str]:
    return {"HOME": str(clean_environment), "PATH": "/usr/bin:/bin"}


def problem(source: str, user: dict[str, str], *, limit_s: float = 20.0) -> str:
    with pytest.raises(ConfigError) as caught:
        run(source, user, limit_s=limit_s)
    return str(caught.value)


def test_what_is_printed_is_the_key_without_the_blanks_around_it(user: dict[str, str]) -> None:
    assert run("print('  sk-k  \\n')", user) == "sk-k"


def test_no_shell_reads_the_arguments(user: dict[str, str]) -> None:
    settings = Settings(key_command=("/bin/echo", "$HOME; `id`", "*"))
    assert run_key_command(settings, user) == "$HOME; `id` *"


def test_it_starts_in_the_home_folder_with_an_empty_input(
    user: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run("import os; print(os.getcwd())", user) == user["HOME"]
    assert run("import sys; print(len(sys.stdin.read()))", user) == "0"


def test_a_program_of_the_current_folder_is_not_found(
    user: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    program = tmp_path / "getkey"
    program.write_text("#!/bin/sh\necho stolen\n")
    program.chmod(0o755)
    for name in ["getkey", "./getkey"]:
        with pytest.raises(ConfigError, match="cannot be started"):
            run_key_command(
                Settings(key_command=(name,)), {**user, "PATH": ".:/usr/bin"}, limit_s=20
            )


def test_it_gets_no_secret_but_what_is_let_through(user: dict[str, str]) -> None:
    source = "import os; print(*sorted(os.environ))"
    variables = {**user, "OPENAI_API_KEY": "s", "VAULT_TOKEN": "s", "GPG_TTY": "/dev/pts/1"}
    seen = run(source, variables).split()
    assert "GPG_TTY" in seen
    assert {"OPENAI_API_KEY", "VAULT_TOKEN"}.isdisjoint(seen)
    assert "VAULT_TOKEN" in run(source, variables, env_allow=("VAULT_TOKEN",)).split()


def test_it_gets_no_variable_that_another_endpoint_keeps_its_key_in(user: dict[str, str]) -> None:
    source = "import os; print(*sorted(os.environ))"
    variables = {**user, "MINE": "s", "HOUSE": "s", "OTHER": "s"}
    settings = Settings(
        key_command=(sys.executable, "-c", source),
        key_env="MINE",
        endpoints={"house": EndpointTable(key_env="HOUSE")},
    )
    seen = run_key_command(settings, variables).split()
    assert "OTHER" in seen
    assert {"MINE", "HOUSE"}.isdisjoint(seen)


def test_each_way_to_fail_is_named_and_shows_nothing_that_was_printed(
    user: dict[str, str], caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    told = [
        problem("print('sk-SECRET'); raise SystemExit(3)", user),
        problem("print()", user),
        problem(f"print('sk-SECRET' * {LIMIT_BYTES})", user),
        problem("print('sk-SECRET', flush=True); import time; time.sleep(60)", user, limit_s=0.5),
    ]
    for text, part in zip(
        told, ["exit code 3", "printed nothing", "far more than a key", "within 0.5 s"], strict=True
    ):
        assert part in text
        assert text.startswith("provider.key_command: ")
        assert "SECRET" not in text
    assert "SECRET" not in caplog.text


def test_one_that_never_stops_printing_is_ended(user: dict[str, str]) -> None:
    assert "far more" in problem("while True: print('x' * 1000)", user)


def test_one_that_closes_its_output_and_stays_is_ended(user: dict[str, str]) -> None:
    source = "import os, time; os.close(1); time.sleep(60)"
    assert "within 0.5 s" in problem(source, user, limit_s=0.5)


def test_a_program_that_is_not_there_is_named(user: dict[str, str]) -> None:
    with pytest.raises(ConfigError, match="no-such-program cannot be started"):
        run_key_command(Settings(key_command=("no-such-program",)), user)


def test_what_it_says_goes_to_the_users_terminal(
    user: dict[str, str], capfd: pytest.CaptureFixture[str]
) -> None:
    run("import sys; print('sk-k'); print('unlocked', file=sys.stderr)", user)
    assert capfd.readouterr() == ("", "unlocked\n")
