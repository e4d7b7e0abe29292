"""What every tool promises, run against the second profile's own tools on the real disk."""

import asyncio
import json
import os
from collections.abc import Mapping
from pathlib import Path

import pytest
from jsonschema import Draft7Validator

from caramelo_tui.domain.tool_calls import Effect, JsonValue
from tests.doubles.core_tool_worlds import CORE_OWN_TOOLS, core_world
from tests.doubles.tool_worlds import ToolWorld

__all__ = ["core_world"]

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

REFERENCE: Mapping[str, dict[str, tuple[str, bool]]] = {
    "read_file": {
        "path": ("string", True),
        "offset": ("integer", False),
        "limit": ("integer", False),
    },
    "write_file": {"path": ("string", True), "content": ("string", True)},
    "edit_file": {
        "path": ("string", True),
        "old_string": ("string", True),
        "new_string": ("string", True),
    },
    "run_command": {"command": ("string", True), "timeout": ("integer", False)},
    "list_files": {
        "path": ("string", True),
        "recursive": ("boolean", False),
        "pattern": ("string", False),
    },
    "task_done": {"summary": ("string", True), "files_changed": ("array", False)},
}
"""Parameter, type (``integer`` where a count is meant) and whether it is required."""

VALID: Mapping[str, dict[str, JsonValue]] = {
    "read_file": {"path": "in.txt"},
    "write_file": {"path": "new.txt", "content": "x"},
    "edit_file": {"path": "in.txt", "old_string": "inside", "new_string": "x"},
    "run_command": {"command": "true"},
    "list_files": {"path": ".", "recursive": True},
    "task_done": {"summary": "done", "files_changed": ["in.txt"]},
}
EFFECTS = {
    "read_file": Effect.READ,
    "write_file": Effect.WRITE,
    "edit_file": Effect.WRITE,
    "run_command": Effect.COMMAND,
    "list_files": Effect.READ,
    "task_done": Effect.OTHER,
}
FIRST_PROFILE = ("file_read", "file_write", "file_edit", "list_dir", "grep", "glob", "bash")

every_tool = pytest.mark.parametrize("tool", CORE_OWN_TOOLS)
every_path_tool = pytest.mark.parametrize(
    "tool", ["read_file", "write_file", "edit_file", "list_files"]
)


@pytest.fixture
def outside(core_world: ToolWorld) -> Path:
    """What lies next to the workspace and must stay as it is."""
    folder = core_world.root.parent / "outside"
    (folder / "secret.txt").write_text("TOPSECRET")
    core_world.write("in.txt", "inside\n")
    core_world.write("sub/deep.txt", "deep\n")
    for name, target in (("peek", folder / "secret.txt"), ("way", folder), ("made", folder / "m")):
        (core_world.root / name).symlink_to(target)
    return folder


def listing(folder: Path) -> dict[str, str]:
    return {path.name: path.read_text() for path in sorted(folder.iterdir())}


@every_tool
def test_schema_is_valid_draft_07_and_that_of_the_reference(
    core_world: ToolWorld, tool: str
) -> None:
    found = core_world.registry.get(tool)
    assert found is not None
    schema = found.spec.input_schema

    Draft7Validator.check_schema(schema)
    assert set(schema) <= SUBSET
    assert schema["additionalProperties"] is False
    properties = schema["properties"]
    required = schema["required"]
    assert isinstance(properties, dict)
    assert isinstance(required, list)
    got: dict[str, tuple[JsonValue, bool]] = {}
    for name, value in properties.items():
        assert isinstance(value, dict), name
        assert set(value) <= SUBSET, name
        assert value["description"], name
        if value["type"] == "integer":
            assert value["minimum"] == 1, name
        if "default" in value:
            Draft7Validator(value).validate(value["default"])
        got[name] = (value["type"], name in required)
    assert got == REFERENCE[tool]
    json.dumps(dict(schema))


@every_tool
def test_description_speaks_of_its_own_profile_only(core_world: ToolWorld, tool: str) -> None:
    found = core_world.registry.get(tool)
    assert found is not None
    text = found.spec.description + json.dumps(dict(found.spec.input_schema))

    assert len(found.spec.description) > 200
    for other in FIRST_PROFILE:
        assert f"`{other}`" not in text
        assert f" {other} " not in text
        assert f"use {other}" not in text


