"""The glob language, and that no pattern is slow."""

import time
from collections.abc import Iterator
from typing import SupportsIndex

import pytest

from caramelo_tui.domain.errors import ToolFailure
from caramelo_tui.tools.search import glob_pattern
from caramelo_tui.tools.search.glob_pattern import GlobPattern


@pytest.mark.parametrize(
    ("pattern", "path"),
    [
        ("src/*.ts", "src/a.ts"),
        ("src/*.ts", "src/.ts"),
        ("src/?.ts", "src/a.ts"),
        ("*", "a"),
        (".*", ".hidden"),
        ("*", ".hidden"),
        ("**", "a"),
        ("**", "a/b"),
        ("***", "a/b"),
        ("src/**/*.ts", "src/a.ts"),
        ("src/**/*.ts", "src/a/b/c.ts"),
        ("src/**", "src/a/b"),
        ("a/**/b", "a/b"),
        ("**/**/x", "x"),
        ("**/**/x", "a/b/x"),
        ("**x", "ax"),
        ("a**/b", "ax/b"),
        ("*.{ts,tsx}", "b.tsx"),
        ("f.{a,b{1,2}}", "f.b2"),
        ("{docs/**,*.md}", "docs/a/b.txt"),
        ("{docs/**,*.md}", "top.md"),
        ("{,x}y", "y"),
        ("{a}", "a"),
        ("{a,**}/b", "b"),
        ("{a,**}/b", "a/b"),
        ("{a,**}/b", "x/y/b"),
        ("{a/,}**", "a/x/y"),
        ("{{a,b},c}", "b"),
        ("src/{a,b", "src/{a,b"),
        ("{a,{b}", "{a,b"),
        ("a}", "a}"),
        ("{}", "{}"),
        ("app/[id]/p", "app/[id]/p"),
        ("^x$|y.txt", "^x$|y.txt"),
        ("a\\*", "a\\b"),
        ("!a", "!a"),
        ("*\n*", "a\nb"),
        ("./a.py", "a.py"),
        ("././a.py", "a.py"),
    ],
)
def test_pattern_matches(pattern: str, path: str) -> None:
    assert GlobPattern(pattern).matches(path)


@pytest.mark.parametrize(
    ("pattern", "path"),
    [
        ("src/*.ts", "src/lib/a.ts"),
        ("src/?.ts", "src/ab.ts"),
        ("src?a.ts", "src/a.ts"),
        ("*", "a/b"),
        ("src/**/*.ts", "srcx/a.ts"),
        ("src/**", "src"),
        ("a/**/b", "ab"),
        ("**/x", "ax"),
        ("**x", "a/x"),
        ("x**", "x/a"),
        ("a**/b", "a/c/b"),
        ("*.{ts,tsx}", "b.tsxx"),
        ("f.{a,b{1,2}}", "f.b"),
        ("{docs/**,*.md}", "src/z.md"),
        ("src/{a,b", "src/a"),
        ("a{}b", "ab"),
        ("app/[id]/p", "app/i/p"),
        ("a.b", "axb"),
        ("*.MD", "a.md"),
        ("../*.txt", "secret.txt"),
        ("/a.py", "a.py"),
        ("src/", "src"),
        ("", "a"),
    ],
)
def test_pattern_does_not_match(pattern: str, path: str) -> None:
    assert not GlobPattern(pattern).matches(path)


@pytest.mark.parametrize(
    "pattern",
    [
        "{a,b}" * 30,
        "**/" * 60 + "x",
        "*a" * 100 + "b",
        "{*,a,?}" * 100 + "zz",
        "**/{*,**,a*a}/" * 60 + "b",
        "{" * 16 + "a,b" + ",c}" * 16,
    ],
)
def test_no_pattern_is_slow(pattern: str) -> None:
    compiled = GlobPattern(pattern)
    paths = [f"pkg{n % 7}/{'a' * (n % 200)}/{'aab' * 40}{n}" for n in range(300)]

    began = time.process_time()
    for path in paths:
        compiled.matches(path)

    assert time.process_time() - began < 2


def test_pattern_is_capped_in_length_and_depth() -> None:
    with pytest.raises(ToolFailure, match="longer than 1024"):
        GlobPattern("a" * 1_025)
    with pytest.raises(ToolFailure, match="deeper than 16"):
        GlobPattern("{" * 17 + "a" + "}" * 17)
    assert GlobPattern("{a,b}" * 17).matches("a" * 17)


def test_memory_of_steps_is_bounded_and_started_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(glob_pattern, "_CACHE_LIMIT", 3)
    compiled = GlobPattern("{abc,abd}*/?f")

    assert compiled.matches("abcde/xf")
    assert compiled.matches("abd/yf")
    assert not compiled.matches("abe/yf")


class _Counted(str):
    """A path that counts how many of its characters are looked at one by one."""

    __slots__ = ()
    looked_at = 0

    def __iter__(self) -> Iterator[str]:
        type(self).looked_at += len(self)
        return super().__iter__()

    def __getitem__(self, key: SupportsIndex | slice) -> "_Counted":
        return _Counted(super().__getitem__(key))


def test_the_way_to_a_folder_is_gone_once_for_all_its_files(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(_Counted, "looked_at", 0)
    pattern = GlobPattern("**/*.py")
    assert all(pattern.matches(_Counted(f"a/long/way/{name}.py")) for name in "abcd")
    assert _Counted.looked_at == len("a/long/way/") + 4 * len("a.py")


def test_what_ends_otherwise_is_not_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_Counted, "looked_at", 0)
    assert not GlobPattern("**/*.py").matches(_Counted("src/a.pyc"))
    assert _Counted.looked_at == 0


def test_the_answer_for_a_folder_is_none_for_another() -> None:
    pattern = GlobPattern("src/*.py")
    paths = ["src/a.py", "lib/a.py", "src/b.py", "a.py", "src/c.py", "src/x/d.py"]
    assert [path for path in paths if pattern.matches(path)] == ["src/a.py", "src/b.py", "src/c.py"]
