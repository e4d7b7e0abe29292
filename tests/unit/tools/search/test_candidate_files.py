"""Files are those that ripgrep would search, by rules of the workspace alone."""

import os
import time
from pathlib import Path

import pytest

from caramelo_tui.domain.errors import ToolFailure
from caramelo_tui.tools.leaf_threads import StopFlag
from caramelo_tui.tools.search.candidate_files import CandidateFiles, IncludeFilter
from caramelo_tui.tools.search.file_source import SourceCounts
from caramelo_tui.tools.search.regex_process import SearchTimedOut, Watch
from caramelo_tui.tools.search.ripgrep import Ripgrep, find_ripgrep
from tests.doubles.tool_worlds import ToolWorld


def below(
    world: ToolWorld,
    start: str = ".",
    include: str = "",
    *,
    program: Path | None = None,
    counts: SourceCounts | None = None,
) -> tuple[str, ...]:
    sandbox = world.context.sandbox
    watch = Watch(deadline=time.monotonic() + 20, stop=StopFlag())
    ripgrep = Ripgrep(program or find_ripgrep(os.environ["PATH"]))
    names = CandidateFiles(ripgrep, sandbox, counts or SourceCounts(), watch)
    return names.below(sandbox.resolve(start), IncludeFilter(include))


def test_paths_are_sorted_by_code_point(tool_world: ToolWorld) -> None:
    for path in ("b.txt", "a/z.txt", "A.txt", "a.txt", "é.txt", "-x.txt"):
        tool_world.write(path, "x")

    assert below(tool_world) == ("-x.txt", "A.txt", "a.txt", "a/z.txt", "b.txt", "é.txt")


def test_ignore_files_of_the_workspace_count_without_a_repository(tool_world: ToolWorld) -> None:
    for path in ("a.log", "a.txt", "sub/b.log", "sub/b.tmp", "sub/keep.log", "out/c.txt", "d.bak"):
        tool_world.write(path, "x")
    tool_world.write(".gitignore", "*.log\n/out/\n")
    tool_world.write("sub/.gitignore", "*.tmp\n!keep.log\n")
    tool_world.write(".ignore", "*.bak\n")

    assert below(tool_world) == ("a.txt", "sub/keep.log")
    assert below(tool_world, "sub") == ("sub/keep.log",)


def test_folders_that_grep_skips_are_searched_when_no_rule_names_them(
    tool_world: ToolWorld,
) -> None:
    tool_world.write("build/a.txt", "x")
    tool_world.write(".cache/a.txt", "x")

    assert below(tool_world) == ("build/a.txt",)


@pytest.mark.parametrize("start", ["out", "out/in", ".github"])
def test_ignored_or_hidden_start_is_searched_by_its_own_rules(
    tool_world: ToolWorld, start: str
) -> None:
    tool_world.write(".gitignore", "out/\n")
    tool_world.write(f"{start}/a.txt", "x")
    tool_world.write(f"{start}/b.log", "x")
    tool_world.write(f"{start}/.gitignore", "*.log\n")

    assert below(tool_world, start) == (f"{start}/a.txt",)


def test_rules_outside_of_the_workspace_do_not_count(
    tool_world: ToolWorld, clean_environment: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tool_world.write("a.txt", "x")
    (tool_world.root.parent / ".gitignore").write_text("*.txt\n")
    (tool_world.root.parent / ".git").mkdir()
    (clean_environment / ".config" / "git").mkdir(parents=True)
    (clean_environment / ".config" / "git" / "ignore").write_text("*.txt\n")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(clean_environment / ".config"))

    assert below(tool_world) == ("a.txt",)


def test_excludes_count_only_of_the_workspace_s_own_repository(tool_world: ToolWorld) -> None:
    tool_world.write("a.txt", "x")
    tool_world.write("b.log", "x")
    tool_world.write(".git/info/exclude", "*.log\n")
    assert below(tool_world) == ("a.txt",)

    outside = tool_world.root.parent / "outside" / "repository"
    (tool_world.root / ".git").rename(outside)
    tool_world.write(".git", f"gitdir: {outside}\n")
    assert below(tool_world) == ("a.txt", "b.log")

    (tool_world.root / ".git").unlink()
    (tool_world.root / ".git").symlink_to(outside)
    assert below(tool_world) == ("a.txt", "b.log")


