"""A paste is told from typing, and nothing typed early answers a question."""

import asyncio
import os
import termios
import tty
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


@pytest.fixture
def terminal() -> Iterator[tuple[int, int]]:
    """A terminal: its user's end, and the program's."""
    user, program = os.openpty()
    yield user, program
    os.close(user)
    os.close(program)


async def test_what_is_hidden_is_not_shown_and_read_all_the_same(
    terminal: tuple[int, int],
) -> None:
    user, program = terminal
    lines = TypedLines(program, clock=SystemClock())
    lines.start()
    before = termios.tcgetattr(program)
    with lines.hidden():
        os.write(user, b"secret\n")
        got = await lines.next()
    assert got is not None
    assert got.lines == ("secret",)
    assert termios.tcgetattr(program) == before
    os.write(user, b"seen\n")
    await lines.next()
    assert os.read(user, 100) == b"seen\r\n"
    lines.stop()


async def test_while_the_terminal_is_lent_nothing_is_read_of_it(
    terminal: tuple[int, int],
) -> None:
    user, program = terminal
    lines = TypedLines(program, clock=SystemClock())
    lines.start()
    before = termios.tcgetattr(program)
    with lines.lent():
        os.write(user, b"for the editor\n")
        await asyncio.sleep(0)
        assert os.read(program, 100) == b"for the editor\n"
        os.write(user, b"left behind\n")
        # An editor that was killed leaves the terminal as it had it.
        tty.setraw(program)
    assert termios.tcgetattr(program) == before
    os.write(user, b"for us\n")
    got = await lines.next()
    assert got is not None
    assert got.lines == ("for us",)
    lines.stop()


async def test_what_was_dropped_is_not_waited_for(terminal: tuple[int, int]) -> None:
    user, program = terminal
    lines = TypedLines(program, clock=SystemClock())
    os.write(user, b"early\n")
    lines.drop_unfinished()
    # As when the line is dropped between the news of it and the reading.
    lines._read()
    lines.start()
    os.write(user, b"late\n")
    got = await lines.next()
    assert got is not None
    assert got.lines == ("late",)
    lines.stop()


async def test_a_terminal_that_goes_is_the_end_of_input() -> None:
    user, program = os.openpty()
    lines = TypedLines(program, clock=SystemClock())
    lines.start()
    os.close(user)
    assert await lines.next() is None
    lines.start()
    lines.stop()
    os.close(program)
