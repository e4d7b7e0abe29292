"""Listings leave out two folders and nothing else, filter by a pattern, and follow no link."""

import os
import subprocess
from pathlib import Path

import pytest

from caramelo_tui.domain.errors import ToolFailure
from caramelo_tui.domain.tool_calls import CacheScope, Effect
from caramelo_tui.tools.files.list_files import EntryFilter, list_one, list_tree
from caramelo_tui.tools.leaf_threads import StopFlag, Stopped
from tests.doubles.tool_worlds import ToolWorld


def rows_of(text: str) -> list[str]:
    return text.partition("\n\n")[2].splitlines()


def fill(world: ToolWorld, *paths: str) -> None:
    for path in paths:
        world.write(path, "x")


def make_nested(root: Path, name: str, *, times: int) -> None:
    descriptor = os.open(root, os.O_RDONLY)
    for _ in range(times):
        os.mkdir(name, dir_fd=descriptor)
        below = os.open(name, os.O_RDONLY, dir_fd=descriptor)
        os.close(descriptor)
        descriptor = below
    os.close(descriptor)


async def test_one_folder_is_listed_folders_first(core_world: ToolWorld) -> None:
    fill(core_world, "b/k", "a.txt", ".hidden", "Z.txt", "a/k")

    output = await core_world.run("list_files", path=".")

    assert output.text == "path: .\nentries: 5\n\na/\nb/\n.hidden\nZ.txt\na.txt\n"


async def test_recursive_shows_paths_from_the_root_sorted(core_world: ToolWorld) -> None:
    fill(core_world, "src/b/c.ts", "src/b.ts", "src/b-/d.ts", "other.ts", "src/é.ts")

    output = await core_world.run("list_files", path="src", recursive=True)

    assert output.text == ("path: src\nentries: 4\n\nsrc/b-/d.ts\nsrc/b.ts\nsrc/b/c.ts\nsrc/é.ts\n")


@pytest.mark.parametrize("recursive", [False, True])
async def test_only_node_modules_and_git_are_left_out(
    core_world: ToolWorld, *, recursive: bool
) -> None:
    fill(
        core_world,
        "node_modules/m.js",
        ".git/config",
        "dist/o.js",
        ".venv/p.py",
        ".github/w.yml",
        "__pycache__/c.pyc",
        "src/node_modules/m.js",
        "src/a.js",
    )

    output = await core_world.run("list_files", path=".", recursive=recursive)

    if recursive:
        assert rows_of(output.text) == [
            ".github/w.yml",
            ".venv/p.py",
            "__pycache__/c.pyc",
            "dist/o.js",
            "src/a.js",
        ]
    else:
        assert rows_of(output.text) == [".github/", ".venv/", "__pycache__/", "dist/", "src/"]


async def test_left_out_folder_is_listed_when_it_is_asked_for(core_world: ToolWorld) -> None:
    fill(core_world, "node_modules/m/i.js")

    output = await core_world.run("list_files", path="node_modules", recursive=True)

    assert rows_of(output.text) == ["node_modules/m/i.js"]


async def test_files_named_like_the_left_out_folders_are_shown(core_world: ToolWorld) -> None:
    # A worktree has a file called ``.git``.
    fill(core_world, ".git", "sub/node_modules", "real/x")
    (core_world.root / "node_modules").symlink_to("real")

    assert rows_of((await core_world.run("list_files", path=".")).text) == [
        "real/",
        "sub/",
        ".git",
    ]
    assert rows_of((await core_world.run("list_files", path=".", recursive=True)).text) == [
        ".git",
        "real/x",
        "sub/node_modules",
    ]


