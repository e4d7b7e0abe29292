"""String replacement in profile ``core``: found, unique, different, and worded for it."""

import pytest

from caramelo_tui.domain.errors import ToolFailure
from caramelo_tui.domain.tool_calls import Effect
from caramelo_tui.tools.files.edit_file import edit_file
from tests.doubles.tool_worlds import ToolWorld


async def test_unique_string_is_replaced_literally_and_confirmed(core_world: ToolWorld) -> None:
    file = core_world.write("a.txt", b"alpha\nbeta\ngamma\n")

    output = await core_world.run(
        "edit_file", path="a.txt", old_string="beta", new_string="$& \\1 é"
    )

    assert file.read_text() == "alpha\n$& \\1 é\ngamma\n"
    assert output.text == "changed a.txt at line 2; it now has 20 characters, 3 lines."
    assert not output.is_error


async def test_empty_new_string_deletes(core_world: ToolWorld) -> None:
    file = core_world.write("a.txt", "ab\n")

    await core_world.run("edit_file", path="a.txt", old_string="a", new_string="")

    assert file.read_text() == "b\n"


async def test_missing_file_names_the_tool_that_makes_one(core_world: ToolWorld) -> None:
    output = await core_world.run("edit_file", path="no.txt", old_string="a", new_string="b")

    assert output.is_error
    assert output.text == "no.txt does not exist. Use write_file to create it."


async def test_string_that_is_not_found_shows_the_nearest_lines(core_world: ToolWorld) -> None:
    file = core_world.write("n.txt", "alpha\nbeta\n")

    output = await core_world.run("edit_file", path="n.txt", old_string="2 | beta", new_string="x")

    assert output.is_error
    assert "did not match" in output.text
    assert "     2 | beta" in output.text
    assert file.read_text() == "alpha\nbeta\n"


@pytest.mark.parametrize(("content", "old"), [("log(1);\nlog(1);\n", "log(1);"), ("aaa\n", "aa")])
async def test_string_that_is_not_unique_is_refused(
    core_world: ToolWorld, content: str, old: str
) -> None:
    file = core_world.write("a.txt", content)

    output = await core_world.run("edit_file", path="a.txt", old_string=old, new_string="x")

    assert output.is_error
    assert "must be unique" in output.text
    assert file.read_text() == content


async def test_equal_strings_are_refused(core_world: ToolWorld) -> None:
    file = core_world.write("a.txt", "abc\n")

    output = await core_world.run("edit_file", path="a.txt", old_string="abc", new_string="abc")

    assert output.is_error
    assert "must differ" in output.text
    assert file.read_text() == "abc\n"


async def test_empty_old_string_points_to_write_file(core_world: ToolWorld) -> None:
    core_world.write("a.txt", "abc")

    output = await core_world.run("edit_file", path="a.txt", old_string="", new_string="x")

    assert output.is_error
    assert "`old_string` is empty" in output.text
    assert "write_file" in output.text


async def test_absolute_path_inside_is_accepted(core_world: ToolWorld) -> None:
    file = core_world.write("sub/a.txt", "one\n")

    output = await core_world.run("edit_file", path=str(file), old_string="one", new_string="two")

    assert file.read_text() == "two\n"
    assert output.text.startswith("changed sub/a.txt at line 1")


async def test_two_edits_of_one_turn_build_on_each_other(core_world: ToolWorld) -> None:
    core_world.write("a.txt", "one\n")
    first = await core_world.prepare("edit_file", path="a.txt", old_string="one", new_string="two")
    assert first.proposal is not None
    core_world.context.overlay.propose(first.proposal)

    second = await core_world.prepare("edit_file", path="a.txt", old_string="two", new_string="3")

    assert second.proposal is not None
    assert second.proposal.before == b"two\n"
    assert second.proposal.after == b"3\n"


async def test_it_only_proposes(core_world: ToolWorld) -> None:
    file = core_world.write("a.txt", "one\n")
    prepared = await core_world.prepare(
        "edit_file", path="a.txt", old_string="one", new_string="two"
    )

    assert prepared.effect is Effect.WRITE
    with pytest.raises(ToolFailure, match="has to go through a review"):
        await edit_file().execute(prepared, core_world.context)
    assert file.read_text() == "one\n"
