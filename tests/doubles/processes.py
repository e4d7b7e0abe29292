"""Real processes for tests: a runner in a folder, and what became of a command's children."""

import asyncio
import os
import re
import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from caramelo_tui.domain.agent_events import OutputStream
from caramelo_tui.domain.ids import CallId
from caramelo_tui.tools.child_environment import ChildEnvironment
from caramelo_tui.tools.child_start import ChildStart, StartPlace
from caramelo_tui.tools.exit_watching import ExitWatcher, watch_exit
from caramelo_tui.tools.marked_processes import ProcessTable
from caramelo_tui.tools.output_capture import OutputWish
from caramelo_tui.tools.subprocesses import (
    CommandResult,
    CommandRunner,
)

_BLOCK = re.compile(r"--- (stdout|stderr) \((?:(empty)|(?:first )?([\d,]+)[^)]*)\) ---\n")
_EXIT = re.compile(r"^exit_code: (-?\d+|none)", re.MULTILINE)


@dataclass(frozen=True, slots=True, kw_only=True)
class ShellReport:
    """What a report of the ``bash`` tool says."""

    exit_code: int | None
    stdout: str
    stderr: str
    is_timed_out: bool


def parse_report(text: str) -> ShellReport:
    """Read a ``bash`` result; streams are given without truncation marks.

    The sizes in the headings are those of the bytes, so that a stream which looks like a
    heading is read right. Streams with bytes that are not UTF-8 are not read right.
    """
    exit_match = _EXIT.search(text)
    assert exit_match is not None, text
    code = exit_match.group(1)
    streams: dict[str, str] = {}
    data = text.encode()
    position = 0
    for name in ("stdout", "stderr"):
        heading = _BLOCK.search(text, len(data[:position].decode()))
        assert heading is not None, text
        assert heading.group(1) == name, text
        start = len(text[: heading.end()].encode())
        size = 0 if heading.group(2) else int(heading.group(3).replace(",", ""))
        streams[name] = data[start : start + size].decode("utf-8", "replace")
        position = start + size
    return ShellReport(
        exit_code=None if code == "none" else int(code),
        stdout=streams["stdout"],
        stderr=streams["stderr"],
        is_timed_out="\ntimed out: " in text.split("--- stdout", maxsplit=1)[0],
    )


def is_running(pid: int) -> bool:
    """Whether a process lives; a zombie does not."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text("utf-8", "replace")
    except OSError:
        return False
    return stat[stat.rfind(")") + 2] not in "ZX"


def open_descriptors() -> int:
    """Return how many files this process holds open."""
    return sum(1 for _ in Path("/proc/self/fd").iterdir())


async def wait_until(condition: Callable[[], bool], *, limit_s: float = 10.0) -> None:
    """Return as soon as ``condition`` holds; fail the test after ``limit_s``."""
    async with asyncio.timeout(limit_s):
        # Other processes set no event of ours: their state can only be looked at.
        while not condition():  # noqa: ASYNC110
            await asyncio.sleep(0.005)


def read_pid(file: Path) -> int:
    """Return the process id in a file that a command wrote; 0 while it is not there."""
    text = file.read_text("ascii") if file.exists() else ""
    return int(text) if text.endswith("\n") else 0


class Shell:
    """A runner in a folder, for one session."""

    def __init__(
        self,
        folder: Path,
        *,
        user: Mapping[str, str] | None = None,
        table: ProcessTable | None = None,
        exit_watcher: ExitWatcher = watch_exit,
    ) -> None:
        self.folder = folder
        self.artifacts = folder.with_name(folder.name + "-artifacts")
        self.mark = secrets.token_hex(8)
        self.live: list[tuple[OutputStream, bytes]] = []
        self.runner = CommandRunner(
            session_mark=self.mark,
            environment=ChildEnvironment(user if user is not None else {"PATH": os.defpath}),
            artifacts_folder=self.artifacts,
            table=table,
            exit_watcher=exit_watcher,
        )

    async def run(
        self,
        command: str,
        *,
        timeout_ms: int = 20_000,
        keep_bytes: int = 10_240,
        keep_tail_bytes: int = 0,
        grace_s: float = 0.0,
        standard_input: bytes = b"",
    ) -> CommandResult:
        """Run a shell command in the folder."""
        return await self.runner.run(
            ChildStart(
                command=("/bin/sh", "-c", command),
                place=StartPlace(self.folder),
                standard_input=standard_input,
            ),
            OutputWish(head_bytes=keep_bytes, tail_bytes=keep_tail_bytes, live=self._take_live),
            call_id=CallId("call-1"),
            timeout_ms=timeout_ms,
            grace_s=grace_s,
        )

    def _take_live(self, stream: OutputStream, data: bytes) -> None:
        self.live.append((OutputStream(stream), data))

    def pid(self, name: str) -> int:
        """Return the process id that a command wrote into a file of the folder."""
        return read_pid(self.folder / name)
