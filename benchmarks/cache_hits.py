"""Measure what the cache gives an agent: ``python -m benchmarks.cache_hits``.

A fixed trace of the loops that agents walk (look around, search, read, edit, read again, search
again, look at the changes, run a command) is played through the whole path of calls on a
repository with the product's own sources. Printed are the share of hits by tool, what a hit and
a run took, and how long a proof takes in trees of several sizes.
"""

import asyncio
import json
import os
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from caramelo_tui.agent.approvers import ByHandApprover
from caramelo_tui.composition.core import Core, CoreOptions, build_core
from caramelo_tui.config.locations import Locations
from caramelo_tui.config.settings import Settings
from caramelo_tui.domain.agent_events import ToolCallFinished
from caramelo_tui.domain.ids import CallId, RunId, TurnId
from caramelo_tui.domain.tool_calls import CacheScope, JsonValue, ToolCall
from caramelo_tui.workspace.tree_scopes import TreeScope
from caramelo_tui.workspace.tree_watch import TreeWatch

TASKS = 12
"""Edits, each with what an agent does around it."""
READS = frozenset({"file_read", "list_dir", "grep", "glob", "git_status", "git_diff", "git_log"})
SOURCES = Path(__file__).parents[1] / "caramelo_tui"


@dataclass
class Times:
    """Milliseconds of the calls of one tool."""

    runs: list[float] = field(default_factory=list)
    hits: list[float] = field(default_factory=list)


class Trace:
    """An agent at work, its model replaced by a fixed plan."""

    def __init__(self, core: Core, root: Path) -> None:
        self.core = core
        self.root = root
        self.times: dict[str, Times] = {}
        self.choose = random.Random(3)  # noqa: S311 - a fixed trace, no secret
        self.number = 0

    async def play(self) -> None:
        """Walk through all tasks as one session."""
        await self.call("git_status")
        await self.call("list_dir")
        files = sorted(str(path.relative_to(self.root)) for path in self.root.rglob("*.py"))
        for task in range(TASKS):
            await self.task(task, files)

    async def task(self, number: int, files: list[str]) -> None:
        """Find a place, read around it, edit it, and look at what came of it."""
        word = self.choose.choice(["PreparedCall", "FileStamp", "def _run", "ToolFailure"])
        target, *others = self.choose.sample(files, 4)
        folder = target.rpartition("/")[0] or "."
        await self.call("glob", pattern="**/*.py")
        await self.call("grep", pattern=word)
        await self.call("list_dir", path=folder)
        for path in (target, *others):
            await self.call("file_read", path=path)
        # Agents look again at what they read some turns ago.
        await self.call("grep", pattern=word)
        await self.call("grep", pattern="class ", path=folder)
        await self.call("file_read", path=target)
        await self.edit(target, number)
        await self.call("file_read", path=target)
        await self.call("grep", pattern=word)
        for path in others:
            await self.call("file_read", path=path)
        await self.call("git_diff")
        if number % 3 == 2:
            await self.call("bash", command="true")
        await self.call("git_status")
        await self.call("git_diff")
        await self.call("glob", pattern="**/*.py")

    async def edit(self, path: str, number: int) -> None:
        first = (self.root / path).read_text("utf-8").splitlines()[0]
        await self.call("file_edit", path=path, search=first, replace=f"{first}  # {number}")

    async def call(self, tool: str, **arguments: JsonValue) -> None:
        """Make one call as one turn; the model's own time between turns is left out."""
        self.number += 1
        events = self.core.events
        call = ToolCall(
            id=CallId(f"c{self.number}"), name=tool, arguments_json=json.dumps(arguments)
        )
        start = len(events.events) + 1
        events.begin_run(RunId(f"r{self.number}"))
        events.begin_turn(TurnId("t"))
        began = time.perf_counter()
        await self.core.pipeline.run_turn([call])
        took_ms = (time.perf_counter() - began) * 1000
        events.end_turn()
        events.end_run()
        (end,) = [e for e in events.events_since(start) if isinstance(e, ToolCallFinished)]
        assert not end.result.is_error or tool == "file_edit", end.result.text
        times = self.times.setdefault(tool, Times())
        (times.hits if end.is_cached else times.runs).append(took_ms)
        # A model thinks for seconds; what counts here is only that stamps have settled.
        await asyncio.sleep(0.06)


