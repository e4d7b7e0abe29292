"""Run child processes: output, exit, time limit, and the end of everything they started.

Owns every child of the tools. A call returns when its process has ended, whoever still holds
the pipes; at the time limit, after a grace where one is given, and on cancellation all that
carries the call's mark is killed.
Never uses asyncio's own subprocesses: their wait returns only when the pipes close, which a
detached child delays for as long as it likes. Never starts a shell by itself. Proven by
tests/unit/tools/test_subprocesses.py.
"""

import asyncio
import os
import secrets
import signal
import subprocess
from collections.abc import Awaitable
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeVar

from caramelo_tui.domain.agent_events import BackgroundProcess, OutputStream
from caramelo_tui.domain.errors import ToolFailure
from caramelo_tui.domain.ids import CallId
from caramelo_tui.domain.system_faults import advice_for
from caramelo_tui.tools.child_environment import ChildEnvironment
from caramelo_tui.tools.child_start import ChildStart, start_child
from caramelo_tui.tools.exit_watching import ExitWatcher, watch_exit
from caramelo_tui.tools.marked_processes import (
    CALL_VARIABLE,
    SESSION_VARIABLE,
    Family,
    ProcessFacts,
    ProcessTable,
    end_family,
    find_family,
    is_same_process,
    kill,
    system_table,
)
from caramelo_tui.tools.output_capture import (
    ARTIFACT_BYTES,
    Artifact,
    LiveFeed,
    OutputCapture,
    OutputWish,
)
from caramelo_tui.tools.search_path import located

DRAIN_S = 0.05
"""After the exit, wait so long for writers that are about to end; then return regardless."""
GRACE_LOOK_S = 0.05
"""Pause between two looks whether what was asked to end has ended."""
KILL_LIMIT_S = 2.0
"""A process that SIGKILL has not ended by then is stuck in the kernel and is left."""

_T = TypeVar("_T")


@dataclass(frozen=True, slots=True, kw_only=True)
class CapturedOutput:
    """What came of one stream."""

    head: bytes
    """The first bytes, as many as the caller wanted kept."""
    total_bytes: int
    """Bytes that came while the command ran."""
    artifact: str | None
    """File in the artifacts folder with both streams as they came, up to 10 MB; ``None``
    when nothing was written."""
    tail: bytes = b""
    """The last bytes, as many as the caller wanted kept; they may be part of ``head``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CommandResult:
    """How a child ended."""

    exit_code: int | None
    """Exit status; negative: the signal that ended it; ``None``: it could not be ended."""
    stdout: CapturedOutput
    stderr: CapturedOutput
    is_timed_out: bool
    """Whether the time limit ended it."""
    background_pids: tuple[int, ...]
    """Processes that it left running, by rising number; empty after a time limit."""
    artifact_problem: str = ""
    """Why the artifact is incomplete, such as a full disk; empty when it is not."""


class CommandRunner:
    """Start, watch and end the child processes of one session."""

    def __init__(
        self,
        *,
        session_mark: str,
        environment: ChildEnvironment,
        artifacts_folder: Path,
        table: ProcessTable | None = None,
        exit_watcher: ExitWatcher = watch_exit,
    ) -> None:
        """Wire; starts nothing.

        Args:
            session_mark: Random text that no other session has.
            environment: What children may see.
            artifacts_folder: Private folder of the session; made on first use.
            table: How processes are found; the system's own by default.
            exit_watcher: How the end of a child is noticed.
        """
        self._session_mark = session_mark
        self._environment = environment
        self._artifacts_folder = artifacts_folder
        self._table = table or system_table()
        self._exit_watcher = exit_watcher
        self._background: dict[int, _Background] = {}
        self._held_pipes: set[OutputCapture] = set()

    async def run(
        self,
        start: ChildStart,
        output: OutputWish,
        *,
        call_id: CallId,
        timeout_ms: int,
        grace_s: float = 0.0,
    ) -> CommandResult:
        """Run one program to its end or to the time limit.

        Args:
            start: The program.
            output: What becomes of its output.
            call_id: Whose processes these are, for the list of background processes.
            timeout_ms: Milliseconds until everything is killed, or asked to end first.
            grace_s: Seconds between SIGTERM to the process group at the time limit and the
                killing of what is left; 0: killed at once.

        Raises:
            ToolFailure: If the program could not be started.
            asyncio.CancelledError: When interrupted; by then all that it started is dead.
        """
        running = self._start(start, output)
        survivors: tuple[ProcessFacts, ...] = ()
        has_ended = False
        is_timed_out = False
        try:
            is_timed_out = not await running.wait(timeout_ms / 1000)
            if is_timed_out and grace_s > 0:
                await self._ask_to_end(running, grace_s)
            if not is_timed_out:
                await running.drain()
                survivors = await asyncio.to_thread(find_family, self._table, running.family)
                has_ended = True
        finally:
            if not has_ended:
                await _to_the_end(self._end_running(running))
        self._leave_in_background(running, survivors, call_id)
        return running.result(
            is_timed_out=is_timed_out, background_pids=tuple(facts.pid for facts in survivors)
        )

    def background(self) -> tuple[BackgroundProcess, ...]:
        """Return what finished commands left running and still lives, by rising number."""
        self._background = {
            pid: entry
            for pid, entry in self._background.items()
            if is_same_process(self._table, entry.facts)
        }
        return tuple(self._background[pid].process for pid in sorted(self._background))

    def end_background(self, pid: int) -> bool:
        """Kill one background process and its descendants.

        Returns:
            Whether ``pid`` was one of ours and alive.
        """
        entry = self._background.get(pid)
        if entry is None or not is_same_process(self._table, entry.facts):
            self._background.pop(pid, None)
            return False
        for facts in find_family(self._table, _only(entry.facts)):
            kill(facts.pid)
        del self._background[pid]
        return True

    async def end_all(self) -> None:
        """Kill everything that carries the session's mark; running calls end by it too."""
        family = Family(
            variable=SESSION_VARIABLE,
            mark=self._session_mark,
            known=tuple(entry.facts for entry in self._background.values()),
        )
        await _to_the_end(asyncio.to_thread(end_family, self._table, family))
        self._background.clear()
        for capture in tuple(self._held_pipes):
            capture.close()
        self._held_pipes.clear()

    def _start(self, start: ChildStart, output: OutputWish) -> "_Running":
        mark = secrets.token_hex(8)
        artifact_bytes = ARTIFACT_BYTES if output.has_artifact else 0
        capture = OutputCapture(
            keep_bytes=output.head_bytes,
            keep_tail_bytes=output.tail_bytes,
            artifact=Artifact(self._artifacts_folder, f"{mark}.out", artifact_bytes),
            live=LiveFeed(output.live) if output.live is not None else None,
        )
        variables = (start.environment or self._environment).variables(
            {
                SESSION_VARIABLE: self._session_mark,
                CALL_VARIABLE: mark,
                "PWD": str(start.place.path),
            }
        )
        try:
            # Left to the system, a relative folder of PATH would mean the workspace.
            program = located(start.command[0], variables.get("PATH", os.defpath))
            found = replace(start, command=(program, *start.command[1:]))
            process = start_child(found, variables, capture)
        except (OSError, ValueError) as error:
            capture.close()
            msg = f"the command could not be started: {error}{advice_for(error)}"
            raise ToolFailure(msg) from error
        capture.start()
        return _Running(process=process, capture=capture, mark=mark, watcher=self._exit_watcher)

    async def _ask_to_end(self, running: "_Running", grace_s: float) -> None:
        """Send SIGTERM to the group and wait until the whole family is gone or time is up."""
        running.terminate_group()
        with suppress(TimeoutError):
            async with asyncio.timeout(grace_s):
                await running.wait(grace_s)
                # Its children may still be tidying up, and no event tells of their end.
                while await asyncio.to_thread(find_family, self._table, running.family):  # noqa: ASYNC110 - see above
                    await asyncio.sleep(GRACE_LOOK_S)

    async def _end_running(self, running: "_Running") -> None:
        await asyncio.to_thread(end_family, self._table, running.family, limit_s=KILL_LIMIT_S)
        await running.wait(KILL_LIMIT_S)
        running.capture.read_available()
        running.capture.close()
        running.close()

    def _leave_in_background(
        self, running: "_Running", survivors: tuple[ProcessFacts, ...], call_id: CallId
    ) -> None:
        running.close()
        for facts in survivors:
            process = BackgroundProcess(
                pid=facts.pid, command=self._table.command(facts.pid), call_id=call_id
            )
            self._background[facts.pid] = _Background(facts=facts, process=process)
        self._held_pipes = {held for held in self._held_pipes if not held.ended.is_set()}
        if not running.capture.ended.is_set():
            running.capture.go_on_in_background()
            self._held_pipes.add(running.capture)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Background:
    facts: ProcessFacts
    process: BackgroundProcess


