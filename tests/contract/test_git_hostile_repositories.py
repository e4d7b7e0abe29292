"""No program that a repository names runs in a read, and none at all before trust.

The traps without a control are those that no plain git command reaches without a terminal or
a server.
"""

import os
from pathlib import Path

import pytest

from tests.doubles.git_worlds import GIT_TOOLS, GhStandIn, GitWorld, WorldPlan, git, open_git_world
from tests.doubles.hostile_git import TRAPS, Trap, mark_script, marks, wipe

every_trap = pytest.mark.parametrize("trap", TRAPS, ids=lambda trap: trap.name)
READS = ("git_status", "git_diff", "git_log")


def lay(folder: Path, trap: Trap, *, is_trusted: bool) -> GitWorld:
    """Make a repository with one commit, a change, and the trap."""
    gh = GhStandIn(folder / "bin")
    world = open_git_world(
        folder, WorldPlan(is_trusted=is_trusted, path=f"{gh.folder}:/usr/bin:/bin")
    )
    world.commit("first", a__txt="one\n", b__txt="two\n")
    trap.lay(world, str(mark_script(world)))
    world.write("a.txt", "uno\n")
    wipe(world)
    return world


@pytest.mark.parametrize("trap", [t for t in TRAPS if t.control], ids=lambda trap: trap.name)
def test_the_trap_is_a_live_one(tmp_path: Path, trap: Trap) -> None:
    world = lay(tmp_path, trap, is_trusted=True)

    world.git(*trap.control, ok=range(256))

    assert marks(world)


@every_trap
async def test_untrusted_nothing_runs_answers_are_right_and_writes_are_refused(
    tmp_path: Path, trap: Trap
) -> None:
    world = lay(tmp_path, trap, is_trusted=False)
    branches = world.git("for-each-ref")
    wipe(world)

    answers = {tool: await world.run(tool) for tool in READS}
    answers["git_branch"] = await world.run("git_branch", action="list")
    refusals = [
        await world.error("git_commit", message="m"),
        await world.error("git_branch", action="create", name="made"),
        await world.error("git_branch", action="switch", name="main"),
        await world.error("create_pull_request", title="t"),
    ]

    assert marks(world) == ""
    assert all("not trusted" in text and "--trust" in text for text in refusals)
    assert world.git("for-each-ref") == branches
    if not trap.is_refused:
        assert {tool: answer.is_error for tool, answer in answers.items()} == dict.fromkeys(
            answers, False
        )
        assert " M a.txt" in answers["git_status"].text
        assert "-one\n+uno\n" in answers["git_diff"].text
        assert " first\n" in answers["git_log"].text
        assert "* main" in answers["git_branch"].text


@every_trap
async def test_trusted_reads_run_filters_only(tmp_path: Path, trap: Trap) -> None:
    world = lay(tmp_path, trap, is_trusted=True)

    for tool in READS:
        await world.run(tool)
    await world.run("git_branch", action="list")

    assert trap.is_filter or marks(world) == ""


async def test_a_trusted_filter_works(tmp_path: Path) -> None:
    clean = next(trap for trap in TRAPS if trap.name == "filter.NAME.clean")
    world = lay(tmp_path, clean, is_trusted=True)

    assert "+uno" in await world.text("git_diff")
    assert marks(world)


async def test_what_is_shown_before_a_commit_comes_without_hooks(tmp_path: Path) -> None:
    hooks = next(trap for trap in TRAPS if trap.name == ".git/hooks")
    world = lay(tmp_path, hooks, is_trusted=True)

    await world.prepare("git_commit", message="m")

    assert marks(world) == ""


async def test_an_order_file_that_never_ends_is_not_opened(tmp_path: Path) -> None:
    world = open_git_world(tmp_path, WorldPlan(is_trusted=False))
    world.commit("first", a__txt="one\n")
    world.write("a.txt", "uno\n")
    os.mkfifo(tmp_path / "fifo")
    world.git("config", "diff.orderFile", str(tmp_path / "fifo"))

    assert "+uno" in await world.text("git_diff")


