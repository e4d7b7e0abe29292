"""A commit holds what was shown, byte for byte, and nothing else."""

import asyncio
from pathlib import Path

import pytest

from caramelo_tui.domain.errors import ToolFailure
from caramelo_tui.domain.tool_calls import Action, ActionKind, Effect, JsonValue, PreparedCall
from caramelo_tui.tools.git.git_commit import ROWS_SHOWN, GitCommit
from tests.doubles.git_worlds import GitWorld, WorldPlan, git, open_git_world
from tests.doubles.processes import wait_until


def action_of(prepared: PreparedCall) -> Action:
    assert prepared.action is not None
    return prepared.action


def facts_of(prepared: PreparedCall, label: str) -> list[str]:
    return [fact.value for fact in action_of(prepared).facts if fact.label == label]


def committed(world: GitWorld) -> list[str]:
    return world.git("show", "--name-status", "--format=", "HEAD").splitlines()


async def test_all_changes_are_shown_and_committed(world: GitWorld) -> None:
    world.commit("first", a__txt="one\n", b__txt="two\n", __gitignore="tmp/\n")
    world.write("a.txt", "uno\nmore\n")
    (world.root / "b.txt").unlink()
    world.write("pkg/mod.py", "x = 1\n")
    world.write("tmp/junk.txt", "j\n")
    prepared = await world.prepare("git_commit", message="all\n\nbody")

    assert prepared.effect is Effect.OTHER
    assert prepared.summary == "all"
    action = action_of(prepared)
    assert action.kind is ActionKind.COMMIT
    assert action.title == "Commit 3 files on branch main"
    assert action.body == "all\n\nbody"
    assert facts_of(prepared, "branch") == ["main"]
    assert facts_of(prepared, "author") == ["Ada <ada@example.test>"]
    assert facts_of(prepared, "files") == ["1 new, 1 changed, 1 deleted"]
    assert facts_of(prepared, "file") == ["M a.txt +2 -1", "D b.txt +0 -1", "A pkg/mod.py +1 -0"]

    text = (await world.execute(prepared)).text

    assert text.startswith(f"commit: {world.git('rev-parse', 'HEAD')}branch: main\n")
    assert "A pkg/mod.py +1 -0" in text
    assert committed(world) == ["M\ta.txt", "D\tb.txt", "A\tpkg/mod.py"]
    assert world.git("log", "-1", "--format=%B") == "all\n\nbody\n\n"
    assert facts_of(prepared, "tree") == [world.git("rev-parse", "HEAD^{tree}").strip()]
    assert world.git("status", "--short") == ""


async def test_preparing_changes_nothing(world: GitWorld) -> None:
    world.commit("first", a__txt="one\n")
    world.write("a.txt", "uno\n")
    world.write("new.txt", "new\n")
    objects = world.git("count-objects", "--verbose")
    status = world.git("status", "--porcelain")
    index = (world.root / ".git" / "index").read_bytes()

    await world.prepare("git_commit", message="m")

    assert world.git("count-objects", "--verbose") == objects
    assert (world.root / ".git" / "index").read_bytes() == index
    assert world.git("status", "--porcelain") == status


async def test_named_files_only_whatever_else_is_staged(world: GitWorld) -> None:
    world.commit("first", a__txt="one\n", b__txt="two\n", c__txt="three\n")
    world.write("a.txt", "uno\n")
    world.git("add", "a.txt")
    world.write("a.txt", "eins\n")
    world.write("b.txt", "dos\n")
    world.git("add", "b.txt")
    world.write("new.txt", "n\n")
    (world.root / "c.txt").unlink()
    prepared = await world.prepare(
        "git_commit", message="some", files=["a.txt", "./new.txt", "c.txt", "a.txt"]
    )

    assert facts_of(prepared, "file") == ["M a.txt +1 -1", "D c.txt +0 -1", "A new.txt +1 -0"]
    await world.execute(prepared)

    assert committed(world) == ["M\ta.txt", "D\tc.txt", "A\tnew.txt"]
    assert world.git("show", "HEAD:a.txt") == "eins\n"
    assert world.git("status", "--short") == "M  b.txt\n"
    assert facts_of(prepared, "tree") == [world.git("rev-parse", "HEAD^{tree}").strip()]


async def test_a_folder_means_all_below_it(world: GitWorld) -> None:
    world.commit("first", a__txt="one\n")
    world.write("pkg/x.py", "x\n")
    world.write("pkg/deep/y.py", "y\n")
    world.write("z.py", "z\n")

    await world.text("git_commit", message="pkg", files=["pkg/"])

    assert committed(world) == ["A\tpkg/deep/y.py", "A\tpkg/x.py"]


