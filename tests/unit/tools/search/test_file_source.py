"""What is searched, what is counted, and that no swapped link is followed."""

import contextlib
import os
import threading

import pytest

from caramelo_tui.domain.errors import ToolFailure
from caramelo_tui.tools.search.file_source import (
    SIZE_LIMIT_BYTES,
    SourceCounts,
    _read_up_to,  # pyright: ignore[reportPrivateUsage]  # the one bounded read
    named_files,
    shown_path,
    text_files,
)
from tests.doubles.tool_worlds import ToolWorld


def found(world: ToolWorld, start: str = ".") -> tuple[dict[str, bytes], SourceCounts]:
    counts = SourceCounts()
    resolved = world.context.sandbox.resolve(start)
    files = text_files(world.context.files, resolved, counts, look_up=lambda: None)
    return {file.path: file.data for file in files}, counts


def test_text_files_come_in_order_and_the_rest_is_counted(tool_world: ToolWorld) -> None:
    tool_world.write("b/x.txt", "x")
    tool_world.write("b.txt", "b")
    tool_world.write("limit.txt", "y" * 262_144)
    tool_world.write("large.txt", "y" * 262_145)
    tool_world.write("a.bin", b"text\0")
    tool_world.write("empty", "")
    tool_world.write("latin.txt", b"\xe9")
    tool_world.write("node_modules/m.js", "m")

    files, counts = found(tool_world)

    assert list(files) == ["b.txt", "b/x.txt", "empty", "latin.txt", "limit.txt"]
    assert len(files["limit.txt"]) == 262_144
    assert (counts.too_large, counts.binary, counts.unreadable) == (1, 1, 0)


def test_file_as_start_is_searched_alone(tool_world: ToolWorld) -> None:
    tool_world.write("dist/a.js", "a")
    tool_world.write("dist/b.js", "b")

    assert list(found(tool_world, "dist/a.js")[0]) == ["dist/a.js"]
    assert list(found(tool_world, "dist")[0]) == ["dist/a.js", "dist/b.js"]


def test_link_in_the_asked_path_is_kept_in_what_is_shown(tool_world: ToolWorld) -> None:
    tool_world.write("real/deep/a.txt", "a")
    (tool_world.root / "link").symlink_to("real")
    (tool_world.root / "here").symlink_to(".")

    assert list(found(tool_world, "link")[0]) == ["link/deep/a.txt"]
    assert list(found(tool_world, "link/deep/a.txt")[0]) == ["link/deep/a.txt"]
    assert list(found(tool_world, "here")[0]) == ["here/real/deep/a.txt"]


def test_path_is_shown_as_found_where_no_link_is_involved(tool_world: ToolWorld) -> None:
    start = tool_world.context.sandbox.resolve("./src/")

    assert shown_path("src/a", start) == "src/a"


def test_missing_start_is_an_error(tool_world: ToolWorld) -> None:
    with pytest.raises(ToolFailure, match="nowhere"):
        found(tool_world, "nowhere")


def test_file_that_changes_during_the_walk_is_counted_not_followed(
    tool_world: ToolWorld,
) -> None:
    outside = tool_world.root.parent / "outside" / "secret.txt"
    outside.write_text("TOPSECRET")
    for name in ("a", "b", "c", "d"):
        tool_world.write(name, name)
    counts = SourceCounts()
    start = tool_world.context.sandbox.resolve(".")
    files = text_files(tool_world.context.files, start, counts, look_up=lambda: None)
    next(files)
    for name in ("b", "c"):
        (tool_world.root / name).unlink()
    (tool_world.root / "b").symlink_to(outside)
    (tool_world.root / "d").write_bytes(b"y" * 300_000)

    assert list(files) == []
    assert (counts.unreadable, counts.too_large) == (2, 1)


def test_folder_swapped_for_a_link_leads_nowhere(tool_world: ToolWorld) -> None:
    outside = tool_world.root.parent / "outside"
    (outside / "f").write_text("TOPSECRET")
    tool_world.write("a", "a")
    tool_world.write("sub/f", "inside")
    counts = SourceCounts()
    start = tool_world.context.sandbox.resolve(".")
    files = text_files(tool_world.context.files, start, counts, look_up=lambda: None)
    next(files)
    (tool_world.root / "sub/f").unlink()
    (tool_world.root / "sub").rmdir()
    (tool_world.root / "sub").symlink_to(outside)

    assert list(files) == []


def test_every_file_and_folder_met_is_an_occasion_to_end(tool_world: ToolWorld) -> None:
    for name in ("a.bin", "b.bin", "c.txt"):
        tool_world.write(name, b"\0")
    (tool_world.root / "empty").mkdir()
    looks: list[int] = []
    start = tool_world.context.sandbox.resolve(".")

    files = text_files(
        tool_world.context.files, start, SourceCounts(), look_up=lambda: looks.append(1)
    )

    assert list(files) == []
    assert len(looks) == 3 + 2


def test_file_that_grows_while_it_is_read_is_read_to_the_limit_only() -> None:
    reading, writing = os.pipe()

    def write() -> None:
        # A pipe gives short reads and no end, as a file does that is being written.
        with contextlib.suppress(BrokenPipeError):
            while True:
                os.write(writing, b"x" * 30_000)

    writer = threading.Thread(target=write)
    writer.start()
    try:
        data = _read_up_to(reading, SIZE_LIMIT_BYTES + 1)
    finally:
        os.close(reading)
        writer.join()
        os.close(writing)

    assert len(data) == SIZE_LIMIT_BYTES + 1


def test_named_files_come_in_the_order_given_and_only_inside(tool_world: ToolWorld) -> None:
    tool_world.write("b/x.txt", "1")
    tool_world.write("a.txt", "2")
    tool_world.write("big.txt", "3" * 11)
    tool_world.write("wide.txt", "\ufeff\u00e9".encode("utf-16-be"))
    tool_world.write("bin", b"\0")
    (tool_world.root / "link").symlink_to(tool_world.root.parent / "outside")
    counts = SourceCounts()
    names = ["b/x.txt", "a.txt", "big.txt", "wide.txt", "bin", "link/a.txt", "gone.txt"]

    files = list(
        named_files(
            tool_world.context.files,
            tool_world.context.sandbox.resolve("."),
            counts,
            paths=names,
            size_limit_bytes=10,
            look_up=lambda: None,
        )
    )

    assert [(file.path, file.data) for file in files] == [
        ("b/x.txt", b"1"),
        ("a.txt", b"2"),
        ("wide.txt", "\u00e9".encode()),
    ]
    assert (counts.too_large, counts.binary, counts.unreadable) == (1, 1, 2)
