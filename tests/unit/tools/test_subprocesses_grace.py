"""What is asked to end gets time to tidy up, and no more than that."""

import asyncio
import time
from pathlib import Path

import pytest

from tests.doubles.processes import Shell, is_running, wait_until

LOOP = "while :; do sleep 0.01; done"
"""Runs on after each of its own children was ended."""


@pytest.fixture
def shell(tmp_path: Path) -> Shell:
    folder = tmp_path / "ws"
    folder.mkdir()
    return Shell(folder)


async def test_a_command_that_ends_on_the_signal_says_its_last_word(shell: Shell) -> None:
    began = time.monotonic()
    result = await shell.run(
        f"trap 'echo bye; exit 5' TERM; echo up; {LOOP}", timeout_ms=300, grace_s=20
    )

    assert result.is_timed_out
    assert result.exit_code == 5
    assert result.stdout.head == b"up\nbye\n"
    assert time.monotonic() - began < 10


async def test_the_signal_is_sigterm_to_the_whole_group(shell: Shell) -> None:
    result = await shell.run("sleep 60 & echo $! > kid.pid; wait", timeout_ms=300, grace_s=20)

    assert result.exit_code == -15
    assert not is_running(shell.pid("kid.pid"))


async def test_what_ignores_the_signal_is_killed_after_the_grace(shell: Shell) -> None:
    began = time.monotonic()
    result = await shell.run(
        f"trap '' TERM; echo $$ > kid.pid; {LOOP}", timeout_ms=200, grace_s=0.4
    )

    assert result.exit_code == -9
    assert time.monotonic() - began >= 0.6
    assert not is_running(shell.pid("kid.pid"))


async def test_a_child_that_tidies_up_after_its_shell_died_is_waited_for(shell: Shell) -> None:
    (shell.folder / "tidy.sh").write_text(
        f"trap 'sleep 0.3; touch tidied; exit' TERM; echo $$ > kid.pid; {LOOP}"
    )
    result = await shell.run("sh tidy.sh & wait", timeout_ms=400, grace_s=20)

    assert result.exit_code == -15
    assert (shell.folder / "tidied").exists()
    assert not is_running(shell.pid("kid.pid"))


async def test_a_child_outside_the_group_gets_no_signal_but_is_killed(shell: Shell) -> None:
    result = await shell.run(
        f"setsid sh -c 'trap \"touch asked\" TERM; echo $$ > kid.pid; {LOOP}' & wait",
        timeout_ms=400,
        grace_s=0.3,
    )

    assert result.is_timed_out
    assert not is_running(shell.pid("kid.pid"))
    assert not (shell.folder / "asked").exists()


async def test_an_interrupt_during_the_grace_kills_at_once(shell: Shell) -> None:
    call = asyncio.create_task(
        shell.run(f"trap 'touch asked' TERM; echo $$ > kid.pid; {LOOP}", timeout_ms=200, grace_s=60)
    )
    await wait_until((shell.folder / "asked").exists)

    async with asyncio.timeout(5):
        call.cancel()
        with pytest.raises(asyncio.CancelledError):
            await call
    assert not is_running(shell.pid("kid.pid"))


async def test_without_a_grace_nothing_is_asked(shell: Shell) -> None:
    result = await shell.run(f"trap 'touch asked' TERM; {LOOP}", timeout_ms=300)

    assert result.exit_code == -9
    assert not (shell.folder / "asked").exists()


async def test_the_last_bytes_of_each_stream_are_kept(shell: Shell) -> None:
    result = await shell.run(
        "head -c 200000 /dev/zero | tr '\\0' x; echo END; echo ERR >&2", keep_tail_bytes=6
    )

    assert result.stdout.tail == b"xxEND\n"
    assert result.stderr.tail == b"ERR\n"
    assert (await shell.run("echo out")).stdout.tail == b""
