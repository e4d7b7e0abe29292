"""Run the app in a terminal of its own, beside the event loop.

Owns the two ends of a pseudo-terminal, its size, and the end of what runs in it: the terminal is
taken away, as when its window is closed. Proven by tests/unit/serving/test_terminal_process.py.
"""

import asyncio
import errno
import fcntl
import os
import pty
import signal
import struct
import sys
import termios
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress

_PIECE_BYTES = 64 * 1024
_PATIENCE_S = 10.0
"""Seconds that the app has for its end before it is killed."""
_SIZES = range(1, 1001)
"""Columns or rows that a browser may ask for."""

# The new process makes the terminal its own. -P: the folder that it starts in is the user's
# project and must not be where modules are looked for.
_START = "import os, sys; os.login_tty(0); from caramelo_tui.cli import main; sys.exit(main())"


def app_command(arguments: Sequence[str]) -> tuple[str, ...]:
    """Return the command that opens the app in the terminal at its standard input."""
    return (sys.executable, "-P", "-c", _START, *arguments)


class TerminalProcess:
    """One process with its terminal."""

    def __init__(self, master: int, process: asyncio.subprocess.Process) -> None:
        """Take over the descriptor and the process; ``start`` makes both."""
        self._master = master
        self._process = process
        self._is_closed = False

    @classmethod
    async def start(
        cls, command: Sequence[str], *, environment: Mapping[str, str], size: tuple[int, int]
    ) -> "TerminalProcess":
        """Start a command in a new terminal.

        Args:
            command: It has to make the terminal its controlling one.
            environment: All its variables.
            size: Columns and rows.

        Raises:
            OSError: If there is no terminal left, or the program cannot be started.
        """
        master, slave = pty.openpty()
        try:
            os.set_blocking(master, False)
            _set_size(master, size)
            process = await asyncio.create_subprocess_exec(
                *command, stdin=slave, stdout=slave, stderr=slave, env=dict(environment)
            )
        except BaseException:
            os.close(master)
            raise
        finally:
            os.close(slave)
        return cls(master, process)

    async def read(self) -> bytes:
        """Return the next output; empty at its end.

        Raises:
            OSError: If the terminal fails in any other way than by its end.
        """
        while not self._is_closed:
            try:
                return os.read(self._master, _PIECE_BYTES)
            except BlockingIOError:
                await self._until_ready(self._loop.add_reader, self._loop.remove_reader)
            except OSError as error:
                # How Linux says that nobody has the other end any more.
                if error.errno != errno.EIO:
                    raise
                return b""
        return b""

    async def write(self, data: bytes) -> None:
        """Type; what comes after the end is dropped.

        Raises:
            OSError: If the terminal fails in any other way than by its end.
        """
        view = memoryview(data)
        while view and not self._is_closed:
            try:
                view = view[os.write(self._master, view) :]
            except BlockingIOError:
                await self._until_ready(self._loop.add_writer, self._loop.remove_writer)
            except OSError as error:
                if error.errno != errno.EIO:
                    raise
                return

    def resize(self, columns: int, rows: int) -> None:
        """Change the terminal's size; what is no size is left alone."""
        if not self._is_closed and columns in _SIZES and rows in _SIZES:
            _set_size(self._master, (columns, rows))

    async def end(self) -> int:
        """Take the terminal away, wait for the process and return its exit code; idempotent."""
        if not self._is_closed:
            self._is_closed = True
            self._loop.remove_reader(self._master)
            self._loop.remove_writer(self._master)
            os.close(self._master)
        try:
            return await asyncio.wait_for(self._process.wait(), _PATIENCE_S)
        except TimeoutError:
            with suppress(ProcessLookupError):
                self._process.send_signal(signal.SIGKILL)
            return await self._process.wait()

    @property
    def _loop(self) -> asyncio.AbstractEventLoop:
        return asyncio.get_running_loop()

    async def _until_ready(
        self,
        watch: Callable[[int, Callable[[], None]], None],
        leave: Callable[[int], bool],
    ) -> None:
        """Wait until the terminal can be read or written."""
        ready = asyncio.Event()
        watch(self._master, ready.set)
        try:
            await ready.wait()
        finally:
            if not self._is_closed:
                leave(self._master)


def _set_size(descriptor: int, size: tuple[int, int]) -> None:
    columns, rows = size
    fcntl.ioctl(descriptor, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
