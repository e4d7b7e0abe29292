"""A pull request is shown as it is, pushed as it was shown, and stops at the step that fails."""

from pathlib import Path

import pytest

from caramelo_tui.domain.errors import ToolFailure
from caramelo_tui.domain.tool_calls import ActionKind, Effect, PreparedCall
from caramelo_tui.tools.git.create_pull_request import SUBJECTS_SHOWN
from tests.doubles.git_worlds import (
    PULL_REQUEST_URL,
    GhStandIn,
    GitWorld,
    WorldPlan,
    git,
    open_git_world,
    with_remote,
)


def facts_of(prepared: PreparedCall, label: str) -> list[str]:
    assert prepared.action is not None
    return [fact.value for fact in prepared.action.facts if fact.label == label]


@pytest.fixture
def bare(world: GitWorld, tmp_path: Path) -> Path:
    """Put the world on branch side, one commit before its bare remote's main."""
    world.commit("first", a__txt="one\n")
    bare = with_remote(world, tmp_path)
    world.git("switch", "--quiet", "--create", "side")
    world.commit("second", a__txt="two\n")
    return bare


async def test_what_will_be_done_is_shown(world: GitWorld, bare: Path, gh: GhStandIn) -> None:
    head = world.git("rev-parse", "HEAD").strip()
    prepared = await world.prepare(
        "create_pull_request", title="A title", body="The\nbody", draft=True
    )

    assert prepared.effect is Effect.OTHER
    assert prepared.summary == "A title"
    action = prepared.action
    assert action is not None
    assert action.kind is ActionKind.PULL_REQUEST
    assert action.title == "Push branch side and open a pull request"
    assert action.body == "The\nbody"
    assert [(fact.label, fact.value) for fact in action.facts] == [
        ("branch", "side"),
        ("commit", head),
        ("remote", "origin"),
        ("pushed to", str(bare)),
        ("repository", "as gh finds it"),
        ("base", "main"),
        ("draft", "yes"),
        ("title", "A title"),
        ("commits", "1 that the base lacks"),
        ("commit", f"{head[:7]} second"),
    ]
    assert gh.calls == []
    assert git(bare, "branch", "--list", "side") == ""


async def test_it_pushes_and_opens(world: GitWorld, bare: Path, gh: GhStandIn) -> None:
    text = await world.text("create_pull_request", title="A title", body="The\nbody")

    assert text.startswith(f"pull request: #17\nurl: {PULL_REQUEST_URL}\nbranch: side into main\n")
    head = world.git("rev-parse", "HEAD")
    assert git(bare, "rev-parse", "side") == head
    assert world.git("rev-parse", "--abbrev-ref", "side@{upstream}") == "origin/side\n"
    assert len(gh.calls) == 1
    call = gh.calls[0]
    assert call.argv[:2] == ("pr", "create")
    assert dict(call.flags) == {
        "title": "A title",
        "body-file": call.flags["body-file"],
        "base": "main",
        "head": "side",
    }
    assert call.body == "The\nbody"
    assert call.body_mode == 0o600
    assert call.cwd == str(world.root)


@pytest.mark.usefixtures("bare")
async def test_values_that_look_like_options_are_values(world: GitWorld, gh: GhStandIn) -> None:
    await world.text("create_pull_request", title="--web", body="--body-file=/etc/hostname")

    assert gh.calls[0].flags["title"] == "--web"
    assert gh.calls[0].body == "--body-file=/etc/hostname"
    assert "--web" not in gh.calls[0].argv