@pytest.mark.parametrize("is_trusted", [True, False])
@pytest.mark.parametrize("key", ["core.attributesFile", "core.excludesFile", "mailmap.file"])
@pytest.mark.parametrize("place", ["/dev/zero", "fifo"])
async def test_a_file_setting_that_never_ends_is_not_opened(
    tmp_path: Path, key: str, place: str, *, is_trusted: bool
) -> None:
    world = open_git_world(tmp_path, WorldPlan(is_trusted=is_trusted))
    world.commit("first", a__txt="one\n")
    world.write("a.txt", "uno\n")
    os.mkfifo(world.root / "fifo")
    world.git("config", key, place)

    assert " M a.txt" in await world.text("git_status")
    assert "+uno" in await world.text("git_diff")
    assert "first" in await world.text("git_log", oneline=False)


@pytest.mark.parametrize("place", ["/dev/zero", "../../fifo"])
@pytest.mark.parametrize("name", ["HEAD", "index", "packed-refs", "config"])
async def test_a_file_of_git_that_never_ends_is_not_read(
    tmp_path: Path, name: str, place: str
) -> None:
    world = open_git_world(tmp_path, WorldPlan(is_trusted=True))
    world.commit("first", a__txt="one\n")
    (world.root / ".git" / name).unlink(missing_ok=True)
    (world.root / ".git" / name).symlink_to(place)
    os.mkfifo(tmp_path / "fifo")  # What ``../../fifo`` leads to from .git.

    for tool in READS:
        assert "is a device or a FIFO" in await world.error(tool)


async def test_a_git_in_the_workspace_is_never_the_git(tmp_path: Path) -> None:
    root = tmp_path / "workspace"
    world = open_git_world(
        tmp_path, WorldPlan(path=f".:{root}/bin:{root}:bin::/usr/bin:/bin", is_trusted=True)
    )
    world.commit("first", a__txt="one\n")
    script = mark_script(world)
    for name in ("git", "bin/git", "gh", "bin/gh"):
        world.script(name, f"exec {script}")

    assert "first" in await world.text("git_log")
    await world.error("create_pull_request", title="t", base="other")
    assert marks(world) == ""


async def test_variables_of_the_starting_shell_lead_nowhere(tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    git(elsewhere, "init", "--quiet", "--initial-branch=secret")
    world = open_git_world(
        tmp_path,
        WorldPlan(
            environment={
                "GIT_DIR": str(elsewhere / ".git"),
                "GIT_WORK_TREE": str(elsewhere),
                "GIT_INDEX_FILE": str(elsewhere / "index"),
                "GIT_EXTERNAL_DIFF": str(tmp_path / "outside" / "trap.sh"),
                "GIT_CONFIG_COUNT": "1",
                "GIT_CONFIG_KEY_0": "core.fsmonitor",
                "GIT_CONFIG_VALUE_0": str(tmp_path / "outside" / "trap.sh"),
                "GIT_TRACE": str(tmp_path / "trace"),
                "GIT_EXEC_PATH": str(tmp_path),
            }
        ),
    )
    world.commit("first", a__txt="one\n")
    mark_script(world)
    world.write("a.txt", "uno\n")

    assert "+uno" in await world.text("git_diff")
    assert "first" in await world.text("git_log")
    assert marks(world) == ""
    assert not (tmp_path / "trace").exists()


@pytest.mark.parametrize("tool", GIT_TOOLS)
async def test_a_folder_that_is_itself_a_bare_repository_is_none(tmp_path: Path, tool: str) -> None:
    world = open_git_world(tmp_path, WorldPlan(is_repository=False, is_trusted=True))
    git(world.root, "init", "--quiet", "--bare", ".")
    script = mark_script(world)
    git(world.root, "config", "core.fsmonitor", str(script))
    git(world.root, "config", "core.bare", "false")
    git(world.root, "config", "core.worktree", str(world.root))
    arguments = {
        "git_commit": {"message": "m"},
        "git_branch": {"action": "create", "name": "x"},
        "create_pull_request": {"title": "t"},
    }

    assert "not in a git repository" in await world.error(tool, **arguments.get(tool, {}))
    assert marks(world) == ""
