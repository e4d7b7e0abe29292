"""Reading a command never holds up the loop for long."""

import threading

import pytest

from caramelo_tui.agent.call_stages import beside_the_loop
from caramelo_tui.domain.tool_calls import CommandLine


def command(length: int) -> CommandLine:
    return CommandLine(command="x" * length, cwd=".", timeout_ms=1000)


@pytest.mark.parametrize(
    ("asked", "is_beside"), [(None, False), (command(1000), False), (command(1001), True)]
)
async def test_long_commands_are_read_in_a_thread(
    asked: CommandLine | None, *, is_beside: bool
) -> None:
    thread = await beside_the_loop(asked, threading.current_thread)
    assert (thread is not threading.main_thread()) is is_beside
