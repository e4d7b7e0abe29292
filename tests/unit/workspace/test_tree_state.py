"""What events mean, judged by the disk."""

import os
import shutil

import pytest

from caramelo_tui.domain.files import FileChange
from caramelo_tui.workspace import tree_state
from caramelo_tui.workspace.file_io import content_hash
from caramelo_tui.workspace.tree_state import TreeState
from tests.doubles.workspace_worlds import World


@pytest.fixture
def tree(world: World) -> TreeState:
    world.write("old.txt", "x")
    world.write("sub/deep/k", "k")
    world.write("node_modules/m/index.js", "m")
    state = TreeState(world.sandbox, world.own_writes)
    state.load()
    return state


def told(changes: list[FileChange]) -> list[tuple[str, str]]:
    return [(change.path, change.kind.value) for change in changes]


def test_the_disk_decides_what_an_event_means(world: World, tree: TreeState) -> None:
    world.write("new.txt", "x")
    assert told(tree.look_at("new.txt", is_new=True)) == [("new.txt", "created")]
    world.write("old.txt", "y")
    assert told(tree.look_at("old.txt", is_new=False)) == [("old.txt", "modified")]
    (world.root / "old.txt").unlink()
    # A merged group can say "added" for what is gone by now.
    assert told(tree.look_at("old.txt", is_new=True)) == [("old.txt", "deleted")]
    assert tree.look_at("old.txt", is_new=False) == []


def test_one_change_is_told_once(world: World, tree: TreeState) -> None:
    world.write("old.txt", "y")
    assert len(tree.look_at("old.txt", is_new=False)) == 1
    assert tree.look_at("old.txt", is_new=False) == []


def test_a_file_renamed_over_is_modified(world: World, tree: TreeState) -> None:
    world.write(".swap", "z").rename(world.root / "old.txt")
    assert told(tree.look_at(".swap", is_new=True)) == []
    assert told(tree.look_at("old.txt", is_new=True)) == [("old.txt", "modified")]


def test_a_new_folder_is_searched_for_files_without_an_event(world: World, tree: TreeState) -> None:
    world.write("n1/n2/n3/f", "x")
    world.write("n1/dist/hidden", "x")
    assert told(tree.look_at("n1", is_new=True)) == [("n1/n2/n3/f", "created")]
    assert tree.take_new_folders() == ["n1"]
    assert tree.take_new_folders() == []
    assert tree.look_at("n1/n2/n3/f", is_new=True) == []
    world.write("n1/n2/late", "x")
    assert told(tree.look_for_new("n1")) == [("n1/n2/late", "created")]


def test_a_renamed_folder_moves_all_its_files(world: World, tree: TreeState) -> None:
    (world.root / "sub").rename(world.root / "moved")
    assert told(tree.look_at("sub", is_new=False)) == [("sub/deep/k", "deleted")]
    assert told(tree.look_at("moved", is_new=True)) == [("moved/deep/k", "created")]


def test_a_folder_replaced_by_another_is_compared(world: World, tree: TreeState) -> None:
    shutil.rmtree(world.root / "sub")
    world.write("sub/deep/other", "x")
    found = told(tree.look_at("sub", is_new=True))
    assert found == [("sub/deep/k", "deleted"), ("sub/deep/other", "created")]


def test_a_folder_and_a_file_can_take_each_others_place(world: World, tree: TreeState) -> None:
    shutil.rmtree(world.root / "sub")
    world.write("sub", "a file now")
    assert told(tree.look_at("sub", is_new=True)) == [
        ("sub/deep/k", "deleted"),
        ("sub", "created"),
    ]
    (world.root / "sub").unlink()
    world.write("sub/again", "x")
    assert told(tree.look_at("sub", is_new=True)) == [("sub", "deleted"), ("sub/again", "created")]


def test_a_touched_folder_is_no_news(world: World, tree: TreeState) -> None:
    (world.root / "sub").chmod(0o700)
    assert tree.look_at("sub", is_new=False) == []


def test_skipped_folders_and_our_temporaries_are_not_seen(world: World, tree: TreeState) -> None:
    world.write("node_modules/m/index.js", "changed")
    world.write("build/out.o", "x")
    world.write(".f.caramelo-0123abcd", "x")
    for path in ("node_modules/m/index.js", "build", "build/out.o", ".f.caramelo-0123abcd"):
        assert tree.look_at(path, is_new=True) == []
    assert tree.look_for_new(".") == []
    world.write("target", "a file")
    assert told(tree.look_at("target", is_new=True)) == [("target", "created")]


def test_links_are_told_but_not_followed(world: World, tree: TreeState) -> None:
    world.link("leak", world.outside)
    assert told(tree.look_at("leak", is_new=True)) == [("leak", "created")]
    assert tree.look_at("leak/secret.txt", is_new=True) == []


def test_names_that_are_not_utf8_are_told(world: World, tree: TreeState) -> None:
    os.close(os.open(os.fsencode(world.root) + b"/caf\xe9", os.O_CREAT | os.O_WRONLY))
    assert told(tree.look_for_new(".")) == [("caf\udce9", "created")]


def test_our_own_writes_are_not_told(world: World, tree: TreeState) -> None:
    world.files.write_atomic("own/a.txt", b"1", expected_hash=None)
    assert tree.look_at("own", is_new=True) == []
    world.files.write_atomic("old.txt", b"2", expected_hash=content_hash(b"x"))
    assert tree.look_at("old.txt", is_new=True) == []
    world.write("own/a.txt", "theirs")
    assert told(tree.look_at("own/a.txt", is_new=False)) == [("own/a.txt", "modified")]


def test_our_own_deletion_is_not_told_but_the_next_one_is(world: World, tree: TreeState) -> None:
    (world.root / "old.txt").unlink()
    world.own_writes.settle("old.txt", None)
    assert tree.look_at("old.txt", is_new=False) == []
    world.write("old.txt", "theirs")
    assert told(tree.look_at("old.txt", is_new=True)) == [("old.txt", "created")]
    (world.root / "old.txt").unlink()
    assert told(tree.look_at("old.txt", is_new=False)) == [("old.txt", "deleted")]


def test_the_whole_tree_is_compared_after_lost_events(world: World, tree: TreeState) -> None:
    world.write("sub/new", "x")
    (world.root / "old.txt").unlink()
    now = os.lstat(world.root / "sub/deep/k").st_ctime_ns
    assert told(tree.look_at_all(since_ns=now + 10**12)) == [
        ("old.txt", "deleted"),
        ("sub/new", "created"),
    ]
    assert told(tree.look_at_all(since_ns=now)) == [("sub/deep/k", "modified")]


def test_what_cannot_be_looked_into_is_left_out(tree: TreeState) -> None:
    assert tree.look_for_new("missing") == []
    assert tree.look_for_new("old.txt") == []
    assert tree.look_at("old.txt/x", is_new=True) == []


def test_memory_of_seen_states_is_bounded(
    world: World, tree: TreeState, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tree_state, "_REMEMBERED_STAMPS", 2)
    for number in range(5):
        world.write(f"f{number}", "x")
        assert len(tree.look_at(f"f{number}", is_new=True)) == 1
    assert len(tree._seen) <= 2