async def test_gh_gets_its_tokens_and_no_say_in_where(tmp_path: Path) -> None:
    gh = GhStandIn(tmp_path / "bin")
    world = open_git_world(
        tmp_path,
        WorldPlan(
            path=f"{gh.folder}:/usr/bin:/bin",
            environment={
                "GH_TOKEN": "a",
                "GITHUB_TOKEN": "b",
                "GH_HOST": "host.test",
                "GH_REPO": "somebody/else",
                "GH_PAGER": "less",
                "OTHER_TOKEN": "c",
            },
        ),
    )
    world.commit("first", a__txt="one\n")
    with_remote(world, tmp_path)
    world.git("switch", "--quiet", "--create", "side")

    await world.text("create_pull_request", title="t")

    env = gh.calls[0].env
    assert (env["GH_TOKEN"], env["GITHUB_TOKEN"], env["GH_HOST"]) == ("a", "b", "host.test")
    assert (env["GH_PROMPT_DISABLED"], env["GH_PAGER"], env["NO_COLOR"]) == ("1", "cat", "1")
    assert "GH_REPO" not in env
    assert "OTHER_TOKEN" not in env


async def test_on_the_base_branch_nothing_is_pushed(
    world: GitWorld, bare: Path, gh: GhStandIn
) -> None:
    assert "the base branch itself" in await world.error(
        "create_pull_request", title="t", base="side"
    )
    assert git(bare, "branch", "--list", "side") == ""
    assert gh.calls == []


async def test_a_base_that_the_remote_lacks_names_its_default_branch(
    world: GitWorld, bare: Path, gh: GhStandIn
) -> None:
    text = await world.error("create_pull_request", title="t", base="develop")

    assert "has no branch develop; its default branch is main" in text
    assert git(bare, "branch", "--list", "side") == ""
    assert gh.calls == []


@pytest.mark.usefixtures("bare")
async def test_a_base_is_not_matched_by_its_end(world: GitWorld) -> None:
    world.git("push", "--quiet", "origin", "main:refs/heads/old/refs/heads/develop")

    assert "has no branch develop" in await world.error(
        "create_pull_request", title="t", base="develop"
    )


@pytest.mark.usefixtures("bare")
async def test_a_push_that_fails_is_the_last_step(world: GitWorld, gh: GhStandIn) -> None:
    world.script(".git/hooks/pre-push", "echo not today >&2; exit 1")

    text = await world.error("create_pull_request", title="t")

    assert "git push failed" in text
    assert "not today" in text
    assert gh.calls == []


async def test_a_push_is_never_a_forced_one(world: GitWorld, bare: Path, gh: GhStandIn) -> None:
    world.git("push", "--quiet", "origin", "side")
    world.git("commit", "--quiet", "--amend", "--message", "rewritten")
    before = git(bare, "rev-parse", "side")

    assert "rejected" in await world.error("create_pull_request", title="t")
    assert git(bare, "rev-parse", "side") == before
    assert gh.calls == []


@pytest.mark.usefixtures("gh")
async def test_when_gh_fails_it_says_that_the_push_was_done(world: GitWorld, bare: Path) -> None:
    text = await world.error("create_pull_request", title="please fail")

    assert "The branch side was pushed, but the pull request was not created" in text
    assert "no such luck" in text
    assert git(bare, "rev-parse", "side") == world.git("rev-parse", "HEAD")


async def test_without_gh_nothing_is_asked_or_pushed(tmp_path: Path) -> None:
    programs = tmp_path / "programs"
    programs.mkdir()
    (programs / "git").symlink_to("/usr/bin/git")
    world = open_git_world(tmp_path, WorldPlan(path=str(programs)))
    world.commit("first", a__txt="one\n")
    bare = with_remote(world, tmp_path)
    world.git("switch", "--quiet", "--create", "side")

    with pytest.raises(ToolFailure, match="gh, the GitHub command line, is not installed"):
        await world.prepare("create_pull_request", title="t")
    assert git(bare, "branch", "--list", "side") == ""


async def test_a_commit_made_after_it_was_shown_is_not_pushed(
    world: GitWorld, bare: Path, gh: GhStandIn
) -> None:
    prepared = await world.prepare("create_pull_request", title="t")
    world.commit("third", a__txt="three\n")

    again = await world.prepare("create_pull_request", title="t")
    assert again.fingerprint != prepared.fingerprint
    with pytest.raises(ToolFailure, match="nothing was pushed"):
        await world.execute(prepared)
    assert git(bare, "branch", "--list", "side") == ""
    assert gh.calls == []


