"""Drive the installed program in a real terminal, by tmux.

Owns one tmux server per test on a socket of its own; looks at the screen until a condition
holds and never waits for a fixed time.
"""

import os
import shutil
import subprocess
import tempfile
import threading
import time
import uuid
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

import psutil

LOOK_INTERVAL_S = 0.05
"""Time between two looks at the screen."""
GUARD_S = 0.7
"""Questions take no answer for half a second after they came and after any key."""
DEFAULT_LIMIT_S = 30.0
"""A screen that has not come by then will not come."""


class Terminal:
    """A terminal of a fixed size with one program in it."""

    def __init__(
        self,
        command: Sequence[str],
        *,
        cwd: Path,
        environment: Mapping[str, str],
        size: tuple[int, int] = (80, 24),
    ) -> None:
        if shutil.which("tmux") is None:
            message = "tmux is missing; install it to run the end-to-end tests"
            raise RuntimeError(message)
        self._socket = f"caramelo-{uuid.uuid4().hex[:10]}"
        self._command = tuple(command)
        self._cwd = cwd
        self._environment = dict(environment)
        self._size = size
        self._pause = threading.Event()
        self._folder = tempfile.TemporaryDirectory()
        self._exit_file = Path(self._folder.name) / "exit-code"

    def __enter__(self) -> Self:
        columns, rows = self._size
        settings = [
            part for name, text in self._environment.items() for part in ("-e", f"{name}={text}")
        ]
        self._tmux(
            "new-session",
            "-d",
            "-x",
            str(columns),
            "-y",
            str(rows),
            "-c",
            str(self._cwd),
            *settings,
            "cat",
        )
        self._tmux("set-option", "-g", "escape-time", "0")
        self._tmux("set-option", "-g", "history-limit", "2000")
        self._tmux("respawn-pane", "-k", "-c", str(self._cwd), *settings, *self._with_exit_code())
        return self

    def _with_exit_code(self) -> list[str]:
        """Return the command in a shell that keeps its exit code and the terminal after it.

        tmux 3.3 tells the code of a dead pane only sometimes.
        """
        script = 'file=$1; shift; "$@"; echo $? > "$file.new"; mv "$file.new" "$file"; exec cat'
        return ["/bin/sh", "-c", script, "sh", str(self._exit_file), *self._command]

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if error is not None and isinstance(error, Exception):
            error.add_note(f"the last screen:\n{self.screen()}")
        self._tmux("kill-server", is_checked=False)
        self._folder.cleanup()

    def press(self, *keys: str) -> None:
        """Press keys by tmux's names, such as ``Enter``, ``C-c``, ``F1``, ``a``."""
        self._tmux("send-keys", *keys)

    def answer(self, key: str) -> None:
        """Press a key that answers a question: not before the question's guard has run out."""
        self._pause.wait(GUARD_S)
        self.press(key)

    def type(self, text: str) -> None:
        """Type a text literally."""
        self._tmux("send-keys", "-l", text)

    def paste(self, text: str) -> None:
        """Paste a text, bracketed where the program asked for it."""
        subprocess.run(
            ["tmux", "-L", self._socket, "load-buffer", "-"], input=text.encode(), check=True
        )
        self._tmux("paste-buffer", "-p")

    def resize(self, columns: int, rows: int) -> None:
        """Change the terminal's size."""
        self._tmux("resize-window", "-x", str(columns), "-y", str(rows))

    def screen(self) -> str:
        """Return the text on the screen, one line per row, trailing blanks cut."""
        return self._tmux("capture-pane", "-p")

    def wait_for(
        self, wanted: str | Callable[[str], bool], *, limit_s: float = DEFAULT_LIMIT_S
    ) -> str:
        """Return the screen as soon as it holds ``wanted``.

        Raises:
            AssertionError: If it does not within ``limit_s``.
        """
        holds = (lambda screen: wanted in screen) if isinstance(wanted, str) else wanted
        deadline = time.monotonic() + limit_s
        while not holds(screen := self.screen()):
            if time.monotonic() > deadline:
                message = f"{wanted!r} did not come within {limit_s:.0f} s:\n{screen}"
                raise AssertionError(message)
            self._pause.wait(LOOK_INTERVAL_S)
        return screen

    def wait_for_end(self, *, limit_s: float = DEFAULT_LIMIT_S) -> int:
        """Return the program's exit code once it has ended.

        Raises:
            AssertionError: If it does not end within ``limit_s``.
        """
        deadline = time.monotonic() + limit_s
        while not self._exit_file.exists():
            if time.monotonic() > deadline:
                message = f"the program did not end within {limit_s:.0f} s:\n{self.screen()}"
                raise AssertionError(message)
            self._pause.wait(LOOK_INTERVAL_S)
        return int(self._exit_file.read_text())

    @property
    def pid(self) -> int:
        """Process id of the program."""
        (program,) = psutil.Process(int(self._pane("#{pane_pid}"))).children()
        return program.pid

    @property
    def is_alternate_screen(self) -> bool:
        """Whether the program is on the alternate screen."""
        return self._pane("#{alternate_on}") == "1"

    def _pane(self, form: str) -> str:
        return self._tmux("display-message", "-p", form).strip()

    def _tmux(self, *arguments: str, is_checked: bool = True) -> str:
        done = subprocess.run(
            ["tmux", "-L", self._socket, "-f", "/dev/null", *arguments],
            check=is_checked,
            capture_output=True,
            text=True,
            errors="replace",
            # Given explicitly: readline, loaded by the test runner, sets COLUMNS and LINES
            # behind Python's back, and the program would believe them.
            env=dict(os.environ),
        )
        return done.stdout
