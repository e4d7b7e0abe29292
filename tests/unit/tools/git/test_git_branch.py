"""Branches are listed freely; creating and switching show where they lead and run hooks."""

from pathlib import Path

import pytest

from caramelo_tui.domain.tool_calls import ActionKind, Effect
from tests.doubles.git_worlds import GitWorld, with_remote


async def test_create_also_switches(world: GitWorld) -> None:
    commit = world.commit("first", a__txt="one\n")
    prepared = await world.prepare("git_branch", action="create", name="feat/two")

    assert prepared.effect is Effect.OTHER
    assert prepared.summary == "create feat/two"
    action = prepared.action
    assert action is not None
    assert action.kind is ActionKind.BRANCH
    assert action.title == "Create branch feat/two and switch to it"
    assert [(fact.label, fact.value) for fact in action.facts] == [
        ("from", "main"),
        ("commit", commit),
    ]
    assert world.git("branch", "--show-current") == "main\n"

    assert "Created branch feat/two" in (await world.execute(prepared)).text
    assert world.git("branch", "--show-current") == "feat/two\n"


async def test_changes_come_along(world: GitWorld) -> None:
    world.commit("first", a__txt="one\n")
    world.write("a.txt", "uno\n")

    await world.text("git_branch", action="create", name="side")

    assert world.git("status", "--short") == " M a.txt\n"


async def test_create_in_a_repository_without_commits(world: GitWorld) -> None:
    await world.text("git_branch", action="create", name="trunk")

    assert world.git("symbolic-ref", "HEAD") == "refs/heads/trunk\n"


async def test_switch_shows_the_commit_that_it_leads_to(world: GitWorld) -> None:
    world.commit("first", a__txt="one\n")
    world.git("branch", "side")
    world.commit("second", a__txt="two\n")
    prepared = await world.prepare("git_branch", action="switch", name="side")

    assert prepared.action is not None
    assert prepared.action.title == "Switch to branch side"
    assert prepared.action.facts[1].value == world.git("rev-parse", "side").strip()
    assert "Switched to branch side" in (await world.execute(prepared)).text
    assert (world.root / "a.txt").read_text() == "one\n"


async def test_in_a_sub_folder_it_says_that_more_will_change(sub_world: GitWorld) -> None:
    sub_world.commit("first", a__txt="one\n")
    sub_world.git("branch", "side")
    sub_world.commit("second", a__txt="two\n")

    switch = await sub_world.prepare("git_branch", action="switch", name="side")
    create = await sub_world.prepare("git_branch", action="create", name="new")

    assert switch.action is not None
    assert create.action is not None
    top = sub_world.root.parent.parent
    assert switch.action.facts[-1].value == f"files outside the workspace, in {top}"
    assert "also changes" not in [fact.label for fact in create.action.facts]


async def test_a_branch_that_moved_since_it_was_shown_is_not_switched_to(world: GitWorld) -> None:
    world.commit("first", a__txt="one\n")
    world.git("branch", "side")
    prepared = await world.prepare("git_branch", action="switch", name="side")
    world.commit("second", a__txt="two\n")
    world.git("branch", "--force", "side", "main")

    again = await world.prepare("git_branch", action="switch", name="side")
    assert again.fingerprint != prepared.fingerprint
    with pytest.raises(Exception, match="changed since the call was shown"):
        await world.execute(prepared)
    assert world.git("branch", "--show-current") == "main\n"


async def test_a_branch_of_one_remote_is_created_and_followed(
    world: GitWorld, tmp_path: Path
) -> None:
    world.commit("first", a__txt="one\n")
    world.git("branch", "far")
    with_remote(world, tmp_path)
    world.git("branch", "--delete", "--force", "far")
    prepared = await world.prepare("git_branch", action="switch", name="far")

    assert prepared.action is not None
    assert prepared.action.title == "Create branch far from origin/far and switch to it"
    await world.execute(prepared)
    assert world.git("rev-parse", "--abbrev-ref", "far@{upstream}") == "origin/far\n"