class _Running:
    """One child between its start and its end."""

    def __init__(
        self,
        *,
        process: subprocess.Popen[bytes],
        capture: OutputCapture,
        mark: str,
        watcher: ExitWatcher,
    ) -> None:
        self._process = process
        self._exited = asyncio.Event()
        self._stop_watching = watcher(process, self._exited.set)
        self.capture = capture
        self.family = Family(variable=CALL_VARIABLE, mark=mark, leader_pid=process.pid)

    async def wait(self, limit_s: float) -> bool:
        """Return whether the child ended within ``limit_s`` seconds; it is not reaped."""
        try:
            async with asyncio.timeout(limit_s):
                await self._exited.wait()
        except TimeoutError:
            return False
        return True

    def terminate_group(self) -> None:
        """Send SIGTERM to the child's process group; it is not reaped, so the number is its."""
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, signal.SIGTERM)

    async def drain(self) -> None:
        """Read what was written before the exit, and a little of what comes after."""
        self.capture.read_available()
        try:
            async with asyncio.timeout(DRAIN_S):
                await self.capture.ended.wait()
        except TimeoutError:
            return

    def close(self) -> None:
        """Reap the child and end the live output."""
        self._stop_watching()
        self._process.poll()
        self.capture.finish_live()

    def result(self, *, is_timed_out: bool, background_pids: tuple[int, ...]) -> CommandResult:
        """Return what is known now that the child has ended."""
        artifact = self.capture.artifact
        captured = {
            stream: CapturedOutput(
                head=kept.head,
                total_bytes=kept.total_bytes,
                artifact=artifact.name,
                tail=kept.tail,
            )
            for stream, kept in self.capture.kept.items()
        }
        return CommandResult(
            exit_code=self._process.returncode,
            stdout=captured[OutputStream.STDOUT],
            stderr=captured[OutputStream.STDERR],
            is_timed_out=is_timed_out,
            background_pids=background_pids,
            artifact_problem=artifact.problem,
        )


def _only(facts: ProcessFacts) -> Family:
    return Family(variable=CALL_VARIABLE, mark="\n", known=(facts,))


async def _to_the_end(work: Awaitable[_T]) -> _T:
    """Await to the end whatever is cancelled meanwhile; then let the cancellation through."""
    task = asyncio.ensure_future(work)
    cancelled: asyncio.CancelledError | None = None
    while not task.done():
        try:
            await asyncio.shield(task)
        except asyncio.CancelledError as error:
            cancelled = error
    if cancelled is not None:
        raise cancelled
    return task.result()
