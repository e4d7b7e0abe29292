"""What the second profile's own tools promise beyond ``test_tools``: the reference's parameters."""

import json
from collections.abc import Mapping

import pytest

from caramelo_tui.domain.tool_calls import JsonValue
from tests.doubles.core_tool_worlds import CORE_OWN_TOOLS, core_world
from tests.doubles.tool_worlds import ToolWorld

__all__ = ["core_world"]

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

FIRST_PROFILE = ("file_read", "file_write", "file_edit", "list_dir", "grep", "glob", "bash")

every_tool = pytest.mark.parametrize("tool", CORE_OWN_TOOLS)


@every_tool
def test_schema_is_that_of_the_reference(core_world: ToolWorld, tool: str) -> None:
    found = core_world.registry.get(tool)
    assert found is not None
    properties = found.spec.input_schema["properties"]
    required = found.spec.input_schema["required"]

    assert isinstance(properties, dict)
    assert isinstance(required, list)
    got: dict[str, tuple[JsonValue, bool]] = {}
    for name, value in properties.items():
        assert isinstance(value, dict), name
        assert value["description"], name
        if value["type"] == "integer":
            assert value["minimum"] == 1, name
        got[name] = (value["type"], name in required)
    assert got == REFERENCE[tool]


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


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("read_file", {"path": "in.txt"}),
        ("write_file", {"path": "new.txt", "content": "x"}),
        ("edit_file", {"path": "in.txt", "old_string": "inside", "new_string": "x"}),
        ("list_files", {"path": ".", "recursive": True}),
    ],
)
async def test_absolute_path_inside_is_the_relative_one(
    core_world: ToolWorld, tool: str, arguments: dict[str, JsonValue]
) -> None:
    core_world.write("in.txt", "inside\n")
    path = arguments["path"]
    assert isinstance(path, str)

    relative = await core_world.prepare(tool, **arguments)
    absolute = await core_world.prepare(tool, **{**arguments, "path": str(core_world.root / path)})

    assert absolute.paths == relative.paths
    assert absolute.summary == relative.summary
