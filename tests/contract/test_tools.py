"""What every tool promises, run against those of both profiles on the real disk."""

import asyncio
import json
import os
import threading
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import psutil
import pytest
from jsonschema import Draft7Validator

from caramelo_tui.domain.tool_calls import Effect, JsonValue
from caramelo_tui.tools.profiles import CARAMELO_TOOLS
from caramelo_tui.tools.search.regex_process import RegexProcesses
from tests.doubles.core_tool_worlds import CORE_OWN_TOOLS, core_own_tools
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """What the suite has to know of a tool."""

    valid: Mapping[str, JsonValue]
    """Arguments of a call that succeeds; the first one is a text."""
    effect: Effect
    path_argument: str = ""
    """The argument that names a file or folder; empty: there is none."""


KNOWN: Mapping[str, Known] = {
    "file_read": Known(valid={"path": "in.txt"}, effect=Effect.READ, path_argument="path"),
    "list_dir": Known(valid={"path": "."}, effect=Effect.READ, path_argument="path"),
    "grep": Known(valid={"pattern": "inside"}, effect=Effect.READ, path_argument="path"),
    "glob": Known(valid={"pattern": "**"}, effect=Effect.READ),
    "file_edit": Known(
        valid={"path": "in.txt", "search": "inside", "replace": "x"},
        effect=Effect.WRITE,
        path_argument="path",
    ),
    "file_write": Known(
        valid={"path": "new.txt", "content": "x"}, effect=Effect.WRITE, path_argument="path"
    ),
    "bash": Known(valid={"command": "true"}, effect=Effect.COMMAND, path_argument="cwd"),
    "read_file": Known(valid={"path": "in.txt"}, effect=Effect.READ, path_argument="path"),
    "write_file": Known(
        valid={"path": "new.txt", "content": "x"}, effect=Effect.WRITE, path_argument="path"
    ),
    "edit_file": Known(
        valid={"path": "in.txt", "old_string": "inside", "new_string": "x"},
        effect=Effect.WRITE,
        path_argument="path",
    ),
    "run_command": Known(valid={"command": "true"}, effect=Effect.COMMAND),
    "list_files": Known(
        valid={"path": ".", "recursive": True}, effect=Effect.READ, path_argument="path"
    ),
    "task_done": Known(valid={"summary": "done", "files_changed": ["in.txt"]}, effect=Effect.OTHER),
}
FURTHER: Mapping[str, Mapping[str, JsonValue]] = {
    "file_write": {"overwrite": True},
    "bash": {"command": "cat secret.txt; touch made"},
}
"""What a call that tries to get out has besides."""
READS = [tool for tool, known in KNOWN.items() if known.effect is Effect.READ]

