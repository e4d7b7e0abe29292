"""HEAD is read in every state that it can be in."""

from caramelo_tui.domain.ids import CallId
from caramelo_tui.domain.tool_calls import ToolCall
from caramelo_tui.tools.git.head import Head, read_head
from tests.doubles.git_worlds import GitWorld


async def head_of(world: GitWorld) -> Head:
    call = ToolCall(id=CallId("c"), name="git_status", arguments_json="")
    return await read_head(await world.program.open(call, world.context))


async def test_branch_and_commit(world: GitWorld) -> None:
    assert await head_of(world) == Head(branch="main", commit="")
    commit = world.commit("first")
    world.git("switch", "--quiet", "--create", "feat/x")
    assert await head_of(world) == Head(branch="feat/x", commit=commit)
    world.git("switch", "--quiet", "--detach")
    detached = await head_of(world)
    assert detached == Head(branch="", commit=commit)
    assert detached.name == "a detached HEAD"
