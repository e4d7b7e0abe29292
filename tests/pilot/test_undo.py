"""Undo and redo with real keys, on a double and on the whole agent."""

import json
from collections.abc import Sequence
from functools import partial
from pathlib import Path

import pytest

from caramelo_tui.agent.undo_port import (
    PlannedFile,
    Redo,
    Rewind,
    RewindPoint,
    UndoFile,
    UndoHunk,
    UndoLastRun,
    UndoLastTurn,
    UndoPlan,
)
from caramelo_tui.config.settings import Settings
from caramelo_tui.domain.agent_events import RunEnded
from caramelo_tui.domain.decisions import ApprovalMode
from caramelo_tui.domain.diffs import ChangeSet, FileDiff, Hunk
from caramelo_tui.domain.ids import CallId, HunkId, RunId
from caramelo_tui.domain.undo import ConflictChoice, UndoScope
from caramelo_tui.ui.formatting import MINUS
from caramelo_tui.ui.keymap import KeyMap
from caramelo_tui.ui.main_screen import MainScreen
from caramelo_tui.ui.screens.pick import PickScreen
from caramelo_tui.ui.screens.undo_plan import UndoPlanScreen
from caramelo_tui.ui.turns import Turn
from caramelo_tui.workspace.diffing import hunks_between
from tests.doubles.agent_worlds import ScriptedAnswers, Step, asks, says
from tests.doubles.fake_agent import FakeAgent
from tests.pilot.conftest import OpenApp
from tests.pilot.driving import NARROW, WIDE, OpenedApp
from tests.pilot.real_agent import RealSitting, ScriptedModels, agent_options, opened_for_real

TEN = "".join(f"{n}\n" for n in range(1, 11))


def planned(path: str, before: str, after: str, *, conflicts: int = 0) -> PlannedFile:
    hunks = hunks_between(before, after, call_id=CallId(f"plan:{path}"))
    return PlannedFile(path=path, hunks=hunks, conflicts=conflicts)


def agent_with(*files: PlannedFile, scope: UndoScope = UndoScope.TURN) -> FakeAgent:
    agent = FakeAgent()
    agent.undo.next_plan = UndoPlan(id="undo-7", scope=scope, files=files, prompt="tidy up")
    return agent


async def type_command(running: OpenedApp | RealSitting, command: str) -> None:
    await running.press(*command)
    await running.press("enter")


@pytest.mark.parametrize("size", [NARROW, WIDE])
async def test_a_plan_is_shown_and_carried_out_by_a_key(
    open_app: OpenApp, size: tuple[int, int]
) -> None:
    agent = agent_with(planned("src/a.py", "new\n", "old\n"))
    async with open_app(size=size, agent=agent) as running:
        await type_command(running, "/undo")
        await running.until_screen(UndoPlanScreen)
        await running.settle()
        shown = running.shown()
        assert "Take the changes of the last turn back?" in shown
        assert f"src/a.py  +1 {MINUS}1" in shown
        assert f"{MINUS} new" in shown
        assert "+ old" in shown
        assert "Prompt: tidy up" in shown
        await running.press("u")
        await running.until(lambda: agent.undo.carried_out == [("undo-7", {})])
        assert agent.undo.wishes == [UndoLastTurn()]


async def test_escape_leaves_all_as_it_is(open_app: OpenApp) -> None:
    agent = agent_with(planned("a", "new\n", "old\n"))
    async with open_app(agent=agent) as running:
        await type_command(running, "/undo")
        await running.until_screen(UndoPlanScreen)
        await running.press("escape")
        await running.until_screen(MainScreen)
        await running.settle()
        assert agent.undo.carried_out == []


async def test_a_conflict_is_shown_and_chosen_for_each_file(open_app: OpenApp) -> None:
    agent = agent_with(
        planned("a", "mine\n", "old\n", conflicts=1), planned("b", "mine\n", "old\n", conflicts=1)
    )
    async with open_app(agent=agent) as running:
        await type_command(running, "/undo")
        await running.until_screen(UndoPlanScreen)
        await running.settle()
        assert running.shown().count("changed since; stays as it is") == 2
        await running.press("down", "r")
        await running.until(lambda: "the recorded lines win" in running.shown())
        await running.press("k", "r", "enter")
        await running.until(lambda: agent.undo.carried_out)
        choices = {"a": ConflictChoice.RESTORE, "b": ConflictChoice.KEEP}
        assert agent.undo.carried_out == [("undo-7", choices)]


