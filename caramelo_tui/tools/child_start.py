"""Start one child process.

Owns what a child is started with and where, and how it is cut loose from this program: a session
of its own, no open files, and nothing to read but what the caller hands it. Watches and ends
nothing. Proven by tests/unit/tools/test_subprocesses.py.
"""

import os
import subprocess
import tempfile
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from caramelo_tui.domain.agent_events import OutputStream
from caramelo_tui.tools.child_environment import ChildEnvironment
from caramelo_tui.tools.output_capture import OutputCapture


@dataclass(frozen=True, slots=True)
class StartPlace:
    """Where a child starts."""

    path: Path
    """Absolute."""
    descriptor: int | None = None
    """Open descriptor of the folder, where the caller has one."""

    @property
    def for_child(self) -> str:
        """The folder as the child is to enter it: the open one where the system can.

        It is the folder that was checked, whatever the path means by now.
        """
        if self.descriptor is not None and Path("/proc/self/fd").is_dir():
            return f"/proc/self/fd/{self.descriptor}"
        return str(self.path)


@dataclass(frozen=True, slots=True, kw_only=True)
class ChildStart:
    """One program, and what it is started with."""

    command: Sequence[str]
    """Program and arguments; no shell is put in between."""
    place: StartPlace
    """Where the system can, it starts in the very folder that is open, whatever its path means
    by now."""
    environment: ChildEnvironment | None = None
    """What this child may see, where it is not what all others see."""
    standard_input: bytes = b""
    """All that the program can read there."""


def start_child(
    start: ChildStart, variables: Mapping[str, str], capture: OutputCapture
) -> subprocess.Popen[bytes]:
    """Start a program in a session of its own.

    Args:
        start: The program.
        variables: Its whole environment.
        capture: Takes both of its streams.

    Raises:
        OSError: If it could not be started.
        ValueError: If an argument or variable has a NUL character.
    """
    # Short and on the loop: fork and exec take a few milliseconds, and CPython holds the
    # interpreter lock meanwhile anyway, so that a thread would win nothing.
    with readable(start.standard_input) as source:
        return subprocess.Popen(  # noqa: S603 - an argument list; the user approved the command
            list(start.command),
            cwd=start.place.for_child,
            env=dict(variables),
            stdin=source,
            stdout=capture.pumps[OutputStream.STDOUT].write_end,
            stderr=capture.pumps[OutputStream.STDERR].write_end,
            start_new_session=True,
            close_fds=True,
        )


@contextmanager
def readable(data: bytes) -> Generator[int]:
    """Hold what a child reads on standard input in a file without a name.

    Not a pipe: nobody has to feed it, and the child reads at its own pace.

    Yields:
        The descriptor, at the start of ``data``; the null device for nothing.
    """
    if not data:
        yield subprocess.DEVNULL
        return
    with _nameless_file() as file:
        file.write(data)
        file.seek(0)
        yield file.fileno()


def _nameless_file() -> BinaryIO:
    if hasattr(os, "memfd_create"):
        return os.fdopen(os.memfd_create("input", os.MFD_CLOEXEC), "w+b")
    # Private and without a name as well, but on a disk.
    return tempfile.TemporaryFile()
