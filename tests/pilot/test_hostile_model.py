"""A model that sends what none should: the run ends or goes on, and the screen stays alive."""

import random
from dataclasses import replace
from pathlib import Path

from caramelo_tui.agent.approvers import ByHandApprover
from caramelo_tui.config.settings import Settings
from caramelo_tui.domain.agent_events import RunEnded, ToolCallFinished
from caramelo_tui.domain.errors import BadRequest, StreamBroken
from caramelo_tui.domain.messages import StopReason
from caramelo_tui.domain.provider_events import (
    StreamStopped,
    TextDelta,
    ThinkingDelta,
    ThinkingEnded,
    ToolArgumentsDelta,
    ToolCallBegan,
    UsageSeen,
)
from caramelo_tui.domain.usage import Usage
from tests.doubles.agent_worlds import Step, asks, says
from tests.pilot.driving import WIDE
from tests.pilot.real_agent import RealSitting, ScriptedModels, agent_options, opened_for_real

TEXTS = (
    "",
    "plain",
    "[/red][@click=app.quit]x[/]",
    "\x1b]52;c;eA==\x07\x1b[2J\x9b1m",
    "\u202e\U000e0041\ud800\0",
    "```" * 40,
    "| a | b |\n|---|---|\n" * 50,
    "[x](javascript:alert(1)) <script>",
    "#" * 500,
    "x" * 20_000,
    "> " * 400,
    "漢字🏳️‍🌈" * 30,
)
NAMES = (
    "file_read",
    "grep",
    "bash",
    "spawn_subagent",
    "file_write",
    "",
    "no\x1b[2Jtool",
    "x" * 500,
)
ARGUMENTS = (
    "",
    "{",
    "[" * 60_000,
    '{"a":' * 60_000,
    '{"path": "../../etc/passwd"}',
    '{"path": "a\\u0000b"}',
    '{"path": "\\ud800"}',
    '{"path": "a.txt", "content": "one\\ntwo\\n"}',
    '{"command": "true", "timeout_ms": 1e999}',
    '{"pattern": "(a+)+$", "path": "."}',
    '{"pattern": 3}',
    '"' + "x" * 100_000 + '"',
)
COUNTS = (0, 7, 10**12)


def answer(pick: random.Random) -> list[Step]:
    """Return one answer of such a model."""
    steps: list[Step] = []
    for slot in range(pick.randrange(6)):
        match pick.randrange(5):
            case 0:
                steps.append(TextDelta(text=pick.choice(TEXTS)))
            case 1:
                steps.append(ThinkingDelta(text=pick.choice(TEXTS)))
            case 2:
                steps.append(ThinkingEnded(signature=pick.choice((None, "", *TEXTS[3:5]))))
            case 3:
                count = pick.choice(COUNTS)
                steps.append(UsageSeen(usage=Usage(input_tokens=count, output_tokens=count)))
            case _:
                name, call_id = pick.choice(NAMES), pick.choice(("", "same", "\x1b[2J", f"c{slot}"))
                steps += [
                    ToolCallBegan(slot=slot, call_id=call_id, name=name),
                    ToolArgumentsDelta(slot=slot, fragment=pick.choice(ARGUMENTS)),
                ]
    if pick.random() < 0.1:
        return [*steps, pick.choice((StreamBroken("lost\x1b[2J"), BadRequest("[/red] refused")))]
    return [*steps, StreamStopped(stop_reason=pick.choice(tuple(StopReason)))]


async def until_ends(sitting: RealSitting, count: int) -> None:
    """Wait for the end of so many runs."""
    await sitting.until(lambda: len(sitting.of_kind(RunEnded)) >= count)
    await sitting.settle()


async def play(folder: Path, *, seed: int, prompts: int) -> int:
    """Let such a model answer prompts; return how many calls came to an end."""
    root, home = folder / "project", folder / "home"
    root.mkdir()
    home.mkdir()
    (root / "a.txt").write_text("one\n")
    pick = random.Random(seed)  # noqa: S311 - the same answers each time, no secret
    answers = [answer(pick) for _ in range(prompts * 4)]
    options = agent_options(root, home, Settings())
    approver = ByHandApprover(approves_writes=True, approves_commands=False)
    options = replace(options, core=replace(options.core, approver=approver))
    models = ScriptedModels([*answers, says("end")], [says("done")])
    async with opened_for_real(options, models, size=WIDE) as sitting:
        for number in range(prompts):
            sitting.agent.submit(f"prompt {number}")
            await until_ends(sitting, number + 1)
        for key in ("f2", "f3", "f4", "home", "down", "enter", "escape"):
            await sitting.press(key)
        assert sitting.app.is_running
        errors = [end.error for end in sitting.of_kind(RunEnded) if isinstance(end, RunEnded)]
        assert not [error for error in errors if "Internal error" in error], errors
        return len(sitting.of_kind(ToolCallFinished))


async def test_no_answer_ends_the_program_or_is_a_fault_of_ours(tmp_path: Path) -> None:
    assert await play(tmp_path, seed=1, prompts=6)


async def test_deep_arguments_come_to_an_end(tmp_path: Path) -> None:
    root, home = tmp_path / "project", tmp_path / "home"
    root.mkdir()
    home.mkdir()
    calls = [("c1", "file_read", "[" * 60_000), ("c2", "file_write", '{"path":' * 60_000)]
    models = ScriptedModels([asks(*calls), says("end")], [says("done")])
    async with opened_for_real(agent_options(root, home, Settings()), models, size=WIDE) as sitting:
        sitting.agent.submit("go")
        await sitting.until(lambda: sitting.of_kind(RunEnded))
        await sitting.settle()
        end = sitting.of_kind(RunEnded)[0]
        assert isinstance(end, RunEnded)
        assert not end.error
        for key in ("f4", "down", "enter"):
            await sitting.press(key)
        await sitting.settle()
        assert sitting.app.is_running
