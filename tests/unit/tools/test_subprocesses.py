"""Commands end when their shell ends, and nothing outlives what it must not."""

import asyncio
import os
import resource
import time
from pathlib import Path

import psutil
import pytest

from caramelo_tui.domain.agent_events import OutputStream
from caramelo_tui.domain.errors import ToolFailure
from caramelo_tui.domain.ids import CallId
from caramelo_tui.tools.child_environment import ChildEnvironment
from caramelo_tui.tools.child_start import ChildStart, StartPlace
from caramelo_tui.tools.exit_watching import watch_exit_by_thread
from caramelo_tui.tools.marked_processes import PsutilTable
from caramelo_tui.tools.output_capture import ARTIFACT_BYTES, OutputWish
from tests.doubles.processes import Shell, is_running, open_descriptors, wait_until

DETACHED = "setsid sh -c 'echo $$ > kid.pid; exec sleep 60' & while [ ! -s kid.pid ]; do :; done; "
"""Starts a child in an own session and goes on once it runs."""


@pytest.fixture
def shell(tmp_path: Path) -> Shell:
    folder = tmp_path / "ws"
    folder.mkdir()
    return Shell(folder)


async def test_a_command_gives_its_streams_apart_and_its_status(shell: Shell) -> None:
    result = await shell.run("echo out; echo err >&2; exit 3")

    assert result.exit_code == 3
    assert result.stdout.head == b"out\n"
    assert result.stderr.head == b"err\n"
    assert not result.is_timed_out


async def test_a_signal_is_a_negative_status(shell: Shell) -> None:
    assert (await shell.run("kill -9 $$")).exit_code == -9


async def test_standard_input_is_empty(shell: Shell) -> None:
    ours, write_end = os.pipe()
    os.write(write_end, b"typed by the user\n")
    os.close(write_end)
    before = os.dup(0)
    os.dup2(ours, 0)
    try:
        assert (await shell.run("cat; echo done")).stdout.head == b"done\n"
    finally:
        os.dup2(before, 0)
        os.close(before)
        os.close(ours)


async def test_a_bare_program_is_never_one_of_the_start_folder(tmp_path: Path) -> None:
    shell = Shell(tmp_path, user={"PATH": f".::{os.defpath}"})
    for name in ("true", "only-here"):
        (tmp_path / name).write_text("#!/bin/sh\nexit 9\n")
        (tmp_path / name).chmod(0o755)

    async def run(program: str) -> int | None:
        result = await shell.runner.run(
            ChildStart(command=(program,), place=StartPlace(tmp_path)),
            OutputWish(head_bytes=100),
            call_id=CallId("call"),
            timeout_ms=20_000,
        )
        return result.exit_code

    assert await run("true") == 0
    with pytest.raises(ToolFailure, match="could not be started"):
        await run("only-here")


async def test_a_program_reads_what_it_is_handed_and_no_more(shell: Shell) -> None:
    # More than any pipe holds, for a program that reads only its first line.
    data = b"first\n" + b"x" * 3_000_000
    whole = await shell.run("wc -c", standard_input=data)
    start = await shell.run("read line; echo $line; cat >/dev/null", standard_input=data)

    assert whole.stdout.head.split() == [b"3000006"]
    assert start.stdout.head == b"first\n"


async def test_the_child_gets_its_folder_its_marks_and_no_open_files(shell: Shell) -> None:
    inherited = os.open(os.devnull, os.O_RDONLY)
    os.set_inheritable(inherited, True)  # noqa: FBT003 - the parameter has no name
    try:
        result = await shell.run("pwd; echo $CARAMELO_SESSION; ls /proc/self/fd | wc -l")
    finally:
        os.close(inherited)

    assert result.stdout.head.decode().split() == [str(shell.folder), shell.mark, "4"]


async def test_the_child_starts_in_the_open_folder_whatever_its_path_means_by_now(
    shell: Shell,
) -> None:
    (shell.folder / "real").mkdir()
    (shell.folder / "real" / "here.txt").write_text("real\n")
    descriptor = os.open(shell.folder / "real", os.O_RDONLY | os.O_DIRECTORY)
    (shell.folder / "real").rename(shell.folder / "moved")
    (shell.folder / "real").symlink_to("/")
    try:
        result = await shell.runner.run(
            ChildStart(
                command=("cat", "here.txt"), place=StartPlace(shell.folder / "real", descriptor)
            ),
            OutputWish(head_bytes=100),
            call_id=CallId("c"),
            timeout_ms=5_000,
        )
    finally:
        os.close(descriptor)

    assert result.stdout.head == b"real\n"