async def test_outside_text_is_shown_as_it_is(open_app: OpenApp) -> None:
    agent = agent_with(planned("a[/]\x1b", "[@click=app.quit]x[/]\x1b[2J\n", "\n"))
    agent.undo.next_plan = UndoPlan(
        id="x", scope=UndoScope.REST, files=agent.undo.next_plan.files, prompt="[/]\x1b"
    )
    async with open_app(size=WIDE, agent=agent) as running:
        await type_command(running, "/undo")
        await running.until_screen(UndoPlanScreen)
        await running.settle()
        assert "[@click=app.quit]x[/]" in running.shown()
        assert "\x1b" not in running.shown()


async def test_why_nothing_can_be_undone_is_said(open_app: OpenApp) -> None:
    agent = FakeAgent()
    async with open_app(agent=agent) as running:
        await type_command(running, "/redo")
        await running.until(lambda: "nothing to undo" in running.shown())
        assert agent.undo.wishes == [Redo()]


async def test_what_could_not_be_written_is_said(open_app: OpenApp) -> None:
    agent = agent_with(planned("a", "new\n", "old\n"))
    agent.undo.problem = "a is read-only"
    async with open_app(agent=agent) as running:
        await type_command(running, "/undo")
        await running.until_screen(UndoPlanScreen)
        await running.press("u")
        await running.until(lambda: "a is read-only" in running.shown())


async def test_a_prompt_to_go_back_to_is_picked(open_app: OpenApp) -> None:
    agent = agent_with(planned("a", "new\n", "old\n"), scope=UndoScope.REST)
    agent.undo.points = (
        RewindPoint(run_id=RunId("r1"), prompt="first", at=0, files=2),
        RewindPoint(run_id=RunId("r2"), prompt="second", at=60, files=0),
    )
    async with open_app(size=WIDE, agent=agent) as running:
        await type_command(running, "/rewind")
        await running.until_screen(PickScreen)
        await running.settle()
        assert "second" in running.shown()
        assert "2 files" in running.shown()
        await running.press("down", "enter")
        await running.until_screen(UndoPlanScreen)
        assert agent.undo.wishes == [Rewind(run_id=RunId("r1"))]


async def test_without_a_prompt_there_is_nothing_to_go_back_to(open_app: OpenApp) -> None:
    async with open_app() as running:
        await type_command(running, "/rewind")
        await running.until(lambda: "There is no prompt yet to go back to." in running.shown())


async def test_the_palette_takes_a_run_back(open_app: OpenApp) -> None:
    agent = FakeAgent()
    async with open_app(agent=agent) as running:
        await running.app.run_action("screen.undo('run')", default_namespace=running.main)
        await running.until(lambda: agent.undo.wishes == [UndoLastRun()])


def test_only_a_single_hunk_without_a_conflict_is_undone_unasked() -> None:
    def needs(plan: UndoPlan) -> bool:
        return not plan.needs_no_question

    hunk = Hunk(id=HunkId("x:0"), old_start=1, old_lines=(), new_start=1, new_lines=("a\n",))
    file = PlannedFile(path="a", hunks=(hunk,))
    assert not needs(UndoPlan(id="x", scope=UndoScope.HUNK, files=(file,)))
    disputed = PlannedFile(path="a", hunks=(hunk,), conflicts=1)
    assert needs(UndoPlan(id="x", scope=UndoScope.HUNK, files=(disputed,)))
    assert needs(UndoPlan(id="x", scope=UndoScope.FILE, files=(file,)))
    assert needs(UndoPlan(id="x", scope=UndoScope.HUNK, files=(file,), is_redo=True))


# --- the whole agent ---------------------------------------------------------------------


def call(name: str, call_id: str, **arguments: object) -> tuple[str, str, str]:
    return call_id, name, json.dumps(arguments)


class Played(ScriptedModels):
    """Remembers the main agent's provider."""

    def __init__(self, main: Sequence[Sequence[Step]]) -> None:
        super().__init__(main, [says("done")])


def edits(root: Path) -> list[Sequence[Step]]:
    (root / "a.txt").write_text(TEN)
    first = call("file_edit", "e1", path="a.txt", search="2\n3\n", replace="two\n3\n")
    second = call("file_edit", "e2", path="a.txt", search="8\n", replace="eight\n")
    made = call("file_write", "w1", path="new.txt", content="made\n")
    return [
        asks(call("file_read", "r1", path="a.txt")),
        asks(first, second, made),
        says("done"),
        says("again"),
    ]


async def ran(sitting: RealSitting, prompt: str, count: int) -> None:
    sitting.agent.submit(prompt)
    await sitting.until(lambda: len(sitting.of_kind(RunEnded)) == count)
    await sitting.settle()


def folders(tmp_path: Path) -> tuple[Path, Path]:
    root, home = tmp_path / "project", tmp_path / "home"
    root.mkdir()
    home.mkdir()
    return root, home


