"""What every tool promises, run against each of the seven on the real disk."""

import asyncio
import json
import os
import threading
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import psutil
import pytest
from jsonschema import Draft7Validator

from caramelo_tui.domain.errors import ToolFailure
from caramelo_tui.domain.tool_calls import Effect, JsonValue
from caramelo_tui.tools.profiles import CARAMELO_TOOLS
from caramelo_tui.tools.search.regex_process import RegexProcesses
from tests.doubles.tool_worlds import ToolWorld, open_tool_world, tool_world

__all__ = ["tool_world"]

SUBSET = {
    "type",
    "required",
    "properties",
    "additionalProperties",
    "enum",
    "minimum",
    "maximum",
    "minLength",
    "items",
    "description",
    "default",
}
"""The keywords that every vendor takes."""

VALID: Mapping[str, dict[str, JsonValue]] = {
    "file_read": {"path": "in.txt"},
    "list_dir": {"path": "."},
    "grep": {"pattern": "inside"},
    "glob": {"pattern": "**"},
    "file_edit": {"path": "in.txt", "search": "inside", "replace": "x"},
    "file_write": {"path": "new.txt", "content": "x"},
    "bash": {"command": "true"},
}
PATH_ARGUMENT = {
    "file_read": "path",
    "list_dir": "path",
    "grep": "path",
    "file_edit": "path",
    "file_write": "path",
    "bash": "cwd",
}

every_tool = pytest.mark.parametrize("tool", CARAMELO_TOOLS)
every_path_tool = pytest.mark.parametrize("tool", list(PATH_ARGUMENT))


@dataclass(frozen=True, slots=True, kw_only=True)
class Outside:
    """What lies next to the workspace and must stay as it is."""

    folder: Path

    @property
    def listing(self) -> dict[str, str]:
        return {path.name: path.read_text() for path in sorted(self.folder.iterdir())}


@pytest.fixture
def outside(tool_world: ToolWorld) -> Outside:
    folder = tool_world.root.parent / "outside"
    (folder / "secret.txt").write_text("TOPSECRET")
    tool_world.write("in.txt", "inside\n")
    tool_world.write("sub/deep.txt", "deep\n")
    for name, target in (("peek", folder / "secret.txt"), ("way", folder), ("made", folder / "m")):
        (tool_world.root / name).symlink_to(target)
    return Outside(folder=folder)


@every_tool
def test_schema_is_valid_draft_07_within_the_subset(tool_world: ToolWorld, tool: str) -> None:
    found = tool_world.registry.get(tool)
    assert found is not None
    schema = found.spec.input_schema

    Draft7Validator.check_schema(schema)
    assert schema["type"] == "object"
    assert schema["additionalProperties"] is False
    assert set(schema) <= SUBSET
    properties = schema["properties"]
    assert isinstance(properties, dict)
    for name, value in properties.items():
        assert isinstance(value, dict), name
        assert set(value) <= SUBSET, name
        if "default" in value:
            Draft7Validator(value).validate(value["default"])
    json.dumps(dict(schema))


@every_tool
def test_description_says_more_than_the_name(tool_world: ToolWorld, tool: str) -> None:
    found = tool_world.registry.get(tool)
    assert found is not None

    assert found.spec.name == tool
    assert len(found.spec.description) > 100
    assert "`" in found.spec.description or "sorted" in found.spec.description


@every_tool
async def test_valid_call_is_prepared_with_its_arguments_and_effect(
    tool_world: ToolWorld, outside: Outside, tool: str
) -> None:
    prepared = await tool_world.prepare(tool, **VALID[tool])

    found = tool_world.registry.get(tool)
    assert found is not None
    assert prepared.arguments == VALID[tool]
    assert prepared.effect is found.effect
    assert "\n" not in prepared.summary
    assert (prepared.proposal is not None) is (prepared.effect is Effect.WRITE)
    assert (prepared.command is not None) is (prepared.effect is Effect.COMMAND)
    assert outside.listing == {"secret.txt": "TOPSECRET"}


@every_tool
@pytest.mark.parametrize("change", ["unknown", "no_object", "wrong_type", "null"])
async def test_bad_arguments_name_the_field_and_run_nothing(
    tool_world: ToolWorld, outside: Outside, tool: str, change: str
) -> None:
    first = next(iter(VALID[tool]))
    changed: Mapping[str, JsonValue] = {
        "unknown": {**VALID[tool], "surprise": 1},
        "no_object": ["x"],
        "wrong_type": {**VALID[tool], first: 7},
        "null": {**VALID[tool], first: None},
    }
    before = sorted(path.name for path in tool_world.root.rglob("*"))

    output = await tool_world.run_text(tool, json.dumps(changed[change]))

    assert output.is_error
    assert tool in output.text
    assert {"unknown": "surprise", "no_object": "a list"}.get(change, first) in output.text
    assert sorted(path.name for path in tool_world.root.rglob("*")) == before
    assert outside.listing == {"secret.txt": "TOPSECRET"}


