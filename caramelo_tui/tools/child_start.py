"""Start one child process.

Owns where a child starts and how it is cut loose from this program: a session of its own, no
open files, and nothing to read but what the caller hands it. Watches and ends nothing. Proven by
tests/unit/tools/test_subprocesses.py.
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
from caramelo_tui.tools.output_capture import OutputCapture


@dataclass(frozen=True, slots=True)
class StartPlace:
    """Where a child starts."""

    path: Path
    """Absolute."""
    descriptor: int | None
    """Open descriptor of the folder, where the caller has one."""

    @property
    def for_child(self) -> str:
        """The folder as the child is to enter it: the open one where the system can.

        It is the folder that was checked, whatever the path means by now.
        """
        if self.descriptor is not None and Path("/proc/self/fd").is_dir():
            return f"/proc/self/fd/{self.descriptor}"
        return str(self.path)


def start_child(
    command: Sequence[str],
    place: StartPlace,
    variables: Mapping[str, str],
    capture: OutputCapture,
    *,
    standard_input: bytes = b"",
) -> subprocess.Popen[bytes]:
    """Start a program in a session of its own.

    Args:
        command: Program and arguments.
        place: Where it starts.
        variables: Its whole environment.
        capture: Takes both of its streams.
        standard_input: All that it can read there.

    Raises:
        OSError: If it could not be started.
        ValueError: If an argument or variable has a NUL character.
    """
    # Short and on the loop: fork and exec take a few milliseconds, and CPython holds the
    # interpreter lock meanwhile anyway, so that a thread would win nothing.
    with readable(standard_input) as source:
        return subprocess.Popen(  # noqa: S603 - an argument list; the user approved the command
            list(command),
            cwd=place.for_child,
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