async def test_a_remote_whose_branches_are_not_followed_is_a_note(
    world: GitWorld, bare: Path
) -> None:
    world.git("remote", "remove", "origin")
    world.git("config", "remote.origin.url", str(bare))

    text = await world.text("create_pull_request", title="t")

    assert "note: the branch does not follow origin/side:" in text
    assert "\npushed: head " in text
    assert git(bare, "rev-parse", "side") == world.git("rev-parse", "HEAD")


@pytest.mark.usefixtures("bare")
async def test_an_answer_of_gh_without_a_number_is_given_as_it_is(
    world: GitWorld, gh: GhStandIn
) -> None:
    (gh.folder / "gh").write_text("#!/bin/sh\necho made it\n")

    text = await world.text("create_pull_request", title="t")

    assert text.startswith("pull request: created, but gh named no number\nmade it\n")


async def test_tags_and_other_branches_stay(world: GitWorld, bare: Path) -> None:
    world.git("config", "push.followTags", "true")
    world.git("config", "push.default", "matching")
    world.git("tag", "--annotate", "--message", "x", "v1")
    world.git("branch", "other")

    await world.text("create_pull_request", title="t")

    assert git(bare, "tag") == ""
    assert git(bare, "branch", "--format=%(refname:short)") == "main\nside\n"


@pytest.mark.usefixtures("bare")
async def test_many_commits_are_named_up_to_a_bound(world: GitWorld) -> None:
    for number in range(SUBJECTS_SHOWN + 2):
        world.commit(f"more {number}")
    prepared = await world.prepare("create_pull_request", title="t")

    assert facts_of(prepared, "commits") == [f"{SUBJECTS_SHOWN + 3} that the base lacks"]
    assert facts_of(prepared, "commit")[-1] == "and 3 more"


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        ({"title": " "}, "title: is empty"),
        ({"title": "a\nb"}, "title: has more than one line"),
        ({"title": "a\x1bb"}, "control character <U+001B>"),
        ({"title": "t", "body": "a\0b"}, "control character <U+0000>"),
        ({"title": "t", "body": "x" * 70_000}, "more than the limit"),
        ({"title": "t", "base": "--repo=evil/x"}, "starts with a dash"),
        ({"title": "t", "base": "a..b"}, "not a valid branch name"),
        ({"title": "t", "base": "ma*"}, "not a valid branch name"),
        ({"title": "t", "base": "@{u}"}, "not a valid branch name"),
    ],
)
@pytest.mark.usefixtures("bare")
async def test_a_value_that_is_none_is_refused(
    world: GitWorld, gh: GhStandIn, arguments: dict[str, str], problem: str
) -> None:
    assert problem in await world.error("create_pull_request", **arguments)
    assert gh.calls == []


async def test_without_branch_commit_or_remote_it_says_which(world: GitWorld) -> None:
    assert "no commits yet" in await world.error("create_pull_request", title="t", base="x")
    world.commit("first", a__txt="one\n")
    assert "no remote to push to" in await world.error("create_pull_request", title="t", base="x")
    world.git("switch", "--quiet", "--detach")
    assert "HEAD is detached" in await world.error("create_pull_request", title="t")


@pytest.mark.usefixtures("bare")
async def test_no_program_of_a_remote_address_runs(world: GitWorld) -> None:
    script = world.outside / "trap.sh"
    script.write_text(f"#!/bin/sh\ntouch {world.outside}/marker\nexit 1\n")
    script.chmod(0o755)
    world.git("config", "protocol.ext.allow", "always")
    world.git("config", "remote.origin.url", f"ext::{script} x")

    text = await world.error("create_pull_request", title="t")

    assert "transport 'ext' not allowed" in text
    assert not (world.outside / "marker").exists()
