"""A write call proposes exact bytes and changes nothing by itself."""

import pytest

from caramelo_tui.domain.errors import PathOutsideWorkspace, PathRefused, ToolFailure
from caramelo_tui.domain.tool_calls import Effect
from tests.doubles.tool_worlds import ToolWorld


async def test_prepare_works_out_the_bytes_and_writes_nothing(tool_world: ToolWorld) -> None:
    file = tool_world.write("a.txt", "one\r\ntwo\r\n")

    prepared = await tool_world.prepare("file_edit", path="a.txt", search="one", replace="1\n1")

    assert prepared.effect is Effect.WRITE
    assert prepared.proposal is not None
    assert prepared.proposal.after == b"1\r\n1\r\ntwo\r\n"
    assert prepared.paths == ("a.txt",)
    assert prepared.summary == "a.txt"
    assert not prepared.is_cacheable
    assert file.read_bytes() == b"one\r\ntwo\r\n"


async def test_prepare_stands_on_this_turn_s_earlier_proposals(tool_world: ToolWorld) -> None:
    tool_world.write("a.txt", "one\n")
    first = await tool_world.prepare("file_edit", path="a.txt", search="one", replace="two")
    assert first.proposal is not None
    tool_world.context.overlay.propose(first.proposal)

    second = await tool_world.prepare("file_edit", path="a.txt", search="two", replace="three")

    assert second.proposal is not None
    assert second.proposal.before == b"two\n"
    assert second.proposal.after == b"three\n"


async def test_link_inside_names_the_file_that_will_be_written(tool_world: ToolWorld) -> None:
    tool_world.write("real.txt", "old")
    (tool_world.root / "alias").symlink_to("real.txt")

    prepared = await tool_world.prepare("file_edit", path="alias", search="old", replace="new")

    assert prepared.paths == ("real.txt",)
    assert prepared.summary == "alias"


@pytest.mark.parametrize("path", ["../x", "/etc/x", "~/x", ""])
async def test_refused_path_is_refused_before_anything_is_read(
    tool_world: ToolWorld, path: str
) -> None:
    with pytest.raises(PathRefused):
        await tool_world.prepare("file_write", path=path, content="x")


async def test_dangling_link_to_outside_is_refused(tool_world: ToolWorld) -> None:
    (tool_world.root / "out").symlink_to(tool_world.root.parent / "outside" / "made.txt")

    with pytest.raises(PathOutsideWorkspace):
        await tool_world.prepare("file_write", path="out", content="x", overwrite=True)


async def test_execute_never_writes(tool_world: ToolWorld) -> None:
    prepared = await tool_world.prepare("file_write", path="a.txt", content="x")
    tool = tool_world.registry.get("file_write")
    assert tool is not None

    with pytest.raises(ToolFailure, match="review"):
        await tool.execute(prepared, tool_world.context)
    assert not (tool_world.root / "a.txt").exists()