async def test_names_are_literal(world: GitWorld) -> None:
    world.commit("first")
    for name in ("a*.txt", "ab.txt", ":(top)x", "[b].txt", "b.txt", "-dash.txt"):
        world.write(name, "x\n")

    await world.text(
        "git_commit", message="m", files=["a*.txt", ":(top)x", "[b].txt", "./-dash.txt"]
    )

    assert sorted(committed(world)) == sorted(
        ["A\t-dash.txt", "A\t:(top)x", "A\t[b].txt", "A\ta*.txt"]
    )


async def test_a_link_is_committed_as_a_link(world: GitWorld) -> None:
    world.commit("first")
    (world.root / "way-out").symlink_to(world.outside / "secret.txt")

    await world.text("git_commit", message="m", files=["way-out"])

    assert world.git("show", "HEAD:way-out") == str(world.outside / "secret.txt")


async def test_a_repository_within_is_said_to_be_one(world: GitWorld) -> None:
    world.commit("first")
    (world.root / "inner").mkdir()
    git(world.root / "inner", "init", "--quiet")
    git(world.root / "inner", "commit", "--quiet", "--allow-empty", "--message", "x")
    world.write("inner/x.txt", "x")

    prepared = await world.prepare("git_commit", message="m")

    assert facts_of(prepared, "file") == ["A inner (a repository: only its commit's hash)"]


@pytest.mark.parametrize(
    ("file", "problem"),
    [
        ("--all", "starts with a dash"),
        ("../outside/secret.txt", "outside the workspace"),
        ("/etc/hostname", "absolute paths are refused"),
        ("~/x", "'~' is not expanded"),
        ("a\0b", "NUL"),
        ("link/secret.txt", "outside the workspace"),
        (".git/config", "git's own files"),
        (".GIT/config", "git's own files"),
        ("missing.txt", "did not match any files"),
        ("ignored.log", "ignored by one of your .gitignore files"),
    ],
)
async def test_a_file_that_cannot_be_staged_is_refused_before_anybody_is_asked(
    world: GitWorld, file: str, problem: str
) -> None:
    world.commit("first", a__txt="one\n", __gitignore="*.log\n")
    (world.outside / "secret.txt").write_text("s\n")
    (world.root / "link").symlink_to(world.outside)
    world.write("ignored.log", "x\n")
    world.write("a.txt", "uno\n")

    with pytest.raises(ToolFailure, match=problem):
        await world.prepare("git_commit", message="m", files=[file])
    assert world.git("rev-list", "--count", "HEAD") == "1\n"
    assert world.git("diff", "--cached", "--name-only") == ""


async def test_an_absolute_path_inside_is_taken_where_the_profile_allows_it(
    world: GitWorld,
) -> None:
    world.commit("first", a__txt="one\n", b__txt="two\n")
    world.write("a.txt", "uno\n")
    world.write("b.txt", "dos\n")
    world.tools = {**world.tools, "git_commit": GitCommit(world.program, allows_absolute=True)}

    await world.text("git_commit", message="m", files=[str(world.root / "a.txt")])

    assert committed(world) == ["M\ta.txt"]
    assert "outside" in await world.error("git_commit", message="m", files=["/etc/hostname"])
    assert "outside" in await world.error("git_commit", message="m", files=["/x"])


@pytest.mark.parametrize(
    ("message", "problem"),
    [
        (" \n", "message: is empty"),
        ("a\0b", "control character <U+0000>"),
        ("a\x1b[2J", "control character <U+001B>"),
        ("x" * 70_000, "more than the limit"),
    ],
)
async def test_a_message_that_nobody_can_read_is_refused(
    world: GitWorld, message: str, problem: str
) -> None:
    world.write("a.txt", "one\n")

    assert problem in await world.error("git_commit", message=message)


@pytest.mark.parametrize("message", ["--amend", "-F/etc/hostname", "# 12 is fixed", "@x\n\n#y"])
async def test_a_message_is_always_text(world: GitWorld, message: str) -> None:
    world.commit("first", a__txt="one\n")
    world.git("config", "commit.cleanup", "strip")
    world.write("a.txt", "uno\n")

    await world.text("git_commit", message=message)

    assert world.git("log", "-1", "--format=%B").rstrip("\n") == message
    assert world.git("rev-list", "--count", "HEAD") == "2\n"


async def test_no_files_at_all_is_not_all_files(world: GitWorld) -> None:
    world.write("a.txt", "one\n")

    assert "files: is empty" in await world.error("git_commit", message="m", files=[])


