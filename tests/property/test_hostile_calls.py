"""Calls as no sensible model makes them, on a tree that is changed between them.

A fixed number of them, from a fixed seed; ``play`` takes any.
"""

import asyncio
import logging
import time
from pathlib import Path

import pytest

from caramelo_tui.agent.approvers import ByHandApprover
from caramelo_tui.composition import Core, build_core
from caramelo_tui.composition.undo import session_undo
from caramelo_tui.config.settings import Settings
from caramelo_tui.domain.undo import ConflictChoice
from caramelo_tui.headless.tools_by_hand import ToolsByHand
from tests.doubles.cores import core_options
from tests.doubles.git_worlds import git
from tests.doubles.hostile_calls import Chaos, Faults

CALLS = 120
LONGEST_CALL_S = 20.0
SECRET = b"the secret outside"


async def play(folder: Path, *, profile: str, count: int, seed: int) -> None:
    """Make so many calls; raise at the first that does what none may."""
    outside = folder / "outside"
    outside.mkdir()
    (outside / "secret").write_bytes(SECRET)
    (folder / "project-twin").mkdir()
    # Writes are accepted; nothing is run, and nothing is sent.
    approver = ByHandApprover(approves_writes=True, approves_commands=False)
    options = core_options(folder, settings=Settings(profile=profile), approver=approver)
    git(options.root, "init", "--quiet", "--initial-branch=main")
    (options.root / "a.txt").write_text("one\n")
    git(options.root, "add", "--all")
    git(options.root, "commit", "--quiet", "--message", "first")
    core = build_core(options)
    chaos, undo = Chaos(seed, options.root), session_undo(core)
    tools = ToolsByHand(calls=core.pipeline, events=core.events, ids=core.ids)
    specs, faults = [tool.spec for tool in core.tools], Faults()
    logging.getLogger("caramelo_tui").addHandler(faults)
    try:
        for number in range(count):
            if chaos.chance(0.3):
                chaos.meddle()
            name, arguments = chaos.call(specs)
            await _call(tools, faults, name, arguments, number)
            if chaos.chance(0.03):
                plan = await undo.plan(chaos.wish())
                if plan.id:
                    choices = {file.path: ConflictChoice.RESTORE for file in plan.files}
                    await undo.carry_out(plan.id, choices)
            assert _state_of(folder) == ["outside", "outside/secret", "project-twin"], number
            assert (outside / "secret").read_bytes() == SECRET, number
    finally:
        logging.getLogger("caramelo_tui").removeHandler(faults)
        await _end(core)


async def _call(tools: ToolsByHand, faults: Faults, name: str, arguments: str, number: int) -> None:
    what = f"call {number}: {name[:40]!r} {arguments[:300]!r}"
    began = time.monotonic()
    answered = await tools.call(name, arguments)
    assert time.monotonic() - began < LONGEST_CALL_S, what
    assert not faults.records, f"{what}: {faults.records[0].exc_info}"
    assert SECRET.decode() not in answered.result.text, what


def _state_of(folder: Path) -> list[str]:
    """Return what lies beside the workspace."""
    places = [folder / "outside", folder / "project-twin"]
    found = [*places, *(path for place in places for path in place.rglob("*"))]
    return sorted(str(path.relative_to(folder)) for path in found)


async def _end(core: Core) -> None:
    await core.end_processes()
    core.events.close()


@pytest.mark.parametrize("profile", ["caramelo", "core"])
async def test_no_call_leaves_the_workspace_hangs_or_is_a_fault_of_ours(
    tmp_path: Path, profile: str
) -> None:
    async with asyncio.timeout(25):
        await play(tmp_path, profile=profile, count=CALLS, seed=1)
