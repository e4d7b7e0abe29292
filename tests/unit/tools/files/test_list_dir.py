"""Entries come in order, marked, and never act."""

import os

import pytest

from caramelo_tui.domain.errors import ToolFailure
from caramelo_tui.domain.files import FileKind, FolderEntry
from caramelo_tui.tools.files.list_dir import (
    entry_row,
    list_entries,
    render_entries,
    sorted_entries,
)
from caramelo_tui.tools.leaf_threads import StopFlag, Stopped
from tests.doubles.tool_worlds import ToolWorld


def entries_of(text: str) -> list[str]:
    return text.partition("\n\n")[2].splitlines()


async def test_folders_first_then_files_each_by_code_point(tool_world: ToolWorld) -> None:
    for path in ("a/k", "B/k", "a.txt", "Z.txt", "é.txt", ".hidden"):
        tool_world.write(path, "x")

    output = await tool_world.run("list_dir")

    assert entries_of(output.text) == ["B/", "a/", ".hidden", "Z.txt", "a.txt", "é.txt"]
    assert output.text.startswith("path: .\nentries: 6\n\n")


async def test_links_show_their_target_only_inside(tool_world: ToolWorld) -> None:
    tool_world.write("sub/f", "x")
    tool_world.write("real.txt", "x")
    outside = tool_world.root.parent / "outside"
    for name, target in (
        ("in", "real.txt"),
        ("out", str(outside)),
        ("folder", "sub"),
        ("gone", "missing"),
    ):
        (tool_world.root / name).symlink_to(target)

    output = await tool_world.run("list_dir", path=".")

    assert entries_of(output.text) == [
        "folder/ -> sub",
        "sub/",
        "gone -> missing",
        "in -> real.txt",
        "out -> (outside)",
        "real.txt",
    ]
    assert str(outside) not in output.text


async def test_empty_folder_says_so(tool_world: ToolWorld) -> None:
    (tool_world.root / "void").mkdir()

    output = await tool_world.run("list_dir", path="void/")

    assert output.text == "path: void\nentries: 0, it is empty\n\n"


@pytest.mark.parametrize("path", ["file.txt", "missing", "../outside", "file.txt/x"])
async def test_what_is_no_folder_inside_is_an_error(tool_world: ToolWorld, path: str) -> None:
    tool_world.write("file.txt", "x")

    output = await tool_world.run("list_dir", path=path)

    assert output.is_error
    assert path.partition("/x")[0] in output.text


async def test_name_is_shown_inert_and_encodable(tool_world: ToolWorld) -> None:
    tool_world.write("bad\x1b]0;pwned\x07name\nforged.txt", "x")
    (tool_world.root / os.fsdecode(b"caf\xe9.txt")).write_text("x")

    output = await tool_world.run("list_dir")

    assert entries_of(output.text) == [
        "bad<U+001B>]0;pwned<U+0007>name<U+000A>forged.txt",
        "caf<U+DCE9>.txt",
    ]
    output.text.encode("utf-8")


def test_listing_stops_at_the_limit_and_counts_the_rest() -> None:
    entries = [FolderEntry(name=f"f{i:04}", kind=FileKind.FILE, size=0) for i in range(3_000)]

    output = render_entries("many", entries)

    assert len(entries_of(output.text)) == 2_000
    assert "entries: 3000\ntruncated: true\nnot shown: 1000 more entries; use glob" in output.text
    assert output.is_truncated


def test_listing_of_very_long_names_stays_within_a_result() -> None:
    entries = [FolderEntry(name="\x1b" * 255, kind=FileKind.FILE, size=0) for _ in range(2_000)]

    output = render_entries("many", entries)

    assert len(output.text.encode()) <= 262_144
    assert output.is_truncated
    assert f"not shown: {2_000 - len(entries_of(output.text))} more entries" in output.text


def test_link_target_is_shown_inert() -> None:
    entry = FolderEntry(name="l", kind=FileKind.LINK, size=0, link_target="a\nb")

    assert entry_row(entry) == "l -> a<U+000A>b"


def test_sorting_is_by_name_without_marks() -> None:
    entries = [
        FolderEntry(name="b", kind=FileKind.OTHER, size=0),
        FolderEntry(name="a-", kind=FileKind.FOLDER, size=0),
        FolderEntry(name="a", kind=FileKind.FOLDER, size=0),
    ]

    assert [entry.name for entry in sorted_entries(entries)] == ["a", "a-", "b"]


async def test_listing_is_cacheable(tool_world: ToolWorld) -> None:
    prepared = await tool_world.prepare("list_dir")

    assert prepared.is_cacheable
    assert prepared.paths == (".",)
    assert prepared.summary == "."


def test_listing_that_takes_too_long_is_an_error(tool_world: ToolWorld) -> None:
    tool_world.write("a", "x")
    folder = tool_world.context.sandbox.resolve(".")

    with pytest.raises(ToolFailure, match="stopped after 0 s"):
        list_entries(tool_world.context.files, folder, StopFlag(), time_limit_s=0)


def test_listing_ends_when_the_call_is_cancelled(tool_world: ToolWorld) -> None:
    tool_world.write("a", "x")
    stop = StopFlag()
    stop.set()

    with pytest.raises(Stopped):
        list_entries(tool_world.context.files, tool_world.context.sandbox.resolve("."), stop)
