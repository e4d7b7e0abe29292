"""Paths come sorted, capped and counted; skipped folders never."""

import pytest

from caramelo_tui.domain.errors import ToolFailure
from caramelo_tui.tools.leaf_threads import StopFlag, Stopped
from caramelo_tui.tools.search.glob import PathsFound, find_paths, render_paths
from caramelo_tui.tools.search.glob_pattern import GlobPattern
from tests.doubles.tool_worlds import ToolWorld


def paths_of(text: str) -> list[str]:
    return text.partition("\n\n")[2].splitlines()


async def test_paths_are_sorted_by_code_point(tool_world: ToolWorld) -> None:
    for path in ("b.txt", "a.txt", "Z.txt", "_.txt", "a/b.txt", "é.txt"):
        tool_world.write(path, "x")

    output = await tool_world.run("glob", pattern="**/*.txt")

    assert paths_of(output.text) == ["Z.txt", "_.txt", "a.txt", "a/b.txt", "b.txt", "é.txt"]
    assert output.text.startswith("matches: 6\n\n")


async def test_cut_says_how_many_matched(tool_world: ToolWorld) -> None:
    for number in range(12):
        tool_world.write(f"l{number:02}.log", "x")

    output = await tool_world.run("glob", pattern="*.log", max_results=5)

    assert paths_of(output.text) == [f"l{number:02}.log" for number in range(5)]
    assert "matches: the first 5 of 12\ntruncated: true\n" in output.text
    assert output.is_truncated


async def test_skipped_folders_and_links_are_left_out_at_any_depth(tool_world: ToolWorld) -> None:
    for path in ("src/a.py", ".hidden.py", "build/b.py", "src/__pycache__/b.py", ".git/b.py"):
        tool_world.write(path, "x")
    (tool_world.root / "loop").symlink_to(".")
    (tool_world.root / "alias.py").symlink_to("src/a.py")

    output = await tool_world.run("glob", pattern="**/*.py")

    assert paths_of(output.text) == [".hidden.py", "src/a.py"]


async def test_nothing_found_is_a_success(tool_world: ToolWorld) -> None:
    output = await tool_world.run("glob", pattern="../*.txt")

    assert output.text == "matches: none\n\n"
    assert not output.is_error


async def test_pattern_beyond_the_limits_is_refused_at_once(tool_world: ToolWorld) -> None:
    with pytest.raises(ToolFailure, match="longer"):
        await tool_world.prepare("glob", pattern="a" * 2_000)


async def test_prepared_call_shows_the_pattern(tool_world: ToolWorld) -> None:
    prepared = await tool_world.prepare("glob", pattern="*.py\x1b")

    assert prepared.summary == "*.py<U+001B>"
    assert prepared.paths == (".",)


def test_result_of_very_long_paths_stays_within_the_limit() -> None:
    output = render_paths(PathsFound(paths=("d/" * 300 + "\x1b",) * 2_000, total=2_000))

    assert len(output.text.encode()) <= 262_144
    assert output.is_truncated
    assert f"matches: the first {len(paths_of(output.text))} of 2000" in output.text


def test_walk_that_takes_too_long_is_an_error(tool_world: ToolWorld) -> None:
    tool_world.write("a.txt", "x")

    with pytest.raises(ToolFailure, match="stopped after 0 s"):
        find_paths(tool_world.context.files, GlobPattern("**"), 10, StopFlag(), time_limit_s=0)


def test_walk_ends_when_the_call_is_cancelled(tool_world: ToolWorld) -> None:
    tool_world.write("a.txt", "x")
    stop = StopFlag()
    stop.set()

    with pytest.raises(Stopped):
        find_paths(tool_world.context.files, GlobPattern("**"), 10, stop)


def test_walk_of_nothing_but_folders_ends_in_time_and_when_cancelled(tool_world: ToolWorld) -> None:
    (tool_world.root / "void").mkdir()
    stop = StopFlag()
    stop.set()

    with pytest.raises(ToolFailure, match="stopped after 0 s and 0 files"):
        find_paths(tool_world.context.files, GlobPattern("**"), 10, StopFlag(), time_limit_s=0)
    with pytest.raises(Stopped):
        find_paths(tool_world.context.files, GlobPattern("**"), 10, stop)
