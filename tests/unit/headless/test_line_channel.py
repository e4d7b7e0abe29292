"""Lines come and go without holding up the loop or the end of the program."""

import asyncio
import os
import subprocess
import sys
from contextlib import aclosing
from pathlib import Path

import pytest

from caramelo_tui.headless.line_channel import LineChannel


def channel_of(data: bytes, *, limit_bytes: int = 100) -> LineChannel:
    """A channel whose source holds ``data`` and then ends; nothing can be answered."""
    reading, writing = os.pipe()
    os.write(writing, data)
    os.close(writing)
    return LineChannel(source=reading, sink=-1, limit_bytes=limit_bytes)


async def lines_of(data: bytes, *, limit_bytes: int = 100) -> list[bytes]:
    channel = channel_of(data, limit_bytes=limit_bytes)
    try:
        return [line async for line in channel.lines()]
    finally:
        os.close(channel.source)


async def test_lines_are_split_and_the_last_needs_no_end() -> None:
    assert await lines_of(b"a\n\nb\r\nc") == [b"a", b"", b"b\r", b"c"]
    assert await lines_of(b"a\n") == [b"a"]
    assert await lines_of(b"") == []


async def test_a_long_line_is_cut_and_the_next_is_whole() -> None:
    assert await lines_of(b"x" * 1000 + b"\nb\n", limit_bytes=10) == [b"x" * 11, b"b"]


async def test_a_line_comes_as_soon_as_it_is_there() -> None:
    reading, writing = os.pipe()
    async with aclosing(LineChannel(source=reading, sink=-1).lines()) as lines:
        for text in (b"one", b"two"):
            os.write(writing, text + b"\n")
            assert await anext(lines) == text
    os.close(writing)
    os.close(reading)


async def test_answers_are_written_whole() -> None:
    reading, writing = os.pipe()
    text = "x" * 200_000
    writer = asyncio.create_task(LineChannel(source=-1, sink=writing).answer(text))
    data = bytearray()
    while len(data) < len(text) + 1:
        # The pipe is smaller than the line: the loop must be free to drain it.
        data += await asyncio.to_thread(os.read, reading, 65_536)
    await writer
    assert data.decode() == f"{text}\n"
    os.close(writing)
    os.close(reading)


async def test_a_closed_reader_is_an_error() -> None:
    reading, writing = os.pipe()
    os.close(reading)
    with pytest.raises(BrokenPipeError):
        await LineChannel(source=-1, sink=writing).answer("x")
    os.close(writing)


async def test_an_unreadable_source_is_an_error(tmp_path: Path) -> None:
    folder = os.open(tmp_path, os.O_RDONLY)
    with pytest.raises(IsADirectoryError):
        _ = [line async for line in LineChannel(source=folder, sink=-1).lines()]
    os.close(folder)


def test_a_silent_peer_does_not_keep_the_program_alive() -> None:
    code = """
import asyncio, os
from caramelo_tui.headless.line_channel import LineChannel
async def main():
    channel = LineChannel(source=0, sink=1)
    async def read():
        async for line in channel.lines(): pass
    task = asyncio.create_task(read())
    await channel.answer("ready")
    task.cancel()
asyncio.run(main())
"""
    with subprocess.Popen(
        [sys.executable, "-c", code],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.wait(timeout=20) == 0
        assert process.stdout is not None
        assert process.stdout.read() == b"ready\n"
        assert process.stderr is not None
        assert process.stderr.read() == b""
