"""The status shows git's own rows, and what they do not say in notes."""

from pathlib import Path

from caramelo_tui.domain.tool_calls import CacheScope, Effect
from tests.doubles.git_worlds import GitWorld, WorldPlan, open_git_world


async def test_rows_are_those_of_git(world: GitWorld) -> None:
    world.commit("first", a__txt="one\n", b__txt="two\n", c__txt="three\n")
    world.write("a.txt", "uno\n")
    (world.root / "b.txt").unlink()
    world.git("mv", "c.txt", "d.txt")
    world.write("pkg/new.py", "x\n")
    world.write(".gitignore", "*.log\n")
    world.write("x.log", "ignored\n")

    text = await world.text("git_status")

    assert text == world.git("status", "--short")
    assert "R  c.txt -> d.txt" in text


async def test_a_clean_tree_says_so(world: GitWorld) -> None:
    world.commit("first", a__txt="one\n")

    assert await world.text("git_status") == "[nothing has changed: the working tree is clean]\n"


async def test_names_are_readable_and_cannot_break_a_row(world: GitWorld) -> None:
    world.write("ü.txt", "x")
    world.write("a b.txt", "x")
    world.write("two\nrows", "x")

    text = await world.text("git_status")

    assert "?? ü.txt\n" in text
    assert '?? "a b.txt"\n' in text
    assert '?? "two\\nrows"\n' in text


async def test_settings_of_the_repository_hide_nothing(world: GitWorld) -> None:
    world.commit("first", a__txt="one\n")
    for key, value in (
        ("status.showUntrackedFiles", "no"),
        ("status.short", "false"),
        ("status.branch", "true"),
        ("status.showStash", "true"),
        ("color.ui", "always"),
        ("column.status", "always"),
    ):
        world.git("config", key, value)
    world.write("new.txt", "x")

    assert await world.text("git_status") == "?? new.txt\n"


async def test_in_a_sub_folder_the_rest_is_counted(sub_world: GitWorld) -> None:
    top = sub_world.root.parent.parent
    (top / "out.txt").write_text("x")
    sub_world.write("in.txt", "x")
    sub_world.git("add", ":/")
    sub_world.git("commit", "--quiet", "--message", "first")
    (top / "out.txt").write_text("y")
    (top / "pkg" / "new.txt").write_text("y")
    sub_world.write("in.txt", "y")

    text = await sub_world.text("git_status")

    assert text.startswith(" M in.txt\n")
    assert "[2 changes of the repository outside the workspace: not shown]" in text
    assert "out.txt" not in text


async def test_a_new_folder_around_the_workspace_is_not_outside(sub_world: GitWorld) -> None:
    sub_world.write("in.txt", "x")

    assert await sub_world.text("git_status") == "?? ./\n"


async def test_two_thousand_rows_and_a_count(world: GitWorld) -> None:
    for number in range(2_003):
        world.write(f"f{number:04}.txt", "")

    output = await world.run("git_status")

    assert output.is_truncated
    assert output.text.count("?? ") == 2_000
    assert "[not shown: 3 further changes]" in output.text


async def test_a_merge_in_progress_is_said(world: GitWorld) -> None:
    world.commit("first", a__txt="one\n")
    world.git("switch", "--quiet", "--create", "side")
    world.commit("side", a__txt="side\n")
    world.git("switch", "--quiet", "main")
    world.commit("main", a__txt="main\n")
    world.git("merge", "side", ok=(1,))

    text = await world.text("git_status")

    assert "UU a.txt" in text
    assert "[a merge is in progress]" in text


async def test_without_repository_it_says_so(tmp_path: Path) -> None:
    world = open_git_world(tmp_path, WorldPlan(is_repository=False))

    assert "not in a git repository" in await world.error("git_status")


async def test_it_is_a_read_that_may_be_kept(world: GitWorld) -> None:
    prepared = await world.prepare("git_status")

    assert prepared.effect is Effect.READ
    assert prepared.is_cacheable
    assert prepared.cache_scope is CacheScope.GIT


async def test_a_workspace_whose_repository_is_above_is_not_kept(sub_world: GitWorld) -> None:
    assert not (await sub_world.prepare("git_status")).is_cacheable


async def test_a_read_takes_no_lock(world: GitWorld) -> None:
    world.commit("first", a__txt="one\n")
    (world.root / ".git" / "index.lock").touch()
    (world.root / "a.txt").touch()

    assert "clean" in await world.text("git_status")
