"""Hold the processes in which regular expressions run, and end them in time.

Owns start, talk, time limit and end of worker processes (R27). A worker is started when it is
first needed, kept warm and used again; one that is late or whose search was cancelled is
killed. Everything here blocks and is called from threads. Proven by
tests/unit/tools/search/test_regex_process.py.
"""

import contextlib
import importlib.util
import json
import os
import selectors
import subprocess
import sys
import threading
import time
from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import cast

from caramelo_tui.domain.errors import ToolFailure
from caramelo_tui.domain.system_faults import advice_for
from caramelo_tui.tools.leaf_threads import StopFlag, raise_if_stopped
from caramelo_tui.tools.search import regex_worker

TIME_LIMIT_S = 10.0
"""One search may take so long, however large the tree or bad the pattern."""
ALARM_GRACE_S = 5.0
"""After the time limit so long, a worker ends itself: its parent must be gone."""
KEPT_WORKERS = 2
"""Idle workers kept warm; about 15 MB each. More are started when searches run side by side."""

_LOOK_AT_STOP_S = 0.05
_KEPT_VARIABLES = ("LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH")
"""Some interpreters do not start without; nothing else of the environment is handed on."""
_READ_BYTES = 65_536


class PatternRefused(ToolFailure):
    """The engine does not take the pattern."""


class SearchTimedOut(Exception):
    """The time limit passed; the worker is dead."""


