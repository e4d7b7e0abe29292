"""The plan of a commit is what git commits, whatever stands in index and working tree."""

import pytest

from caramelo_tui.domain.ids import CallId
from caramelo_tui.domain.tool_calls import ToolCall
from caramelo_tui.tools.git.staging import ALL, CommitPlan, plan_commit
from tests.doubles.git_worlds import GitWorld, open_git_world

CALL = ToolCall(id=CallId("c"), name="git_commit", arguments_json="")


async def plan(world: GitWorld, *paths: str) -> CommitPlan:
    return await plan_commit(await world.program.open(CALL, world.context), paths or ALL)


async def test_a_file_put_into_the_index_by_force_is_part_of_all(world: GitWorld) -> None:
    world.commit("first", __gitignore="*.log\n")
    world.write("x.log", "x\n")
    world.git("add", "--force", "x.log")
    world.write("x.log", "newer\n")

    made = await plan(world)

    assert [change.row for change in made.changes] == ["A x.log +1 -0"]
    world.git("add", "--all")
    assert made.tree == world.git("write-tree").strip()


async def test_clean_filters_shape_the_plan_as_they_shape_the_commit(world: GitWorld) -> None:
    world.commit("first", __gitattributes="*.txt filter=upper\n")
    world.git("config", "filter.upper.clean", "tr a-z A-Z")
    world.write("a.txt", "abc\n")

    made = await plan(world)

    await world.text("git_commit", message="m")
    assert world.git("show", "HEAD:a.txt") == "ABC\n"
    assert made.tree == world.git("rev-parse", "HEAD^{tree}").strip()


async def test_a_folder_with_a_colon_and_quotes_in_its_name(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    folder = tmp_path_factory.mktemp("odd") / 'a:b "c" \\d'
    world = open_git_world(folder)
    world.commit("first", a__txt="one\n")
    world.write("a.txt", "uno\n")

    assert [change.row for change in (await plan(world)).changes] == ["M a.txt +1 -1"]
