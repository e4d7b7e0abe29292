"""A program in a terminal of its own: output, keys, sizes, and its end."""

import os
import signal
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from caramelo_tui.serving import terminal_process
from caramelo_tui.serving.terminal_process import TerminalProcess, app_command
from tests.unit.serving.programs import ECHO_COMMAND, STUBBORN_COMMAND


@asynccontextmanager
async def running(command: Sequence[str] = ECHO_COMMAND) -> AsyncGenerator[TerminalProcess]:
    environment = {"PATH": os.environ["PATH"], "TERM": "test"}
    terminal = await TerminalProcess.start(command, environment=environment, size=(90, 20))
    try:
        yield terminal
    finally:
        await terminal.end()


async def read_until(terminal: TerminalProcess, wanted: bytes) -> bytes:
    got = b""
    while wanted not in got:
        piece = await terminal.read()
        assert piece, got
        got += piece
    return got


async def test_a_program_finds_a_terminal_of_the_size_and_follows_it() -> None:
    async with running() as terminal:
        await read_until(terminal, b"<90x20>test")
        terminal.resize(120, 45)
        await read_until(terminal, b"<120x45>")
        for columns, rows in ((0, 10), (10, 1001), (-1, -1)):
            terminal.resize(columns, rows)
        await terminal.write("ä".encode())
        assert b"<" not in await read_until(terminal, "ä".encode())


async def test_a_large_paste_passes_both_ways() -> None:
    async with running() as terminal:
        await read_until(terminal, b"test")
        await terminal.write(b"x" * 3_000)
        got = 0
        while got < 3_000:
            got += len(await terminal.read())
        assert got == 3_000


async def test_the_end_of_the_program_is_the_end_of_its_output() -> None:
    async with running() as terminal:
        await read_until(terminal, b"test")
        await terminal.write(b"q")
        while await terminal.read():
            pass
        await terminal.write(b"more")
        assert await terminal.end() == 7


async def test_taking_the_terminal_away_ends_the_program() -> None:
    async with running() as terminal:
        await read_until(terminal, b"test")
        assert await terminal.end() == -signal.SIGHUP
        # Nothing more can be done with it, and nothing fails.
        terminal.resize(80, 24)
        await terminal.write(b"x")
        assert await terminal.read() == b""
        assert await terminal.end() == -signal.SIGHUP


async def test_a_program_that_does_not_go_is_killed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(terminal_process, "_PATIENCE_S", 0.2)
    async with running(STUBBORN_COMMAND) as terminal:
        await read_until(terminal, b"here")
        assert await terminal.end() == -signal.SIGKILL


def open_descriptors() -> int:
    return len(list(Path("/dev/fd").iterdir()))


async def test_a_program_that_is_not_there_leaves_no_terminal_open() -> None:
    before = open_descriptors()
    with pytest.raises(FileNotFoundError):
        await TerminalProcess.start(["/no/such/program"], environment={}, size=(80, 24))
    assert open_descriptors() == before


def test_the_app_does_not_look_for_modules_in_the_users_folder() -> None:
    command = app_command(["src", "--mode", "each"])
    assert command[1] == "-P"
    assert command[-3:] == ("src", "--mode", "each")
