"""Batches are tested whole, by whoever can."""

import os
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import pytest

from caramelo_tui.domain.errors import ToolFailure
from caramelo_tui.tools.leaf_threads import StopFlag
from caramelo_tui.tools.search.line_testers import (
    FallbackTester,
    LineTester,
    Places,
    RipgrepRuns,
    RipgrepTester,
    WorkerTester,
    places_of,
)
from caramelo_tui.tools.search.regex_process import Place, RegexProcesses, Watch
from caramelo_tui.tools.search.ripgrep import Ripgrep, find_ripgrep

HARD = b"a" * 60 + b"!\n"
"""A line on which nested quantifiers are given up."""


class ScriptedTester:
    """Finds the first line of each text, and remembers what it was asked."""

    def __init__(self) -> None:
        self.asked: list[tuple[Sequence[bytes], int]] = []

    @contextmanager
    def testing(self, texts: Sequence[bytes], wanted: int) -> Iterator[Places]:
        self.asked.append((texts, wanted))
        yield lambda: [Place(index=at, line=1) for at in range(len(texts))]


def watch() -> Watch:
    return Watch(deadline=time.monotonic() + 20, stop=StopFlag())


def runs(*pattern: str) -> RipgrepRuns:
    return RipgrepRuns(Ripgrep(find_ripgrep(os.environ["PATH"])), pattern, watch())


def by_ripgrep(pattern: str, rest: LineTester) -> FallbackTester:
    return FallbackTester(runs("-P", "-e", pattern), rest)


def places(found: LineTester, texts: Sequence[bytes], wanted: int = 100) -> list[tuple[int, int]]:
    with found.testing(texts, wanted) as answer:
        return [(place.index, place.line) for place in answer()]


def test_lines_numbered_through_stand_in_their_texts() -> None:
    texts = [b"a\nb\n", b"", b"c\n", b"", b"d\ne\n"]

    assert places_of([1, 2, 3, 4, 5], texts) == [
        Place(index=0, line=1),
        Place(index=0, line=2),
        Place(index=2, line=1),
        Place(index=4, line=1),
        Place(index=4, line=2),
    ]


def test_ripgrep_finds_the_wanted_first_lines() -> None:
    rest = ScriptedTester()

    assert places(by_ripgrep("x", rest), [b"x\ny\nx\n", b"", b"x\n"]) == [(0, 1), (0, 3), (2, 1)]
    assert places(by_ripgrep("x", rest), [b"x\ny\nx\n", b"x\n"], wanted=2) == [(0, 1), (0, 3)]
    assert places(by_ripgrep("\\A\\z", rest), [b"\n", b"\n"]) == [(0, 1), (1, 1)]
    assert rest.asked == []


def test_only_the_text_that_ripgrep_gives_up_on_is_left_to_the_rest() -> None:
    rest = ScriptedTester()
    texts = [b"b\n", b"x\n", HARD, b"b\n", b"x\nb\n"]

    assert places(by_ripgrep("(?:a+)+\\z|b", rest), texts) == [(0, 1), (2, 1), (3, 1), (4, 2)]
    assert rest.asked == [([HARD], 99)]


def test_enough_before_the_hard_text_ends_the_search() -> None:
    rest = ScriptedTester()

    assert places(by_ripgrep("(?:a+)+\\z|b", rest), [b"b\nb\n", HARD], wanted=2) == [(0, 1), (0, 2)]
    assert rest.asked == []


def test_too_many_hard_texts_are_left_to_the_rest_with_all_that_follow() -> None:
    rest = ScriptedTester()
    found = by_ripgrep("(?:a+)+\\z", rest)

    assert len(places(found, [HARD] * 20)) == 20
    assert places(found, [b"x\n"] * 3) == [(0, 1), (1, 1), (2, 1)]
    assert rest.asked[-1] == ([b"x\n"] * 3, 100)


@pytest.mark.parametrize("texts", [[b"x\n"] * 3, [b"x\n"]])
def test_pattern_that_ripgrep_does_not_take_is_left_to_the_rest_at_once(
    texts: Sequence[bytes],
) -> None:
    rest = ScriptedTester()
    found = by_ripgrep("(?<=a*)b", rest)

    assert len(places(found, texts)) == len(texts)
    assert rest.asked == [(texts, 100)]


def test_worker_is_a_tester() -> None:
    processes = RegexProcesses()
    with processes.borrow() as worker:
        worker.set_pattern("x", "", watch())

        assert places(WorkerTester(worker, watch()), [b"y\nx\n", b"x\n"]) == [(0, 2), (1, 1)]
    processes.close()


def test_pattern_of_ripgrep_s_own_is_tested_by_it_alone() -> None:
    assert places(RipgrepTester(runs("-e", r"\bx")), [b"yx\n", b"x\n"]) == [(1, 1)]
    assert runs("-e", r"\bx").refusal() is None


def test_refused_pattern_comes_with_ripgrep_s_words() -> None:
    refused = runs("-e", "(x")

    assert "unclosed group" in (refused.refusal() or "")
    with pytest.raises(ToolFailure, match="ended with an error"):
        places(RipgrepTester(refused), [b"x\n"])
