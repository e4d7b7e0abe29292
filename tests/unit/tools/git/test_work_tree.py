"""How a working tree stands against its last commit, read from a real git."""

from caramelo_tui.domain.git_state import GitState, GitStates
from caramelo_tui.domain.ids import CallId
from caramelo_tui.domain.tool_calls import ToolCall
from caramelo_tui.tools.git.program import OpenRepository
from caramelo_tui.tools.git.work_tree import (
    hunks_of,
    parse_states,
    read_head_diff,
    read_states,
    split_patch,
)
from tests.doubles.git_worlds import GitWorld


async def opened(world: GitWorld) -> OpenRepository:
    call = ToolCall(id=CallId("c1"), name="git_status", arguments_json="")
    return await world.program.open(call, world.context)


async def test_every_state_has_its_letter(world: GitWorld) -> None:
    world.commit("one", a__txt="a\n", b__txt="b\n", c__txt="c\n")
    world.write(".gitignore", "*.log\nlogs/\n")
    world.write("a.txt", "changed\n")
    (world.root / "b.txt").unlink()
    world.write("staged.txt", "new\n")
    world.git("add", "staged.txt")
    world.write("x.log", "ignored\n")
    world.write("logs/deep/y.txt", "ignored\n")
    world.write("fresh/one.txt", "new\n")
    world.write("odd\nname é.txt", "new\n")
    states = await read_states(await opened(world))
    assert states.states == {
        ".gitignore": GitState.UNTRACKED,
        "a.txt": GitState.MODIFIED,
        "b.txt": GitState.DELETED,
        "staged.txt": GitState.ADDED,
        "fresh": GitState.UNTRACKED,
        "odd\nname é.txt": GitState.UNTRACKED,
    }
    assert states.ignored == {"x.log", "logs"}
    assert states.of("fresh/one.txt") is GitState.UNTRACKED
    assert states.of("c.txt") is None


async def test_the_branch_is_told_and_whether_all_is_committed(world: GitWorld) -> None:
    world.git("checkout", "--quiet", "-b", "work/ünï")
    assert (await read_states(await opened(world))).branch_text == "work/ünï"
    world.commit("one", a__txt="a\n")
    assert (await read_states(await opened(world))).branch_text == "work/ünï"
    world.write("a.txt", "b\n")
    assert (await read_states(await opened(world))).branch_text == "work/ünï*"
    world.git("checkout", "--quiet", "--detach")
    commit = world.git("rev-parse", "HEAD")
    assert (await read_states(await opened(world))).branch_text == f"{commit[:7]}*"


async def test_a_conflict_is_said(world: GitWorld) -> None:
    world.commit("one", a__txt="a\n")
    world.git("checkout", "--quiet", "-b", "other")
    world.commit("two", a__txt="b\n")
    world.git("checkout", "--quiet", "-")
    world.commit("three", a__txt="c\n")
    world.git("merge", "other", ok=(1,))
    assert (await read_states(await opened(world))).of("a.txt") is GitState.CONFLICT


def test_paths_outside_the_workspace_are_left_out() -> None:
    data = b"? sub/a.txt\0? other.txt\0! sub/b/\0"
    assert parse_states(data, prefix="sub/") == GitStates(
        states={"a.txt": GitState.UNTRACKED}, ignored=frozenset({"b"})
    )


async def test_changes_against_the_last_commit_are_hunks(world: GitWorld) -> None:
    lines = [f"line {number}\n" for number in range(1, 21)]
    world.commit("one", a__txt="".join(lines), gone__txt="x\ny", bin__dat="\0\0")
    changed = [*lines]
    changed[4] = "five\n"
    del changed[10]
    changed.append("no end")
    world.write("a.txt", "".join(changed))
    (world.root / "gone.txt").unlink()
    world.write("bin.dat", b"\0\1\2")
    world.write("new.txt", "staged\n")
    world.git("add", "new.txt")
    files, is_whole = await read_head_diff(await opened(world))
    assert is_whole
    by_path = {file.path: file for file in files}
    assert [(file.path, file.note) for file in files] == [
        ("a.txt", ""),
        ("bin.dat", "binary"),
        ("gone.txt", "deleted"),
        ("new.txt", "new file"),
    ]
    found = [
        (hunk.old_start, hunk.old_lines, hunk.new_start, hunk.new_lines)
        for hunk in by_path["a.txt"].hunks
    ]
    assert found == [
        (5, ("line 5\n",), 5, ("five\n",)),
        (11, ("line 11\n",), 11, ()),
        (21, (), 20, ("no end",)),
    ]
    assert by_path["a.txt"].hunks[1].context_before == ("line 9\n", "line 10\n")
    assert by_path["gone.txt"].hunks[0].old_lines == ("x\n", "y")


async def test_without_a_commit_there_is_nothing_to_compare_with(world: GitWorld) -> None:
    world.write("a.txt", "a\n")
    world.git("add", "a.txt")
    assert await read_head_diff(await opened(world)) == ((), True)
    assert (await read_states(await opened(world))).of("a.txt") is GitState.ADDED


def test_lines_that_look_like_a_head_are_content() -> None:
    patch = (
        "diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n"
        "--- old\n+++ new\n diff --git a/y b/y\n"
    )
    (part,) = split_patch(patch)
    (hunk,) = hunks_of("x", part)
    assert (hunk.old_lines, hunk.new_lines) == (("-- old\n",), ("++ new\n",))
    assert hunk.context_after == ("diff --git a/y b/y\n",)