def holds(root: Path, expected: str) -> bool:
    return text(root) == expected


def text(root: Path) -> str:
    return (root / "a.txt").read_text()


EDITED = TEN.replace("2\n3", "two\n3").replace("8\n", "eight\n")


async def test_keys_take_back_a_hunk_and_a_file_and_put_them_back(tmp_path: Path) -> None:
    root, home = folders(tmp_path)
    options = agent_options(root, home, Settings(mode=ApprovalMode.AUTO))
    async with opened_for_real(options, Played(edits(root)), size=WIDE) as sitting:
        await ran(sitting, "change it", 1)
        assert text(root) == EDITED
        await sitting.press("f4", "u")
        await sitting.until(lambda: text(root) == TEN.replace("8\n", "eight\n"))
        await sitting.until(lambda: "↶" in sitting.shown())
        await sitting.press("u")
        await sitting.until(lambda: "this is taken back already" in sitting.shown())
        # The cursor stands on the hunk that is taken back; the file has another one.
        await sitting.press("U")
        await sitting.until_screen(UndoPlanScreen)
        await sitting.press("enter")
        await sitting.until(lambda: text(root) == TEN)
        assert (root / "new.txt").exists()
        for expected in (TEN.replace("8\n", "eight\n"), EDITED):
            await sitting.until_screen(MainScreen)
            await sitting.press("f4", "escape")
            await type_command(sitting, "/redo")
            await sitting.until_screen(UndoPlanScreen)
            await sitting.press("enter")
            await sitting.until(partial(holds, root, expected))


async def test_files_go_back_to_before_a_prompt_and_the_model_is_told(tmp_path: Path) -> None:
    root, home = folders(tmp_path)
    models = Played(edits(root))
    options = agent_options(root, home, Settings(mode=ApprovalMode.AUTO))
    async with opened_for_real(options, models, size=WIDE) as sitting:
        await ran(sitting, "change it", 1)
        await sitting.press("f3", "alt+up", "u")
        await sitting.until_screen(UndoPlanScreen)
        await sitting.settle()
        assert "since this prompt" in sitting.shown()
        assert "is removed" in sitting.shown()
        await sitting.press("u")
        await sitting.until(lambda: text(root) == TEN and not (root / "new.txt").exists())
        await ran(sitting, "and now", 2)
        provider = models.main.provider
        assert isinstance(provider, ScriptedAnswers)
        told = str(provider.requests[-1].messages)
        assert "the developer took changes of this session back" in told
        assert "- new.txt" in told


async def test_totals_take_back_what_the_session_did_to_a_file(open_app: OpenApp) -> None:
    agent = FakeAgent()
    async with open_app(size=WIDE, agent=agent) as running:
        hunks = hunks_between("a\n", "b\n", call_id=CallId("c:1"))
        diff = FileDiff(path="x", before=b"a\n", after=b"b\n", applied=hunks)
        changes = ChangeSet(call_id=CallId("c:1"), files=(diff,))
        running.bench.changes.show_applied(CallId("c:1"), changes, turn=Turn(run=1, number=1))
        await running.press("f4")
        await running.until(lambda: "u undo  U undo file" in running.shown())
        await running.press("u")
        wish = UndoHunk(call_id=CallId("c:1"), path="x", old_start=1, old_count=1)
        await running.until(lambda: agent.undo.wishes == [wish])
        await running.press("t")
        await running.until(lambda: running.bench.changes.desk.history.totals.is_current)
        await running.settle()
        await running.press("u")
        await running.until(lambda: "t shows the changes by turn" in running.shown())
        await running.press("U")
        await running.until(lambda: agent.undo.wishes[1:] == [UndoFile(path="x", call_id=None)])


async def test_the_ways_to_what_can_be_taken_back_are_named_by_the_keys_in_force(
    open_app: OpenApp,
) -> None:
    keys = KeyMap(changed={"changes.totals": "f12"})
    async with open_app(size=WIDE, agent=FakeAgent()) as running:
        running.app.set_keymap(keys.changed)
        running.bench.changes.keys = keys
        hunks = hunks_between("a\n", "b\n", call_id=CallId("c:1"))
        diff = FileDiff(path="x", before=b"a\n", after=b"b\n", applied=hunks)
        changes = ChangeSet(call_id=CallId("c:1"), files=(diff,))
        running.bench.changes.show_applied(CallId("c:1"), changes, turn=Turn(run=1, number=1))
        await running.press("f4", "f12")
        await running.until(lambda: running.bench.changes.desk.history.totals.is_current)
        await running.settle()
        await running.press("u")
        await running.until(lambda: "F12 shows the changes by turn" in running.shown())
