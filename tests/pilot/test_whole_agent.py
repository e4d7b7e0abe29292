"""What the screen offers, carried out by the whole agent on real files."""

import json
import subprocess
from collections.abc import Sequence
from pathlib import Path

from caramelo_tui.config.settings import Settings
from caramelo_tui.domain.agent_events import (
    ApprovalRequested,
    DiffCounted,
    RunEnded,
    SubagentEnded,
    ToolCallFinished,
)
from caramelo_tui.domain.decisions import ApprovalMode
from caramelo_tui.domain.policy_settings import LineLimit, PolicySettings
from caramelo_tui.domain.tool_calls import CallState
from caramelo_tui.ui.main_screen import MainScreen
from caramelo_tui.ui.screens.action_approval import ActionApproval
from caramelo_tui.ui.screens.approval import ApprovalScreen
from caramelo_tui.ui.screens.fresh_answer import FreshAnswerScreen
from caramelo_tui.ui.screens.pick import PickScreen
from tests.doubles.agent_worlds import Step, asks, says
from tests.pilot.driving import GUARD_S, WIDE
from tests.pilot.real_agent import (
    RealSitting,
    ScriptedModels,
    agent_options,
    opened_for_real,
)
from tests.snapshot.snapshots import screen_lines

Answers = Sequence[Sequence[Step]]


def models(answers: Answers, child: Answers = ()) -> ScriptedModels:
    return ScriptedModels(answers, child or [says("done")])


def call(name: str, call_id: str, **arguments: object) -> tuple[str, str, str]:
    return call_id, name, json.dumps(arguments)


def results(sitting: RealSitting) -> list[CallState]:
    return [e.result.state for e in sitting.events if isinstance(e, ToolCallFinished)]


async def until_ends(sitting: RealSitting, count: int) -> None:
    await sitting.until(lambda: len(sitting.of_kind(RunEnded)) == count)
    await sitting.settle()


def folders(tmp_path: Path) -> tuple[Path, Path]:
    root, home = tmp_path / "project", tmp_path / "home"
    root.mkdir()
    home.mkdir()
    return root, home


async def test_a_plan_is_made_without_writing_and_then_carried_out(tmp_path: Path) -> None:
    root, home = folders(tmp_path)
    answers = [
        says("1. Write new.txt"),
        asks(call("file_write", "w", path="new.txt", content="x\n")),
        says("done"),
    ]
    played = models(answers)
    options = agent_options(root, home, Settings(mode=ApprovalMode.PLAN))
    async with opened_for_real(options, played) as sitting:
        sitting.agent.submit("plan it")
        await until_ends(sitting, 1)
        assert "F9 carry out the plan" in sitting.shown()
        await sitting.press("f9")
        await sitting.until(lambda: sitting.bench.changes.has_waiting)
        assert sitting.agent.mode is ApprovalMode.REVIEW
        await sitting.press("ctrl+o", "Y", "s")
        await until_ends(sitting, 2)
        assert (root / "new.txt").read_text() == "x\n"


async def test_a_granted_path_is_not_asked_about_again(tmp_path: Path) -> None:
    root, home = folders(tmp_path)
    answers = [
        asks(call("file_write", "w1", path="src/a.txt", content="1\n")),
        asks(call("file_write", "w2", path="src/b.txt", content="2\n")),
        asks(call("file_write", "w3", path="other.txt", content="3\n")),
        says("done"),
    ]
    async with opened_for_real(agent_options(root, home, Settings()), models(answers)) as sitting:
        sitting.agent.submit("write")
        await sitting.until(lambda: sitting.bench.changes.has_waiting)
        await sitting.press("ctrl+o", "g")
        await sitting.until_screen(PickScreen)
        await sitting.settle()
        assert "src/**" in sitting.shown()
        await sitting.press("down", "enter")
        await sitting.until_screen(MainScreen)
        await sitting.press("Y", "s")
        await sitting.until(lambda: len(sitting.of_kind(ApprovalRequested)) == 2)
        await sitting.until(lambda: sitting.bench.changes.has_waiting)
        # The second write lies below src and went through; the third one asks.
        assert (root / "src/b.txt").read_text() == "2\n"
        assert not (root / "other.txt").exists()


async def test_a_blocked_command_is_refused_without_a_question(tmp_path: Path) -> None:
    root, home = folders(tmp_path)
    answers = [
        asks(call("bash", "b1", command="touch one")),
        asks(call("bash", "b2", command="true && touch two")),
        says("done"),
    ]
    async with opened_for_real(agent_options(root, home, Settings()), models(answers)) as sitting:
        sitting.agent.submit("run")
        await sitting.until_screen(ApprovalScreen)
        await sitting.settle()
        sitting.clock.move(GUARD_S)
        await sitting.press("b", *["backspace"] * len(" one"), "enter")
        await until_ends(sitting, 1)
        assert len(sitting.of_kind(ApprovalRequested)) == 1
        assert results(sitting) == [CallState.DENIED, CallState.DENIED]
        assert list(root.iterdir()) == []


async def test_a_rule_that_would_not_refuse_the_command_is_not_taken(tmp_path: Path) -> None:
    root, home = folders(tmp_path)
    answers = [asks(call("bash", "b1", command="touch one")), says("done")]
    async with opened_for_real(agent_options(root, home, Settings()), models(answers)) as sitting:
        sitting.agent.submit("run")
        await sitting.until_screen(ApprovalScreen)
        await sitting.settle()
        sitting.clock.move(GUARD_S)
        await sitting.press("b", *["backspace"] * len("touch one"), *"npm", "enter")
        await sitting.until(lambda: "! npm would not refuse" in sitting.shown())
        await sitting.press("escape")


