"""Build the repository of a behaviour case with the real git, and look at it afterwards.

Owns ``setup.git``, the remote, the stand-in for gh and its absence.
"""

import os
import subprocess
from pathlib import Path

from tests.case_runner.world import Spec, World, write_file
from tests.doubles.git_worlds import GhStandIn

_HARMLESS = ("-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null")
"""The runner itself must not run what a hostile repository names."""


def run_git(world: World, *arguments: str) -> str:
    """Run git in the workspace and return its output."""
    done = subprocess.run(
        ["git", *_HARMLESS, *arguments],
        cwd=world.root,
        check=True,
        capture_output=True,
        text=True,
    )
    return done.stdout


def make_commits(world: World, git: Spec) -> None:
    """Make the repository up to its last commit; the files of the setup come after it."""
    if not git.get("init"):
        return
    run_git(world, "init", "-q", "-b", git.get("branch", "main"))
    run_git(world, "config", "user.name", "Case")
    run_git(world, "config", "user.email", "case@example.test")
    for commit in git.get("commits", []):
        _commit(world, commit["message"], commit["files"])
    for branch in git.get("extra_branches", []):
        run_git(world, "branch", branch)
    side = git.get("side_change")
    if side:
        run_git(world, "checkout", "-q", side["branch"])
        _commit(world, side.get("message", "side"), side["files"])
        run_git(world, "checkout", "-q", "-")
    if git.get("remote") == "bare":
        _add_remote(world)
    if "checkout" in git:
        run_git(world, "checkout", "-q", git["checkout"])


def _commit(world: World, message: str, files: list[Spec]) -> None:
    for spec in files:
        write_file(world, spec)
    run_git(world, "add", "-A")
    run_git(world, "commit", "-q", "--allow-empty", "-m", message)


def _add_remote(world: World) -> None:
    remote = world.root.resolve().parent / "remote.git"
    run_git(world, "init", "-q", "--bare", "-b", "main", str(remote))
    run_git(world, "remote", "add", "origin", str(remote))
    run_git(world, "push", "-q", "--all", "origin")
    run_git(world, "fetch", "-q", "origin")


def finish_repository(world: World, git: Spec) -> None:
    """Do what comes after the setup's files: index, settings, hooks."""
    if git.get("stage"):
        run_git(world, "add", "--", *git["stage"])
    if git.get("remove"):
        run_git(world, "rm", "-q", "--", *git["remove"])
    for name, script in git.get("hooks", {}).items():
        hook = world.path(f".git/hooks/{name}")
        hook.parent.mkdir(parents=True, exist_ok=True)
        hook.write_text(script)
        hook.chmod(0o755)
    for key, value in git.get("config", {}).items():
        run_git(world, "config", key, value)


def set_search_path(world: World, git: Spec) -> None:
    """Put the stand-in for gh first on the search path, or take gh off it."""
    folder = stand_in_folder(world)
    if git.get("fake_gh"):
        stand_in = GhStandIn(folder)
        before = world.environment.get("PATH", "")
        world.environment["PATH"] = f"{stand_in.folder}{os.pathsep}{before}"
    elif git.get("no_gh"):
        folder.mkdir()
        _link_all_but_gh(folder, world.environment.get("PATH", "").split(os.pathsep))
        world.environment["PATH"] = str(folder)


def _link_all_but_gh(folder: Path, places: list[str]) -> None:
    for place in filter(os.path.isdir, places):
        for program in os.scandir(place):
            link = folder / program.name
            if program.name != "gh" and not link.is_symlink():
                link.symlink_to(program.path)


def stand_in_folder(world: World) -> Path:
    """Return where the stand-in for gh and its notes are."""
    return world.root.resolve().parent / "bin"