async def test_nothing_to_commit_is_refused(world: GitWorld) -> None:
    world.commit("first", a__txt="one\n", b__txt="two\n")
    assert "nothing to commit" in await world.error("git_commit", message="m")
    world.write("b.txt", "dos\n")

    text = await world.error("git_commit", message="m", files=["a.txt"])

    assert "no changes in the named files" in text
    assert world.git("rev-list", "--count", "HEAD") == "1\n"


async def test_the_first_commit_is_said_to_be_one(world: GitWorld) -> None:
    world.write("a.txt", "one\n")
    prepared = await world.prepare("git_commit", message="m", files=["a.txt"])

    assert facts_of(prepared, "branch") == ["main (first commit)"]
    await world.execute(prepared)
    assert committed(world) == ["A\ta.txt"]


async def test_other_bytes_with_the_same_name_are_another_call(world: GitWorld) -> None:
    world.commit("first", a__txt="one\n")
    world.write("a.txt", "two\n")
    prepared = await world.prepare("git_commit", message="m")
    world.write("a.txt", "six\n")

    assert (await world.prepare("git_commit", message="m")).fingerprint != prepared.fingerprint
    with pytest.raises(ToolFailure, match="changed since the commit was shown"):
        await world.execute(prepared)
    assert world.git("rev-list", "--count", "HEAD") == "1\n"


async def test_the_same_bytes_on_another_commit_are_another_call(world: GitWorld) -> None:
    world.commit("first", a__txt="one\n")
    world.write("a.txt", "two\n")
    prepared = await world.prepare("git_commit", message="m")
    world.git("commit", "--quiet", "--allow-empty", "--message", "in between")

    assert (await world.prepare("git_commit", message="m")).fingerprint != prepared.fingerprint
    with pytest.raises(ToolFailure, match="changed since the commit was shown"):
        await world.execute(prepared)


async def test_the_same_state_is_the_same_call(world: GitWorld) -> None:
    world.commit("first", a__txt="one\n")
    world.write("a.txt", "two\n")

    first = await world.prepare("git_commit", message="m")
    assert (await world.prepare("git_commit", message="m")).fingerprint == first.fingerprint


async def test_many_files_are_named_up_to_a_bound_and_counted(world: GitWorld) -> None:
    for number in range(ROWS_SHOWN + 7):
        world.write(f"f{number:03}.txt", "x\n")
    prepared = await world.prepare("git_commit", message="m")

    assert len(facts_of(prepared, "file")) == ROWS_SHOWN + 1
    assert facts_of(prepared, "file")[-1] == "and 7 more"
    assert facts_of(prepared, "files") == [f"{ROWS_SHOWN + 7} new"]


async def test_a_hook_that_refuses_leaves_the_files_staged(world: GitWorld) -> None:
    world.commit("first", a__txt="one\n")
    world.script(".git/hooks/pre-commit", "echo not like this >&2; exit 1")
    world.write("a.txt", "uno\n")

    text = await world.error("git_commit", message="m")

    assert "not like this" in text
    assert "Nothing was committed. The files are staged." in text
    assert "not like this\n" in "".join(world.live)
    assert world.git("status", "--short") == "M  a.txt\n"
    assert world.git("rev-list", "--count", "HEAD") == "1\n"


async def test_a_hook_that_changes_the_commit_is_said(world: GitWorld) -> None:
    world.commit("first", a__txt="one\n")
    world.script(".git/hooks/pre-commit", "echo extra > extra.txt; git add extra.txt")
    world.write("a.txt", "uno\n")

    text = await world.text("git_commit", message="m")

    assert "[a hook changed what was committed" in text


async def test_hooks_get_plain_pathspecs_a_dead_editor_and_no_keys(tmp_path: Path) -> None:
    world = open_git_world(
        tmp_path,
        WorldPlan(environment={"MY_API_KEY": "s", "GH_TOKEN": "t", "VIRTUAL_ENV": "/venv"}),
    )
    world.script(".git/hooks/pre-commit", f"env > {world.outside}/env")
    world.write("a.txt", "one\n")

    await world.text("git_commit", message="m", files=["a.txt"])

    seen = dict(
        line.split("=", 1)
        for line in (world.outside / "env").read_text().splitlines()
        if "=" in line
    )
    assert "GIT_LITERAL_PATHSPECS" not in seen
    assert "MY_API_KEY" not in seen
    assert seen["GH_TOKEN"] == "t"
    assert seen["VIRTUAL_ENV"] == "/venv"
    assert seen["GIT_TERMINAL_PROMPT"] == "0"


