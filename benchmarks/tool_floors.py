"""Measure each tool, as a whole call, against the least that the same work takes.

A call goes through the whole path: validation, sandbox, policy, cache, journal, events, report.
Its floor is the bare work without any of them, done right before or after it, so that a slow phase
of the machine hits both. Searching and listing names have 50,000 files before them; everything
else works in a small workspace, as what is measured there does not grow with the tree.
"""

import asyncio
import json
import os
import subprocess
import tempfile
import time
from collections.abc import Awaitable, Callable, Generator
from contextlib import contextmanager
from functools import cache, partial
from pathlib import Path

from benchmarks.figures import Samples
from caramelo_tui.agent.approvers import ByHandApprover
from caramelo_tui.composition.core import Core, CoreOptions, build_core
from caramelo_tui.config.locations import Locations
from caramelo_tui.config.settings import Settings
from caramelo_tui.domain.agent_events import ToolCallFinished
from caramelo_tui.domain.ids import CallId, RunId, TurnId
from caramelo_tui.domain.tool_calls import JsonValue, ToolCall
from caramelo_tui.tools.search.ripgrep import find_ripgrep

FILES, FILES_OF_FOLDER = 50_000, 100
SMALL_FILES = 200
LINES = 60
"""Of a small file; about 3 KB."""
_SETTLED_S = 0.05
"""Time for stamps to settle: between two calls of an agent a model thinks for seconds."""


def write_tree(root: Path, files: int = FILES) -> None:
    """Write folders of small files; one line of each file is its own."""
    for number in range(0, files, FILES_OF_FOLDER):
        folder = root / f"part_{number // 5_000:02}" / f"package_{number // FILES_OF_FOLDER:04}"
        folder.mkdir(parents=True)
        for one in range(number, min(files, number + FILES_OF_FOLDER)):
            (folder / f"module_{one:05}.py").write_text(
                f"def place_{one:05}(value):\n    return value + {one}\n"
            )


def write_small(root: Path) -> None:
    """Write what reads and edits work on."""
    root.mkdir()
    for number in range(SMALL_FILES):
        rows = "".join(
            f"item_{row:03} = {row}  # a line as code has it, more or less\n"
            for row in range(LINES)
        )
        (root / f"file_{number:03}.py").write_text(f"VALUE_{number:03} = {number}\n{rows}")


class Caller:
    """Makes single calls through the whole path."""

    def __init__(self, core: Core) -> None:
        self.core = core
        self._number = 0

    async def call(self, tool: str, **arguments: JsonValue) -> float:
        """Return the milliseconds of one call.

        Raises:
            RuntimeError: If the call did not do what it was asked to.
        """
        took, end = await self.finished(tool, **arguments)
        if end.result.is_error or end.is_cached:
            msg = f"{tool}: {'cached' if end.is_cached else end.result.text}"
            raise RuntimeError(msg)
        return took

    async def finished(self, tool: str, **arguments: JsonValue) -> tuple[float, ToolCallFinished]:
        """Return the milliseconds of one call, and its end."""
        self._number += 1
        events = self.core.events
        call = ToolCall(
            id=CallId(f"c{self._number}"), name=tool, arguments_json=json.dumps(arguments)
        )
        start = len(events.events) + 1
        events.begin_run(RunId(f"r{self._number}"))
        events.begin_turn(TurnId("t"))
        began = time.perf_counter()
        await self.core.pipeline.run_turn([call])
        took_ms = (time.perf_counter() - began) * 1000
        events.end_turn()
        events.end_run()
        (end,) = [one for one in events.events_since(start) if isinstance(one, ToolCallFinished)]
        return took_ms, end


@cache
def large_tree() -> "tempfile.TemporaryDirectory[str]":
    """Return a folder of many files, written once and gone when the program ends.

    Writing and removing it takes longer than all that is measured in it.
    """
    folder = tempfile.TemporaryDirectory()
    write_tree(Path(folder.name).resolve())
    return folder


@contextmanager
def core_of(root: Path) -> Generator[Core]:
    """Yield a core on a workspace, with a home of its own that is gone at the end."""
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder).resolve()
        yield build_core(
            CoreOptions(
                root=root,
                settings=Settings(),
                locations=Locations(config=home, state=home),
                environment=dict(os.environ),
                approver=ByHandApprover(approves_writes=True, approves_commands=True),
            )
        )


def timed(work: Callable[[], object]) -> float:
    """Return the milliseconds of a piece of work."""
    began = time.perf_counter()
    work()
    return (time.perf_counter() - began) * 1000


