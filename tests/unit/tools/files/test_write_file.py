"""Whole files in profile ``core``: made or replaced, confirmed in characters."""

import pytest

from caramelo_tui.domain.diffs import WholeContent
from caramelo_tui.domain.errors import ToolFailure
from caramelo_tui.domain.tool_calls import Effect
from caramelo_tui.tools.files.write_file import edit_of, write_file
from tests.doubles.tool_worlds import ToolWorld


async def test_new_file_is_made_with_its_folders_and_confirmed_in_characters(
    core_world: ToolWorld,
) -> None:
    output = await core_world.run("write_file", path="w/x/new.txt", content="héllo")

    assert (core_world.root / "w/x/new.txt").read_text() == "héllo"
    assert output.text == "created w/x/new.txt; it now has 5 characters, 1 line."
    assert not output.is_error


async def test_existing_file_is_replaced_without_a_flag(core_world: ToolWorld) -> None:
    file = core_world.write("a.txt", "old\n")

    output = await core_world.run("write_file", path="a.txt", content="né\n")

    assert file.read_text() == "né\n"
    assert output.text == "changed a.txt at line 1; it now has 3 characters, 1 line."


async def test_replacing_keeps_mode_line_ends_and_byte_order_mark(core_world: ToolWorld) -> None:
    file = core_world.write("dos.txt", b"\xef\xbb\xbfo1\r\no2\r\n")
    file.chmod(0o755)

    output = await core_world.run("write_file", path="dos.txt", content="n1\nn2\n")

    assert file.read_bytes() == b"\xef\xbb\xbfn1\r\nn2\r\n"
    assert file.stat().st_mode & 0o777 == 0o755
    # Both characters of each line end are in the file; the mark is no character of the text.
    assert output.text.endswith("it now has 8 characters, 2 lines.")


async def test_same_content_changes_nothing_and_says_so(core_world: ToolWorld) -> None:
    core_world.write("a.txt", "same\n")

    output = await core_world.run("write_file", path="a.txt", content="same\n")

    assert not output.is_error
    assert output.text == "a.txt: nothing changed; it now has 5 characters, 1 line."


async def test_absolute_path_inside_is_accepted_and_shown_relative(core_world: ToolWorld) -> None:
    output = await core_world.run(
        "write_file", path=str(core_world.root / "p/q.txt"), content="abc"
    )

    assert (core_world.root / "p/q.txt").read_text() == "abc"
    assert output.text == "created p/q.txt; it now has 3 characters, 1 line."


@pytest.mark.parametrize("path", ["/etc/passwd", "../outside/x", "folder", "ro.txt"])
async def test_what_cannot_be_written_is_an_error(core_world: ToolWorld, path: str) -> None:
    core_world.write("folder/x", "a")
    core_world.write("ro.txt", "a").chmod(0o440)

    output = await core_world.run("write_file", path=path, content="b")

    assert output.is_error
    assert path in output.text
    assert "file_write" not in output.text
    assert (core_world.root / "ro.txt").read_text() == "a"


async def test_it_only_proposes(core_world: ToolWorld) -> None:
    prepared = await core_world.prepare("write_file", path="new.txt", content="x\n")

    assert prepared.effect is Effect.WRITE
    assert prepared.proposal is not None
    assert prepared.proposal.after == b"x\n"
    assert not (core_world.root / "new.txt").exists()
    with pytest.raises(ToolFailure, match="has to go through a review"):
        await write_file().execute(prepared, core_world.context)
    assert not (core_world.root / "new.txt").exists()


def test_arguments_become_an_edit_that_may_overwrite() -> None:
    assert edit_of({"path": "a", "content": "c"}) == WholeContent(content="c", can_overwrite=True)
