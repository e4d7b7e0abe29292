"""SEARCH/REPLACE through the tool: what the model is told, and what stays on disk."""

import pytest

from tests.doubles.tool_worlds import ToolWorld


async def test_single_match_is_replaced_and_nothing_else_changes(tool_world: ToolWorld) -> None:
    file = tool_world.write("a.txt", b"\xef\xbb\xbfone\r\ntwo\nthree")

    output = await tool_world.run("file_edit", path="a.txt", search="two", replace="$& \\1")

    assert file.read_bytes() == b"\xef\xbb\xbfone\r\n$& \\1\nthree"
    assert output.text == "changed a.txt at line 2; it now has 19 bytes, 3 lines."
    assert not output.is_error


async def test_no_match_shows_the_nearest_lines(tool_world: ToolWorld) -> None:
    tool_world.write("a.js", "let n = 1;\n")

    output = await tool_world.run("file_edit", path="a.js", search="let n = 2;", replace="x")

    assert output.is_error
    assert "did not match" in output.text
    assert "let n = 1;" in output.text


async def test_several_matches_ask_for_more_context(tool_world: ToolWorld) -> None:
    tool_world.write("a.js", "log(1);\nlog(1);\n")

    output = await tool_world.run("file_edit", path="a.js", search="log(1);", replace="x")

    assert output.is_error
    assert "must be unique" in output.text
    assert "include more context" in output.text


async def test_empty_search_points_to_file_write(tool_world: ToolWorld) -> None:
    tool_world.write("a.txt", "abc")

    output = await tool_world.run("file_edit", path="a.txt", search="", replace="x")

    assert output.is_error
    assert "empty" in output.text
    assert "file_write" in output.text


async def test_equal_texts_change_nothing_and_say_so(tool_world: ToolWorld) -> None:
    file = tool_world.write("a.txt", "abc\n")
    before = file.stat().st_mtime_ns

    output = await tool_world.run("file_edit", path="a.txt", search="abc", replace="abc")

    assert not output.is_error
    assert "nothing changed" in output.text
    assert file.stat().st_mtime_ns == before


@pytest.mark.parametrize("path", ["missing.txt", "folder", "ro.txt", "latin.txt"])
async def test_what_cannot_be_edited_is_an_error(tool_world: ToolWorld, path: str) -> None:
    tool_world.write("folder/x", "a")
    tool_world.write("ro.txt", "a").chmod(0o440)
    tool_world.write("latin.txt", b"a\xe9")

    output = await tool_world.run("file_edit", path=path, search="a", replace="b")

    assert output.is_error
    assert (tool_world.root / "ro.txt").read_text() == "a"
    assert (tool_world.root / "latin.txt").read_bytes() == b"a\xe9"
