"""A tool world that offers the file, command and ending tools of profile ``core``."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from caramelo_tui.tools.base import Tool
from caramelo_tui.tools.delegation.task_done import TaskDone
from caramelo_tui.tools.files.edit_file import edit_file
from caramelo_tui.tools.files.list_files import ListFiles
from caramelo_tui.tools.files.read_file import ReadFile
from caramelo_tui.tools.files.write_file import write_file
from caramelo_tui.tools.shell.run_command import RunCommand
from tests.doubles.tool_worlds import ToolWorld, open_tool_world

CORE_OWN_TOOLS = (
    "read_file",
    "write_file",
    "edit_file",
    "run_command",
    "list_files",
    "task_done",
)
"""Those that need nothing but the workspace and its commands."""


def core_own_tools() -> tuple[Tool, ...]:
    """Return them, in the order of ``CORE_OWN_TOOLS``."""
    return (ReadFile(), write_file(), edit_file(), RunCommand(), ListFiles(), TaskDone())


@pytest.fixture
def core_world(tmp_path: Path) -> Iterator[ToolWorld]:
    """Give an empty workspace with these tools; ``outside`` is a sibling folder of it."""
    (tmp_path / "workspace").mkdir()
    (tmp_path / "outside").mkdir()
    with open_tool_world(
        tmp_path / "workspace", tmp_path / "artifacts", tools=core_own_tools()
    ) as world:
        yield world
