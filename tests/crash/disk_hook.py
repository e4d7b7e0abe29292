"""Step in before each change of the disk: end the process there, or let the step fail.

Python tells its audit hooks of every file that is made, renamed, linked, removed or cut, and of
every folder; the file layer tells of each write and each sync. A hook cannot be taken off again:
it is put in by processes that end soon.
"""

import errno
import os
import signal
import sys
import threading
from dataclasses import dataclass, field

from caramelo_tui.workspace.disk_steps import SYNC_STEP, WRITE_STEP

_CHANGING = frozenset(
    {"os.rename", "os.remove", "os.link", "os.mkdir", "os.rmdir", "os.truncate", "os.chmod"}
    | {WRITE_STEP, SYNC_STEP}
)


@dataclass(frozen=True)
class Fault:
    """Where something happens, and what."""

    step: int
    """From 1; 0: nowhere."""
    error: int = 0
    """Number of the error that the step ends with; 0: the process is killed."""
    share: float = 0.5
    """How much of a write is done before that, from 0 to 1."""


@dataclass
class DiskHook:
    """Counts the steps of this process."""

    fault: Fault
    steps: list[str] = field(default_factory=list[str])
    lock: threading.Lock = field(default_factory=threading.Lock)

    def install(self) -> None:
        """Count from now on."""
        sys.addaudithook(self._hear)

    def _hear(self, event: str, arguments: tuple[object, ...]) -> None:
        if event == "open":
            flags = arguments[2]
            if not isinstance(flags, int) or not flags & os.O_CREAT:
                return
        elif event not in _CHANGING:
            return
        with self.lock:
            self.steps.append(f"{event} {arguments[0]!r}")
            is_here = len(self.steps) == self.fault.step
        if is_here:
            self._strike(event, arguments)

    def _strike(self, event: str, arguments: tuple[object, ...]) -> None:
        if event == WRITE_STEP:
            descriptor, data = arguments
            if isinstance(descriptor, int) and isinstance(data, bytes):
                os.write(descriptor, data[: int(len(data) * self.fault.share)])
        if not self.fault.error:
            os.kill(os.getpid(), signal.SIGKILL)
        raise OSError(self.fault.error, os.strerror(self.fault.error))


ERRORS = (errno.EIO, errno.ENOSPC)
"""What a disk that fails, or is full, answers."""
