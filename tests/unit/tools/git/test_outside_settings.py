"""An answer is kept only while the settings that git named are as they were."""

from pathlib import Path

import pytest

from caramelo_tui.tools.git.outside_settings import read_listing
from tests.doubles.git_worlds import GitWorld, git


def test_a_listing_gives_origins_files_and_filters() -> None:
    data = (
        b"file:/home/a/.gitconfig\0core.excludesfile\n~/ignore\0"
        b"file:.git/config\0filter.A.b.clean\nx=y\0"
        b"file:.git/config\0filter.lfs.required\0"
        b"command line:\0core.fsmonitor\nfalse\0"
    )

    listing = read_listing(data)

    assert listing.origins == {"/home/a/.gitconfig", ".git/config"}
    assert listing.files == {("core.excludesfile", "~/ignore")}
    assert listing.names("filter") == {"A.b", "lfs"}
    assert listing.names("core") == set()


async def test_a_plain_repository_may_be_kept_before_and_after_a_run(world: GitWorld) -> None:
    assert (await world.prepare("git_status")).is_cacheable
    await world.text("git_status")
    assert (await world.prepare("git_status")).is_cacheable


@pytest.mark.parametrize("file", ["home/gitconfig", "mine", "more.cfg"])
async def test_a_changed_settings_file_ends_the_keeping(
    world: GitWorld, tmp_path: Path, file: str
) -> None:
    world.git("config", "core.excludesFile", str(tmp_path / "mine"))
    world.git("config", "include.path", str(tmp_path / "more.cfg"))
    (tmp_path / "more.cfg").write_text("[core]\n\tquotePath = true\n")
    await world.text("git_status")
    assert (await world.prepare("git_status")).is_cacheable

    changed = tmp_path / file
    changed.parent.mkdir(parents=True, exist_ok=True)
    with changed.open("a") as out:
        out.write("# another\n")

    assert not (await world.prepare("git_status")).is_cacheable


async def test_a_settings_file_of_the_workspace_is_watched_with_the_rest(world: GitWorld) -> None:
    await world.text("git_status")
    world.git("config", "core.quotePath", "true")

    assert (await world.prepare("git_status")).is_cacheable


@pytest.mark.parametrize("way", ["submodule", "commondir", "link"])
async def test_a_repository_that_reaches_out_is_not_kept(
    world: GitWorld, tmp_path: Path, way: str
) -> None:
    match way:
        case "submodule":
            world.write(".gitmodules", "")
        case "commondir":
            world.write(".git/commondir", ".")
        case _:
            (world.root / ".git").rename(tmp_path / "moved")
            (world.root / ".git").symlink_to(tmp_path / "moved")

    assert not (await world.prepare("git_log")).is_cacheable


async def test_a_home_that_is_a_tilde_is_the_users(world: GitWorld, tmp_path: Path) -> None:
    git(world.root, "config", "core.excludesFile", "~/mine")
    (tmp_path / "home" / "mine").write_text("*.log\n")
    world.write("x.log", "")
    assert "clean" in await world.text("git_status")

    (tmp_path / "home" / "mine").write_text("*.tmp\n")

    assert not (await world.prepare("git_status")).is_cacheable