@pytest.mark.parametrize(
    ("pattern", "rows"),
    [
        ("*.ts", ["src/a.ts", "src/b/c.ts"]),
        ("c.*", ["src/b/c.ts"]),
        ("{a.ts,d.js}", ["src/a.ts", "src/d.js"]),
        ("b/*", ["src/b/c.ts"]),
        ("./*.ts", ["src/a.ts"]),
        ("**/*.ts", ["src/a.ts", "src/b/c.ts"]),
        ("src/*.ts", []),
        ("*.TS", []),
    ],
)
async def test_pattern_is_for_names_and_with_a_slash_for_the_path_below(
    core_world: ToolWorld, pattern: str, rows: list[str]
) -> None:
    fill(core_world, "src/a.ts", "src/b/c.ts", "src/d.js")

    output = await core_world.run("list_files", path="src", recursive=True, pattern=pattern)

    assert rows_of(output.text) == rows


async def test_pattern_filters_one_folder_too(core_world: ToolWorld) -> None:
    fill(core_world, "a.ts", "b.js", "sub.ts/x", "other/x")

    output = await core_world.run("list_files", path=".", pattern="*.ts")

    assert output.text == "path: .\nentries: 2\n\nsub.ts/\na.ts\n"


async def test_pattern_for_paths_in_one_folder_says_that_it_looked_no_deeper(
    core_world: ToolWorld,
) -> None:
    fill(core_world, "a.ts", "src/b.ts")

    output = await core_world.run("list_files", path=".", pattern="**/*.ts")

    assert "note: the pattern has a slash, but only this folder was looked at\n" in output.text
    assert rows_of(output.text) == ["a.ts"]


async def test_links_are_shown_and_never_followed(core_world: ToolWorld) -> None:
    outside = core_world.root.parent / "outside"
    (outside / "secret.txt").write_text("x")
    fill(core_world, "sub/f", "sub/deep/g")
    for name, target in (("way", outside), ("loop", "."), ("back", "../sub"), ("f2", "f")):
        (core_world.root / "sub" / name).symlink_to(target)

    output = await core_world.run("list_files", path=".", recursive=True)

    assert rows_of(output.text) == [
        "sub/back/ -> ../sub",
        "sub/deep/g",
        "sub/f",
        "sub/f2 -> f",
        "sub/loop/ -> .",
        "sub/way -> (outside)",
    ]
    assert "secret" not in output.text
    assert str(outside) not in output.text


async def test_folders_without_content_are_shown_so_that_nothing_is_lost(
    core_world: ToolWorld,
) -> None:
    fill(core_world, "only/node_modules/m.js", "a")
    (core_world.root / "void").mkdir()

    output = await core_world.run("list_files", path=".", recursive=True)

    assert rows_of(output.text) == ["a", "only/", "void/"]


async def test_empty_answer_says_so(core_world: ToolWorld) -> None:
    fill(core_world, "a.txt")

    output = await core_world.run("list_files", path=".", pattern="*.ts", recursive=True)

    assert output.text == "path: .\nentries: 0, nothing to show\n\n"
    assert not output.is_error


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read every folder")
async def test_folder_that_may_not_be_read_is_counted(core_world: ToolWorld) -> None:
    fill(core_world, "closed/f", "open/f")
    (core_world.root / "closed").chmod(0o000)
    try:
        output = await core_world.run("list_files", path=".", recursive=True)
    finally:
        (core_world.root / "closed").chmod(0o755)

    assert "not listed: 1 folder that cannot be read" in output.text
    assert rows_of(output.text) == ["closed/", "open/f"]


async def test_folder_with_too_long_a_path_is_counted_as_not_listed(core_world: ToolWorld) -> None:
    make_nested(core_world.root, "d" * 200, times=25)

    output = await core_world.run("list_files", path=".", recursive=True)

    assert "not listed: 1 folder that cannot be read" in output.text


async def test_two_thousand_entries_are_shown_and_the_rest_counted(core_world: ToolWorld) -> None:
    for number in range(2_050):
        core_world.write(f"{number % 7}/f{number:04}", "")

    tree = await core_world.run("list_files", path=".", recursive=True)
    narrow = await core_world.run("list_files", path=".", recursive=True, pattern="f00*")

    assert len(rows_of(tree.text)) == 2_000
    assert tree.is_truncated
    assert "entries: 2050\ntruncated: true\nnot shown: 50 more entries; " in tree.text
    assert len(rows_of(narrow.text)) == 100
    assert not narrow.is_truncated


