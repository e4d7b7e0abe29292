"""The setting reaches every command of the model, and the question about it."""

import os
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from caramelo_tui.agent.approval_broker import Refused
from caramelo_tui.composition import CoreOptions, build_core
from caramelo_tui.composition.command_box import command_box
from caramelo_tui.config.settings import Settings
from caramelo_tui.domain.approvals import (
    ApprovalAnswer,
    ApprovalRequest,
    CommandAction,
    CommandAnswer,
    CommandRequest,
)
from caramelo_tui.domain.sandboxes import CommandSandbox
from caramelo_tui.domain.tool_calls import ToolResult
from caramelo_tui.headless.tools_by_hand import ToolsByHand
from caramelo_tui.tools.command_box import BubblewrapBox, NoBox
from tests.doubles.cores import core_options

BOXED = Settings(sandbox=CommandSandbox.BWRAP)


class SaysYes:
    """Approves commands, and remembers whether they were said to run in the sandbox."""

    def __init__(self) -> None:
        self.were_sandboxed: list[bool] = []

    async def reply(self, request: ApprovalRequest) -> ApprovalAnswer | Refused | None:
        assert isinstance(request, CommandRequest)
        self.were_sandboxed.append(request.is_sandboxed)
        return CommandAnswer(action=CommandAction.RUN)


def works() -> bool:
    if shutil.which("bwrap") is None:
        return False
    path = os.environ.get("PATH", os.defpath)
    return not BubblewrapBox(Path("/etc"), search_path=path, has_network=False).problem()


needs_bwrap = pytest.mark.skipif(not works(), reason="bwrap is missing or cannot be used here")


async def run(options: CoreOptions, arguments: str) -> ToolResult:
    core = build_core(options)
    try:
        tools = ToolsByHand(calls=core.pipeline, events=core.events, ids=core.ids)
        return (await tools.call("bash", arguments)).result
    finally:
        await core.end_processes()


@needs_bwrap
async def test_a_command_runs_in_the_box_and_the_question_says_so(tmp_path: Path) -> None:
    approver = SaysYes()
    options = core_options(tmp_path, settings=BOXED, approver=approver)
    result = await run(options, '{"command": "echo x > made && cat made; touch /opt/made"}')
    assert approver.were_sandboxed == [True]
    assert "x" in result.text
    assert "Read-only" in result.text
    assert (options.root / "made").read_text() == "x\n"


@needs_bwrap
async def test_a_time_limit_ends_all_that_runs_in_it(tmp_path: Path) -> None:
    options = core_options(tmp_path, settings=BOXED, approver=SaysYes())
    command = "setsid sleep 300 & sleep 300"
    result = await run(options, f'{{"command": "{command}", "timeout_ms": 300}}')
    assert result.is_error
    assert "300 ms" in result.text


async def test_without_bwrap_no_command_runs(tmp_path: Path) -> None:
    options = core_options(
        tmp_path, settings=BOXED, approver=SaysYes(), environment={"PATH": str(tmp_path)}
    )
    result = await run(options, '{"command": "echo x > made"}')
    assert result.is_error
    assert "bwrap is not installed" in result.text
    assert not (options.root / "made").exists()


async def test_without_the_setting_there_is_no_box(tmp_path: Path) -> None:
    approver = SaysYes()
    options = core_options(tmp_path, approver=approver)
    await run(options, '{"command": "true"}')
    assert approver.were_sandboxed == [False]
    box = command_box(
        Settings(), options.root, environment=options.environment, locations=options.locations
    )
    assert isinstance(box, NoBox)


@needs_bwrap
async def test_the_network_is_a_setting_of_its_own(tmp_path: Path) -> None:
    options = core_options(tmp_path)
    for has_network in (True, False):
        box = command_box(
            replace(BOXED, sandbox_has_network=has_network),
            options.root,
            environment=options.environment,
            locations=options.locations,
        )
        started = await box.wrapped(("true",), options.root)
        assert ("--unshare-net" not in started) is has_network
