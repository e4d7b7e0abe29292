"""Start the scripted model, a workspace for it, and the installed program against both.

Owns what the measurements from outside have in common; what is measured stands in ``starts.py``,
``streams.py`` and ``headless_runs.py``.
"""

import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from benchmarks.program import ProgramInTerminal, environment, program

SMALL_FILES = 300
OPTIONS = ("--provider", "anthropic", "--model", "bench", "--trust")
PROMPT_SIGN = "Ask for a change"
"""Stands in the empty prompt."""
LIMIT_S = 60.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """One request as the model saw it; seconds of the monotonic clock."""

    came: float
    began: float
    """First byte of the answer."""
    ended: float
    """Last byte of the answer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HeadlessRun:
    """One run of the program without a screen; seconds of the monotonic clock."""

    started: float
    ended: float
    requests: Sequence[Request]
    peak_mb: float

    @property
    def turns_ms(self) -> list[float]:
        """From the end of each answer to the next request."""
        pairs = zip(self.requests, self.requests[1:], strict=False)
        return [(after.came - before.ended) * 1000 for before, after in pairs]


class Scripted:
    """A model, a workspace and a home that has been used before."""

    def __init__(self, folder: Path, address: str) -> None:
        self.folder = folder
        self.workspace = folder / "workspace"
        self.home = folder / "home"
        self._log = folder / "log"
        self._seen = 0
        self.variables = {"ANTHROPIC_BASE_URL": address, "ANTHROPIC_API_KEY": "sk-bench"}
        self.home.mkdir()
        write_workspace(self.workspace)

    def opened(self, *more: str) -> ProgramInTerminal:
        """Return a start of the app."""
        return ProgramInTerminal(
            [*OPTIONS, *more], folder=self.workspace, home=self.home, variables=self.variables
        )

    def requests(self) -> list[Request]:
        """Return what was asked since the last time."""
        lines = self._log.read_text("utf-8").splitlines() if self._log.exists() else []
        new = [Request(**json.loads(line)) for line in lines[self._seen :]]
        self._seen = len(lines)
        return new

    def run(self, prompt: str, *more: str) -> HeadlessRun:
        """Run one prompt without a screen.

        Raises:
            RuntimeError: If it does not end well; the message is what it said.
        """
        self.requests()
        words = [*program(), "run", *OPTIONS, "--auto-approve", "--max-turns", "50", *more, prompt]
        said = self.folder / "said"
        started = time.monotonic()
        with said.open("wb") as output:
            process = subprocess.Popen(
                words,
                cwd=self.workspace,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                env={**environment(self.home), **self.variables},
            )
            _, status, usage = os.wait4(process.pid, 0)
        ended = time.monotonic()
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            msg = f"{words} ended with {process.returncode}: {said.read_text('utf-8')[-500:]}"
            raise RuntimeError(msg)
        return HeadlessRun(
            started=started, ended=ended, requests=self.requests(), peak_mb=_peak_mb(usage)
        )


def _peak_mb(usage: resource.struct_rusage) -> float:
    return usage.ru_maxrss * 1024 / 1_000_000


def write_workspace(root: Path) -> None:
    """Write the files that the model reads and edits, as they were at the start."""
    for folder in ("pkg", "small"):
        (root / folder).mkdir(parents=True, exist_ok=True)
    for number in range(20):
        rows = "".join(
            f"def step_{number:03}_{row:02}(a, b):\n    return a * {row} + b\n\n\n"
            for row in range(24)
        )
        text = f'"""Module {number}."""\n\nVALUE_{number:03} = {number}\n\n\n{rows}'
        (root / "pkg" / f"mod_{number:03}.py").write_text(text)
    for number in range(SMALL_FILES):
        rows = "".join(f"item_{number:03}_{row} = {row}\n" for row in range(12))
        (root / "small" / f"s_{number:03}.py").write_text(rows)


@contextmanager
def scripted() -> Generator[Scripted]:
    """Yield all of it, ended at the end."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name).resolve()
        server = subprocess.Popen(
            [sys.executable, "-m", "benchmarks.model_app", str(folder / "log")],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        assert server.stdin is not None
        assert server.stdout is not None
        try:
            yield Scripted(folder, server.stdout.readline().strip())
        finally:
            server.stdin.close()
            server.wait()
            server.stdout.close()