def test_links_are_not_followed(tool_world: ToolWorld) -> None:
    outside = tool_world.root.parent / "outside"
    (outside / "secret.txt").write_text("x")
    tool_world.write("a.txt", "x")
    (tool_world.root / "folder").symlink_to(outside)
    (tool_world.root / "file.txt").symlink_to(outside / "secret.txt")

    assert below(tool_world) == ("a.txt",)


def test_file_is_kept_whatever_the_rules_say(tool_world: ToolWorld) -> None:
    tool_world.write(".gitignore", "*.log\n")
    tool_world.write("a.log", "x")

    assert below(tool_world, "a.log", "*.txt") == ("a.log",)


def test_missing_start_is_said(tool_world: ToolWorld) -> None:
    with pytest.raises(ToolFailure, match="nowhere"):
        below(tool_world, "nowhere")


def test_start_named_like_an_option_is_a_path(tool_world: ToolWorld) -> None:
    tool_world.write("--hidden/a.txt", "x")
    tool_world.write("--hidden/.gitignore", "b.txt\n")
    tool_world.write("--hidden/b.txt", "x")

    assert below(tool_world, "--hidden") == ("--hidden/a.txt",)


def test_name_that_is_no_utf8_or_has_a_line_end_is_one_name(tool_world: ToolWorld) -> None:
    tool_world.write("a\nb.txt", "x")
    (tool_world.root / os.fsdecode(b"caf\xe9")).write_text("x")

    assert below(tool_world) == ("a\nb.txt", os.fsdecode(b"caf\xe9"))


@pytest.mark.parametrize(
    ("include", "kept"),
    [
        ("*.ts", ("src/a.ts", "src/sub/b.ts")),
        ("*.{js,ts}", ("src/a.ts", "src/sub/b.ts", "src/sub/c.js")),
        ("src/*.ts", ("src/a.ts",)),
        ("./src/*.ts", ("src/a.ts",)),
        ("/src/*.ts", ("src/a.ts",)),
        ("sub/**", ("src/sub/b.ts", "src/sub/c.js")),
        ("**/b.*", ("src/sub/b.ts",)),
        ("none", ()),
    ],
)
def test_include_keeps_names_or_paths(
    tool_world: ToolWorld, include: str, kept: tuple[str, ...]
) -> None:
    for path in ("src/a.ts", "src/sub/b.ts", "src/sub/c.js"):
        tool_world.write(path, "x")

    assert below(tool_world, "src", include) == kept


def test_include_brings_no_ignored_file_back(tool_world: ToolWorld) -> None:
    tool_world.write(".gitignore", "*.gen.ts\n")
    tool_world.write("a.gen.ts", "x")

    assert below(tool_world, include="*.ts") == ()


def stand_in(world: ToolWorld, script: str) -> Path:
    program = world.root.parent / "rg"
    program.write_text(f"#!/bin/sh\n{script}\n")
    program.chmod(0o755)
    return program


def test_folders_that_cannot_be_read_are_counted(tool_world: ToolWorld) -> None:
    counts = SourceCounts()
    script = "printf 'a.txt\\0'; echo 'rg: ./x: Permission denied (os error 13)' >&2; exit 2"

    found = below(tool_world, program=stand_in(tool_world, script), counts=counts)

    assert found == ("a.txt",)
    assert counts.unreadable == 1


@pytest.mark.parametrize("script", ["echo wrong option >&2; exit 2", "printf 'a\\0'; kill -9 $$"])
def test_listing_that_failed_is_no_empty_one(tool_world: ToolWorld, script: str) -> None:
    with pytest.raises(ToolFailure, match="could not list"):
        below(tool_world, program=stand_in(tool_world, script))


def test_listing_ends_in_time(tool_world: ToolWorld) -> None:
    sandbox = tool_world.context.sandbox
    ripgrep = Ripgrep(find_ripgrep(os.environ["PATH"]))
    names = CandidateFiles(ripgrep, sandbox, SourceCounts(), Watch(deadline=0, stop=StopFlag()))

    with pytest.raises(SearchTimedOut):
        names.below(sandbox.resolve("."), IncludeFilter())
