"""Log in to Copilot in the installed program, against a stand-in for GitHub on loopback."""

import json
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import httpx2
import pytest

from tests.doubles import copilot_server
from tests.doubles.copilot_server import GITHUB_TOKEN, USER_CODE
from tests.e2e.terminal import Terminal
from tests.e2e.test_linear import answer, say

_PATIENCE_S = 20.0


@dataclass(frozen=True, kw_only=True)
class StandIn:
    """GitHub, as a process of its own."""

    url: str
    log: Path

    def control(self, what: str) -> None:
        """Have it end its tokens, revoke the login, or take logins again."""
        answer = httpx2.post(f"{self.url}/control/{what}", timeout=5, trust_env=False)
        assert answer.is_success

    @property
    def initiators(self) -> list[str]:
        """Who began each request for chat."""
        if not self.log.exists():
            return []
        return [json.loads(line)["initiator"] for line in self.log.read_text().splitlines()]


@pytest.fixture
def github(tmp_path: Path) -> Iterator[StandIn]:
    port_file, log = tmp_path / "port", tmp_path / "chats"
    command = (sys.executable, "-m", copilot_server.__name__)
    root = Path(__file__).parents[2]
    with subprocess.Popen(
        [*command, "--port-file", str(port_file), "--log", str(log)], cwd=root
    ) as process:
        until = time.monotonic() + _PATIENCE_S
        while not port_file.exists() and time.monotonic() < until:
            time.sleep(0.05)
        try:
            yield StandIn(url=f"http://127.0.0.1:{port_file.read_text()}", log=log)
        finally:
            process.terminate()


def holds_no_token(folder: Path) -> bool:
    """Whether no file of the program's holds a token."""
    secrets = (GITHUB_TOKEN.encode(), b"planted-1")
    files = [path for path in folder.rglob("*") if path.is_file()]
    assert files
    return not any(secret in path.read_bytes() for path in files for secret in secrets)


def log_in(terminal: Terminal) -> None:
    """Log in at the first start, and take the first model."""
    terminal.wait_for("one key answers")
    terminal.answer("c", lambda screen: USER_CODE in screen)
    take_the_first_model(terminal)


def take_the_first_model(terminal: Terminal) -> None:
    """Answer the list of models."""
    terminal.wait_for("Which model?")
    terminal.press("Enter")
    terminal.wait_for(lambda screen: "gpt-test" in screen and "Which model?" not in screen)


def ask(terminal: Terminal, prompt: str, answer: str = "Hello from the stand-in.") -> None:
    """Send a prompt and wait for a further answer below it."""
    terminal.type(prompt)
    terminal.press("Enter")
    terminal.wait_for(lambda screen: prompt in screen and answer in screen.rpartition(prompt)[2])


@pytest.mark.parametrize("size", [(80, 24), (160, 45)])
def test_a_token_that_ends_is_renewed_and_a_revoked_login_is_given_anew(
    program: str,
    user: Mapping[str, str],
    project: Path,
    github: StandIn,
    size: tuple[int, int],
) -> None:
    command = [program, str(project), "--trust", "--provider", "copilot"]
    command += ["--base-url", github.url]
    with Terminal(command, cwd=project, environment=user, size=size) as terminal:
        log_in(terminal)
        ask(terminal, "first words")
        github.control("expire")
        ask(terminal, "second words")
        github.control("revoke")
        ask(terminal, "third words", "does not take the login any more")
        assert "/login" in terminal.screen()
        github.control("restore")
        terminal.type("/login")
        terminal.press("Enter")
        terminal.wait_for("log in with a code")
        terminal.press("Enter")
        take_the_first_model(terminal)
        terminal.wait_for("answers from the next turn on")
        ask(terminal, "fourth words")
    assert github.initiators == ["user"] * 3
    assert holds_no_token(Path(user["CARAMELO_HOME"]))


def test_a_first_start_logs_in_and_works(
    program: str, user: Mapping[str, str], project: Path, github: StandIn
) -> None:
    command = [program, str(project), "--trust", "--debug"]
    command += ["--provider", "copilot", "--base-url", github.url]
    with Terminal(command, cwd=project, environment=user) as terminal:
        screen = terminal.wait_for("one key answers")
        assert "provider copilot needs a key" in " ".join(screen.split())
        terminal.answer("c", lambda screen: USER_CODE in screen)
        terminal.wait_for("Which model?")
        terminal.press("Enter")
        terminal.wait_for("gpt-test")
        terminal.type("say hello")
        terminal.press("Enter")
        terminal.wait_for("Hello from the stand-in.")
        terminal.press("C-c")
        terminal.wait_for("again quits")
        terminal.press("C-c")
        assert terminal.wait_for_end() == 0
        terminal.check_restored()
    assert github.initiators == ["user"]
    assert holds_no_token(Path(user["CARAMELO_HOME"]))


def test_a_login_in_lines(
    program: str, user: Mapping[str, str], project: Path, github: StandIn
) -> None:
    command = [program, str(project), "--trust", "--linear"]
    command += ["--provider", "copilot", "--base-url", github.url]
    with Terminal(command, cwd=project, environment=user) as terminal:
        answer(terminal, "2 log in to GitHub Copilot", "2", f"Type this code there: {USER_CODE}")
        answer(terminal, "1 gpt-test", "1", "/help")
        say(terminal, "say hello")
        terminal.wait_for("Hello from the stand-in.")
    assert github.initiators == ["user"]
    assert holds_no_token(Path(user["CARAMELO_HOME"]))