@contextmanager
def repository() -> Iterator[Path]:
    """Yield a repository with a copy of the product's sources, removed at the end."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder).resolve() / "repository"
        shutil.copytree(SOURCES, root, ignore=shutil.ignore_patterns("__pycache__"))
        who = ["-c", "user.name=bench", "-c", "user.email=bench@example.org"]
        for arguments in (["init", "-q"], ["add", "-A"], ["commit", "-qm", "first"]):
            subprocess.run(["git", *who, *arguments], cwd=root, check=True)
        yield root


async def played() -> Mapping[str, Times]:
    """Return the times of the whole trace."""
    with repository() as root:
        home = root.parent / "home"
        core = build_core(
            CoreOptions(
                root=root,
                settings=Settings(),
                locations=Locations(config=home, state=home),
                environment=dict(os.environ),
                approver=ByHandApprover(approves_writes=True, approves_commands=True),
            )
        )
        try:
            trace = Trace(core, root)
            await trace.play()
        finally:
            await core.end_processes()
    return trace.times


def proof_us(folders: int) -> tuple[float, float]:
    """Return p50 and p95 of a proof in microseconds, in a tree of so many folders."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder).resolve()
        for number in range(folders):
            place = root / f"d{number % 50}" / f"e{number}"
            place.mkdir(parents=True)
            for name in range(10):
                (place / f"f{name}").touch()
        watch = TreeWatch(root, environment=dict(os.environ))
        scope = TreeScope(kind=CacheScope.TREE, folder=".")
        while (mark := watch.begin(scope)) is None:
            continue
        values: list[float] = []
        for number in range(1_000):
            # One change before each proof, as in a workspace that is worked in.
            (root / f"d0/e0/f{number % 10}").touch()
            mark = watch.begin(scope) or mark
            began = time.perf_counter()
            watch.holds(mark)
            values.append((time.perf_counter() - began) * 1_000_000)
        watch.close()
    values.sort()
    return statistics.median(values), values[int(len(values) * 0.95)]


def summary(times: Mapping[str, Times]) -> list[str]:
    """Return the table of hits as Markdown rows."""
    lines = [
        "| tool | calls | hits | run, ms (p50) | hit, ms (p50) |",
        "| --- | --- | --- | --- | --- |",
    ]
    calls = hits = 0
    for tool in sorted(READS & set(times)):
        runs, kept = times[tool].runs, times[tool].hits
        calls, hits = calls + len(runs) + len(kept), hits + len(kept)
        share = f"{100 * len(kept) / (len(runs) + len(kept)):.0f} %"
        run_ms = f"{statistics.median(runs):.1f}" if runs else "-"
        hit_ms = f"{statistics.median(kept):.1f}" if kept else "-"
        lines.append(f"| {tool} | {len(runs) + len(kept)} | {share} | {run_ms} | {hit_ms} |")
    lines.append(f"| all reads | {calls} | {100 * hits / calls:.0f} % | | |")
    return lines


def main() -> int:
    """Play the trace, time proofs, and print both."""
    print("\n".join(summary(asyncio.run(played()))))
    print()
    print("| folders | proof, microseconds (p50) | p95 |")
    print("| --- | --- | --- |")
    for folders in (100, 1_000, 5_000):
        middle, high = proof_us(folders)
        print(f"| {folders:,} | {middle:.0f} | {high:.0f} |")
    return 0


if __name__ == "__main__":
    sys.exit(main())
