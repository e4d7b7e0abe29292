"""No answer is stale: another program changes files, and the next call sees it."""

import contextlib
import json
import os
import random
import subprocess
import sys
import time
from collections.abc import AsyncGenerator, Iterator
from pathlib import Path

import pytest

from caramelo_tui.agent.approvers import ByHandApprover
from caramelo_tui.composition import Core, CoreOptions, build_core
from caramelo_tui.config.locations import Locations
from caramelo_tui.config.settings import Settings
from caramelo_tui.headless.tools_by_hand import ToolsByHand
from tests.case_runner.reading import header_and_body, rows_of

CHANGES = 1000
"""Outside changes, each followed at once by a call."""

OTHER_PROGRAM = r"""
import json, os, shutil, sys
for line in sys.stdin:
    act = json.loads(line)
    kind, path = act["kind"], act["path"]
    if kind == "delete":
        os.unlink(path)
    else:
        os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
        old = os.stat(path) if os.path.exists(path) else None
        target = path + ".new" if kind == "rename" else path
        with open(target, "w") as file:
            file.write(act["text"])
        if kind == "rename":
            os.replace(target, path)
        if kind == "same_stamp" and old is not None:
            os.utime(path, ns=(old.st_atime_ns, old.st_mtime_ns))
    print("done", flush=True)
"""


class OtherProgram:
    """Another process that changes files when told to, and says when it has."""

    def __init__(self, process: "subprocess.Popen[str]") -> None:
        self._process = process

    def act(self, kind: str, path: str, text: str = "") -> None:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps({"kind": kind, "path": path, "text": text}) + "\n")
        self._process.stdin.flush()
        assert self._process.stdout.readline() == "done\n"


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    folder = tmp_path / "ws"
    folder.mkdir()
    return folder


@pytest.fixture
def other(workspace: Path) -> Iterator[OtherProgram]:
    with subprocess.Popen(
        [sys.executable, "-c", OTHER_PROGRAM],
        cwd=workspace,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        yield OtherProgram(process)
        assert process.stdin is not None
        process.stdin.close()


class Model:
    """What is on disk, by the acts so far."""

    def __init__(self) -> None:
        self.files: dict[str, str] = {}
        self.folders = {"."}

    def write(self, path: str, text: str) -> None:
        self.files[path] = text
        parts = path.split("/")[:-1]
        self.folders.update("/".join(parts[:depth]) for depth in range(1, len(parts) + 1))

    def entries(self, folder: str) -> list[str]:
        """Return the rows of a listing; folders stay when their last file goes."""
        prefix = "" if folder == "." else f"{folder}/"
        below = [path.removeprefix(prefix) for path in self.folders if path.startswith(prefix)]
        folders = {name.split("/")[0] + "/" for name in below if name != "."}
        inside = [path.removeprefix(prefix) for path in self.files if path.startswith(prefix)]
        return sorted(folders) + sorted(name for name in inside if "/" not in name)


@contextlib.asynccontextmanager
async def tools_of(workspace: Path, state: Path) -> AsyncGenerator[tuple[ToolsByHand, Core]]:
    core = build_core(
        CoreOptions(
            root=workspace,
            settings=Settings(),
            locations=Locations(config=state, state=state),
            environment=dict(os.environ),
            approver=ByHandApprover(approves_writes=False, approves_commands=False),
        )
    )
    try:
        yield ToolsByHand(calls=core.pipeline, events=core.events, ids=core.ids), core
    finally:
        await core.end_processes()


@pytest.mark.timeout(120)
async def test_the_next_call_sees_what_another_program_wrote(
    workspace: Path, other: OtherProgram, tmp_path: Path
) -> None:
    choose = random.Random(7)  # noqa: S311 - a fixed walk, no secret
    model = Model()
    async with tools_of(workspace, tmp_path / "home") as (tools, core):
        for number in range(CHANGES):
            kind, path = _next_change(choose, model, number)
            # What is about to change is asked for first, so that an old answer is there to be
            # given: from the second time on the cache holds all that has settled.
            await _read(tools, model, path)
            await _list(tools, model, _folder_of(path))
            _change(other, model, kind, path, f"mark {number:06d}\n")
            await _look(choose, tools, model, path)
        hits = core.cache.hits
    # The walk is worth nothing where every call runs anyway.
    assert hits > CHANGES / 4


def _next_change(choose: random.Random, model: Model, number: int) -> tuple[str, str]:
    kind = choose.choice(["rewrite", "rename", "create", "nested", "same_stamp", "delete"])
    if model.files and kind in {"rewrite", "rename", "same_stamp", "delete"}:
        return kind, choose.choice(sorted(model.files))
    depth = 3 if kind == "nested" or number % 2 == 0 else 0
    folders = [f"n{choose.randrange(4)}" for _ in range(depth)]
    return "rewrite", "/".join([*folders, f"f{choose.randrange(12)}.txt"])


def _change(other: OtherProgram, model: Model, kind: str, path: str, text: str) -> None:
    """Let the other program make one change."""
    if kind == "delete":
        del model.files[path]
        other.act("delete", path)
        return
    model.write(path, text)
    other.act(kind, path, text)


async def _look(choose: random.Random, tools: ToolsByHand, model: Model, path: str) -> None:
    """Call one tool and compare with the model."""
    match choose.choice(["file_read", "list_dir", "grep", "glob"]):
        case "file_read":
            await _read(tools, model, path)
        case "list_dir":
            await _list(tools, model, _folder_of(path))
        case "grep":
            await _grep(tools, model)
        case _:
            answer = await tools.call("glob", '{"pattern": "**/*.txt"}')
            assert rows_of(answer.result.text) == sorted(model.files)


async def _read(tools: ToolsByHand, model: Model, path: str) -> None:
    answer = await tools.call("file_read", json.dumps({"path": path}))
    text = model.files.get(path)
    assert answer.result.is_error is (text is None)
    if text is not None:
        assert header_and_body(answer.result.text)[1] == text


async def _list(tools: ToolsByHand, model: Model, folder: str) -> None:
    answer = await tools.call("list_dir", json.dumps({"path": folder}))
    assert answer.result.is_error is (folder not in model.folders)
    if folder in model.folders:
        assert rows_of(answer.result.text) == model.entries(folder)


async def _grep(tools: ToolsByHand, model: Model) -> None:
    answer = await tools.call("grep", '{"pattern": "^mark", "max_matches": 500}')
    rows = [f"{name}:1:{text.strip()}" for name, text in sorted(model.files.items())]
    assert len(rows) <= 500
    assert rows_of(answer.result.text) == rows


def _folder_of(path: str) -> str:
    return path.rpartition("/")[0] or "."


async def test_repeated_reads_of_an_unchanged_file_are_hits(
    workspace: Path, tmp_path: Path
) -> None:
    (workspace / "a.txt").write_text("same\n")
    async with tools_of(workspace, tmp_path / "home") as (tools, _core):
        first = await tools.call("file_read", '{"path": "a.txt"}')
        assert not first.is_cached
        # A stamp younger than 50 ms is not stored, so it takes some calls.
        deadline = time.monotonic() + 10
        again = first
        while not again.is_cached:
            assert time.monotonic() < deadline
            again = await tools.call("file_read", '{"path": "./a.txt"}')
    assert again.result.text == first.result.text
