"""The one resolver and the guarded opening."""

import os
import socket
import stat
from collections.abc import Callable
from pathlib import Path

import pytest

from caramelo_tui.domain.errors import PathOutsideWorkspace, PathRefused, ToolFailure
from caramelo_tui.domain.files import ResolvedPath
from caramelo_tui.workspace.path_failures import MissingPath, NotAFolder
from caramelo_tui.workspace.sandbox import Sandbox
from tests.doubles.workspace_worlds import World


def test_root_is_resolved_through_links(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "alias").symlink_to("real")
    assert Sandbox(tmp_path / "alias").root == (tmp_path / "real").resolve()


def test_root_must_be_a_folder(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(NotADirectoryError):
        Sandbox(tmp_path / "file")
    with pytest.raises(FileNotFoundError):
        Sandbox(tmp_path / "missing")


@pytest.mark.parametrize(
    ("asked", "relative", "shown"),
    [
        (".", ".", "."),
        ("./", ".", "."),
        ("a", "a", "a"),
        ("././/a//b/", "a/b", "a/b"),
        ("missing/deep/file", "missing/deep/file", "missing/deep/file"),
        ("a/../b", "b", "b"),
        ("missing/../b", "b", "b"),
        ("..\\out\\secret.txt", "..\\out\\secret.txt", "..\\out\\secret.txt"),
        ("./~x", "~x", "~x"),
        ("...", "...", "..."),
        ("caf\udce9", "caf\udce9", "caf\udce9"),
        # Escaped bytes that are UTF-8 together are the plain character.
        ("\udcc3\udca9", "é", "é"),
    ],
)
def test_plain_paths_resolve_inside(world: World, asked: str, relative: str, shown: str) -> None:
    resolved = world.sandbox.resolve(asked)
    assert (resolved.relative, resolved.shown, resolved.asked) == (relative, shown, asked)
    assert resolved.absolute == world.root.joinpath(relative)


@pytest.mark.parametrize("asked", ["..", "../out/secret.txt", "a/../../out", "../ws-copy/s.txt"])
def test_paths_that_leave_are_refused_by_their_parts(world: World, asked: str) -> None:
    (world.root.parent / "ws-copy").mkdir()
    with pytest.raises(PathOutsideWorkspace, match="outside") as caught:
        world.sandbox.resolve(asked)
    assert asked in str(caught.value)


def test_a_path_that_leaves_and_comes_back_is_inside(world: World) -> None:
    assert world.sandbox.resolve("../ws/a").relative == "a"


def test_absolute_paths_are_refused_unless_allowed_and_inside(world: World) -> None:
    inside = str(world.root / "in.txt")
    with pytest.raises(PathRefused, match=r"in\.txt: absolute"):
        world.sandbox.resolve(inside)
    resolved = world.sandbox.resolve(inside, allows_absolute=True)
    assert (resolved.relative, resolved.shown) == ("in.txt", "in.txt")
    with pytest.raises(PathOutsideWorkspace):
        world.sandbox.resolve(str(world.outside / "secret.txt"), allows_absolute=True)
    with pytest.raises(PathOutsideWorkspace):
        world.sandbox.resolve("/", allows_absolute=True)


def test_an_absolute_path_through_a_link_to_the_root_is_inside(tmp_path: Path) -> None:
    world = World(tmp_path)
    (tmp_path / "alias").symlink_to("ws")
    asked = str(tmp_path / "alias" / "a")
    assert world.sandbox.resolve(asked, allows_absolute=True).relative == "a"


def test_links_are_followed_and_judged_by_where_they_lead(world: World) -> None:
    world.write("dir/in.txt", "x")
    world.link("inside", "dir/in.txt")
    world.link("absolute", world.root / "dir/in.txt")
    world.link("peek", world.outside / "secret.txt")
    world.link("jump", world.outside)
    world.link("dangling", world.outside / "made.txt")
    assert world.sandbox.resolve("inside").relative == "dir/in.txt"
    assert world.sandbox.resolve("inside").shown == "inside"
    assert world.sandbox.resolve("absolute").relative == "dir/in.txt"
    for asked in ("peek", "dangling", "jump", "jump/secret.txt", "jump/../out", "jump/new/file"):
        with pytest.raises(PathOutsideWorkspace, match=asked):
            world.sandbox.resolve(asked)


def test_dot_dot_goes_up_from_where_a_link_led(world: World) -> None:
    world.write("a/b/file")
    world.write("x")
    world.link("short", "a/b")
    resolved = world.sandbox.resolve("short/../x")
    assert (resolved.relative, resolved.shown) == ("a/x", "a/x")


def test_loops_and_long_names_are_refused(world: World) -> None:
    world.link("loop1", "loop2")
    world.link("loop2", "loop1")
    with pytest.raises(PathRefused, match=r"loop1.*loop"):
        world.sandbox.resolve("loop1/x")
    with pytest.raises(PathRefused, match="too long"):
        world.sandbox.resolve("a" * 300)
    with pytest.raises(PathRefused, match="too long"):
        world.sandbox.resolve("a/" * 3000)


def test_forty_links_are_followed_and_one_more_is_not(world: World) -> None:
    world.write("link0", "x")
    for number in range(1, 42):
        world.link(f"link{number}", f"link{number - 1}")
    assert world.sandbox.resolve("link40").relative == "link0"
    with pytest.raises(PathRefused, match="too many links"):
        world.sandbox.resolve("link41")


def test_open_parent_gives_the_folder_and_the_name(world: World) -> None:
    world.write("a/b/c.txt", "x")
    with world.sandbox.open_parent("a/b/c.txt") as (folder, name):
        assert name == "c.txt"
        assert os.stat(name, dir_fd=folder).st_size == 1
    with pytest.raises(OSError, match="Bad file descriptor"):
        os.fstat(folder)


def test_open_parent_refuses_the_root_and_unresolved_texts(world: World) -> None:
    with pytest.raises(ToolFailure, match="is a folder"), world.sandbox.open_parent("."):
        pass
    for path in ("", "/a", "a//b", "a/../b", "a/.", "a\0b"):
        with pytest.raises(PathRefused, match="not a resolved"), world.sandbox.open_parent(path):
            pass


def test_open_parent_tells_missing_from_not_a_folder(world: World) -> None:
    world.write("file", "x")
    with (
        pytest.raises(MissingPath, match="a/b/c does not exist"),
        world.sandbox.open_parent("a/b/c"),
    ):
        pass
    with pytest.raises(NotAFolder, match="file/b"), world.sandbox.open_parent("file/b"):
        pass


def test_made_parents_stay_on_success_and_go_on_failure(world: World) -> None:
    world.write("kept/x")
    with world.sandbox.open_parent("kept/a/b/file", creates_parents=True):
        pass
    assert world.names("kept") == ["a", "x"]
    with (
        pytest.raises(RuntimeError),
        world.sandbox.open_parent("kept/c/d/file", creates_parents=True),
    ):
        raise RuntimeError
    assert world.names("kept") == ["a", "x"]


def _write_and_fail(world: World) -> None:
    world.write("a/theirs", "x")
    raise RuntimeError


def test_a_made_parent_that_somebody_uses_stays(world: World) -> None:
    with (
        pytest.raises(RuntimeError),
        world.sandbox.open_parent("a/b/file", creates_parents=True),
    ):
        _write_and_fail(world)
    assert world.all_paths() == ["a", "a/theirs"]


def test_parents_made_before_a_failing_part_are_removed(world: World) -> None:
    long = "b" * 300
    with (
        pytest.raises(PathRefused, match="too long"),
        world.sandbox.open_parent(f"a/{long}/file", creates_parents=True),
    ):
        pass
    assert world.names() == []


def test_a_folder_made_by_somebody_else_meanwhile_is_used(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    really_make = os.mkdir

    def mkdir_too_late(path: str, *, dir_fd: int) -> None:
        really_make(path, dir_fd=dir_fd)
        raise FileExistsError(path)

    # No other way leads into the moment between looking and making.
    monkeypatch.setattr(os, "mkdir", mkdir_too_late)
    with world.sandbox.open_parent("a/file", creates_parents=True):
        pass
    assert world.names() == ["a"]


def test_a_folder_swapped_for_a_link_after_the_check_is_not_entered(world: World) -> None:
    world.write("race/keep", "x")
    resolved = world.sandbox.resolve("race/secret.txt")
    (world.root / "race/keep").unlink()
    (world.root / "race").rmdir()
    world.link("race", world.outside)
    with pytest.raises(PathOutsideWorkspace, match="became a link"):
        world.sandbox.open_regular(resolved)
    with pytest.raises(NotAFolder):
        world.sandbox.open_folder("race")


def test_a_file_swapped_for_a_link_after_the_check_is_not_opened(world: World) -> None:
    resolved = world.sandbox.resolve("late")
    world.link("late", world.outside / "secret.txt")
    with pytest.raises(PathRefused, match="became a link"):
        world.sandbox.open_regular(resolved)


def test_open_regular_reads_regular_files_only(world: World) -> None:
    world.write("sub/f.txt", "hello")
    descriptor = world.sandbox.open_regular(world.sandbox.resolve("sub/f.txt"))
    with os.fdopen(descriptor, "rb") as file:
        assert file.read() == b"hello"
    with pytest.raises(MissingPath, match=r"no\.txt does not exist"):
        world.sandbox.open_regular("no.txt")
    for path in ("sub", "."):
        with pytest.raises(ToolFailure, match="folder"):
            world.sandbox.open_regular(path)


def _fifo(path: Path) -> None:
    os.mkfifo(path)


def _socket(path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as unix:
        unix.bind(str(path))


def _device(path: Path) -> None:
    try:
        os.mknod(path, stat.S_IFCHR | 0o600, os.makedev(1, 5))
    except PermissionError:
        pytest.skip("device nodes need root")


@pytest.mark.parametrize(("make", "word"), [(_fifo, "FIFO"), (_socket, "socket"), (_device, "dev")])
def test_special_files_are_refused_without_opening(
    make: Callable[[Path], None], word: str, tmp_path: Path
) -> None:
    world = World(tmp_path)
    make(world.root / "special")
    with pytest.raises(ToolFailure, match=f"special is a.*{word}.*not a regular file"):
        world.sandbox.open_regular("special")


def test_a_file_that_turns_into_a_fifo_between_look_and_opening_is_refused(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = world.write("f", "x")
    really_open = os.open

    def open_after_swap(path: str, flags: int, *, dir_fd: int | None = None) -> int:
        if path == "f":
            target.unlink()
            os.mkfifo(target)
        return really_open(path, flags, dir_fd=dir_fd)

    # No other way leads into the moment between looking and opening.
    monkeypatch.setattr(os, "open", open_after_swap)
    with pytest.raises(ToolFailure, match="FIFO"):
        world.sandbox.open_regular("f")


def test_a_path_spelled_as_a_folder_opens_no_file(world: World) -> None:
    world.write("f", "x")
    for asked in ("f/", "f/."):
        with pytest.raises(ToolFailure, match="names a folder"):
            world.sandbox.open_regular(world.sandbox.resolve(asked))


def test_open_folder_lists_folders_only(world: World) -> None:
    world.write("sub/f", "x")
    for path in (".", "sub"):
        descriptor = world.sandbox.open_folder(path)
        with os.scandir(descriptor) as entries:
            assert len(list(entries)) == 1
        os.close(descriptor)
    with pytest.raises(NotAFolder, match="sub/f"):
        world.sandbox.open_folder("sub/f")
    with pytest.raises(MissingPath):
        world.sandbox.open_folder("missing")


def test_everything_fails_in_words_when_the_root_is_gone(world: World) -> None:
    world.root.rmdir()
    with pytest.raises(MissingPath):
        world.sandbox.open_folder(".")
    with pytest.raises(MissingPath), world.sandbox.open_parent("a"):
        pass


def test_a_part_that_vanishes_while_the_walk_fails_is_missing(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = world.write("file", "x")
    really_open = os.open

    def open_then_remove(path: str, flags: int, *, dir_fd: int | None = None) -> int:
        try:
            return really_open(path, flags, dir_fd=dir_fd)
        finally:
            if path == "file":
                target.unlink()

    # No other way leads into the moment between the failure and its explanation.
    monkeypatch.setattr(os, "open", open_then_remove)
    with pytest.raises(MissingPath), world.sandbox.open_parent("file/x"):
        pass


def test_no_descriptor_is_left_open(world: World) -> None:
    world.write("a/b/c.txt", "x")
    world.write("file", "x")
    descriptors = Path("/dev/fd")
    before = len(list(descriptors.iterdir()))
    for path in ("a/b/c.txt", "file/x", "none/x", "a/b"):
        try:
            os.close(world.sandbox.open_regular(path))
        except ToolFailure:
            continue
    os.close(world.sandbox.open_folder("a/b"))
    assert len(list(descriptors.iterdir())) == before


def test_resolved_values_are_taken_as_they_are(world: World) -> None:
    forged = ResolvedPath(
        asked="x", relative="../out/secret.txt", shown="x", absolute=world.outside / "secret.txt"
    )
    with pytest.raises(PathRefused):
        world.sandbox.open_regular(forged)


def test_links_that_lead_through_thousands_of_folders_are_refused(world: World) -> None:
    (world.root / "d").mkdir()
    for number in range(30):
        world.link(f"l{number}", "d/../" * 800 + f"l{number + 1}")
    with pytest.raises(PathRefused, match="l0/x: its links lead through too many folders"):
        world.sandbox.resolve("l0/x")


def test_nothing_is_opened_below_the_longest_path(world: World) -> None:
    with pytest.raises(PathRefused, match="too long"):
        world.sandbox.open_folder("/".join(["d"] * 2_500))
