"""A paste is told from typing, and nothing typed early answers a question."""

import os
from collections.abc import Iterator

import pytest

from caramelo_tui.domain.ids import SystemClock
from caramelo_tui.headless.linear.typed_lines import LineGuard, Typed, TypedLines


@pytest.fixture
def pipe() -> Iterator[tuple[int, int]]:
    source, sink = os.pipe()
    yield source, sink
    os.close(source)


async def test_lines_that_come_at_once_are_one_paste(pipe: tuple[int, int]) -> None:
    lines = TypedLines(pipe[0], clock=SystemClock())
    lines.start()
    os.write(pipe[1], b"one\r\ntwo\nthree")
    typed = lines.next()
    os.close(pipe[1])
    got = await typed
    assert got is not None
    assert got.lines == ("one", "two", "three")
    # The end of input stays the end.
    assert await lines.next() is None
    assert await lines.next() is None
    lines.stop()


async def test_a_single_line_is_typed(pipe: tuple[int, int]) -> None:
    lines = TypedLines(pipe[0], clock=SystemClock())
    lines.start()
    os.write(pipe[1], b"\xff1\n")
    got = await lines.next()
    assert got is not None
    assert got.lines == ("\ufffd1",)
    lines.drop_unfinished()
    lines.stop()
    os.close(pipe[1])


def test_only_one_line_after_half_a_second_answers() -> None:
    guard = LineGuard()
    assert "before the question" in guard.problem(Typed(lines=("1",), at=5.0))
    guard.mark_shown(10.0)
    assert "before the question" in guard.problem(Typed(lines=("1",), at=9.9))
    assert "half a second" in guard.problem(Typed(lines=("1",), at=10.4))
    assert "paste" in guard.problem(Typed(lines=("1", "1"), at=11.0))
    assert not guard.problem(Typed(lines=("1",), at=10.5))
    assert not guard.problem(Typed(lines=("1", "1"), at=11.0), is_text=True)
    guard.mark_asked()
    assert guard.problem(Typed(lines=("1",), at=99.0))