async def test_a_branch_of_two_remotes_is_the_users_to_pick(
    world: GitWorld, tmp_path: Path
) -> None:
    world.commit("first", a__txt="one\n")
    world.git("branch", "far")
    with_remote(world, tmp_path)
    with_remote(world, tmp_path, name="fork")
    world.git("branch", "--delete", "--force", "far")

    text = await world.error("git_branch", action="switch", name="far")

    assert "fork/far" in text
    assert "origin/far" in text


async def test_a_switch_that_would_lose_work_is_refused_by_git(world: GitWorld) -> None:
    world.commit("first", a__txt="one\n")
    world.git("switch", "--quiet", "--create", "side")
    world.commit("side", a__txt="side\n")
    world.git("switch", "--quiet", "main")
    world.write("a.txt", "local\n")

    text = await world.error("git_branch", action="switch", name="side")

    assert "would be overwritten" in text
    assert (world.root / "a.txt").read_text() == "local\n"


@pytest.mark.parametrize(
    ("action", "name", "problem"),
    [
        ("create", "a..b", "a..b is not a valid branch name"),
        ("create", "x y", "not a valid branch name"),
        ("create", "HEAD", "not a valid branch name"),
        ("create", "a\nb", "control character"),
        ("create", "a\0b", "control character"),
        ("create", " ", "is empty"),
        ("create", "-d", "starts with a dash"),
        ("create", "main", "already a branch main"),
        ("switch", "--orphan=zap", "starts with a dash"),
        ("switch", "-", "starts with a dash"),
        ("switch", "@{-1}", "not a valid branch name"),
        ("switch", "main", "the current branch already"),
        ("switch", "nowhere", "there is no branch nowhere"),
        ("switch", "v1", "there is no branch v1"),
        ("switch", "HEAD~1", "not a valid branch name"),
    ],
)
async def test_a_name_that_is_none_is_refused(
    world: GitWorld, action: str, name: str, problem: str
) -> None:
    world.commit("first", a__txt="one\n")
    world.git("switch", "--quiet", "--create", "other")
    world.git("switch", "--quiet", "main")
    world.git("tag", "v1")

    assert problem in await world.error("git_branch", action=action, name=name)
    assert world.git("branch", "--format=%(refname:short)") == "main\nother\n"
    assert world.git("branch", "--show-current") == "main\n"


@pytest.mark.parametrize("action", ["create", "switch"])
async def test_a_name_is_required(world: GitWorld, action: str) -> None:
    assert "name: is required" in await world.error("git_branch", action=action)


async def test_a_trusted_hook_runs_and_is_heard(world: GitWorld) -> None:
    world.commit("first", a__txt="one\n")
    world.script(".git/hooks/post-checkout", "echo hook ran >&2")

    text = await world.text("git_branch", action="create", name="side")

    assert "hook ran" in text
    assert "hook ran\n" in "".join(world.live)


async def test_the_list_marks_the_current_branch(world: GitWorld, tmp_path: Path) -> None:
    world.commit("first", a__txt="one\n")
    world.git("branch", "side")
    with_remote(world, tmp_path)
    world.git("branch", "--quiet", "--set-upstream-to=origin/side", "side")
    prepared = await world.prepare("git_branch", action="list", name="-ignored")
    short = world.git("rev-parse", "--short", "HEAD").strip()

    assert prepared.effect is Effect.READ
    assert not prepared.is_cacheable
    assert prepared.action is None
    assert (await world.execute(prepared)).text == (
        f"* main {short}\n  side {short} origin/side\n"
        f"  remotes/origin/main {short}\n  remotes/origin/side {short}\n"
    )


async def test_the_list_tells_of_a_detached_head_and_of_none(world: GitWorld) -> None:
    assert await world.text("git_branch", action="list") == "[no commits yet on main]\n"
    commit = world.commit("first", a__txt="one\n")
    world.git("switch", "--quiet", "--detach")

    assert f"[HEAD is detached at {commit[:10]}]" in await world.text("git_branch", action="list")
