"""Paths for a few letters: the best first, and soon also in a large workspace."""

import time

import pytest

from caramelo_tui.ui.file_picker import OFFERED, FilePicker, mention_of, split_range

PATHS = (
    "README.md",
    "docs/",
    "docs/cli.md",
    "src/",
    "src/cli.py",
    "src/client/",
    "src/client/api.py",
    "src/main cli.py",
    "tests/test_cli.py",
)


@pytest.fixture
def picker() -> FilePicker:
    return FilePicker(PATHS)


@pytest.mark.parametrize(
    ("letters", "best"),
    [
        ("cli", ["src/cli.py", "docs/cli.md", "src/client/", "src/main cli.py"]),
        ("CLI.", ["src/cli.py", "docs/cli.md"]),
        ("tcli", ["tests/test_cli.py"]),
        ("src/a", ["src/client/api.py"]),
        ("readme", ["README.md"]),
        ("src", ["src/"]),
        ("cli.py", ["src/cli.py"]),
    ],
)
def test_the_best_come_first(picker: FilePicker, letters: str, best: list[str]) -> None:
    assert list(picker.offer(letters)[: len(best)]) == best


def test_without_letters_what_lies_highest_comes_first(picker: FilePicker) -> None:
    assert picker.offer("")[:2] == ("README.md", "docs/")


def test_letters_that_no_path_holds_find_nothing(picker: FilePicker) -> None:
    assert picker.offer("zzz") == ()
    assert FilePicker(()).offer("a") == ()


def test_letters_are_no_pattern(picker: FilePicker) -> None:
    assert picker.offer("[") == ()
    assert picker.offer(".*") == ()
    assert FilePicker(("a^b]c",)).offer("^]") == ("a^b]c",)


def test_a_path_that_a_line_cannot_hold_is_not_offered() -> None:
    picker = FilePicker(("a\nb", "a\x1b[2J", "a\udc80", "ab"))
    assert picker.offer("a") == ("ab",)


def test_letters_that_grow_in_lower_case_find_their_path() -> None:
    assert FilePicker(("İstanbul/x", "zebra")).offer("zeb") == ("zebra",)


@pytest.mark.parametrize(
    ("typed", "parts"),
    [
        ("a.py", ("a.py", "")),
        ("a.py:", ("a.py", ":")),
        ("a.py:10", ("a.py", ":10")),
        ("a.py:10-40", ("a.py", ":10-40")),
        ("a:b:1-", ("a:b", ":1-")),
        ("a:b", ("a:b", "")),
    ],
)
def test_a_range_is_told_from_its_path(typed: str, parts: tuple[str, str]) -> None:
    assert split_range(typed) == parts


def test_a_mention_is_quoted_where_blanks_would_end_it() -> None:
    assert mention_of("a.py", ":1-2") == "@a.py:1-2"
    assert mention_of("a b.py") == '@"a b.py"'


@pytest.mark.parametrize("letters", ["a", "mod", "module_9", "m9p", "zzzz", "packagemodule"])
def test_a_hundred_thousand_paths_are_searched_within_a_tenth_of_a_second(letters: str) -> None:
    picker = _LARGE
    best = min(_seconds(picker, letters) for _ in range(3))
    assert best < 0.1
    assert len(picker.offer(letters)) <= OFFERED


def _seconds(picker: FilePicker, letters: str) -> float:
    began = time.process_time()
    picker.offer(letters)
    return time.process_time() - began


_LARGE = FilePicker([f"package_{n % 300}/part_{n % 7}/module_{n}.py" for n in range(100_000)])
