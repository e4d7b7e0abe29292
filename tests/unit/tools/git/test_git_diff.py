"""A diff has two headed parts, says what it leaves out, and is never too long."""

from caramelo_tui.domain.tool_calls import CacheScope
from caramelo_tui.tools.output_limits import RESULT_LIMIT_BYTES
from tests.doubles.git_worlds import GitWorld


async def test_staged_and_unstaged_stand_under_two_heads(world: GitWorld) -> None:
    world.commit("first", a__txt="one\n", b__txt="two\n")
    world.write("a.txt", "uno\n")
    world.git("add", "a.txt")
    world.write("b.txt", "dos\n")

    text = await world.text("git_diff")

    staged, unstaged = text.split("\nUnstaged changes (index to working tree):\n")
    assert staged == "Staged changes (HEAD to index):\n" + world.git("diff", "--cached")
    assert unstaged == world.git("diff")


async def test_staged_only(world: GitWorld) -> None:
    world.commit("first", a__txt="one\n", b__txt="two\n")
    world.write("a.txt", "uno\n")
    world.git("add", "a.txt")
    world.write("b.txt", "dos\n")
    world.write("new.txt", "x\n")

    text = await world.text("git_diff", staged=True)

    assert "+uno" in text
    assert "dos" not in text
    assert "Unstaged" not in text
    assert "new.txt" not in text


async def test_without_changes_both_parts_say_so(world: GitWorld) -> None:
    world.commit("first", a__txt="one\n")

    text = await world.text("git_diff")

    assert text == (
        "Staged changes (HEAD to index): none\n\nUnstaged changes (index to working tree): none\n"
    )


async def test_before_the_first_commit_the_index_is_shown(world: GitWorld) -> None:
    world.write("a.txt", "one\n")
    world.git("add", "a.txt")

    assert "+one" in await world.text("git_diff")


async def test_new_files_are_named(world: GitWorld) -> None:
    for number in range(25):
        world.write(f"n{number:02}.txt", "x")

    text = await world.text("git_diff")

    assert "[25 new files, not tracked and so not in a diff: n00.txt, n01.txt," in text
    assert "n19.txt and 5 more]" in text


async def test_settings_change_neither_paths_nor_form(world: GitWorld) -> None:
    world.commit("first", a__txt="one\n")
    world.write("a.txt", "uno\n")
    plain = await world.text("git_diff")
    for key, value in (
        ("diff.noprefix", "true"),
        ("diff.mnemonicPrefix", "true"),
        ("diff.relative", "false"),
        ("diff.context", "0"),
        ("color.diff", "always"),
        ("core.quotePath", "true"),
    ):
        world.git("config", key, value)

    assert await world.text("git_diff") == plain


async def test_paths_are_those_of_the_workspace(sub_world: GitWorld) -> None:
    top = sub_world.root.parent.parent
    (top / "out.txt").write_text("x\n")
    sub_world.write("in.txt", "x\n")
    sub_world.git("add", ":/")
    sub_world.git("commit", "--quiet", "--message", "first")
    (top / "out.txt").write_text("y\n")
    sub_world.write("in.txt", "y\n")

    text = await sub_world.text("git_diff")

    assert "--- a/in.txt" in text
    assert "out.txt" not in text
    assert "[1 change of the repository outside the workspace: not shown]" in text


async def test_a_long_diff_is_cut_at_a_line_and_lists_all_files(world: GitWorld) -> None:
    line = "x" * 99 + "\n"
    world.commit("first", a__txt=line * 3_000, b__txt=line * 3_000)
    world.write("a.txt", "y" + line * 3_000)
    world.git("add", "a.txt")
    world.write("a.txt", line.replace("x", "y") * 3_000)
    world.write("b.txt", line.replace("x", "z") * 3_000)
    world.git("add", "b.txt")

    output = await world.run("git_diff")

    assert output.is_truncated
    assert RESULT_LIMIT_BYTES - 30_000 < len(output.text.encode()) <= RESULT_LIMIT_BYTES
    assert "Changed are 2 files: M a.txt +1 -1; M b.txt +3000 -3000]" in output.text
    assert "staged: true shows the staged part alone; read the files for the rest" in output.text
    assert "Changed are 1 file: M a.txt +3000 -3000]" in output.text
    staged, unstaged = output.text.split("\nUnstaged changes")
    assert len(staged) > RESULT_LIMIT_BYTES // 3
    assert len(unstaged) > RESULT_LIMIT_BYTES // 3


async def test_a_small_part_leaves_its_room_to_the_other(world: GitWorld) -> None:
    line = "x" * 99 + "\n"
    world.commit("first", a__txt="one\n", b__txt=line * 3_000)
    world.write("a.txt", "uno\n")
    world.git("add", "a.txt")
    world.write("b.txt", line.replace("x", "z") * 1_100)

    output = await world.run("git_diff")

    assert "+uno" in output.text
    assert len(output.text) > RESULT_LIMIT_BYTES - 30_000


async def test_one_endless_line_is_cut_at_a_character(world: GitWorld) -> None:
    world.commit("first", a__txt="")
    world.write("a.txt", "é" * 300_000)

    output = await world.run("git_diff")

    assert output.is_truncated
    assert "\ufffd" not in output.text
    assert len(output.text.encode()) <= RESULT_LIMIT_BYTES


async def test_bytes_that_are_not_utf8_are_replaced(world: GitWorld) -> None:
    world.commit("first", a__txt="one\n")
    world.write("a.txt", b"\xe9\n")

    assert "+\ufffd\n" in await world.text("git_diff")


async def test_it_may_be_kept_and_says_which_part(world: GitWorld) -> None:
    prepared = await world.prepare("git_diff", staged=True)

    assert prepared.is_cacheable
    assert prepared.cache_scope is CacheScope.GIT
    assert prepared.summary == "staged"