async def test_without_descriptors_no_command_starts_and_none_is_lost(shell: Shell) -> None:
    before = open_descriptors()
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    lowest_free = os.dup(0)
    os.close(lowest_free)
    # Room for the first pipe and half of the second.
    resource.setrlimit(resource.RLIMIT_NOFILE, (lowest_free + 3, hard))
    try:
        with pytest.raises(ToolFailure, match=r"could not be started: .*Too many open files"):
            await shell.run("true")
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))

    assert open_descriptors() == before


async def test_a_vanished_folder_is_a_failure_and_leaves_nothing_open(shell: Shell) -> None:
    before = open_descriptors()
    shell.folder.rmdir()

    with pytest.raises(ToolFailure, match="could not be started"):
        await shell.run("true")
    assert open_descriptors() == before


async def test_the_result_comes_at_the_shells_end_though_a_child_holds_the_pipes(
    shell: Shell,
) -> None:
    began = time.monotonic()
    result = await shell.run("sleep 60 & echo $! > kid.pid; echo started")

    assert time.monotonic() - began < 3
    assert result.stdout.head == b"started\n"
    assert result.background_pids == (shell.pid("kid.pid"),)
    await shell.runner.end_all()


async def test_what_still_runs_is_listed_and_can_be_ended(shell: Shell) -> None:
    await shell.run(DETACHED + "true")
    kid = shell.pid("kid.pid")

    (process,) = shell.runner.background()
    assert (process.pid, process.command, process.call_id) == (kid, "sleep 60", "call-1")
    assert shell.runner.end_background(kid)
    await wait_until(lambda: not is_running(kid))
    assert shell.runner.background() == ()
    assert not shell.runner.end_background(kid)
    assert not shell.runner.end_background(os.getpid())


async def test_a_background_writer_lives_on_and_its_output_is_kept(shell: Shell) -> None:
    result = await shell.run(
        "(while [ ! -e go ]; do :; done; echo late; echo ok > survived) & echo early"
    )
    assert result.stdout.head == b"early\n"
    (shell.folder / "go").touch()

    await wait_until((shell.folder / "survived").exists)
    assert result.stdout.artifact is not None
    artifact = shell.artifacts / result.stdout.artifact
    await wait_until(lambda: artifact.read_bytes() == b"early\nlate\n")


@pytest.mark.parametrize(
    "detach",
    [
        pytest.param("sh -c 'sleep 60 & echo $! > kid.pid; wait'", id="grandchild"),
        pytest.param(DETACHED + "wait", id="own session"),
        pytest.param(
            "setsid sh -c 'setsid sleep 60 & echo $! > kid.pid' ; sleep 60", id="double fork"
        ),
        pytest.param("env -i sleep 60 & echo $! > kid.pid; wait", id="cleared environment"),
        pytest.param(
            "env -i setsid sh -c 'echo $$ > kid.pid; sleep 60 & wait' & wait",
            id="cleared environment in an own session, parent alive",
        ),
        pytest.param("trap '' TERM INT HUP; echo $$ > kid.pid; sleep 60", id="ignores signals"),
        pytest.param("sh -c 'echo $$ > kid.pid; kill -STOP $$' & wait", id="stopped"),
    ],
)
async def test_the_time_limit_ends_all_that_was_started(shell: Shell, detach: str) -> None:
    began = time.monotonic()
    result = await shell.run(detach, timeout_ms=400)

    assert result.is_timed_out
    assert result.exit_code == -9
    assert time.monotonic() - began < 3
    assert shell.pid("kid.pid")
    assert not is_running(shell.pid("kid.pid"))
    assert shell.runner.background() == ()


async def test_output_before_the_time_limit_is_kept(shell: Shell) -> None:
    result = await shell.run("echo before; sleep 60", timeout_ms=300)

    assert result.stdout.head == b"before\n"


async def test_an_interrupt_ends_the_tree_before_it_goes_on(shell: Shell) -> None:
    call = asyncio.create_task(shell.run(DETACHED + "sleep 60"))
    await wait_until(lambda: shell.pid("kid.pid") != 0)
    before = open_descriptors()

    call.cancel()
    with pytest.raises(asyncio.CancelledError):
        await call
    assert not is_running(shell.pid("kid.pid"))
    assert open_descriptors() < before


async def test_a_second_interrupt_does_not_cut_the_killing_short(shell: Shell) -> None:
    call = asyncio.create_task(shell.run(DETACHED + "sleep 60"))
    await wait_until(lambda: shell.pid("kid.pid") != 0)

    call.cancel()
    await asyncio.sleep(0)
    call.cancel()
    with pytest.raises(asyncio.CancelledError):
        await call
    assert not is_running(shell.pid("kid.pid"))