async def test_the_signing_program_of_a_trusted_repository_runs(world: GitWorld) -> None:
    world.commit("first", a__txt="one\n")
    signer = world.outside / "sign.sh"
    signer.write_text(f"#!/bin/sh\ntouch {world.outside}/signed\nexit 1\n")
    signer.chmod(0o755)
    world.git("config", "commit.gpgSign", "true")
    world.git("config", "gpg.program", str(signer))
    world.write("a.txt", "uno\n")

    assert "Nothing was committed" in await world.error("git_commit", message="m")
    assert (world.outside / "signed").exists()


async def test_nobody_to_commit_as_is_told_plainly(tmp_path: Path) -> None:
    world = open_git_world(tmp_path, WorldPlan(identity=False))
    world.git("config", "user.useConfigOnly", "true")
    world.write("a.txt", "one\n")

    text = await world.error("git_commit", message="m")

    assert "git does not know who commits" in text
    assert "user.email" in text


async def test_a_detached_head_is_refused(world: GitWorld) -> None:
    world.commit("first", a__txt="one\n")
    world.git("switch", "--quiet", "--detach")
    world.write("a.txt", "uno\n")

    assert "HEAD is detached" in await world.error("git_commit", message="m")


async def start_merge(world: GitWorld) -> None:
    world.commit("first", a__txt="one\n", c__txt="c\n")
    world.git("switch", "--quiet", "--create", "side")
    world.commit("side", a__txt="side\n")
    world.git("switch", "--quiet", "main")
    world.commit("main", a__txt="main\n")
    world.git("merge", "side", ok=(1,))


async def test_conflicts_that_are_not_resolved_are_never_committed(world: GitWorld) -> None:
    await start_merge(world)

    named: tuple[dict[str, JsonValue], ...] = ({}, {"files": ["a.txt"]}, {"files": ["c.txt"]})
    for files in named:
        text = await world.error("git_commit", message="m", **files)
        assert "conflicts that are not resolved: a.txt" in text


async def test_a_resolved_merge_is_concluded_as_a_whole(world: GitWorld) -> None:
    await start_merge(world)
    world.write("a.txt", "both\n")
    world.git("add", "a.txt")
    assert "leave out `files`" in await world.error("git_commit", message="m", files=["a.txt"])
    prepared = await world.prepare("git_commit", message="m")

    assert facts_of(prepared, "concludes") == ["the merge in progress"]
    await world.execute(prepared)
    assert len(world.git("log", "-1", "--format=%P").split()) == 2


async def test_a_rebase_in_progress_is_refused(world: GitWorld) -> None:
    world.commit("first", a__txt="one\n")
    world.git("switch", "--quiet", "--create", "side")
    world.commit("side", a__txt="side\n")
    world.git("switch", "--quiet", "main")
    world.commit("main", a__txt="main\n")
    world.git("rebase", "side", ok=(1,))
    world.write("a.txt", "both\n")
    world.git("add", "a.txt")

    assert "a rebase is in progress" in await world.error("git_commit", message="m")


async def test_in_a_sub_folder_only_the_workspace_is_committed(sub_world: GitWorld) -> None:
    top = sub_world.root.parent.parent
    (top / "out.txt").write_text("x\n")
    (top / "staged.txt").write_text("x\n")
    sub_world.write("in.txt", "x\n")
    sub_world.git("add", ":/")
    sub_world.git("commit", "--quiet", "--message", "first")
    for path in (top / "out.txt", top / "staged.txt", sub_world.root / "in.txt"):
        path.write_text("y\n")
    sub_world.git("add", ":/staged.txt")
    sub_world.write("forced.log", "x\n")
    sub_world.write(".gitignore", "*.log\n")
    sub_world.git("add", "--force", "forced.log")
    prepared = await sub_world.prepare("git_commit", message="mine")

    assert facts_of(prepared, "file") == [
        "A .gitignore +1 -0",
        "A forced.log +1 -0",
        "M in.txt +1 -1",
    ]
    await sub_world.execute(prepared)

    assert [row.split("/")[-1] for row in committed(sub_world)] == [
        ".gitignore",
        "forced.log",
        "in.txt",
    ]
    assert sub_world.git("status", "--short", ":/") == " M ../../out.txt\nM  ../../staged.txt\n"
    assert "outside" in await sub_world.error("git_commit", message="m", files=["../../out.txt"])


async def test_an_interrupt_ends_hooks(world: GitWorld) -> None:
    world.commit("first", a__txt="one\n")
    world.script(".git/hooks/pre-commit", "echo started >&2; exec sleep 60")
    world.write("a.txt", "uno\n")
    prepared = await world.prepare("git_commit", message="m")

    running = asyncio.create_task(world.execute(prepared))
    await wait_until(lambda: bool(world.live))
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running

    assert world.git("rev-list", "--count", "HEAD") == "1\n"
