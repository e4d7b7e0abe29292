"""The first picture: what is typed into it arrives, and the terminal comes back from it."""

import os
import signal
from collections.abc import Callable, Mapping
from pathlib import Path

import psutil
import pytest

from tests.e2e.planted_keys import KEY
from tests.e2e.terminal import Terminal

MARK = "first-picture"
"""The picture belongs to starts with the same variables."""
PAUSE_S = 0.02
STARTS = int(os.environ.get("CARAMELO_TEST_STARTS", "2"))
"""Ten for whoever changes the hand-over."""


@pytest.fixture
def start(program: str, user: Mapping[str, str], project: Path) -> "Start":
    """Opens the app after a start that kept its picture."""
    start = Start(program, user, project)
    with start.again() as terminal:
        terminal.wait_until(lambda: bool(start.pictures()), "no picture was kept")
        terminal.wait_for("  review  ")
        start.quit(terminal)
    return start


class Start:
    """Starts with the same words in the same folder."""

    def __init__(self, program: str, user: Mapping[str, str], project: Path) -> None:
        self._command = [program, "--provider", "anthropic", "--model", "m", "--trust"]
        self._user = {**user, "ANTHROPIC_API_KEY": KEY}
        self._project = project

    def again(self, *, size: tuple[int, int] = (80, 24)) -> Terminal:
        return Terminal(
            self._command, cwd=self._project, environment=self._user, size=size, mark=MARK
        )

    def pictures(self) -> list[Path]:
        folder = Path(self._user["CARAMELO_HOME"]) / "frames"
        return sorted(folder.iterdir()) if folder.exists() else []

    @staticmethod
    def quit(terminal: Terminal) -> None:
        terminal.press("C-c")
        terminal.wait_for("again quits")
        terminal.press("C-c")
        assert terminal.wait_for_end() == 0
        terminal.check_restored()


def test_no_key_is_lost_from_the_first_moment_on(start: Start) -> None:
    for _ in range(STARTS):
        with start.again() as terminal:
            typed = ""
            while "  review  " not in terminal.screen():
                sign = "abcdefghijklmnopqrstuvwxyz"[len(typed) % 26]
                terminal.type(sign)
                typed += sign
                terminal.wait_until_quiet(PAUSE_S)
            terminal.wait_for(shows(typed))
            terminal.press("C-c")
            terminal.wait_for("again quits")
            terminal.press("C-c")
            assert terminal.wait_for_end() == 0
            terminal.check_restored()


def shows(typed: str) -> Callable[[str], bool]:
    return lambda screen: typed in as_text(screen)


def as_text(screen: str) -> str:
    """Return what stands in the prompt, without its wraps."""
    return "".join(line.strip("┃ ") for line in screen.splitlines() if line.startswith("┃"))


@pytest.mark.parametrize(
    ("number", "code"), [(signal.SIGTERM, 143), (signal.SIGINT, 130), (signal.SIGHUP, 129)]
)
def test_a_signal_gives_the_terminal_back(start: Start, number: int, code: int) -> None:
    with start.again() as terminal:
        terminal.wait_until(lambda: terminal.is_alternate_screen, "no picture came")
        psutil.Process(terminal.pid).send_signal(number)
        assert terminal.wait_for_end() == code
        terminal.check_restored()


def test_a_setting_that_is_wrong_now_is_said_on_the_shells_screen(
    start: Start, user: Mapping[str, str]
) -> None:
    settings = Path(user["CARAMELO_HOME"]) / "config.toml"
    settings.write_text("theme = 1\n")
    with start.again() as terminal:
        assert terminal.wait_for_end() == 2
        assert "theme" in terminal.screen()
        terminal.check_restored()


def test_another_size_has_no_picture_and_starts_all_the_same(start: Start) -> None:
    with start.again(size=(100, 30)) as terminal:
        terminal.wait_for("  review  ")
        start.quit(terminal)
    assert len(start.pictures()) == 1
