"""What the model is told about a search."""

import asyncio

import pytest

from caramelo_tui.domain.tool_calls import CacheScope
from caramelo_tui.tools.search.file_source import SourceCounts
from caramelo_tui.tools.search.line_rows import FoundLine, LinesFound
from caramelo_tui.tools.search.search_report import SearchWords, render_found
from tests.doubles.tool_worlds import ToolWorld

WORDS = SearchWords(size_limit="256 KB", narrow="narrow", time_limit_s=10.0)


def found(count: int, *, path: str = "a.txt", text: str = "x", **changes: bool) -> LinesFound:
    rows = tuple(FoundLine(path=path, line=number + 1, text=text) for number in range(count))
    return LinesFound(
        rows=rows,
        has_more=changes.get("has_more", False),
        files_searched=7,
        left_out=SourceCounts(),
        is_timed_out=changes.get("is_timed_out", False),
    )


async def test_rows_stand_below_a_header_that_counts(tool_world: ToolWorld) -> None:
    tool_world.write("src/b.py", "no\nHit\n")
    tool_world.write("src/a.py", "hit\nhit\n")
    tool_world.write("big.txt", "hit\n" * 80_000)

    output = await tool_world.run("grep", pattern="hit")

    assert output.text == (
        "matches: 3 in 2 files\nskipped: 1 file over 256 KB\n\n"
        "src/a.py:1:hit\nsrc/a.py:2:hit\nsrc/b.py:2:Hit\n"
    )
    assert not output.is_error
    assert not output.is_truncated


async def test_no_match_is_a_success_that_says_how_much_was_searched(
    tool_world: ToolWorld,
) -> None:
    tool_world.write("a.txt", "x\n")

    output = await tool_world.run("grep", pattern="zzz")

    assert output.text == "matches: none in 1 file searched\n\n"
    assert not output.is_error


async def test_cut_says_so(tool_world: ToolWorld) -> None:
    tool_world.write("a.txt", "hit\n" * 10)

    output = await tool_world.run("grep", pattern="hit", max_matches=3)

    assert output.text.startswith(
        "matches: the first 3 in 1 file, more were found\ntruncated: true\nrest: "
    )
    assert output.is_truncated


async def test_path_may_be_a_file_or_a_skipped_folder(tool_world: ToolWorld) -> None:
    tool_world.write("dist/a.log", "x.log\n")
    tool_world.write("dist/.gitignore", "*.log\n")

    folder = await tool_world.run("grep", pattern="\\.log", path="dist")
    file = await tool_world.run("grep", pattern="\\.log", path="./dist/a.log")

    assert folder.text.partition("\n\n")[2] == "dist/.gitignore:1:*.log\ndist/a.log:1:x.log\n"
    assert file.text.partition("\n\n")[2] == "dist/a.log:1:x.log\n"


@pytest.mark.parametrize("path", ["missing", "../outside"])
async def test_bad_path_is_an_error_that_names_it(tool_world: ToolWorld, path: str) -> None:
    output = await tool_world.run("grep", pattern="x", path=path)

    assert output.is_error
    assert path in output.text


async def test_invalid_pattern_is_an_error_with_the_engine_s_words(tool_world: ToolWorld) -> None:
    output = await tool_world.run("grep", pattern="(")

    assert output.is_error
    assert "Unbalanced parenthesis" in output.text


async def test_name_cannot_forge_a_row(tool_world: ToolWorld) -> None:
    tool_world.write("a\nb.txt:1:forged", "hit\n")

    output = await tool_world.run("grep", pattern="hit")

    assert output.text.partition("\n\n")[2] == "a<U+000A>b.txt:1:forged:1:hit\n"


async def test_summary_shows_pattern_and_place(tool_world: ToolWorld) -> None:
    assert (await tool_world.prepare("grep", pattern="a\nb")).summary == "/a<U+000A>b/"
    assert (await tool_world.prepare("grep", pattern="x", path="src")).summary == "/x/ in src"


@pytest.mark.parametrize(
    ("path", "scope"),
    [
        (".", CacheScope.SOURCES),
        ("src", CacheScope.SOURCES),
        ("src/a.py", CacheScope.STAMPS),
        ("src/dist", CacheScope.TREE),
    ],
)
async def test_answer_depends_on_what_is_searched(
    tool_world: ToolWorld, path: str, scope: CacheScope
) -> None:
    tool_world.write("src/a.py", "x\n")
    tool_world.write("src/dist/b.py", "x\n")

    prepared = await tool_world.prepare("grep", pattern="x", path=path)

    assert prepared.is_cacheable
    assert (prepared.paths, prepared.cache_scope) == ((path,), scope)


async def test_two_searches_run_side_by_side(tool_world: ToolWorld) -> None:
    tool_world.write("a.txt", "one\ntwo\n")

    outputs = await asyncio.gather(
        tool_world.run("grep", pattern="one"), tool_world.run("grep", pattern="two")
    )

    assert ["a.txt:1:one" in outputs[0].text, "a.txt:2:two" in outputs[1].text] == [True, True]


def test_time_out_is_an_error_with_the_partial_count() -> None:
    output = render_found(found(2, is_timed_out=True), WORDS)

    assert output.is_error
    assert output.text.startswith("The search was stopped after 10 s")
    assert "2 matches in 7 files" in output.text
    assert output.text.endswith("a.txt:1:x\na.txt:2:x\n")


def test_rows_of_very_long_paths_stay_within_the_limit() -> None:
    output = render_found(found(500, path="d/" * 400, text="y" * 300), WORDS)

    shown = output.text.partition("\n\n")[2].count("\n")
    assert len(output.text.encode()) <= 262_144
    assert f"the first {shown} in 1 file" in output.text
    assert output.is_truncated


def test_unreadable_files_are_counted() -> None:
    left_out = SourceCounts(unreadable=2)
    nothing = LinesFound(rows=(), has_more=False, files_searched=1, left_out=left_out)

    output = render_found(nothing, WORDS)

    assert "unreadable: 2 files" in output.text
