"""This turn's proposals over the disk."""

import os
from dataclasses import replace

import pytest

from caramelo_tui.domain.diffs import FileEdit, SearchReplace, WholeContent, WriteProposal
from caramelo_tui.domain.errors import ToolFailure
from caramelo_tui.domain.ids import CallId
from caramelo_tui.workspace.file_io import content_hash
from caramelo_tui.workspace.overlay import Overlay
from tests.doubles.workspace_worlds import World


@pytest.fixture
def overlay(world: World) -> Overlay:
    return Overlay(world.files)


def propose(
    world: World, overlay: Overlay, path: str, edit: FileEdit, call: str = "c1"
) -> WriteProposal:
    return overlay.make_proposal(CallId(call), world.sandbox.resolve(path), edit)


def replacing(search: str, replace: str) -> SearchReplace:
    return SearchReplace(search=search, replace=replace)


def new_file(content: str) -> WholeContent:
    return WholeContent(content=content, can_overwrite=False)


def test_a_proposal_says_exactly_what_would_be_written(world: World, overlay: Overlay) -> None:
    world.write("a.txt", "one\ntwo\n")
    edit = replacing("two", "2")
    made = propose(world, overlay, "./a.txt", edit)
    assert (made.path, made.shown_path, made.edit, made.call_id) == ("a.txt", "a.txt", edit, "c1")
    assert (made.before, made.after) == (b"one\ntwo\n", b"one\n2\n")
    assert made.base_hash == content_hash(b"one\ntwo\n")
    assert [hunk.new_lines for hunk in made.hunks] == [("2\n",)]
    assert made.hard_links == 1
    assert (world.root / "a.txt").read_text() == "one\ntwo\n"


def test_a_link_is_shown_and_its_target_proposed(world: World, overlay: Overlay) -> None:
    world.write("real.txt", "old")
    world.link("alias", "real.txt")
    made = propose(world, overlay, "alias", replacing("old", "new"))
    assert (made.path, made.shown_path) == ("real.txt", "alias")


def test_hard_links_are_counted(world: World, overlay: Overlay) -> None:
    target = world.write("a", "x")
    (world.root / "b").hardlink_to(target)
    assert propose(world, overlay, "a", replacing("x", "y")).hard_links == 2


def test_a_new_file_has_no_base(world: World, overlay: Overlay) -> None:
    made = propose(world, overlay, "n/new.txt", new_file("a\n"))
    assert (made.before, made.base_hash, made.is_new, made.hard_links) == (None, None, True, 1)
    assert made.added_lines == 1
    assert world.names() == []


def test_a_new_empty_file_still_has_a_hunk_to_decide(world: World, overlay: Overlay) -> None:
    made = propose(world, overlay, "empty", new_file(""))
    assert [(hunk.id, hunk.old_lines, hunk.new_lines) for hunk in made.hunks] == [("c1:0", (), ())]


def test_an_edit_that_changes_nothing_has_no_hunk(world: World, overlay: Overlay) -> None:
    world.write("a", "x\n")
    made = propose(world, overlay, "a", replacing("x", "x"))
    assert (made.hunks, made.after) == ((), made.before)


def test_proposals_chain_and_keep_the_base_of_the_first(world: World, overlay: Overlay) -> None:
    target = world.write("a", "one")
    first = propose(world, overlay, "a", replacing("one", "two"))
    assert overlay.current("a") == b"one"
    overlay.propose(first)
    # Another program writes meanwhile: the chain still stands on what its first saw.
    target.write_text("other")
    second = propose(world, overlay, "./a", replacing("two", "three"), call="c2")
    assert (second.before, second.after) == (b"two", b"three")
    assert second.base_hash == first.base_hash == overlay.base_hash("a")
    overlay.propose(second)
    assert overlay.current("a") == b"three"


def test_a_second_new_file_at_a_proposed_path_exists_already(
    world: World, overlay: Overlay
) -> None:
    overlay.propose(propose(world, overlay, "dup", new_file("one")))
    with pytest.raises(ToolFailure, match="file_edit"):
        propose(world, overlay, "dup", new_file("two"), call="c2")
    assert overlay.base_hash("dup") is None


def test_reset_forgets_the_turn(world: World, overlay: Overlay) -> None:
    world.write("a", "disk")
    made = propose(world, overlay, "a", replacing("disk", "new"))
    overlay.propose(replace(made, after=b"laid over"))
    assert overlay.current("a") == b"laid over"
    overlay.reset()
    assert overlay.current("a") == b"disk"
    assert overlay.base_hash("a") == content_hash(b"disk")
    assert overlay.current("none") is None
    assert overlay.base_hash("none") is None


def test_what_is_no_writable_file_is_refused(world: World, overlay: Overlay) -> None:
    world.write("sub/f", "x")
    world.write("ro", "x").chmod(0o440)
    os.mkfifo(world.root / "pipe")
    overwrite = WholeContent(content="y", can_overwrite=True)
    for path, words in [
        ("sub", "sub is a folder"),
        (".", "is a folder"),
        ("sub/", "sub/ names a folder"),
        ("new/", "new/ names a folder"),
        ("sub/f/", "sub/f/ names a folder"),
        ("pipe", "pipe is not a regular file"),
        ("ro", "ro is read-only"),
        ("sub/f/deeper", "not a folder"),
    ]:
        with pytest.raises(ToolFailure, match=words):
            propose(world, overlay, path, overwrite)


def test_a_read_only_file_stays_refused_over_its_own_proposal(
    world: World, overlay: Overlay
) -> None:
    target = world.write("a", "one")
    overlay.propose(propose(world, overlay, "a", replacing("one", "two")))
    target.chmod(0o400)
    with pytest.raises(ToolFailure, match="read-only"):
        propose(world, overlay, "a", replacing("two", "three"))
