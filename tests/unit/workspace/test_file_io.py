"""Reading files and facts about them."""

import os
import tracemalloc

import pytest

from caramelo_tui.domain.errors import ToolFailure
from caramelo_tui.domain.files import FileKind
from caramelo_tui.workspace import file_io
from caramelo_tui.workspace.file_io import FileStore, content_hash
from caramelo_tui.workspace.path_failures import MissingPath, NotAFolder
from tests.doubles.workspace_worlds import World


def test_bytes_come_back_as_they_are(world: World) -> None:
    data = bytes(range(256)) * 5000
    world.write("f", data)
    read = world.files.read_bytes("f")
    assert read.data == data
    assert read.stamp == world.files.stamp("f")


def test_a_limit_bounds_what_is_read(world: World) -> None:
    world.write("f", b"0123456789")
    assert world.files.read_bytes("f", limit_bytes=4).data == b"0123"
    assert world.files.read_bytes("f", limit_bytes=10).data == b"0123456789"
    assert world.files.read_bytes("f", limit_bytes=0).data == b""


def test_a_file_too_big_to_hold_is_refused_with_the_limit(world: World) -> None:
    target = world.write("big")
    os.truncate(target, file_io.WHOLE_FILE_LIMIT_BYTES + 1)
    with pytest.raises(ToolFailure, match=r"big has 67108865 bytes; at most 67108864"):
        world.files.read_bytes("big")
    assert len(world.files.read_bytes("big", limit_bytes=10).data) == 10


def test_what_lies_behind_a_limit_costs_no_memory(world: World) -> None:
    os.truncate(world.write("big"), 64 * file_io.WHOLE_FILE_LIMIT_BYTES)
    tracemalloc.start()
    try:
        assert len(world.files.read_bytes("big", limit_bytes=10).data) == 10
        assert tracemalloc.get_traced_memory()[1] < 4_000_000
    finally:
        tracemalloc.stop()


def test_missing_files_are_told_from_unreadable_ones(world: World) -> None:
    world.write("f", "x")
    assert world.files.read_if_exists("none") is None
    assert world.files.read_if_exists("no/such/file") is None
    with pytest.raises(MissingPath, match=r"no/such does not exist"):
        world.files.read_bytes(world.sandbox.resolve("no/such"))
    with pytest.raises(NotAFolder):
        world.files.read_if_exists("f/x")
    with pytest.raises(ToolFailure, match="folder"):
        world.files.read_if_exists(".")


class _ChangingStore(FileStore):
    """A store whose file is changed by somebody during the first reads."""

    changes = 0

    def _read_once(self, path: object, limit_bytes: int | None) -> file_io.FileBytes:
        assert isinstance(path, str)
        result = super()._read_once(path, limit_bytes)
        if self.changes:
            self.changes -= 1
            with (self.sandbox.root / path).open("a") as file:
                file.write("+")
        return result


def test_a_read_during_a_write_is_repeated(world: World) -> None:
    world.write("f", "x")
    store = _ChangingStore(world.sandbox)
    store.changes = 1
    assert store.read_bytes("f").data == b"x+"
    # A file that never rests is given as last read, with a stamp that proves nothing.
    store.changes = 9
    assert store.read_bytes("f").stamp != store.stamp("f")


def test_an_open_file_is_closed_at_the_end_of_the_block(world: World) -> None:
    world.write("f", "line 1\nline 2\n")
    with world.files.open_binary("f") as file:
        assert file.readline() == b"line 1\n"
    assert file.closed


def test_stamps_are_for_regular_files_and_folders_only(world: World) -> None:
    world.write("sub/f", "x")
    world.link("l", "sub/f")
    os.mkfifo(world.root / "pipe")
    assert world.files.stamp("sub/f") is not None
    assert world.files.folder_stamp("sub") is not None
    assert world.files.folder_stamp(".") is not None
    for path in ("sub", "l", "pipe", "none", "sub/f/x", "."):
        assert world.files.stamp(path) is None
    for path in ("sub/f", "l", "none"):
        assert world.files.folder_stamp(path) is None


def test_a_folder_stamp_changes_with_its_entries(world: World) -> None:
    world.write("sub/f", "x")
    os.utime(world.root / "sub", ns=(1, 1))
    before = world.files.folder_stamp("sub")
    world.write("sub/g", "x")
    assert world.files.folder_stamp("sub") != before


def test_facts_tell_kind_mode_links_and_writability(world: World) -> None:
    target = world.write("f", "abc")
    target.chmod(0o640)
    (world.root / "g").hardlink_to(target)
    facts = world.files.facts("f")
    assert (facts.exists, facts.kind, facts.mode) == (True, FileKind.FILE, 0o640)
    assert (facts.hard_links, facts.is_writable, facts.size) == (2, True, 3)
    target.chmod(0o440)
    assert not world.files.facts("f").is_writable
    world.link("l", "f")
    assert world.files.facts("l").kind is FileKind.LINK
    assert world.files.facts(".").kind is FileKind.FOLDER
    assert not world.files.facts("none").exists
    assert not world.files.facts("none/x").exists
    with pytest.raises(NotAFolder):
        world.files.facts("f/x")


def test_a_hash_is_the_sha256() -> None:
    assert content_hash(b"") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