async def test_a_refused_write_goes_through_once_the_limit_is_raised(tmp_path: Path) -> None:
    root, home = folders(tmp_path)
    policy = PolicySettings(max_diff_lines=LineLimit(lines=1))
    answers = [
        asks(call("file_write", "w1", path="a.txt", content="1\n2\n")),
        says("refused"),
        asks(call("file_write", "w2", path="a.txt", content="1\n2\n")),
        says("done"),
    ]
    settings = Settings(policy=policy, mode=ApprovalMode.AUTO)
    async with opened_for_real(agent_options(root, home, settings), models(answers)) as sitting:
        sitting.agent.submit("write")
        await until_ends(sitting, 1)
        assert results(sitting) == [CallState.DENIED]
        assert "F7 raises the limit" in sitting.shown()
        await sitting.press("f7")
        await sitting.until(lambda: sitting.main.status.view.deny_above == 2)
        sitting.agent.submit("again")
        await until_ends(sitting, 2)
        assert (root / "a.txt").read_text() == "1\n2\n"
        assert "±2/2" in sitting.shown().splitlines()[-1]
        await sitting.press("shift+f7")
        await sitting.until(lambda: sitting.main.status.view.changed_lines == 0)
        assert sitting.of_kind(DiffCounted)


async def test_a_read_is_run_again_past_the_cache_for_the_person_only(tmp_path: Path) -> None:
    root, home = folders(tmp_path)
    (root / "a.txt").write_text("old\n")
    answers = [asks(call("file_read", "r1", path="a.txt")), says("done")]
    async with opened_for_real(agent_options(root, home, Settings()), models(answers)) as sitting:
        sitting.agent.submit("read")
        await until_ends(sitting, 1)
        (root / "a.txt").write_text("new\n")
        await sitting.press("f5", "ctrl+r")
        await sitting.until_screen(FreshAnswerScreen)
        await sitting.settle()
        assert "≠ differs from what the model was told" in sitting.shown()
        assert "+ new" in sitting.shown()
        assert len(results(sitting)) == 1


async def test_a_sub_agents_calls_stand_below_its_parents_and_its_write_names_it(
    tmp_path: Path,
) -> None:
    root, home = folders(tmp_path)
    (root / "a.txt").write_text("old\n")
    spawn = call("spawn_subagent", "s", title="Tidy the notes", description="d")
    child = [
        asks(call("file_read", "c1", path="a.txt"), text="WORDS-OF-THE-CHILD"),
        asks(call("file_write", "c2", path="new.txt", content="x\n")),
        says("CHILD-SUMMARY"),
    ]
    options = agent_options(root, home, Settings())
    async with opened_for_real(
        options, models([asks(spawn), says("done")], child), size=WIDE
    ) as sitting:
        sitting.agent.submit("delegate")
        await sitting.until(lambda: sitting.bench.changes.has_waiting)
        await sitting.press("ctrl+o")
        await sitting.until(lambda: "from Tidy the notes" in sitting.shown())
        assert "WORDS-OF-THE-CHILD" not in sitting.shown()
        await sitting.press("Y", "s")
        await until_ends(sitting, 1)
        assert (root / "new.txt").read_text() == "x\n"
        assert len(sitting.of_kind(SubagentEnded)) == 1
        rows = [line for line in screen_lines(sitting.app) if "└" in line]
        assert len(rows) == 2
        assert "a.txt" in rows[0]
        assert "new.txt" in rows[1]
        assert "3 turns" in sitting.shown()


def git(root: Path, *arguments: str) -> str:
    """Run git for the test itself."""
    done = subprocess.run(["git", *arguments], cwd=root, check=True, capture_output=True, text=True)
    return done.stdout.strip()


async def answer_commit(sitting: RealSitting, root: Path, key: str) -> None:
    """Look at the question about the commit, and answer it."""
    await sitting.until_screen(ActionApproval)
    await sitting.settle()
    shown = sitting.shown()
    assert "Commit this? (git_commit)" in shown
    assert all(text in shown for text in ("a.txt", "Ada", "For the first time."))
    assert git(root, "rev-list", "--all", "--count") == "0"
    question = sitting.top
    sitting.clock.move(GUARD_S)
    await sitting.press(key)
    await sitting.until(lambda: sitting.top is not question)


async def test_a_commit_shows_what_it_does_and_is_made_only_by_yes(tmp_path: Path) -> None:
    root, home = folders(tmp_path)
    git(root, "init", "-q", "-b", "main")
    git(root, "config", "user.name", "Ada")
    git(root, "config", "user.email", "ada@example.test")
    (root / "a.txt").write_text("one\n")
    answers = [
        asks(call("git_commit", "g1", message="Add a\n\nFor the first time.")),
        asks(call("git_commit", "g2", message="Add a\n\nFor the first time.")),
        says("done"),
    ]
    async with opened_for_real(agent_options(root, home, Settings()), models(answers)) as sitting:
        sitting.agent.submit("commit")
        for key in ("n", "y"):
            await answer_commit(sitting, root, key)
        await until_ends(sitting, 1)
        assert results(sitting) == [CallState.DENIED, CallState.OK]
        assert git(root, "log", "-1", "--format=%B").startswith("Add a")
