"""Folder views and walks."""

import os

import pytest

from caramelo_tui.domain.errors import ToolFailure
from caramelo_tui.domain.files import FileKind
from caramelo_tui.workspace.ignore_rules import SKIPPED_FOLDERS
from caramelo_tui.workspace.listing import WalkedFile
from caramelo_tui.workspace.path_failures import MissingPath, NotAFolder
from tests.doubles.workspace_worlds import World


def test_entries_tell_kind_and_size(world: World) -> None:
    world.write("f.txt", "abc")
    world.write("sub/inner")
    os.mkfifo(world.root / "pipe")
    entries = {entry.name: entry for entry in world.files.list_folder(".")}
    assert entries["f.txt"].kind is FileKind.FILE
    assert entries["f.txt"].size == 3
    assert entries["sub"].kind is FileKind.FOLDER
    assert entries["sub"].size == 0
    assert entries["pipe"].kind is FileKind.OTHER


def test_links_show_their_target_only_when_it_is_inside(world: World) -> None:
    world.write("sub/real.txt", "x")
    world.link("sub/in", "real.txt")
    world.link("sub/up", "../sub")
    world.link("sub/dangling", "nothing")
    world.link("sub/out", world.outside / "secret.txt")
    world.link("sub/~odd", "real.txt")
    world.link("sub/loop", "loop")
    entries = {entry.name: entry for entry in world.files.list_folder("sub")}
    targets = {name: entry.link_target for name, entry in entries.items()}
    assert targets == {
        "real.txt": None,
        "in": "real.txt",
        "up": "../sub",
        "dangling": "nothing",
        "out": None,
        "~odd": "real.txt",
        "loop": None,
    }
    assert [name for name, entry in entries.items() if entry.leads_to_folder] == ["up"]
    assert entries["out"].kind is FileKind.LINK


def test_names_that_are_not_utf8_are_listed_with_escapes(world: World) -> None:
    os.close(os.open(os.fsencode(world.root) + b"/caf\xe9", os.O_CREAT | os.O_WRONLY))
    assert [entry.name for entry in world.files.list_folder(".")] == ["caf\udce9"]


def test_listing_a_file_or_nothing_fails_in_words(world: World) -> None:
    world.write("f", "x")
    with pytest.raises(NotAFolder, match="f is not a folder"):
        world.files.list_folder(world.sandbox.resolve("f"))
    with pytest.raises(MissingPath):
        world.files.list_folder("missing")


def test_links_in_a_folder_are_noticed(world: World) -> None:
    world.write("plain/f")
    world.link("linked/l", "nowhere")
    assert not world.files.holds_links("plain")
    assert world.files.holds_links("linked")
    with pytest.raises(ToolFailure):
        world.files.holds_links("missing")


def test_a_walk_is_sorted_by_the_whole_path(world: World) -> None:
    for path in ("a/b", "a.txt", "a-b/c", "ab", "B", "é", "a/b.d/x", "a/b/c"):
        if path != "a/b":
            world.write(path, "x")
    found = [file.path for file in world.files.walk(".", skipped=())]
    assert found == sorted(found)
    assert found == ["B", "a-b/c", "a.txt", "a/b.d/x", "a/b/c", "ab", "é"]


def test_a_walk_enters_no_skipped_folder_and_no_link(world: World) -> None:
    world.write("src/a.py", "xy")
    world.write("node_modules/m.js")
    world.write("src/build/deep.txt")
    world.write("dist", "a file may have the name")
    world.link("linked", "src")
    world.link("src/alias.py", "a.py")
    os.mkfifo(world.root / "pipe")
    found = list(world.files.walk(".", skipped=SKIPPED_FOLDERS))
    assert found == [WalkedFile(path="dist", size=24), WalkedFile(path="src/a.py", size=2)]


def test_paths_alone_are_the_same_walk(world: World) -> None:
    for path in ("a.txt", "a/b", "a-/c", "node_modules/m.js", "z"):
        world.write(path)
    world.link("linked", "a")
    paths = list(world.files.walk_paths(".", skipped=SKIPPED_FOLDERS))
    assert paths == [found.path for found in world.files.walk(".", skipped=SKIPPED_FOLDERS)]
    assert paths == ["a-/c", "a.txt", "a/b", "z"]
    assert list(world.files.walk_paths("a/b", skipped=())) == ["a/b"]


def test_a_walk_may_start_in_a_skipped_folder_or_at_a_file(world: World) -> None:
    world.write("node_modules/m.js", "x")
    for start in ("node_modules", "node_modules/m.js"):
        found = list(world.files.walk(start, skipped=SKIPPED_FOLDERS))
        assert found == [WalkedFile(path="node_modules/m.js", size=1)]
    with pytest.raises(MissingPath):
        list(world.files.walk("missing", skipped=()))


def test_a_walk_goes_on_when_a_folder_vanishes(world: World) -> None:
    world.write("a/x", "1")
    world.write("b/y", "2")
    world.write("c/z", "3")
    walk = world.files.walk(".", skipped=())
    assert next(walk).path == "a/x"
    (world.root / "b/y").unlink()
    (world.root / "b").rmdir()
    assert [file.path for file in walk] == ["c/z"]


class _Ended(Exception):
    """Somebody ended the work."""


def _end() -> None:
    raise _Ended


def test_a_walk_can_be_ended_where_there_are_only_folders(world: World) -> None:
    for number in range(3):
        (world.root / f"void{number}").mkdir()
    looks: list[int] = []
    assert list(world.files.walk(".", skipped=(), look_up=lambda: looks.append(1))) == []
    assert len(looks) == 4
    with pytest.raises(_Ended):
        list(world.files.walk(".", skipped=(), look_up=_end))


def test_a_walk_can_be_ended_within_a_large_folder(world: World) -> None:
    for number in range(2_100):
        world.write(f"f{number}")
    looks: list[int] = []
    list(world.files.walk(".", skipped=(), look_up=lambda: looks.append(1)))
    assert len(looks) == 3


def test_a_listing_can_be_ended_at_each_entry(world: World) -> None:
    world.write("a")
    with pytest.raises(_Ended):
        world.files.list_folder(".", look_up=_end)


def test_a_walk_leaves_out_what_no_path_reaches(world: World) -> None:
    folder = os.open(world.root, os.O_RDONLY)
    name = "deep" * 60
    for _ in range(20):
        os.mkdir(name, dir_fd=folder)
        below = os.open(name, os.O_RDONLY, dir_fd=folder)
        os.close(os.open("f", os.O_CREAT | os.O_WRONLY, dir_fd=below))
        os.close(folder)
        folder = below
    os.close(folder)
    found = list(world.files.walk(".", skipped=()))
    assert len(found) == 4_096 // (len(name) + 1) + 1
