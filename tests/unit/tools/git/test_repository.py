"""The repository is the one of the workspace, or it is refused."""

import os
from pathlib import Path

import pytest

from caramelo_tui.domain.errors import ToolFailure
from caramelo_tui.tools.git.repository import Repository, folder_with_repository, repository_from
from tests.doubles.git_worlds import GitWorld, WorldPlan, git, open_git_world


@pytest.fixture
def private(tmp_path: Path) -> Path:
    """Another repository of the user's, which nothing in a workspace may show."""
    folder = tmp_path / "private"
    folder.mkdir()
    git(folder, "init", "--quiet", "--initial-branch=main")
    (folder / "s.txt").write_text("TOPSECRET\n")
    git(folder, "add", "--all")
    git(folder, "commit", "--quiet", "--message", "TOPSECRET")
    return folder


def untrusted(tmp_path: Path, *, is_repository: bool = True) -> GitWorld:
    return open_git_world(tmp_path, WorldPlan(is_trusted=False, is_repository=is_repository))


def test_the_nearest_folder_counts(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "a" / "b").mkdir(parents=True)
    assert folder_with_repository(tmp_path / "a" / "b") == tmp_path
    (tmp_path / "a" / ".git").symlink_to("/nowhere")

    assert folder_with_repository(tmp_path / "a" / "b") == tmp_path / "a"


def test_the_prefix_is_the_way_down_to_the_workspace() -> None:
    top = Path("/r")
    at_top = Repository(root=top, top=top, git_dir=top / ".git", common_dir=top / ".git")
    below = Repository(root=top / "a" / "b", top=top, git_dir=top, common_dir=top)

    assert (at_top.prefix, below.prefix) == ("", "a/b/")


@pytest.mark.parametrize("answer", [b"", b"/r\n/r/.git\n", b"/r\nx\n/r/.git\n/r/.git\n", b"\n\n\n"])
def test_an_answer_that_is_none_is_refused(answer: bytes) -> None:
    with pytest.raises(ToolFailure, match="no usable answer"):
        repository_from(Path("/r"), Path("/r"), answer, is_trusted=True)


@pytest.mark.parametrize("is_trusted", [True, False])
async def test_a_working_tree_elsewhere_is_refused(
    tmp_path: Path, private: Path, *, is_trusted: bool
) -> None:
    world = open_git_world(tmp_path, WorldPlan(is_trusted=is_trusted))
    for place in (private, tmp_path, Path("/")):
        world.git("config", "core.worktree", str(place))

        assert "core.worktree" in await world.error("git_status")


async def test_a_git_folder_that_git_does_not_take_is_refused(tmp_path: Path) -> None:
    git(tmp_path, "init", "--quiet")
    world = untrusted(tmp_path, is_repository=False)
    (world.root / ".git").mkdir()

    assert "damaged .git" in await world.error("git_status")


@pytest.mark.parametrize("way", ["file", "link", "shared", "borrowed", "objects", "pack", "nested"])
async def test_nothing_shows_another_repository_before_trust(
    tmp_path: Path, private: Path, way: str
) -> None:
    world = untrusted(tmp_path, is_repository=way not in {"file", "link"})
    inner, other = world.root / ".git", private / ".git"
    head = git(private, "rev-parse", "HEAD")
    match way:
        case "file":
            inner.write_text(f"gitdir: {other}\n")
        case "link":
            inner.symlink_to(other)
        case "shared":
            (inner / "commondir").write_text(f"{other}\n")
        case "borrowed":
            (inner / "objects" / "info" / "alternates").write_text(f"{other}/objects\n")
        case "nested":
            near = world.root / "near"
            (near / "info").mkdir(parents=True)
            (near / "info" / "alternates").write_text(f"{other}/objects\n")
            (inner / "objects" / "info" / "alternates").write_text(f"{near}\n")
        case "pack":
            (inner / "objects" / "pack").rmdir()
            git(private, "gc", "--quiet")
            (inner / "objects" / "pack").symlink_to(other / "objects" / "pack")
        case _:
            fan = next((other / "objects").glob("??"))
            (inner / "objects" / fan.name).symlink_to(fan)
    if way not in {"file", "link"}:
        (inner / "refs" / "heads" / "main").write_text(head)

    for tool in ("git_log", "git_status", "git_diff"):
        text = await world.error(tool)
        assert "was not read" in text
        assert "trust" in text
        assert "TOPSECRET" not in text


async def test_a_list_of_borrowed_objects_that_is_no_file_is_refused(tmp_path: Path) -> None:
    world = untrusted(tmp_path)
    os.mkfifo(world.root / ".git" / "objects" / "info" / "alternates")

    assert "is a device or a FIFO" in await world.error("git_status")


@pytest.mark.parametrize("way", ["link", "folder", "long"])
async def test_a_list_of_borrowed_objects_that_cannot_be_read_is_refused(
    tmp_path: Path, way: str
) -> None:
    world = untrusted(tmp_path)
    alternates = world.root / ".git" / "objects" / "info" / "alternates"
    match way:
        case "link":
            (world.root / "list").write_text("")
            alternates.symlink_to(world.root / "list")
        case "folder":
            alternates.mkdir()
        case _:
            alternates.write_text("# x\n" * 20_000)

    assert "borrows the objects" in await world.error("git_status")


async def test_comments_among_borrowed_objects_are_none(tmp_path: Path) -> None:
    world = untrusted(tmp_path)
    (world.root / ".git" / "objects" / "info" / "alternates").write_text("# none\n\n")

    assert "clean" in await world.text("git_status")


async def test_a_folder_of_objects_that_nobody_can_check_is_refused(tmp_path: Path) -> None:
    world = untrusted(tmp_path)
    pack = world.root / ".git" / "objects" / "pack"
    for number in range(2_049):
        (pack / f"x{number}").touch()

    assert "pack has too many entries" in await world.error("git_status")


async def test_a_linked_working_tree_is_known_to_its_repository(
    tmp_path: Path, private: Path
) -> None:
    workspace = tmp_path / "workspace"
    git(private, "worktree", "add", "--quiet", "-b", "side", str(workspace))
    world = untrusted(tmp_path, is_repository=False)

    assert "TOPSECRET" in await world.text("git_log")
    assert not (await world.prepare("git_log")).is_cacheable


async def test_a_submodule_is_known_to_its_repository(tmp_path: Path, private: Path) -> None:
    above = tmp_path / "above"
    above.mkdir()
    git(above, "init", "--quiet")
    allow = ("-c", "protocol.file.allow=always")
    git(above, *allow, "submodule", "--quiet", "add", str(private), "workspace")
    world = untrusted(above, is_repository=False)

    assert "TOPSECRET" in await world.text("git_log")


async def test_trust_lets_a_separate_git_folder_be_used(tmp_path: Path) -> None:
    plan = WorldPlan(is_repository=False)
    world = open_git_world(tmp_path, plan)
    git(world.root, "init", "--quiet", f"--separate-git-dir={tmp_path}/kept")

    assert "clean" in await world.text("git_status")
    assert "does not know this folder" in await untrusted(tmp_path, is_repository=False).error(
        "git_status"
    )


async def test_a_folder_of_another_owner_is_gits_own_refusal(tmp_path: Path) -> None:
    if os.getuid() != 0:
        pytest.skip("only root can give a folder away")
    world = untrusted(tmp_path)
    os.chown(world.root, 12_345, 12_345)
    os.chown(world.root / ".git", 12_345, 12_345)

    assert "dubious ownership" in await world.error("git_status")
