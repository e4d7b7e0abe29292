"""No answer is stale: another program changes files, and the next call sees it."""

import asyncio
import json
import os
import random
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from caramelo_tui.agent.approvers import ByHandApprover
from caramelo_tui.composition import CoreOptions, build_core
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

    def entries(self, folder: str) -> list[str]:
        prefix = "" if folder == "." else f"{folder}/"
        inside = [path[len(prefix) :] for path in self.files if path.startswith(prefix)]
        folders = sorted({name.split("/")[0] + "/" for name in inside if "/" in name})
        return folders + sorted(name for name in inside if "/" not in name)


@pytest.mark.timeout(120)
async def test_the_next_call_sees_what_another_program_wrote(
    workspace: Path, other: OtherProgram, tmp_path: Path
) -> None:
    core = build_core(
        CoreOptions(
            root=workspace,
            settings=Settings(),
            locations=Locations(config=tmp_path / "home", state=tmp_path / "home"),
            environment=dict(os.environ),
            approver=ByHandApprover(approves_writes=False, approves_commands=False),
        )
    )
    tools = ToolsByHand(calls=core.pipeline, events=core.events, ids=core.ids)
    choose = random.Random(7)  # noqa: S311 - a fixed walk, no secret
    model = Model()
    try:
        for number in range(CHANGES):
            path = _change(choose, other, model, number)
            await _look(choose, tools, model, path)
    finally:
        await core.end_processes()
    assert core.cache.hits > 0


def _change(choose: random.Random, other: OtherProgram, model: Model, number: int) -> str:
    """Let the other program make one change; return the path that it touched."""
    kind = choose.choice(["rewrite", "rename", "create", "nested", "same_stamp", "delete"])
    if model.files and kind in {"rewrite", "rename", "same_stamp", "delete"}:
        path = choose.choice(sorted(model.files))
    else:
        kind = "rewrite"
        depth = 0 if number % 2 else 3
        folders = [f"n{choose.randrange(4)}" for _ in range(depth)]
        path = "/".join([*folders, f"f{choose.randrange(12)}.txt"])
    if kind == "delete":
        del model.files[path]
        other.act("delete", path)
        return path
    text = f"mark {number:06d}\n"
    model.files[path] = text
    other.act(kind, path, text)
    return path


async def _look(choose: random.Random, tools: ToolsByHand, model: Model, path: str) -> None:
    """Call one tool, once or twice, and compare with the model."""
    text = model.files.get(path)
    match choose.choice(["file_read", "list_dir", "grep", "glob"]):
        case "file_read":
            answer = await tools.call("file_read", json.dumps({"path": path}))
            if text is None:
                assert answer.result.is_error
            else:
                assert header_and_body(answer.result.text)[1] == text
        case "list_dir":
            answer = await tools.call("list_dir", "{}")
            seen = [
                row
                for row in rows_of(answer.result.text)
                if row.removesuffix("/") in model_names(model) or not row.endswith("/")
            ]
            assert seen == model.entries(".")
        case "grep":
            answer = await tools.call("grep", json.dumps({"pattern": "^mark", "max_matches": 500}))
            wanted = {f"{name}:1:{line.strip()}" for name, line in model.files.items()}
            assert set(rows_of(answer.result.text)) == wanted
        case _:
            answer = await tools.call("glob", json.dumps({"pattern": "**/*.txt"}))
            assert rows_of(answer.result.text) == sorted(model.files)


def model_names(model: Model) -> set[str]:
    """Return the first parts of all paths."""
    return {path.split("/")[0] for path in model.files}


async def test_repeated_reads_of_an_unchanged_file_are_hits(
    workspace: Path, tmp_path: Path
) -> None:
    (workspace / "a.txt").write_text("same\n")
    core = build_core(
        CoreOptions(
            root=workspace,
            settings=Settings(),
            locations=Locations(config=tmp_path / "home", state=tmp_path / "home"),
            environment=dict(os.environ),
            approver=ByHandApprover(approves_writes=False, approves_commands=False),
        )
    )
    tools = ToolsByHand(calls=core.pipeline, events=core.events, ids=core.ids)
    try:
        await asyncio.sleep(0.1)  # a stamp younger than 50 ms is not stored
        first = await tools.call("file_read", '{"path": "a.txt"}')
        second = await tools.call("file_read", '{"path": "./a.txt"}')
    finally:
        await core.end_processes()
    assert (first.is_cached, second.is_cached) == (False, True)
    assert first.result.text == second.result.text
