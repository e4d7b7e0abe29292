"""Drive the installed program in a real terminal, by tmux.

Owns one tmux server per test on a socket of its own; looks at the screen until a condition
holds and never waits for a fixed time. What the program started and left behind is found by a
mark in its environment, ended, and told.
"""

import os
import shutil
import signal
import subprocess
import tempfile
import threading
import time
import uuid
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Self

import psutil

from tests.e2e.planted_keys import note_printed

LOOK_INTERVAL_S = 0.05
"""Time between two looks at the screen."""
GUARD_S = 0.7
"""Questions take no answer for half a second after they came and after any key."""
DEFAULT_LIMIT_S = 30.0
"""A screen that has not come by then will not come."""
WORD_PAUSE_S = 0.15
"""Time between two words of fast typing; well below the guard's half second."""
PATIENCE_S = 6.0
"""A key that has had no effect by then was taken for an accident."""
MARK_VARIABLE = "CARAMELO_TERMINAL"
"""Marks everything that was started in a terminal of a test."""


class Terminal:
    """A terminal of a fixed size with one program in it."""

    def __init__(
        self,
        command: Sequence[str],
        *,
        cwd: Path,
        environment: Mapping[str, str],
        size: tuple[int, int] = (80, 24),
        mark: str = "",
    ) -> None:
        if shutil.which("tmux") is None:
            message = "tmux is missing; install it to run the end-to-end tests"
            raise RuntimeError(message)
        self._socket = f"caramelo-{uuid.uuid4().hex[:10]}"
        self._command = tuple(command)
        self._cwd = cwd
        # The first picture is kept for starts with the same variables; this is one of them.
        self._mark = mark or uuid.uuid4().hex
        self._environment = {**environment, MARK_VARIABLE: self._mark}
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

        tmux 3.3 tells the code of a dead pane only sometimes. A program that leaves ctrl+c to the
        terminal shares it with this shell, which has to outlive it.
        """
        script = (
            'trap : INT; file=$1; shift; "$@"; '
            'echo $? > "$file.new"; mv "$file.new" "$file"; exec cat'
        )
        return ["/bin/sh", "-c", script, "sh", str(self._exit_file), *self._command]

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if error is not None and isinstance(error, Exception):
            error.add_note(
                f"the last screen:\n{self._tmux('capture-pane', '-p', is_checked=False)}"
            )
        note_printed(
            self._tmux("capture-pane", "-p", "-S", "-", is_checked=False), "on the last screen"
        )
        # The terminal goes, as when its window is closed; the program has to end by itself.
        self._tmux("kill-server", is_checked=False)
        self._folder.cleanup()
        left = self._end_what_is_left()
        if error is None:
            assert not left, f"left behind: {left}"

    def marked_processes(self) -> dict[int, str]:
        """Return what was started in this terminal and lives: process id to command line."""
        return marked_processes(MARK_VARIABLE, self._mark)

    def _end_what_is_left(self) -> dict[int, str]:
        deadline = time.monotonic() + DEFAULT_LIMIT_S
        while (left := self.marked_processes()) and time.monotonic() < deadline:
            self._pause.wait(LOOK_INTERVAL_S)
        for pid in left:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        return left

    def press(self, *keys: str) -> None:
        """Press keys by tmux's names, such as ``Enter``, ``C-c``, ``F1``, ``a``."""
        self._tmux("send-keys", *keys)

    def answer(self, key: str, effect: Callable[[str], bool]) -> None:
        """Press a key that answers a question, until the answer is taken.

        The questions of the start do not say when they are ready; a busy machine may draw one
        so late that its guard has not run out yet.

        Args:
            key: The answer.
            effect: Holds for the screen once the answer was taken.
        """
        for _ in range(4):
            self._pause.wait(GUARD_S)
            self.press(key)
            with suppress(AssertionError):
                self.wait_for(effect, limit_s=PATIENCE_S)
                return
        self.wait_for(effect, limit_s=0)

    def answer_command(self, command: str, key: str) -> None:
        """Press a key that answers the question about a command, once that is ready.

        Returns once the answer is taken: a key that follows it within the same moment may still
        belong to the question, which drops it.

        Args:
            command: Its first line or the start of it.
            key: The answer.
        """

        def is_ready(screen: str) -> bool:
            return f"$ {command}" in screen and "ready: y runs it once" in screen

        self.wait_for(is_ready)
        self.press(key)
        self.wait_for(lambda screen: not is_ready(screen))

    def decide(self, key: str, *, undecided: int) -> None:
        """Press a key that decides a hunk, and wait until only so many are undecided."""
        # While a review that came into the focused pane takes no keys, that is said instead; before
        # the pane has the focus, the key is the prompt's.
        self.wait_for(lambda screen: "a accept  r reject" in screen and "▶ 3 Changes" in screen)
        self.press(key)
        self.wait_for(f"· {undecided} undecided")

    def type(self, text: str) -> None:
        """Type a text literally."""
        self._tmux("send-keys", "-l", text)

    def rest(self) -> None:
        """Let a moment pass, as between two words that a person types."""
        self._pause.wait(WORD_PAUSE_S)

    def wait_until_quiet(self, seconds: float) -> None:
        """Type nothing for so long, as a guard asks for it."""
        self._pause.wait(seconds)

    def paste(self, text: str) -> None:
        """Paste a text, bracketed where the program asked for it."""
        subprocess.run(
            ["tmux", "-L", self._socket, "load-buffer", "-"], input=text.encode(), check=True
        )
        # -r: without it tmux makes carriage returns of the line ends.
        self._tmux("paste-buffer", "-p", "-r")

    def resize(self, columns: int, rows: int) -> None:
        """Change the terminal's size."""
        self._tmux("resize-window", "-x", str(columns), "-y", str(rows))

    def close_window(self) -> None:
        """Take the terminal away, as closing its window does."""
        self._tmux("kill-server")

    def screen(self) -> str:
        """Return the text on the screen, one line per row, trailing blanks cut."""
        screen = self._tmux("capture-pane", "-p")
        note_printed(screen, "on a screen")
        return screen

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

    def wait_until(
        self, holds: Callable[[], bool], words: str, *, limit_s: float = DEFAULT_LIMIT_S
    ) -> None:
        """Return as soon as something beside the screen holds, such as a file's content.

        Raises:
            AssertionError: With ``words``, if it does not within ``limit_s``.
        """
        deadline = time.monotonic() + limit_s
        while not holds():
            assert time.monotonic() < deadline, f"{words}, not within {limit_s:.0f} s"
            self._pause.wait(LOOK_INTERVAL_S)

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

    def check_restored(self) -> None:
        """Look whether the terminal is as a shell wants it.

        Raises:
            AssertionError: Naming what is not.
        """
        assert not self.is_alternate_screen
        assert self._pane("#{cursor_flag}") == "1", "the cursor is hidden"
        assert self._pane("#{mouse_any_flag}") == "0", "the mouse is still reported"
        assert self._pane("#{keypad_flag}") == "0"
        settings = self.line_settings()
        missing = {"echo", "icanon", "isig", "icrnl", "opost", "ixon"} - settings
        assert not missing, f"stty says -{', -'.join(missing)}"

    def line_settings(self) -> frozenset[str]:
        """Return what ``stty -a`` says of the terminal, such as ``echo`` or ``-echo``."""
        done = subprocess.run(
            ["stty", "-a", "-F", self._pane("#{pane_tty}")],
            check=True,
            capture_output=True,
            text=True,
        )
        return frozenset(done.stdout.replace(";", " ").split())

    def title(self) -> str:
        """Return the title that was set last."""
        return self._pane("#{pane_title}")

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


def marked_processes(variable: str, value: str) -> dict[int, str]:
    """Return living processes that were started with this variable: id to command line."""
    wanted = f"{variable}={value}".encode()
    found: dict[int, str] = {}
    for folder in Path("/proc").iterdir():
        if not folder.name.isdecimal():
            continue
        # Processes come and go while they are looked at; a zombie has no environment.
        with suppress(OSError):
            if wanted in (folder / "environ").read_bytes().split(b"\0"):
                words = (folder / "cmdline").read_bytes().split(b"\0")
                found[int(folder.name)] = b" ".join(words).decode("utf-8", "replace").strip()
    return found