@every_tool
async def test_valid_call_is_prepared_with_its_arguments_and_effect(
    core_world: ToolWorld, outside: Path, tool: str
) -> None:
    prepared = await core_world.prepare(tool, **VALID[tool])

    assert prepared.arguments == VALID[tool]
    assert prepared.effect is EFFECTS[tool]
    assert "\n" not in prepared.summary
    assert (prepared.proposal is not None) is (prepared.effect is Effect.WRITE)
    assert (prepared.command is not None) is (prepared.effect is Effect.COMMAND)
    assert (prepared.action is not None) is (prepared.effect is Effect.OTHER)
    assert prepared.is_cacheable is (prepared.effect is Effect.READ)
    assert listing(outside) == {"secret.txt": "TOPSECRET"}


@every_tool
@pytest.mark.parametrize("change", ["unknown", "no_object", "wrong_type", "null"])
async def test_bad_arguments_name_the_field_and_run_nothing(
    core_world: ToolWorld, outside: Path, tool: str, change: str
) -> None:
    first = next(iter(VALID[tool]))
    changed: Mapping[str, JsonValue] = {
        "unknown": {**VALID[tool], "surprise": 1},
        "no_object": ["x"],
        "wrong_type": {**VALID[tool], first: 7},
        "null": {**VALID[tool], first: None},
    }
    before = sorted(path.name for path in core_world.root.rglob("*"))

    output = await core_world.run_text(tool, json.dumps(changed[change]))

    assert output.is_error
    assert tool in output.text
    assert {"unknown": "surprise", "no_object": "a list"}.get(change, first) in output.text
    assert sorted(path.name for path in core_world.root.rglob("*")) == before
    assert listing(outside) == {"secret.txt": "TOPSECRET"}


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
    core_world: ToolWorld, outside: Path, tool: str, path: str
) -> None:
    filled = path.replace("${OUT}", str(outside)).replace("${WS}", str(core_world.root))

    output = await core_world.run(tool, **{**VALID[tool], "path": filled})

    assert output.is_error
    assert "TOPSECRET" not in output.text
    assert "Traceback" not in output.text
    assert listing(outside) == {"secret.txt": "TOPSECRET"}


@every_path_tool
async def test_absolute_path_inside_is_the_relative_one(
    core_world: ToolWorld, outside: Path, tool: str
) -> None:
    del outside
    path = VALID[tool]["path"]
    assert isinstance(path, str)

    relative = await core_world.prepare(tool, **VALID[tool])
    absolute = await core_world.prepare(
        tool, **{**VALID[tool], "path": str(core_world.root / path)}
    )

    assert absolute.paths == relative.paths
    assert absolute.summary == relative.summary


@every_path_tool
async def test_fifo_is_refused_without_opening(core_world: ToolWorld, tool: str) -> None:
    os.mkfifo(core_world.root / "pipe")

    async with asyncio.timeout(3):
        output = await core_world.run(tool, **{**VALID[tool], "path": "pipe"})

    assert output.is_error
    assert "pipe" in output.text


@pytest.mark.parametrize("tool", ["read_file", "list_files"])
async def test_reads_change_nothing_and_give_the_same_twice(
    core_world: ToolWorld, outside: Path, tool: str
) -> None:
    before = {path: path.lstat() for path in core_world.root.rglob("*")}

    first = await core_world.run(tool, **VALID[tool])
    second = await core_world.run(tool, **VALID[tool])

    assert first == second
    assert not first.is_error
    after = {path: path.lstat() for path in core_world.root.rglob("*")}
    assert [(s.st_mtime_ns, s.st_ctime_ns) for s in after.values()] == [
        (s.st_mtime_ns, s.st_ctime_ns) for s in before.values()
    ]
    assert listing(outside) == {"secret.txt": "TOPSECRET"}


async def test_unknown_tool_lists_the_offered_ones(core_world: ToolWorld) -> None:
    output = await core_world.run("file_read", path="x")

    assert output.is_error
    assert all(name in output.text for name in CORE_OWN_TOOLS)
