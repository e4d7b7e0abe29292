"""Which lines of two texts correspond."""

import time

import pytest

from caramelo_tui.workspace.line_matching import Change, changes_between


def change(old_start: int, old_end: int, new_start: int, new_end: int) -> Change:
    return Change(old_start=old_start, old_end=old_end, new_start=new_start, new_end=new_end)


@pytest.mark.parametrize(
    ("old", "new", "changes"),
    [
        ("", "", ()),
        ("abc", "abc", ()),
        ("", "ab", (change(0, 0, 0, 2),)),
        ("ab", "", (change(0, 2, 0, 0),)),
        ("abc", "aXc", (change(1, 2, 1, 2),)),
        ("abcde", "aXcYe", (change(1, 2, 1, 2), change(3, 4, 3, 4))),
        ("aa", "aaa", (change(2, 2, 2, 3),)),
        ("xaxbx", "xbx", (change(1, 3, 1, 1),)),
        ("abcd", "dabc", (change(0, 0, 0, 1), change(3, 4, 4, 4))),
        ("abc", "xyz", (change(0, 3, 0, 3),)),
    ],
)
def test_small_texts(old: str, new: str, changes: tuple[Change, ...]) -> None:
    assert changes_between(list(old), list(new)) == changes


def test_unique_lines_hold_a_rewritten_text_together() -> None:
    old = ["def a", "}", "def b", "}", "def c", "}"]
    new = ["def a", "}", "def x", "}", "def b", "}", "def c", "}"]
    assert changes_between(old, new) in {
        (change(2, 2, 2, 4),),
        (change(1, 1, 1, 3),),
    }


def _interleaved(mark: str, count: int) -> list[str]:
    return [line for number in range(count) for line in ("same", f"{mark}{number}")]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        pytest.param(["x"] * 50_000, ["x"] * 25_000 + ["y"] + ["x"] * 24_000, id="repeated"),
        pytest.param(_interleaved("a", 20_000), _interleaved("b", 20_000), id="interleaved"),
        pytest.param(
            [f"o{n}" for n in range(100_000)], [f"n{n}" for n in range(100_000)], id="disjoint"
        ),
        pytest.param(
            [str(n) for n in range(100_000)], [str(n) for n in range(99_999, -1, -1)], id="reversed"
        ),
        pytest.param(
            [str(n * n % 7 + n % 5) for n in range(30_000)],
            [str(n * n * n % 11 + n % 3) for n in range(30_000)],
            id="few different lines",
        ),
        pytest.param(["a", "b"] * 900 + ["c"], ["b", "a"] * 900 + ["d"], id="just below difflib"),
    ],
)
def test_no_pair_of_texts_takes_long(old: list[str], new: list[str]) -> None:
    started = time.process_time()
    changes = changes_between(old, new)
    assert time.process_time() - started < 5
    rebuilt: list[str] = []
    position = 0
    for region in changes:
        rebuilt += old[position : region.old_start] + new[region.new_start : region.new_end]
        position = region.old_end
    assert rebuilt + old[position:] == new