@every_path_tool
@pytest.mark.parametrize(
    "path",
    [
        "../outside/secret.txt",
        "../outside",
        "sub/../../outside",
        "way",
        "way/secret.txt",
        "peek",
        "made",
        "/etc/passwd",
        "~/x",
        "in.txt\0.png",
        "",
        "C:\\x",
        "x" * 5_000,
    ],
)
async def test_no_path_leads_outside(
    tool_world: ToolWorld, outside: Outside, tool: str, path: str
) -> None:
    arguments = {**VALID[tool], PATH_ARGUMENT[tool]: path}
    if tool == "file_write":
        arguments["overwrite"] = True
    if tool == "bash":
        arguments["command"] = "cat secret.txt; touch made"

    output = await tool_world.run(tool, **arguments)

    assert output.is_error
    assert "TOPSECRET" not in output.text
    assert "Traceback" not in output.text
    assert outside.listing == {"secret.txt": "TOPSECRET"}


@pytest.mark.parametrize("tool", ["file_read", "list_dir", "grep", "glob"])
async def test_reads_change_nothing_and_give_the_same_twice(
    tool_world: ToolWorld, outside: Outside, tool: str
) -> None:
    before = {path: path.lstat() for path in tool_world.root.rglob("*")}

    first = await tool_world.run(tool, **VALID[tool])
    second = await tool_world.run(tool, **VALID[tool])

    assert first == second
    assert not first.is_error
    after = {path: path.lstat() for path in tool_world.root.rglob("*")}
    assert [(s.st_mtime_ns, s.st_ctime_ns) for s in after.values()] == [
        (s.st_mtime_ns, s.st_ctime_ns) for s in before.values()
    ]
    assert outside.listing == {"secret.txt": "TOPSECRET"}


@pytest.mark.parametrize("tool", ["file_read", "list_dir", "grep", "glob"])
async def test_result_is_encodable_and_within_the_limit_whatever_the_names(
    tool_world: ToolWorld, tool: str
) -> None:
    bad = b"\x1b\n\xe9ab\x7f\xff \xc2\x85\xe2\x80\xae"
    for number in range(60):
        name = f"{number}".encode() + bytes(bad[(number * step) % len(bad)] for step in range(60))
        (tool_world.root / os.fsdecode(name)).write_bytes(b"inside \x1b[2J \xe9\n")
    tool_world.write("in.txt", "inside\n")

    output = await tool_world.run(tool, **VALID[tool])

    assert not output.is_error
    data = json.dumps(output.text, ensure_ascii=False).encode("utf-8")
    assert len(data) <= 262_144
    head = output.text.partition("\n\n")[0]
    assert "\x1b" not in head


def first_pids(processes: RegexProcesses) -> tuple[int, ...]:
    """Return the workers as soon as there is one."""
    while not processes.pids:
        threading.Event().wait(0.002)
    return processes.pids


async def test_cancelled_grep_leaves_no_process(tool_world: ToolWorld) -> None:
    tool_world.write("r.txt", "a" * 60 + "!\n")
    call = asyncio.create_task(tool_world.run("grep", pattern="(a+)+$"))
    pids = await asyncio.to_thread(first_pids, tool_world.processes)

    call.cancel()
    with pytest.raises(asyncio.CancelledError):
        await call

    assert not any(psutil.pid_exists(pid) for pid in pids)
    assert (await tool_world.run("grep", pattern="!")).text.endswith("!\n")


async def test_endless_pattern_ends_in_time_and_the_loop_lives(tmp_path: Path) -> None:
    (tmp_path / "ws").mkdir()
    with open_tool_world(tmp_path / "ws", tmp_path / "artifacts", time_limit_s=0.5) as world:
        world.write("r.txt", "a" * 60 + "!\n")
        stalls: list[float] = []

        async def watch() -> None:
            clock = asyncio.get_running_loop().time
            while True:
                began = clock()
                await asyncio.sleep(0.01)
                stalls.append(clock() - began - 0.01)

        watcher = asyncio.create_task(watch())
        output = await world.run("grep", pattern="(a+)+$")
        watcher.cancel()

    assert output.is_error
    assert "stopped after 0.5 s" in output.text
    assert max(stalls) < 0.25


async def test_unknown_tool_lists_the_offered_ones(tool_world: ToolWorld) -> None:
    output = await tool_world.run("file_reed", path="x")

    assert output.is_error
    assert all(name in output.text for name in ("file_reed", *CARAMELO_TOOLS))


async def test_fifo_and_device_are_refused_without_opening(tool_world: ToolWorld) -> None:
    os.mkfifo(tool_world.root / "pipe")

    async with asyncio.timeout(3):
        read = await tool_world.run("file_read", path="pipe")
        edit = await tool_world.run("file_edit", path="pipe", search="a", replace="b")
        found = await tool_world.run("grep", pattern="x", path="pipe")

    assert all(output.is_error for output in (read, edit, found))
    with pytest.raises(ToolFailure):
        await tool_world.prepare("file_write", path="pipe", content="x", overwrite=True)
