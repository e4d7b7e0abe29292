"""The app on a real terminal: early keys, first paint, and how it leaves.

Each test starts a process of its own on a pseudo terminal.
"""

import json
import os
import pty
import select
import signal
import subprocess
import sys
import termios
import textwrap
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

_PROGRAM = textwrap.dedent(
    """
    import json, sys
    from pathlib import Path
    from caramelo_tui.ui.start import run_app
    from caramelo_tui.ui.start_plan import StartPlan
    from tests.doubles.fake_agent import FakeAgent

    agent = FakeAgent()

    async def build():
        Path(sys.argv[1]).write_text(json.dumps(sorted(sys.modules)))
        return agent

    code = run_app(StartPlan(workspace=Path("/home/project"), build_agent=build))
    Path(sys.argv[2]).write_text(json.dumps(agent.submitted))
    sys.exit(code)
    """
)
_PATIENCE_S = 20.0
_LEAVES_ALTERNATE_SCREEN = b"\x1b[?1049l"
_SHOWS_CURSOR = b"\x1b[?25h"
_ENDS_PASTE_MODE = b"\x1b[?2004l"


class Terminal:
    """A process on a pseudo terminal."""

    def __init__(self, folder: Path) -> None:
        self.modules = folder / "modules.json"
        self.submitted = folder / "submitted.json"
        self._master, slave = pty.openpty()
        termios.tcsetwinsize(slave, (24, 80))
        self._slave = slave
        self.attributes = termios.tcgetattr(slave)
        environment = {**os.environ, "TERM": "xterm-256color"}
        self.process = subprocess.Popen(
            [sys.executable, "-c", _PROGRAM, str(self.modules), str(self.submitted)],
            stdin=slave,
            stdout=slave,
            stderr=slave,
            env=environment,
            cwd=Path(__file__).parents[2],
            start_new_session=True,
        )
        self.output = b""

    def read_until(self, mark: bytes) -> None:
        """Read what the program draws until a text is in it."""
        deadline = time.monotonic() + _PATIENCE_S
        while mark not in self.output:
            assert time.monotonic() < deadline, self.output[-2000:]
            self._read_some()

    def read_to_end(self) -> int:
        """Read until the program ends; return its exit code."""
        deadline = time.monotonic() + _PATIENCE_S
        while self.process.poll() is None:
            assert time.monotonic() < deadline, self.output[-2000:]
            self._read_some()
        self._read_some()
        return self.process.returncode

    def type(self, text: str) -> None:
        os.write(self._master, text.encode())

    def attributes_now(self) -> list[object]:
        return list(termios.tcgetattr(self._slave))

    def close(self) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        os.close(self._master)
        os.close(self._slave)

    def _read_some(self) -> None:
        ready, _, _ = select.select([self._master], [], [], 0.1)
        if ready:
            self.output += os.read(self._master, 65_536)


@pytest.fixture
def terminal(tmp_path: Path) -> Iterator[Terminal]:
    opened = Terminal(tmp_path)
    yield opened
    opened.close()


def assert_restored(terminal: Terminal) -> None:
    for sequence in (_LEAVES_ALTERNATE_SCREEN, _SHOWS_CURSOR, _ENDS_PASTE_MODE):
        assert sequence in terminal.output
    assert terminal.attributes_now() == terminal.attributes


def test_keys_typed_from_the_start_on_are_all_there(terminal: Terminal) -> None:
    for character in "early keys are kept":
        terminal.type(character)
        terminal._read_some()
    terminal.read_until(b"claude-test")
    terminal.type("\r")
    terminal.read_until(b"turn" if b"turn" in terminal.output else b"working")
    terminal.type("\x03")
    terminal.read_until(b"again quits")
    terminal.type("\x03")
    assert terminal.read_to_end() == 0
    assert json.loads(terminal.submitted.read_text()) == ["early keys are kept"]
    assert_restored(terminal)


def test_alt_with_a_digit_jumps_and_types_nothing(terminal: Terminal) -> None:
    terminal.read_until(b"claude-test")
    terminal.type("\x1b4")
    terminal.read_until("▶ 4 Tools".encode())
    terminal.type("\x03\x03")
    assert terminal.read_to_end() == 0
    assert "¢".encode() not in terminal.output


def test_nothing_heavy_is_imported_before_the_first_paint(terminal: Terminal) -> None:
    terminal.read_until(b"claude-test")
    loaded = {name.split(".")[0] for name in json.loads(terminal.modules.read_text())}
    heavy = {"anthropic", "openai", "jsonschema", "pydantic", "httpx2", "httpx", "markdown_it"}
    assert not loaded & heavy
    terminal.type("\x03\x03")
    assert terminal.read_to_end() == 0


@pytest.mark.parametrize(
    ("number", "code"), [(signal.SIGTERM, 143), (signal.SIGHUP, 129), (signal.SIGINT, 130)]
)
def test_a_signal_gives_the_terminal_back(
    terminal: Terminal, number: signal.Signals, code: int
) -> None:
    terminal.read_until(b"claude-test")
    terminal.process.send_signal(number)
    assert terminal.read_to_end() == code
    assert_restored(terminal)
