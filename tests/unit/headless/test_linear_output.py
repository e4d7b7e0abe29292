"""What is written is whole lines, safe, and in order."""

import os
from collections.abc import Iterator

import pytest

from caramelo_tui.headless.linear.output import LinearOutput


@pytest.fixture
def pipe() -> Iterator[tuple[int, int]]:
    source, sink = os.pipe()
    yield source, sink
    os.close(source)
    os.close(sink)


async def written(out: LinearOutput, source: int) -> str:
    await out.flush()
    return os.read(source, 1 << 16).decode()


async def test_streamed_text_comes_by_whole_lines(pipe: tuple[int, int]) -> None:
    out = LinearOutput(pipe[1])
    out.stream("one\ntw")
    assert await written(out, pipe[0]) == "one\n"
    out.stream("o\nthr")
    out.say("said")
    assert await written(out, pipe[0]) == "two\nthr\nsaid\n"


async def test_nothing_acts_on_the_terminal(pipe: tuple[int, int]) -> None:
    out = LinearOutput(pipe[1])
    out.say("a\x1b[2Jb\rc\u202ed")
    out.stream("\x1b]52;c;x\x07\n")
    text = await written(out, pipe[0])
    assert text == "a<U+001B>[2Jb<U+000D>c<U+202E>d\n<U+001B>]52;c;x<U+0007>\n"


async def test_a_line_without_end_is_broken_and_loses_nothing(pipe: tuple[int, int]) -> None:
    out = LinearOutput(pipe[1])
    out.stream("x" * 9_001)
    out.end_stream()
    text = await written(out, pipe[0])
    assert text.replace("\n", "") == "x" * 9_001
    assert max(map(len, text.split("\n"))) == 4_000


async def test_what_the_terminal_lacks_is_escaped(pipe: tuple[int, int]) -> None:
    out = LinearOutput(pipe[1], encoding="ascii")
    out.say("grün")
    assert await written(out, pipe[0]) == "gr\\xfcn\n"
