"""The second profile's shell tool: seconds, exit codes as answers, both ends of long output."""

import asyncio
import time

import pytest

from caramelo_tui.domain.errors import ToolFailure
from caramelo_tui.domain.tool_calls import CommandLine, Effect
from caramelo_tui.tools.registry import ToolRegistry
from caramelo_tui.tools.shell.run_command import RunCommand, RunCommandLimits
from caramelo_tui.tools.shell.shell_run import COMMAND_BYTES
from tests.doubles.core_tool_worlds import core_world
from tests.doubles.processes import is_running, read_pid, wait_until
from tests.doubles.tool_worlds import ToolWorld

__all__ = ["core_world"]


def limited(world: ToolWorld, limits: RunCommandLimits) -> ToolWorld:
    """Return the same world with a configured ``run_command``."""
    return ToolWorld(
        root=world.root,
        registry=ToolRegistry([RunCommand(limits)]),
        context=world.context,
        processes=world.processes,
    )


async def test_command_is_prepared_for_the_policy_as_it_will_run(core_world: ToolWorld) -> None:
    prepared = await core_world.prepare("run_command", command="make\ntest", timeout=3)

    assert prepared.effect is Effect.COMMAND
    assert prepared.command == CommandLine(command="make\ntest", cwd=".", timeout_ms=3_000)
    assert prepared.summary == "make …"


async def test_default_timeout_is_two_minutes(core_world: ToolWorld) -> None:
    prepared = await core_world.prepare("run_command", command="true")

    assert prepared.command is not None
    assert prepared.command.timeout_ms == 120_000


async def test_timeout_above_the_limit_is_an_error_that_names_it(core_world: ToolWorld) -> None:
    assert not (await core_world.run("run_command", command="true", timeout=600)).is_error

    output = await core_world.run("run_command", command="touch ran", timeout=601)

    assert output.is_error
    assert "600 s" in output.text
    assert "tools.run_command.max_timeout_s" in output.text
    assert not (core_world.root / "ran").exists()


async def test_configured_limits_hold_and_are_told_to_the_model(core_world: ToolWorld) -> None:
    world = limited(core_world, RunCommandLimits(max_timeout_s=30, model_output_kb=1))

    prepared = await world.prepare("run_command", command="true")
    refused = await world.run("run_command", command="true", timeout=31)
    cut = await world.run("run_command", command="head -c 3000 /dev/zero | tr '\\0' x")

    assert prepared.command is not None
    assert prepared.command.timeout_ms == 30_000
    assert "limit of 30 s" in refused.text
    assert "first 512 and last 512 of 3,000 bytes" in cut.text
    found = world.registry.get("run_command")
    assert found is not None
    assert "default: 30, at most 30" in str(found.spec.input_schema)


async def test_raised_output_limit_shows_all(core_world: ToolWorld) -> None:
    world = limited(core_world, RunCommandLimits(model_output_kb=10_240))

    output = await world.run("run_command", command="head -c 2000000 /dev/zero | tr '\\0' x")

    assert not output.is_truncated
    assert "x" * 2_000_000 in output.text
    # Above the limit of all results: the pipeline must know that this one is the tool's own.
    assert output.own_limit_bytes > 10_485_760


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"command": "x" * (COMMAND_BYTES + 1)}, "with write_file and run that"),
        ({"command": "a\0b"}, "NUL"),
        ({"command": " \n"}, "is empty"),
        ({"command": ""}, "command"),
        ({"command": "true", "timeout": 0}, "timeout"),
        ({"command": "true", "timeout": 1.5}, "timeout"),
        ({"command": "true", "timeout": "1"}, "timeout"),
        ({"command": "true", "cwd": "sub"}, "cwd"),
    ],
)
async def test_what_cannot_run_is_refused_before_anybody_is_asked(
    core_world: ToolWorld, arguments: dict[str, str | int | float], message: str
) -> None:
    with pytest.raises(ToolFailure, match=message):
        await core_world.prepare("run_command", **arguments)


async def test_exit_code_is_part_of_a_normal_result(core_world: ToolWorld) -> None:
    output = await core_world.run("run_command", command="echo partial; echo bad >&2; exit 7")

    assert not output.is_error
    assert output.exit_code == 7
    assert output.text == (
        "exit_code: 7\n--- stdout (8 bytes) ---\npartial\n--- stderr (4 bytes) ---\nbad\n"
    )


async def test_end_by_a_signal_of_its_own_is_a_normal_result(core_world: ToolWorld) -> None:
    output = await core_world.run("run_command", command="kill -9 $$")

    assert not output.is_error
    assert output.text.startswith("exit_code: -9 (SIGKILL)\n")


async def test_it_starts_in_the_root_with_empty_input(core_world: ToolWorld) -> None:
    output = await core_world.run("run_command", command='pwd; cat; echo "$0"')

    assert f"{core_world.root}\n/bin/sh\n" in output.text


async def test_command_that_starts_with_a_dash_is_no_option(core_world: ToolWorld) -> None:
    assert (await core_world.run("run_command", command="-x")).exit_code == 127


async def test_timeout_is_in_seconds_named_and_an_error(core_world: ToolWorld) -> None:
    began = time.monotonic()
    output = await core_world.run(
        "run_command", command="echo before; echo $$ > p.pid; sleep 30", timeout=1
    )

    assert output.is_error
    assert "timed out: after 1 s" in output.text
    assert "before\n" in output.text
    # The group ended on SIGTERM, so that nobody waited for the five seconds.
    assert "exit_code: -15 (SIGTERM)" in output.text
    assert 1 <= time.monotonic() - began < 4
    assert not is_running(read_pid(core_world.root / "p.pid"))


async def test_what_ignores_the_signal_is_killed_five_seconds_later(
    core_world: ToolWorld,
) -> None:
    began = time.monotonic()
    output = await core_world.run(
        "run_command",
        command="trap '' TERM; echo $$ > p.pid; while :; do sleep 0.05; done",
        timeout=1,
    )

    assert output.is_error
    assert "exit_code: -9 (SIGKILL)" in output.text
    assert 6 <= time.monotonic() - began < 9
    assert not is_running(read_pid(core_world.root / "p.pid"))


async def test_sixty_kilobytes_are_whole_and_two_megabytes_lose_their_middle(
    core_world: ToolWorld,
) -> None:
    filler = "head -c {} /dev/zero | tr '\\0' z"
    whole = await core_world.run(
        "run_command", command=f"{filler.format(30_000)}; echo MIDDLE; {filler.format(30_000)}"
    )
    cut = await core_world.run(
        "run_command", command=f"echo FIRST; {filler.format(2_000_000)}; echo; echo LAST"
    )

    assert "MIDDLE" in whole.text
    assert not whole.is_truncated
    assert cut.is_truncated
    assert "FIRST\n" in cut.text
    assert cut.text.endswith("LAST\n--- stderr (empty) ---\n")
    assert 65_000 < len(cut.text.encode()) < 66_000
    assert cut.artifact is not None
    assert f"kept as {cut.artifact}]" in cut.text
    assert "1,934,476 bytes of stdout left out here" in cut.text


async def test_an_interrupt_leaves_nothing_running(core_world: ToolWorld) -> None:
    call = asyncio.create_task(
        core_world.run("run_command", command="trap '' TERM; echo $$ > p.pid; sleep 60")
    )
    await wait_until(lambda: read_pid(core_world.root / "p.pid") != 0)

    call.cancel()
    with pytest.raises(asyncio.CancelledError):
        await call
    assert not is_running(read_pid(core_world.root / "p.pid"))