async def test_names_are_shown_inert_and_encodable(core_world: ToolWorld) -> None:
    core_world.write("bad\x1b]0;p\x07\n/in\nner", "x")
    (core_world.root / os.fsdecode(b"caf\xe9.txt")).write_text("x")

    output = await core_world.run("list_files", path=".", recursive=True)

    assert rows_of(output.text) == [
        "bad<U+001B>]0;p<U+0007><U+000A>/in<U+000A>ner",
        "caf<U+DCE9>.txt",
    ]
    output.text.encode("utf-8")


@pytest.mark.parametrize("path", ["file.txt", "missing", "../outside", "/etc", "way"])
@pytest.mark.parametrize("recursive", [False, True])
async def test_what_is_no_folder_inside_is_an_error(
    core_world: ToolWorld, path: str, *, recursive: bool
) -> None:
    core_world.write("file.txt", "x")
    (core_world.root / "way").symlink_to(core_world.root.parent / "outside")

    output = await core_world.run("list_files", path=path, recursive=recursive)

    assert output.is_error
    assert path in output.text


async def test_absolute_path_and_link_inside_are_accepted(core_world: ToolWorld) -> None:
    fill(core_world, "real/x")
    (core_world.root / "link").symlink_to("real")

    absolute = await core_world.run(
        "list_files", path=str(core_world.root / "real"), recursive=True
    )
    linked = await core_world.run("list_files", path="link", recursive=True)

    assert absolute.text == "path: real\nentries: 1\n\nreal/x\n"
    assert linked.text == "path: link\nentries: 1\n\nlink/x\n"


@pytest.mark.parametrize(
    ("arguments", "scope", "summary"),
    [
        ({}, CacheScope.STAMPS, "src"),
        ({"recursive": False, "pattern": "*.ts"}, CacheScope.STAMPS, "src *.ts"),
        ({"recursive": True}, CacheScope.TREE, "src recursive"),
    ],
)
async def test_it_is_a_cacheable_read(
    core_world: ToolWorld, arguments: dict[str, bool | str], scope: CacheScope, summary: str
) -> None:
    prepared = await core_world.prepare("list_files", path="./src", **arguments)

    assert prepared.effect is Effect.READ
    assert prepared.is_cacheable
    assert prepared.cache_scope is scope
    assert prepared.paths == ("src",)
    assert prepared.summary == summary


@pytest.mark.parametrize("pattern", ["", "x" * 2_000, "{" * 20 + "a" + "}" * 20])
async def test_pattern_beyond_the_limits_is_refused(core_world: ToolWorld, pattern: str) -> None:
    with pytest.raises(ToolFailure, match="pattern"):
        await core_world.prepare("list_files", path=".", pattern=pattern)


async def test_path_is_required(core_world: ToolWorld) -> None:
    with pytest.raises(ToolFailure, match="path"):
        await core_world.prepare("list_files")


def test_walk_that_takes_too_long_is_an_error_and_a_cancelled_one_ends(
    core_world: ToolWorld,
) -> None:
    fill(core_world, "a/b")
    files, root = core_world.context.files, core_world.context.sandbox.resolve(".")
    stop = StopFlag()

    with pytest.raises(ToolFailure, match="stopped after 0 s"):
        list_tree(files, root, EntryFilter(), stop, time_limit_s=0)
    stop.set()
    with pytest.raises(Stopped):
        list_tree(files, root, EntryFilter(), stop)
    with pytest.raises(Stopped):
        list_one(files, root, EntryFilter(), stop)


def test_tree_deeper_than_python_calls_is_walked_to_its_end(core_world: ToolWorld) -> None:
    make_nested(core_world.root, "d", times=1_050)
    files, root = core_world.context.files, core_world.context.sandbox.resolve(".")
    try:
        output = list_tree(files, root, EntryFilter(), StopFlag())
    finally:
        # Python's own way to remove a tree goes down by calls.
        subprocess.run(["rm", "-r", str(core_world.root / "d")], check=True)

    assert rows_of(output.text) == ["/".join("d" * 1_050) + "/"]
