"""Start the installed program in a pseudo terminal and time what is seen.

Owns the terminal and the clock; what is measured stands in ``run.py``.
"""

import fcntl
import os
import pty
import select
import signal
import struct
import subprocess
import sys
import tempfile
import termios
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import pyte

COLUMNS, ROWS = 120, 40
"""Size of the terminal in cells."""
LIMIT_S = 20.0
"""A start that takes longer is a failure."""


def program() -> list[str]:
    """Return the command of the program that this environment has installed."""
    return [str(Path(sys.executable).parent / "caramelo")]


def environment(home: Path) -> dict[str, str]:
    """Return the variables of a user without keys, with ``home`` as the program's folder."""
    kept = {name: os.environ[name] for name in ("PATH", "LANG", "LC_ALL") if name in os.environ}
    return {
        **kept,
        "HOME": str(home),
        "CARAMELO_HOME": str(home / "caramelo"),
        "TERM": "xterm-256color",
        "COLORTERM": "truecolor",
        "LC_ALL": "C.UTF-8",
    }


def time_to_end(arguments: Sequence[str]) -> float:
    """Return the seconds a run of the program takes from start to end."""
    with tempfile.TemporaryDirectory() as home:
        variables = environment(Path(home))
        start = time.perf_counter()
        subprocess.run([*program(), *arguments], check=True, capture_output=True, env=variables)
        return time.perf_counter() - start


class ProgramInTerminal:
    """One start of the app in a pseudo terminal; a context manager that ends it."""

    def __init__(
        self,
        arguments: Sequence[str] = (),
        *,
        command: Sequence[str] | None = None,
        folder: Path | None = None,
        home: Path | None = None,
        variables: Mapping[str, str] | None = None,
    ) -> None:
        """Take what is started.

        Args:
            arguments: For the installed program.
            command: Another program instead, found from the present folder.
            folder: Where it starts; a fresh home when left out.
            home: One that has been used before; a fresh one when left out.
            variables: More of them.
        """
        self._command = [*program(), *arguments] if command is None else [*command]
        self._folder = folder if command is None else Path.cwd()
        self._home = tempfile.TemporaryDirectory()
        self._environment = environment(home or Path(self._home.name)) | dict(variables or {})
        self._screen = pyte.Screen(COLUMNS, ROWS)
        self._stream = pyte.ByteStream(self._screen)
        self._terminal = -1
        self._process: subprocess.Popen[bytes] | None = None
        self.started_at = 0.0
        self.bytes_seen = 0

    def __enter__(self) -> "ProgramInTerminal":
        """Start the program."""
        self._terminal, theirs = pty.openpty()
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))
        self.started_at = time.perf_counter()
        self._process = subprocess.Popen(
            self._command,
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            env=self._environment,
            cwd=self._folder or self._home.name,
            start_new_session=True,
        )
        os.close(theirs)
        return self

    def __exit__(self, *_: object) -> None:
        """End the program and its group."""
        if self._process is not None:
            os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()
        os.close(self._terminal)
        self._home.cleanup()

    @property
    def pid(self) -> int:
        """Process id of the program."""
        assert self._process is not None
        return self._process.pid

    def press(self, keys: bytes) -> None:
        """Send bytes as the terminal would."""
        os.write(self._terminal, keys)

    def wait_for(self, holds: Callable[[str], bool], *, limit_s: float = LIMIT_S) -> float:
        """Return the seconds since the start until the screen's text holds.

        Raises:
            TimeoutError: If it does not within ``limit_s``; the message is the screen.
        """
        deadline = time.perf_counter() + limit_s
        while time.perf_counter() < deadline:
            self.read(0.05)
            if holds("\n".join(self._screen.display)):
                return time.perf_counter() - self.started_at
        message = "the screen did not come:\n" + "\n".join(self._screen.display)
        raise TimeoutError(message)

    def read(self, wait_s: float) -> int:
        """Take in what the program printed within ``wait_s``; return the bytes."""
        data = self.read_raw(wait_s)
        self._stream.feed(data)
        return len(data)

    def read_raw(self, wait_s: float) -> bytes:
        """Take in the same without drawing it, which costs more time than the program takes."""
        ready, _, _ = select.select([self._terminal], [], [], wait_s)
        data = os.read(self._terminal, 1 << 16) if ready else b""
        self.bytes_seen += len(data)
        return data
