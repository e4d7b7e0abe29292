"""The shell tool checks before it is approved and runs exactly what was prepared."""

import asyncio
from dataclasses import replace

import pytest

from caramelo_tui.domain.errors import ToolFailure
from caramelo_tui.domain.ids import CallId
from caramelo_tui.domain.tool_calls import CommandLine, Effect, ToolCall
from caramelo_tui.tools.shell.bash import Bash
from caramelo_tui.tools.shell.shell_run import COMMAND_BYTES, first_line
from tests.doubles.processes import is_running, parse_report, read_pid, wait_until
from tests.doubles.tool_worlds import ToolWorld, tool_world

__all__ = ["tool_world"]


async def test_a_command_is_prepared_as_it_will_run(tool_world: ToolWorld) -> None:
    (tool_world.root / "sub").mkdir()
    prepared = await tool_world.prepare("bash", command="make\ntest", cwd="./sub/", timeout_ms=100)

    assert prepared.effect is Effect.COMMAND
    assert prepared.command == CommandLine(command="make\ntest", cwd="sub", timeout_ms=100)
    assert prepared.summary == "make …"


async def test_defaults_are_the_root_and_thirty_seconds(tool_world: ToolWorld) -> None:
    prepared = await tool_world.prepare("bash", command="true")

    assert prepared.command == CommandLine(command="true", cwd=".", timeout_ms=30_000)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"command": "x" * (COMMAND_BYTES + 1)}, "more than the limit of 16,384"),
        ({"command": "é" * (COMMAND_BYTES // 2 + 1)}, "more than the limit of 16,384"),
        ({"command": "a\0b"}, "NUL"),
        ({"command": "echo \ud800"}, "surrogate"),
        ({"command": " \n"}, "is empty"),
        ({"command": ""}, "command"),
        ({"command": "true", "cwd": "nowhere"}, "nowhere"),
        ({"command": "true", "cwd": "file.txt"}, "not a folder"),
        ({"command": "true", "cwd": "../outside"}, "outside"),
        ({"command": "true", "cwd": "link"}, "link"),
        ({"command": "true", "timeout_ms": 99}, "timeout_ms"),
        ({"command": "true", "timeout_ms": 120_001}, "timeout_ms"),
    ],
)
async def test_what_cannot_run_is_refused_before_anybody_is_asked(
    tool_world: ToolWorld, arguments: dict[str, str | int], message: str
) -> None:
    tool_world.write("file.txt", "x")
    (tool_world.root / "link").symlink_to(tool_world.root.parent / "outside")

    with pytest.raises(ToolFailure, match=message):
        await tool_world.prepare("bash", **arguments)


async def test_a_command_of_exactly_sixteen_kilobytes_runs(tool_world: ToolWorld) -> None:
    command = "true #" + "x" * (COMMAND_BYTES - 6)

    assert not (await tool_world.run("bash", command=command)).is_error


async def test_a_run_reports_status_and_streams(tool_world: ToolWorld) -> None:
    output = await tool_world.run("bash", command="echo out; echo err >&2; exit 3")

    read = parse_report(output.text)
    assert (read.exit_code, read.stdout, read.stderr) == (3, "out\n", "err\n")
    assert output.is_error
    assert output.exit_code == 3
    assert output.artifact is not None
    assert not output.is_truncated


async def test_it_is_the_plain_system_shell_in_the_given_folder(tool_world: ToolWorld) -> None:
    (tool_world.root / "sub").mkdir()
    output = await tool_world.run("bash", command='echo "$0"; pwd', cwd="sub")

    assert parse_report(output.text).stdout == f"/bin/sh\n{tool_world.root / 'sub'}\n"


async def test_a_command_that_starts_with_a_dash_is_no_option(tool_world: ToolWorld) -> None:
    output = await tool_world.run("bash", command="-x")

    assert output.exit_code == 127


async def test_a_time_limit_is_named(tool_world: ToolWorld) -> None:
    output = await tool_world.run("bash", command="sleep 30", timeout_ms=150)

    assert output.is_error
    assert parse_report(output.text).is_timed_out
    assert "exit_code: -9 (SIGKILL)" in output.text


async def test_a_long_output_is_flagged_as_cut(tool_world: ToolWorld) -> None:
    output = await tool_world.run("bash", command="head -c 20000 /dev/zero | tr '\\0' x")

    assert output.is_truncated
    assert "first 10,240 of 20,000 bytes" in output.text


async def test_a_link_put_in_the_folders_place_after_the_approval_is_not_entered(
    tool_world: ToolWorld,
) -> None:
    (tool_world.root / "sub").mkdir()
    prepared = await tool_world.prepare("bash", command="touch ran", cwd="sub")
    (tool_world.root / "sub").rmdir()
    (tool_world.root / "sub").symlink_to(tool_world.root.parent / "outside")

    with pytest.raises(ToolFailure):
        await Bash().execute(prepared, tool_world.context)
    assert not (tool_world.root.parent / "outside" / "ran").exists()


async def test_a_folder_that_vanished_after_the_approval_is_an_error(
    tool_world: ToolWorld,
) -> None:
    (tool_world.root / "sub").mkdir()
    prepared = await tool_world.prepare("bash", command="true", cwd="sub")
    (tool_world.root / "sub").rmdir()

    with pytest.raises(ToolFailure, match="sub"):
        await Bash().execute(prepared, tool_world.context)


async def test_live_output_is_text_and_split_characters_are_joined(tool_world: ToolWorld) -> None:
    seen: list[str] = []
    context = replace(tool_world.context, emit_output=lambda _stream, text: seen.append(text))
    prepared = await tool_world.prepare(
        "bash",
        command="printf '\\303'; while [ ! -e go ]; do :; done; printf '\\244'; exit 0",
    )
    running = asyncio.create_task(Bash().execute(prepared, context))
    (tool_world.root / "go").touch()
    await running

    assert "".join(seen) == "ä"


async def test_an_interrupt_leaves_nothing_running(tool_world: ToolWorld) -> None:
    pid_file = tool_world.root / "pid"
    running = asyncio.create_task(
        tool_world.run("bash", command="setsid sleep 60 & echo $! > pid; wait")
    )
    await wait_until(lambda: read_pid(pid_file) != 0)

    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running
    assert not is_running(read_pid(pid_file))


@pytest.mark.parametrize(
    ("command", "line"),
    [("ls", "ls"), ("\n\n  ls\n", "ls"), ("a\nb", "a …"), ("", "")],
)
def test_the_summary_is_the_first_line_that_holds_anything(command: str, line: str) -> None:
    assert first_line(command) == line


async def test_a_command_that_no_program_can_get_is_refused_by_the_tool_itself(
    tool_world: ToolWorld,
) -> None:
    # Validation refuses it before; the tool does not rely on that.
    call = ToolCall(id=CallId("c"), name="bash", arguments_json="{}")
    with pytest.raises(ToolFailure, match="surrogate"):
        await Bash().prepare(call, {"command": "echo \ud800"}, tool_world.context)


async def test_without_a_prepared_command_nothing_runs(tool_world: ToolWorld) -> None:
    prepared = await tool_world.prepare("bash", command="touch made")
    with pytest.raises(ToolFailure, match="no command"):
        await Bash().execute(replace(prepared, command=None), tool_world.context)
    assert not (tool_world.root / "made").exists()
