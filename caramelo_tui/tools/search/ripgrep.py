"""Find and run ripgrep, so that nothing but its arguments decides what it does.

Owns where the program is, its fixed options, its start with a fresh environment and no
configuration, the reading of its exit status (0, 1 and 2 are three answers) and its end. What it
searches it is given through standard input: it opens files by path only to list names. Blocks;
called from threads. Proven by tests/unit/tools/search/test_ripgrep.py.
"""

import contextlib
import os
import resource
import selectors
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Generator, Sequence
from dataclasses import dataclass
from pathlib import Path

from caramelo_tui.domain.errors import ToolFailure
from caramelo_tui.domain.system_faults import advice_for
from caramelo_tui.tools.child_start import StartPlace, readable
from caramelo_tui.tools.search.regex_process import Watch
from caramelo_tui.tools.search_path import safe_search_path

_FIXED_OPTIONS = ("--no-config", "--color=never", "--no-heading")
MEMORY_LIMIT_BYTES = 2_147_483_648
"""Address space of one run (2 GB)."""
_LOOK_AT_STOP_S = 0.05
_READ_BYTES = 65_536
_LONGEST_ERROR_BYTES = 65_536
PARTLY_FAILED = 2
"""Status of a run that could not do all that it was asked for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RipgrepAnswer:
    """How a run ended."""

    stdout: bytes
    stderr: bytes
    """The start of it, at most 64 KB."""
    status: int
    """0: something was found; 1: nothing; 2: something went wrong, even where there is output;
    negative: the signal that ended it."""

    @property
    def has_failed(self) -> bool:
        """Whether the output may not be all."""
        return self.status not in {0, 1}


class Ripgrep:
    """The search program of this machine; threads may share it."""

    def __init__(self, program: Path | None) -> None:
        """Take the program, or ``None`` where there is none (see ``find_ripgrep``)."""
        self._program = program

    @property
    def is_available(self) -> bool:
        """Whether there is a program to run."""
        return self._program is not None

    @contextlib.contextmanager
    def start(
        self,
        options: Sequence[str],
        *,
        text: bytes = b"",
        folder: StartPlace | None = None,
    ) -> "Generator[RipgrepRun]":
        """Run it while the block lasts; what still runs at its end is killed.

        Args:
            options: What follows the fixed options; patterns after ``-e``, paths after ``--``.
            text: What is on standard input; nothing when left out.
            folder: Where it starts; ``/`` when left out.

        Yields:
            The run, at work already.

        Raises:
            ToolFailure: If it cannot be started.
        """
        if self._program is None:
            raise ToolFailure("ripgrep (rg) is not installed.")
        with readable(text) as source:
            try:
                process = subprocess.Popen(  # noqa: S603 - an argument list, no shell
                    [str(self._program), *_FIXED_OPTIONS, *options],
                    stdin=source,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.PIPE,
                    env={},
                    cwd="/" if folder is None else folder.for_child,
                    start_new_session=True,
                    bufsize=0,
                )
            except (OSError, ValueError) as error:
                # A NUL or half a character stands on no command line.
                msg = f"ripgrep could not be started: {error}{advice_for(error)}."
                raise ToolFailure(msg) from error
            _limit_memory(process.pid)
            run = RipgrepRun(process)
            try:
                yield run
            finally:
                run.end()


class RipgrepRun:
    """One run."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        """Take the started process."""
        self._process = process

    @property
    def pid(self) -> int:
        """Process id, for tests and diagnostics."""
        return self._process.pid

    def answer(self, watch: Watch) -> RipgrepAnswer:
        """Wait for its end and return what it wrote.

        Raises:
            SearchTimedOut: If the time is up.
            Stopped: If the call was cancelled.
        """
        written = self._read_all(watch)
        while True:
            try:
                status = self._process.wait(min(watch.remaining_s(), _LOOK_AT_STOP_S))
                break
            except subprocess.TimeoutExpired:
                continue
        stdout, stderr = written
        return RipgrepAnswer(
            stdout=bytes(stdout),
            stderr=bytes(stderr[:_LONGEST_ERROR_BYTES]),
            status=status,
        )

    def end(self) -> None:
        """Kill it if it still runs, and close its pipes; idempotent."""
        self._process.kill()
        self._process.wait()
        for pipe in (self._process.stdout, self._process.stderr):
            if pipe is not None:
                pipe.close()

    def _read_all(self, watch: Watch) -> tuple[bytearray, bytearray]:
        written = bytearray(), bytearray()
        with selectors.DefaultSelector() as selector:
            for pipe, sink in zip(
                (self._process.stdout, self._process.stderr), written, strict=True
            ):
                assert pipe is not None  # noqa: S101 - both pipes were asked for
                selector.register(pipe, selectors.EVENT_READ, sink)
            while selector.get_map():
                for key, _ in selector.select(min(watch.remaining_s(), _LOOK_AT_STOP_S)):
                    chunk = os.read(key.fd, _READ_BYTES)
                    key.data.extend(chunk)
                    if not chunk:
                        selector.unregister(key.fileobj)
        return written


def find_ripgrep(search_path: str, *, outside: Path | None = None) -> Path | None:
    """Return the program: the one installed with this one, else one of the user's.

    Args:
        search_path: The user's ``PATH``.
        outside: The workspace, resolved: a program that it brings along is passed over.
    """
    scripts = [sysconfig.get_path("scripts"), sysconfig.get_path("scripts", f"{os.name}_user")]
    asked = safe_search_path(search_path, outside=outside)
    # An empty entry would mean the current folder.
    folders = os.pathsep.join(filter(None, (*scripts, asked)))
    found = shutil.which("rg", path=folders)
    return Path(found) if found else None


def _limit_memory(pid: int) -> None:
    """Bound the address space where the system can: an ignore file may be a link to anything."""
    if sys.platform == "linux":
        # It may have ended already.
        with contextlib.suppress(ProcessLookupError):
            resource.prlimit(pid, resource.RLIMIT_AS, (MEMORY_LIMIT_BYTES, MEMORY_LIMIT_BYTES))