every_tool = pytest.mark.parametrize("tool", list(KNOWN))
every_path_tool = pytest.mark.parametrize(
    "tool", [tool for tool, known in KNOWN.items() if known.path_argument]
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Outside:
    """What lies next to the workspace and must stay as it is."""

    folder: Path

    @property
    def listing(self) -> dict[str, str]:
        return {path.name: path.read_text() for path in sorted(self.folder.iterdir())}


@pytest.fixture
def world(tmp_path: Path, tool: str) -> Iterator[ToolWorld]:
    """Give an empty workspace with the tools of the profile that has ``tool``."""
    (tmp_path / "workspace").mkdir()
    (tmp_path / "outside").mkdir()
    tools = core_own_tools() if tool in CORE_OWN_TOOLS else None
    with open_tool_world(tmp_path / "workspace", tmp_path / "artifacts", tools=tools) as opened:
        yield opened


@pytest.fixture
def outside(world: ToolWorld) -> Outside:
    folder = world.root.parent / "outside"
    (folder / "secret.txt").write_text("TOPSECRET")
    world.write("in.txt", "inside\n")
    world.write("sub/deep.txt", "deep\n")
    for name, target in (("peek", folder / "secret.txt"), ("way", folder), ("made", folder / "m")):
        (world.root / name).symlink_to(target)
    return Outside(folder=folder)


def test_every_tool_of_both_profiles_that_needs_no_more_is_here() -> None:
    assert tuple(KNOWN) == (*CARAMELO_TOOLS, *CORE_OWN_TOOLS)


@every_tool
def test_schema_is_valid_draft_07_within_the_subset(world: ToolWorld, tool: str) -> None:
    found = world.registry.get(tool)
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
def test_description_says_more_than_the_name(world: ToolWorld, tool: str) -> None:
    found = world.registry.get(tool)
    assert found is not None

    assert found.spec.name == tool
    assert len(found.spec.description) > 100
    assert "`" in found.spec.description or "sorted" in found.spec.description


@every_tool
async def test_valid_call_is_prepared_with_its_arguments_and_effect(
    world: ToolWorld, outside: Outside, tool: str
) -> None:
    prepared = await world.prepare(tool, **KNOWN[tool].valid)

    found = world.registry.get(tool)
    assert found is not None
    assert prepared.arguments == KNOWN[tool].valid
    assert prepared.effect is found.effect is KNOWN[tool].effect
    assert "\n" not in prepared.summary
    assert (prepared.proposal is not None) is (prepared.effect is Effect.WRITE)
    assert (prepared.command is not None) is (prepared.effect is Effect.COMMAND)
    assert (prepared.action is not None) is (prepared.effect is Effect.OTHER)
    assert prepared.is_cacheable is (prepared.effect is Effect.READ)
    assert outside.listing == {"secret.txt": "TOPSECRET"}


@every_tool
@pytest.mark.parametrize("change", ["unknown", "no_object", "wrong_type", "null"])
async def test_bad_arguments_name_the_field_and_run_nothing(
    world: ToolWorld, outside: Outside, tool: str, change: str
) -> None:
    first = next(iter(KNOWN[tool].valid))
    changed: Mapping[str, JsonValue] = {
        "unknown": {**KNOWN[tool].valid, "surprise": 1},
        "no_object": ["x"],
        "wrong_type": {**KNOWN[tool].valid, first: 7},
        "null": {**KNOWN[tool].valid, first: None},
    }
    before = sorted(path.name for path in world.root.rglob("*"))

    output = await world.run_text(tool, json.dumps(changed[change]))

    assert output.is_error
    assert tool in output.text
    assert {"unknown": "surprise", "no_object": "a list"}.get(change, first) in output.text
    assert sorted(path.name for path in world.root.rglob("*")) == before
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
        "${OUT}/secret.txt",
        "${OUT}",
        "${WS}/../outside/secret.txt",
        "${WS}/way",
        "//etc/passwd",
        "~/x",
        "in.txt\0.png",
        "",
        "C:\\x",
        "x" * 5_000,
    ],
)
async def test_no_path_leads_outside(
    world: ToolWorld, outside: Outside, tool: str, path: str
) -> None:
    known = KNOWN[tool]
    filled = path.replace("${OUT}", str(outside.folder)).replace("${WS}", str(world.root))

    output = await world.run(
        tool, **{**known.valid, **FURTHER.get(tool, {}), known.path_argument: filled}
    )

    assert output.is_error
    assert "TOPSECRET" not in output.text
    assert "Traceback" not in output.text
    assert outside.listing == {"secret.txt": "TOPSECRET"}


@pytest.mark.parametrize("tool", READS)
async def test_reads_change_nothing_and_give_the_same_twice(
    world: ToolWorld, outside: Outside, tool: str
) -> None:
    before = {path: path.lstat() for path in world.root.rglob("*")}

    first = await world.run(tool, **KNOWN[tool].valid)
    second = await world.run(tool, **KNOWN[tool].valid)

    assert first == second
    assert not first.is_error
    after = {path: path.lstat() for path in world.root.rglob("*")}
    assert [(s.st_mtime_ns, s.st_ctime_ns) for s in after.values()] == [
        (s.st_mtime_ns, s.st_ctime_ns) for s in before.values()
    ]
    assert outside.listing == {"secret.txt": "TOPSECRET"}


@every_path_tool
async def test_fifo_is_refused_without_opening(world: ToolWorld, tool: str) -> None:
    known = KNOWN[tool]
    os.mkfifo(world.root / "pipe")

    async with asyncio.timeout(3):
        output = await world.run(
            tool, **{**known.valid, **FURTHER.get(tool, {}), known.path_argument: "pipe"}
        )

    assert output.is_error
    assert "pipe" in output.text


@every_tool
async def test_unknown_tool_lists_the_offered_ones(world: ToolWorld, tool: str) -> None:
    output = await world.run("file_reed", path="x")

    assert output.is_error
    assert "file_reed" in output.text
    assert tool in output.text


@pytest.mark.parametrize("tool", READS)
async def test_result_is_encodable_and_within_the_limit_whatever_the_names(
    world: ToolWorld, tool: str
) -> None:
    bad = b"\x1b\n\xe9ab\x7f\xff \xc2\x85\xe2\x80\xae"
    for number in range(60):
        name = f"{number}".encode() + bytes(bad[(number * step) % len(bad)] for step in range(60))
        (world.root / os.fsdecode(name)).write_bytes(b"inside \x1b[2J \xe9\n")
    world.write("in.txt", "inside\n")

    output = await world.run(tool, **KNOWN[tool].valid)

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
        ticks: list[None] = []

        async def tick() -> None:
            while True:
                await asyncio.sleep(0.01)
                ticks.append(None)

        ticking = asyncio.create_task(tick())
        output = await world.run("grep", pattern="(a+)+$")
        ticking.cancel()

    assert output.is_error
    assert "stopped after 0.5 s" in output.text
    # A loop that matched by itself would have had no turn in all that time.
    assert len(ticks) >= 10