class WorkerDied(Exception):
    """The worker ended by itself, such as at its memory limit."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Watch:
    """When a search has to end."""

    deadline: float
    """Of ``time.monotonic``."""
    stop: StopFlag

    def remaining_s(self) -> float:
        """Return the time that is left.

        Raises:
            SearchTimedOut: If none is left.
            Stopped: If the call was cancelled.
        """
        raise_if_stopped(self.stop)
        remaining = self.deadline - time.monotonic()
        if remaining <= 0:
            raise SearchTimedOut
        return remaining


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """A line of a batch that matched."""

    index: int
    """File within the batch, from 0."""
    line: int
    """1-based."""


class RegexProcess:
    """One worker process."""

    def __init__(self, *, alarm_s: float) -> None:
        """Start the process.

        Args:
            alarm_s: Longest work on one message, after which it ends itself.

        Raises:
            ToolFailure: If it cannot be started.
        """
        command = [sys.executable, "-I", "-S", str(regex_worker.__file__)]
        try:
            self._process = subprocess.Popen(  # noqa: S603 - our own script, no argument of others
                [*command, _engine_folder(), str(alarm_s)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                env=_environment(),
                cwd="/",
                start_new_session=True,
                bufsize=0,
            )
        except OSError as error:
            msg = f"the search process could not be started: {error}{advice_for(error)}."
            raise ToolFailure(msg) from error
        assert self._process.stdin is not None  # noqa: S101 - both pipes were asked for
        assert self._process.stdout is not None  # noqa: S101 - as above
        self._stdin = self._process.stdin.fileno()
        self._stdout = self._process.stdout.fileno()
        for descriptor in (self._stdin, self._stdout):
            os.set_blocking(descriptor, False)

    @property
    def pid(self) -> int:
        """Process id, for tests and diagnostics."""
        return self._process.pid

    def set_pattern(
        self, pattern: str, flags: str, watch: Watch, *, asks_whole: bool = False
    ) -> None:
        """Compile a pattern for the batches that follow.

        Args:
            pattern: JavaScript RegExp source.
            flags: Its flags.
            watch: Ends the wait.
            asks_whole: Whether no match in a whole file means none in any of its lines.

        Raises:
            PatternRefused: With the engine's message.
            SearchTimedOut: If it took too long.
            WorkerDied: If the process ended.
            Stopped: If the call was cancelled.
        """
        body = json.dumps([pattern, flags, asks_whole]).encode()
        self._send(regex_worker.PATTERN, body, watch)
        problem = self._receive(watch).get("error")
        if problem is not None:
            msg = f"the pattern is not a valid JavaScript regular expression: {problem}"
            raise PatternRefused(msg)

    def send_batch(self, files: Sequence[bytes], wanted: int, watch: Watch) -> None:
        """Hand over a batch; exactly one ``receive_places`` has to follow.

        Raises:
            SearchTimedOut: If it took too long.
            WorkerDied: If the process ended.
            Stopped: If the call was cancelled.
        """
        self._send(regex_worker.FILES, regex_worker.join_batch(files, wanted), watch)

    def receive_places(self, watch: Watch) -> list[Place]:
        """Return the matching lines of the batch that was sent last, in order.

        Raises:
            SearchTimedOut: If it took too long.
            WorkerDied: If the process ended.
            Stopped: If the call was cancelled.
        """
        places = cast("list[tuple[int, int]]", self._receive(watch)["places"])
        return [Place(index=index, line=line) for index, line in places]

    @property
    def is_alive(self) -> bool:
        """Whether the process still runs."""
        return self._process.poll() is None

    def kill(self) -> None:
        """Kill the process; whoever talks to it gets ``WorkerDied`` and calls ``end``."""
        self._process.kill()

    def end(self) -> None:
        """Kill the process, wait for its end and close the pipes; only for who holds it."""
        self._process.kill()
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                pipe.close()

    def _send(self, kind: bytes, body: bytes, watch: Watch) -> None:
        data = memoryview(regex_worker.HEADER.pack(kind, len(body)) + body)
        with selectors.DefaultSelector() as selector:
            selector.register(self._stdin, selectors.EVENT_WRITE)
            while data:
                if not selector.select(min(watch.remaining_s(), _LOOK_AT_STOP_S)):
                    continue
                try:
                    data = data[os.write(self._stdin, data) :]
                except BlockingIOError:
                    continue
                except BrokenPipeError:
                    raise WorkerDied from None

    def _receive(self, watch: Watch) -> Mapping[str, object]:
        with selectors.DefaultSelector() as selector:
            selector.register(self._stdout, selectors.EVENT_READ)
            (length,) = regex_worker.LENGTH.unpack(
                self._read(selector, regex_worker.LENGTH.size, watch)
            )
            answer: Mapping[str, object] = json.loads(self._read(selector, length, watch))
        return answer

    def _read(self, selector: selectors.BaseSelector, length: int, watch: Watch) -> bytes:
        data = bytearray()
        while len(data) < length:
            if not selector.select(min(watch.remaining_s(), _LOOK_AT_STOP_S)):
                continue
            chunk = os.read(self._stdout, min(length - len(data), _READ_BYTES))
            if not chunk:
                raise WorkerDied
            data += chunk
        return bytes(data)


class RegexProcesses:
    """The workers of one session; threads may share it."""

    def __init__(self, *, time_limit_s: float = TIME_LIMIT_S) -> None:
        """Start nothing yet.

        Args:
            time_limit_s: Limit of one whole search.
        """
        self.time_limit_s = time_limit_s
        self._lock = threading.Lock()
        self._idle: list[RegexProcess] = []
        self._busy: set[RegexProcess] = set()
        self._is_closed = False

    @property
    def pids(self) -> tuple[int, ...]:
        """Ids of all living workers."""
        with self._lock:
            return tuple(worker.pid for worker in (*self._idle, *self._busy))

    def watch(self, stop: StopFlag) -> Watch:
        """Start the clock of one search."""
        return Watch(deadline=time.monotonic() + self.time_limit_s, stop=stop)

    @contextlib.contextmanager
    def borrow(self) -> Generator[RegexProcess]:
        """Hold a worker for one search.

        It is used again when the block ends well or with a refused pattern; it is killed when
        anything else is raised, since it may be anywhere in its work.

        Yields:
            A worker that waits for a pattern.

        Raises:
            ToolFailure: If none can be started.
            PatternRefused: From the block.
        """
        worker = self._take()
        is_reusable = False
        try:
            yield worker
            is_reusable = True
        except PatternRefused:
            is_reusable = True
            raise
        finally:
            self._give_back(worker, is_reusable=is_reusable)

    def close(self) -> None:
        """End all workers and start no more; idempotent. Searches under way fail at once."""
        with self._lock:
            self._is_closed = True
            idle, busy = list(self._idle), list(self._busy)
            self._idle.clear()
        for worker in idle:
            worker.end()
        for worker in busy:
            # Its pipes are in use by another thread, which closes them when it gives back.
            worker.kill()

    def _take(self) -> RegexProcess:
        with self._lock:
            if self._is_closed:
                raise ToolFailure("the search was not started: the program is closing.")
            worker = self._living_idle_worker()
            if worker is None:
                worker = RegexProcess(alarm_s=self.time_limit_s + ALARM_GRACE_S)
            self._busy.add(worker)
        return worker

    def _living_idle_worker(self) -> RegexProcess | None:
        while self._idle:
            worker = self._idle.pop()
            if worker.is_alive:
                return worker
            worker.end()
        return None

    def _give_back(self, worker: RegexProcess, *, is_reusable: bool) -> None:
        with self._lock:
            self._busy.discard(worker)
            if is_reusable and not self._is_closed and len(self._idle) < KEPT_WORKERS:
                self._idle.append(worker)
                return
        worker.end()


def _engine_folder() -> str:
    """Return where the engine is installed: the worker runs without site packages.

    Raises:
        ToolFailure: If it is not installed.
    """
    spec = importlib.util.find_spec("regress")
    if spec is None or spec.origin is None:
        raise ToolFailure("the search engine (package regress) is not installed.")
    return str(Path(spec.origin).parent.parent)


def _environment() -> dict[str, str]:
    return {name: os.environ[name] for name in _KEPT_VARIABLES if name in os.environ}