async def _pairs(
    rounds: int, call: Callable[[int], Awaitable[float]], floor: Callable[[int], object]
) -> tuple[list[float], list[float]]:
    """Take calls and floors in turn; the first of each only warms up."""
    calls: list[float] = []
    floors: list[float] = []
    for number in range(rounds + 1):
        await asyncio.sleep(_SETTLED_S)
        calls.append(await call(number))
        floors.append(timed(partial(floor, number)))
    return calls[1:], floors[1:]


def _replace(path: Path, before: str, after: str) -> None:
    """Do what an edit can't do less than: read, replace, write beside, sync, and rename."""
    text = path.read_text("utf-8").replace(before, after)
    beside = path.with_suffix(".new")
    with beside.open("w", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    beside.replace(path)


async def _small(rounds: int, core: Core, root: Path) -> Samples:
    caller = Caller(core)
    names = [f"file_{number:03}.py" for number in range(SMALL_FILES)]
    count = min(rounds * 8, SMALL_FILES // 4 - 1)
    reads = await _pairs(
        count,
        lambda at: caller.call("file_read", path=names[at]),
        lambda at: (root / names[at]).read_text("utf-8").splitlines(keepends=True),
    )
    edits = await _pairs(
        count,
        lambda at: caller.call(
            "file_edit", path=names[at], search=f"VALUE_{at:03}", replace=f"WORTH_{at:03}"
        ),
        lambda at: _replace(root / names[-1 - at], "VALUE_", "WORTH_"),
    )
    folders = [root / f"folder_{number:03}" for number in range(count + 1)]
    for folder in folders:
        folder.mkdir()
        for name in names:
            (folder / name).touch()
    lists = await _pairs(
        count,
        lambda at: caller.call("list_dir", path=folders[at].name),
        lambda at: sorted(
            (one.name, one.stat(follow_symlinks=False).st_size) for one in os.scandir(folders[at])
        ),
    )
    shells = await _pairs(
        count,
        lambda _: caller.call("bash", command="true"),
        lambda _: subprocess.run(["sh", "-c", "true"], capture_output=True, check=True),
    )
    hits: list[float] = []
    for name in names[:count]:
        await caller.finished("file_read", path=name)
        await asyncio.sleep(_SETTLED_S)
        took, end = await caller.finished("file_read", path=name)
        assert end.is_cached
        hits.append(took)
    found: dict[str, list[float]] = {"read_hit_ms": hits}
    pairs = {"file_read": reads, "file_edit": edits, "list_dir": lists, "bash": shells}
    for tool, (calls, floors) in pairs.items():
        found |= {f"{tool}_ms": calls, f"{tool}_floor_ms": floors}
    return found


async def _large(rounds: int, core: Core, root: Path) -> Samples:
    caller = Caller(core)
    program = str(find_ripgrep(os.environ.get("PATH", "")))

    def bare(*arguments: str) -> subprocess.CompletedProcess[bytes]:
        return subprocess.run(
            [program, *arguments], cwd=root, capture_output=True, check=False, env={}
        )

    greps = await _pairs(
        rounds,
        lambda at: caller.call("grep", pattern=f"place_{at}77"),
        lambda at: bare("--no-config", "-n", "-e", f"place_{at}77", "."),
    )
    globs = await _pairs(
        rounds,
        lambda at: caller.call("glob", pattern=f"**/module_{at}*7.py"),
        lambda _: bare("--no-config", "--files", "."),
    )
    hits: list[float] = []
    for _ in range(rounds * 4):
        await asyncio.sleep(_SETTLED_S)
        took, end = await caller.finished("grep", pattern="place_077")
        if end.is_cached:
            hits.append(took)
    return {
        "grep_ms": greps[0],
        "grep_floor_ms": greps[1],
        "glob_ms": globs[0],
        "glob_floor_ms": globs[1],
        "grep_hit_ms": hits,
    }


async def _measured(
    rounds: int, root: Path, measure: Callable[[int, Core, Path], Awaitable[Samples]]
) -> Samples:
    with core_of(root) as core:
        try:
            return await measure(rounds, core, root)
        finally:
            await core.end_processes()


def small_tools(rounds: int) -> Samples:
    """Return the figures of reads, edits, listings, commands, and of a hit."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder).resolve() / "workspace"
        write_small(root)
        return asyncio.run(_measured(rounds, root, _small))


def large_tools(rounds: int) -> Samples:
    """Return the figures of searches over many files, and of a hit."""
    return asyncio.run(_measured(rounds, Path(large_tree().name).resolve(), _large))
