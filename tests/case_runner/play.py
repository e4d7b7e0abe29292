"""Play a case: make its calls through the real pipeline.

Owns the answers, races, faults and measurements of a case; the world is built by ``world``,
what must hold afterwards is looked at by ``checks``.
"""

import asyncio
import errno
import json
import os
import shutil
import subprocess
import threading
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any

import psutil

from caramelo_tui.agent.approval_broker import Refused
from caramelo_tui.composition import Core, CoreOptions, build_core
from caramelo_tui.config.locations import Locations
from caramelo_tui.config.settings import Settings
from caramelo_tui.domain.agent_events import ToolCallFinished, ToolExecutionStarted
from caramelo_tui.domain.approvals import (
    ApprovalAnswer,
    ApprovalRequest,
    CommandAction,
    CommandAnswer,
    ReviewAnswer,
    ReviewRequest,
)
from caramelo_tui.domain.decisions import ApprovalMode
from caramelo_tui.headless.tools_by_hand import Answered, ToolsByHand
from caramelo_tui.workspace.file_io import WriteStep
from tests.case_runner.checks import Played
from tests.case_runner.world import Case, Spec, World, write_file

SETTLE_S = 0.1
"""Stamps younger than 50 ms are not stored; the cases' README asks for this pause."""


class CaseApprover:
    """The user of a case: the same answer to every dialog, or nobody."""

    def __init__(self, approve: bool | str | None) -> None:
        self._approve = approve
        self.asked = 0

    async def reply(self, request: ApprovalRequest) -> ApprovalAnswer | Refused | None:
        """Answer at once."""
        self.asked += 1
        if self._approve is None:
            return Refused(reason="Nobody is there to answer.")
        if not isinstance(request, ReviewRequest):
            return CommandAnswer(action=CommandAction.RUN if self._approve else CommandAction.DENY)
        return ReviewAnswer(
            accepted={
                hunk.id: bool(self._approve)
                for write in request.writes
                for hunk in write.proposal.hunks
            }
        )


async def play(case: Case, world: World) -> Played:
    """Make the calls of ``case`` and return what happened."""
    setup: Spec = world.fill(case.get("setup") or {})
    approver = CaseApprover(setup.get("approve"))
    with _umask(setup.get("umask")):
        core = build_core(
            CoreOptions(
                root=world.root,
                settings=Settings(mode=_mode(case, setup)),
                locations=Locations(config=world.home, state=world.home),
                environment={**os.environ, **setup.get("env", {})},
                approver=approver,
                step_hook=_Steps(setup, world),
            )
        )
        player = _Player(world=world, core=core, approver=approver)
        try:
            await player.play(case, setup)
        finally:
            await core.end_processes()
    return player.played


class _Steps:
    """Puts the case's fault or race between the steps of a write."""

    def __init__(self, setup: Spec, world: World) -> None:
        self._fault: Spec = setup.get("fault") or {}
        self._race: Spec = setup.get("race") or {}
        self._world = world

    def __call__(self, step: WriteStep, path: str) -> None:
        if self._fault.get("on") == step.value:
            number = getattr(errno, self._fault["errno"])
            raise OSError(number, os.strerror(number), path)
        if self._race.get("after") == step.value:
            race, self._race = self._race, {}
            if "write" in race:
                write_file(self._world, race["write"])
            if "replace_with_symlink" in race:
                spec = race["replace_with_symlink"]
                target = self._world.path(spec["path"])
                if target.is_dir() and not target.is_symlink():
                    shutil.rmtree(target)
                target.unlink(missing_ok=True)
                target.symlink_to(spec["target"])


