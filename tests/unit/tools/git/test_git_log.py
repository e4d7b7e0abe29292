"""The log shows the newest commits in the asked form, whatever settings say."""

import pytest

from caramelo_tui.domain.errors import ToolFailure
from tests.doubles.git_worlds import GitWorld


async def test_ten_commits_one_line_each(world: GitWorld) -> None:
    for number in range(12):
        world.commit(f"commit {number}")

    rows = (await world.text("git_log")).splitlines()

    assert len(rows) == 10
    assert rows[0].endswith("(HEAD -> main) commit 11")
    assert rows[9].endswith("commit 2")


async def test_the_long_form_has_the_whole_message(world: GitWorld) -> None:
    commit = world.commit("subject\n\nbody text")

    text = await world.text("git_log", oneline=False, count=1)

    assert text.startswith(f"commit {commit} (HEAD -> main)\nAuthor: Ada <ada@example.test>\n")
    assert "    body text" in text


async def test_settings_do_not_change_the_form(world: GitWorld) -> None:
    world.commit("first")
    world.git("config", "format.pretty", "%G? %H")
    world.git("config", "log.decorate", "full")
    world.git("config", "color.ui", "always")
    world.git("config", "log.abbrevCommit", "false")

    assert (await world.text("git_log")).endswith(" (HEAD -> main) first\n")


async def test_without_commits_it_says_so(world: GitWorld) -> None:
    assert await world.text("git_log") == "[no commits yet on main]\n"


@pytest.mark.parametrize("count", [0, -1, "2", 1.5])
async def test_a_count_that_is_none_is_refused(world: GitWorld, count: int | str | float) -> None:
    with pytest.raises(ToolFailure, match="count"):
        await world.prepare("git_log", count=count)


async def test_a_count_beyond_all_numbers_shows_all(world: GitWorld) -> None:
    world.commit("first")

    assert "first" in await world.text("git_log", count=10**30)


async def test_a_long_log_is_cut_at_a_line(world: GitWorld) -> None:
    for number in range(5):
        world.commit(f"commit {number}\n\n" + ("x" * 99 + "\n") * 600)

    output = await world.run("git_log", oneline=False)

    assert output.is_truncated
    assert "bytes are not shown; use a lower count]" in output.text
    assert len(output.text) <= 262_144


async def test_in_a_sub_folder_only_its_commits_are_shown(sub_world: GitWorld) -> None:
    top = sub_world.root.parent.parent
    sub_world.commit("inside", a__txt="x")
    (top / "out.txt").write_text("x")
    sub_world.git("add", ":/")
    sub_world.git("commit", "--quiet", "--message", "elsewhere")

    text = await sub_world.text("git_log")

    assert "inside" in text
    assert "elsewhere" not in text
    assert "[only commits that change files below pkg/app/]" in text


async def test_a_sub_folder_without_commits_says_so(sub_world: GitWorld) -> None:
    top = sub_world.root.parent.parent
    (top / "out.txt").write_text("x")
    sub_world.git("add", ":/")
    sub_world.git("commit", "--quiet", "--message", "elsewhere")

    assert "no commit of this branch changes" in await sub_world.text("git_log")


async def test_a_detached_head_has_a_log(world: GitWorld) -> None:
    world.commit("first")
    world.git("switch", "--quiet", "--detach")

    assert "first" in await world.text("git_log")
