"""Whole files through the tool."""

import pytest

from caramelo_tui.domain.errors import StaleFile
from caramelo_tui.workspace.file_io import FileAppeared
from tests.doubles.tool_worlds import ToolWorld


async def test_new_file_gets_exactly_the_content(tool_world: ToolWorld) -> None:
    output = await tool_world.run("file_write", path="x/y/a.txt", content="\ufeffa\r\nb\n")

    assert (tool_world.root / "x/y/a.txt").read_bytes() == b"\xef\xbb\xbfa\r\nb\n"
    assert output.text == "created x/y/a.txt; it now has 8 bytes, 2 lines."


async def test_empty_new_file_is_created(tool_world: ToolWorld) -> None:
    output = await tool_world.run("file_write", path="empty.txt", content="")

    assert (tool_world.root / "empty.txt").read_bytes() == b""
    assert "created empty.txt; it now has 0 bytes, 0 lines." in output.text


async def test_existing_file_needs_overwrite(tool_world: ToolWorld) -> None:
    file = tool_world.write("a.txt", "old")

    output = await tool_world.run("file_write", path="a.txt", content="new")

    assert output.is_error
    assert "file_edit" in output.text
    assert file.read_text() == "old"


async def test_overwriting_keeps_line_ends_and_mode(tool_world: ToolWorld) -> None:
    file = tool_world.write("dos.txt", "o1\r\no2\r\n")
    file.chmod(0o755)

    output = await tool_world.run("file_write", path="dos.txt", content="n1\n", overwrite=True)

    assert not output.is_error
    assert file.read_bytes() == b"n1\r\n"
    assert file.stat().st_mode & 0o777 == 0o755


@pytest.mark.parametrize("path", ["sl/", "d", ".", "d/.."])
async def test_path_of_a_folder_is_an_error(tool_world: ToolWorld, path: str) -> None:
    tool_world.write("d/k.txt", "k")

    output = await tool_world.run("file_write", path=path, content="x", overwrite=True)

    assert output.is_error
    assert not (tool_world.root / "sl").exists()


async def test_lone_surrogate_is_refused_before_any_file_is_touched(tool_world: ToolWorld) -> None:
    output = await tool_world.run_text("file_write", '{"path": "s.txt", "content": "a\\ud800b"}')

    assert output.is_error
    assert not (tool_world.root / "s.txt").exists()


async def test_file_that_appears_after_the_proposal_is_not_overwritten(
    tool_world: ToolWorld,
) -> None:
    prepared = await tool_world.prepare("file_write", path="late.txt", content="mine")
    file = tool_world.write("late.txt", "theirs")
    proposal = prepared.proposal
    assert proposal is not None

    with pytest.raises((StaleFile, FileAppeared)):
        tool_world.context.files.write_atomic(
            proposal.path, proposal.after, expected_hash=proposal.base_hash
        )
    assert file.read_text() == "theirs"