class _Player:
    """Makes calls and outside acts in order, and measures."""

    def __init__(self, *, world: World, core: Core, approver: CaseApprover) -> None:
        self._world = world
        self._core = core
        self._approver = approver
        self._tools = ToolsByHand(calls=core.pipeline, events=core.events, ids=core.ids)
        self.played = Played()

    async def play(self, case: Case, setup: Spec) -> None:
        for call in setup.get("prior_calls", []):
            await self._tools.call(call["tool"], json.dumps(call["args"]))
        for spec in setup.get("then_write", []):
            write_file(self._world, spec)
        seen = len(self._core.events.events) + 1
        if "cache_hits" in case["expect"]:
            await asyncio.sleep(SETTLE_S)
        start = time.perf_counter()
        with _memory_watch(self.played):
            async with _lag_watch(self.played):
                await self._act(case)
        self.played.seconds = time.perf_counter() - start
        self.played.commands_asked = self._approver.asked
        for event in self._core.events.events_since(seen):
            match event:
                case ToolExecutionStarted():
                    self.played.executed.append(event.call_id)
                case ToolCallFinished() if event.changes is not None:
                    self.played.executed.append(event.call_id)
                case _:
                    pass

    async def _act(self, case: Case) -> None:
        acts: list[Spec] = self._world.fill(case.get("calls") or [_single_call(case)])
        if case.get("parallel"):
            for answered in await self._tools.call_together(
                [(act["tool"], _arguments(act)) for act in acts]
            ):
                self._take(answered)
            return
        for act in acts:
            await self._act_once(act, abort_after_ms=case.get("abort_after_ms"))

    async def _act_once(self, act: Spec, *, abort_after_ms: int | None) -> None:
        if "tool" not in act:
            _act_outside(self._world, act)
            self.played.acts.append(None)
            self.played.cached.append(False)
        elif abort_after_ms is None:
            self._take(await self._tools.call(act["tool"], _arguments(act)))
        else:
            running = asyncio.create_task(self._tools.call(act["tool"], _arguments(act)))
            asyncio.get_running_loop().call_later(abort_after_ms / 1000, running.cancel)
            await asyncio.wait([running])
            finished = [
                event for event in self._core.events.events if isinstance(event, ToolCallFinished)
            ]
            self.played.acts.append(finished[-1].result)
            self.played.cached.append(False)

    def _take(self, answered: Answered) -> None:
        self.played.acts.append(answered.result)
        self.played.cached.append(answered.is_cached)


def _act_outside(world: World, act: Spec) -> None:
    """Change the workspace as another program would."""
    if "outside_write" in act:
        _outside_write(world, act)
    elif "outside_rename" in act:
        old, new = act["outside_rename"]
        world.path(old).rename(world.path(new))
    elif "outside_delete" in act:
        _remove(world.path(act["outside_delete"]))
    else:
        subprocess.run(act["outside_command"], cwd=world.root, check=True, capture_output=True)


def _single_call(case: Case) -> Spec:
    keys = ("tool", "args", "args_raw")
    return {key: case[key] for key in keys if key in case}


def _arguments(act: Spec) -> str:
    if "args_raw" in act:
        return str(act["args_raw"])
    arguments: dict[str, Any] = dict(act.get("args") or {})
    if "content_json" in arguments:
        arguments["content"] = json.loads(arguments.pop("content_json"))
    if "content_parts" in arguments:
        parts = arguments.pop("content_parts")
        arguments["content"] = "".join(part["text"] * part["times"] for part in parts)
    return json.dumps(arguments)


def _mode(case: Case, setup: Spec) -> ApprovalMode:
    named = (setup.get("policy") or {}).get("mode")
    if named:
        return ApprovalMode.parse(named)
    return ApprovalMode.REVIEW if case["area"] == "approval" else ApprovalMode.AUTO


def _outside_write(world: World, act: Spec) -> None:
    path = world.path_of(act["outside_write"])
    before = path.stat() if path.exists() else None
    write_file(world, act["outside_write"])
    if act.get("keep_mtime") and before is not None:
        os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))


def _remove(path: Path) -> None:
    if path.is_dir():
        shutil.rmtree(path)
    else:
        path.unlink()


@contextmanager
def _umask(text: str | None) -> Iterator[None]:
    if text is None:
        yield
        return
    old = os.umask(int(text, 8))
    try:
        yield
    finally:
        os.umask(old)


@contextmanager
def _memory_watch(played: Played) -> Iterator[None]:
    """Note how far the process grew at most."""
    process, done = psutil.Process(), threading.Event()
    start = process.memory_info().rss
    peak = start

    def watch() -> None:
        nonlocal peak
        while not done.wait(0.005):
            peak = max(peak, process.memory_info().rss)

    thread = threading.Thread(target=watch, daemon=True)
    thread.start()
    try:
        yield
    finally:
        done.set()
        thread.join()
        played.rss_growth_mb = (max(peak, process.memory_info().rss) - start) / 1_000_000


@asynccontextmanager
async def _lag_watch(played: Played) -> AsyncIterator[None]:
    """Note the longest stall of the event loop."""

    async def watch() -> None:
        while True:
            before = time.perf_counter()
            await asyncio.sleep(0.01)
            played.worst_lag_s = max(played.worst_lag_s, time.perf_counter() - before - 0.01)

    watching = asyncio.create_task(watch())
    try:
        yield
    finally:
        watching.cancel()