async def test_the_end_of_the_session_ends_background_and_running_commands(shell: Shell) -> None:
    await shell.run(DETACHED + "true")
    kid = shell.pid("kid.pid")
    running = asyncio.create_task(shell.run("echo $$ > second.pid; sleep 60"))
    await wait_until(lambda: shell.pid("second.pid") != 0)

    await shell.runner.end_all()
    assert not is_running(kid)
    assert (await running).exit_code == -9
    assert shell.runner.background() == ()


async def test_another_session_is_left_alone(shell: Shell, tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    other = Shell(tmp_path / "other")
    await other.run(DETACHED + "true")

    await shell.runner.end_all()
    assert is_running(other.pid("kid.pid"))
    await other.runner.end_all()


async def test_a_flood_is_counted_kept_to_the_limit_and_memory_stays_flat(shell: Shell) -> None:
    process = psutil.Process()
    await shell.run("true")
    before = process.memory_info().rss
    result = await shell.run("head -c 300000000 /dev/zero")

    assert result.stdout.total_bytes == 300_000_000
    assert len(result.stdout.head) == 10_240
    assert process.memory_info().rss - before < 30_000_000
    assert result.stdout.artifact is not None
    assert (shell.artifacts / result.stdout.artifact).stat().st_size == ARTIFACT_BYTES


async def test_an_endless_flood_stops_at_the_limit_while_the_loop_stays_live(
    shell: Shell,
) -> None:
    call = asyncio.create_task(shell.run("yes", timeout_ms=500))
    turns = 0
    while not call.done():
        await asyncio.sleep(0.001)
        turns += 1

    assert (await call).is_timed_out
    # A loop that did nothing but read would have had none.
    assert turns >= 20
    live = sum(len(data) for _, data in shell.live)
    assert live < 500_000


async def test_live_output_comes_while_the_command_runs(shell: Shell) -> None:
    call = asyncio.create_task(shell.run("echo one; while [ ! -e go ]; do :; done; echo two >&2"))
    await wait_until(lambda: bool(shell.live))
    assert shell.live == [(OutputStream.STDOUT, b"one\n")]

    (shell.folder / "go").touch()
    await call
    assert shell.live[1:] == [(OutputStream.STDERR, b"two\n")]


async def test_the_artifact_holds_both_streams_and_is_private(shell: Shell) -> None:
    result = await shell.run("umask 0; echo a; echo b >&2; echo c")

    assert result.stdout.artifact == result.stderr.artifact
    assert result.stdout.artifact is not None
    artifact = shell.artifacts / result.stdout.artifact
    assert sorted(artifact.read_bytes().split()) == [b"a", b"b", b"c"]
    assert artifact.stat().st_mode & 0o777 == 0o600
    assert shell.artifacts.stat().st_mode & 0o777 == 0o700
    assert (await shell.run("true")).stdout.artifact is None


async def test_an_artifact_that_cannot_be_written_is_said_and_the_command_goes_on(
    shell: Shell,
) -> None:
    shell.artifacts.write_text("a file stands where the folder should be")
    result = await shell.run("echo out")

    assert result.stdout.head == b"out\n"
    assert result.stdout.artifact is None
    assert result.artifact_problem


async def test_a_hundred_commands_at_once_leak_nothing(shell: Shell) -> None:
    await shell.run("true")
    before = open_descriptors()
    results = await asyncio.gather(*(shell.run(f"echo {number}") for number in range(100)))

    assert [int(result.stdout.head) for result in results] == list(range(100))
    assert open_descriptors() == before
    assert psutil.Process().children() == []


async def test_the_portable_means_end_the_tree_too(tmp_path: Path) -> None:
    folder = tmp_path / "ws"
    folder.mkdir()
    shell = Shell(folder, table=PsutilTable(), exit_watcher=watch_exit_by_thread)

    assert (await shell.run("exit 7")).exit_code == 7
    assert (await shell.run(DETACHED + "sleep 60", timeout_ms=600)).is_timed_out
    assert not is_running(shell.pid("kid.pid"))
    (folder / "kid.pid").unlink()
    await shell.run(DETACHED + "true")
    assert [process.command for process in shell.runner.background()] == ["sleep 60"]
    await shell.runner.end_all()
    assert not is_running(shell.pid("kid.pid"))


async def test_a_child_may_see_another_environment_and_leave_no_file(shell: Shell) -> None:
    result = await shell.runner.run(
        ChildStart(
            command=("/bin/sh", "-c", "echo $OTHER $CARAMELO_SESSION"),
            place=StartPlace(shell.folder),
            environment=ChildEnvironment({"PATH": "/usr/bin:/bin", "OTHER": "seen"}),
        ),
        OutputWish(head_bytes=100, has_artifact=False),
        call_id=CallId("c"),
        timeout_ms=5_000,
    )

    assert result.stdout.head.decode().split() == ["seen", shell.mark]
    assert result.stdout.artifact is None
    assert not shell.artifacts.exists()
