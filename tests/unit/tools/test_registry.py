"""Tools are found by exact name and offered in a stable order."""

import pytest

from caramelo_tui.tools.files.file_read import FileRead
from caramelo_tui.tools.files.list_dir import ListDir
from caramelo_tui.tools.registry import ToolRegistry


def test_registry_keeps_the_order_it_was_given() -> None:
    registry = ToolRegistry([ListDir(), FileRead()])

    assert registry.names == ("list_dir", "file_read")
    assert [spec.name for spec in registry.specs] == ["list_dir", "file_read"]


def test_registry_finds_by_exact_name_only() -> None:
    tool = FileRead()
    registry = ToolRegistry([tool])

    assert registry.get("file_read") is tool
    assert registry.get("File_Read") is None


def test_registry_refuses_two_tools_of_one_name() -> None:
    with pytest.raises(ValueError, match="file_read"):
        ToolRegistry([FileRead(), FileRead()])


def test_unknown_tool_text_lists_the_offered_tools() -> None:
    text = ToolRegistry([FileRead(), ListDir()]).unknown_tool_text("file_reed")

    assert "file_reed" in text
    assert "file_read, list_dir" in text
