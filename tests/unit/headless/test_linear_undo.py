"""Undo and redo in a session in lines."""

import asyncio

from caramelo_tui.agent.undo_port import (
    PlannedFile,
    Redo,
    Rewind,
    RewindPoint,
    UndoFile,
    UndoLastRun,
    UndoLastTurn,
    UndoPlan,
)
from caramelo_tui.domain.ids import CallId, RunId
from caramelo_tui.domain.undo import ConflictChoice, UndoScope
from caramelo_tui.headless.linear.output import LinearOutput
from caramelo_tui.headless.linear.undo import LinearUndo
from caramelo_tui.workspace.diffing import hunks_between
from tests.doubles.fake_agent import FakeAgent
from tests.unit.headless.linear_worlds import linear_world

HUNKS = hunks_between("new\n", "old\n", call_id=CallId("plan"))
FILES = (
    PlannedFile(path="a\x1b.py", hunks=HUNKS, is_merged=True),
    PlannedFile(path="b.py", hunks=HUNKS, conflicts=1),
    PlannedFile(path="gone.py", is_made=True),
    PlannedFile(path="lost.py", problem="its content is gone"),
    PlannedFile(path="made.py", is_removed=True),
)


class Lines(LinearOutput):
    """Keeps what was said."""

    def __init__(self) -> None:
        self.said: list[str] = []

    def say(self, text: str) -> None:
        self.said.append(text)

    async def flush(self) -> None:
        """Keep all."""


def agent_with(*files: PlannedFile) -> FakeAgent:
    agent = FakeAgent()
    agent.undo.next_plan = UndoPlan(id="undo-7", scope=UndoScope.TURN, files=files)
    return agent


async def test_what_would_be_done_is_read_out_file_by_file() -> None:
    agent, lines = agent_with(*FILES), Lines()
    await LinearUndo(agent, lines).undo()
    assert agent.undo.wishes == [UndoLastTurn()]
    assert agent.undo.carried_out == []
    assert lines.said == [
        "a<U+001B>.py: 1 line added, 1 removed. A later change of it stays.",
        "b.py, in conflict with later changes: 1 line added, 1 removed, if the recorded lines win.",
        "gone.py is there again: 0 lines added, 0 removed.",
        "lost.py cannot be changed: its content is gone",
        "made.py is removed: 0 lines added, 0 removed.",
        "/undo now does it.",
        (
            "Files that were changed in the same lines stay as they are; /undo restore lets the "
            "recorded lines win there."
        ),
    ]


async def test_now_does_what_was_read_out_once() -> None:
    agent, lines = agent_with(*FILES), Lines()
    undo = LinearUndo(agent, lines)
    await undo.undo("now")
    assert lines.said == ["/undo first says what would be done."]
    await undo.undo()
    await undo.undo("now")
    await undo.undo("now")
    assert agent.undo.carried_out == [("undo-7", {"b.py": ConflictChoice.KEEP})]


async def test_restore_lets_the_recorded_lines_win() -> None:
    agent, lines = agent_with(*FILES), Lines()
    agent.undo.problem = "It moved."
    undo = LinearUndo(agent, lines)
    await undo.redo()
    await undo.redo("restore")
    assert agent.undo.wishes == [Redo()]
    assert agent.undo.carried_out == [("undo-7", {"b.py": ConflictChoice.RESTORE})]
    assert lines.said[-1] == "It moved."


async def test_prompts_are_read_out_and_chosen_by_number() -> None:
    agent, lines = agent_with(FILES[0]), Lines()
    undo = LinearUndo(agent, lines)
    await undo.rewind()
    assert lines.said == ["There is no prompt yet to go back to."]
    agent.undo.points = (RewindPoint(run_id=RunId("r1"), prompt="go\n[/]", at=0, files=2),)
    await undo.rewind("2")
    assert lines.said[1].startswith("Prompt 1, 2 files changed since: go")
    await undo.rewind("1")
    assert agent.undo.wishes == [Rewind(run_id=RunId("r1"))]
    await undo.rewind("now")
    assert agent.undo.carried_out == [("undo-7", {})]


async def test_why_not_is_said_by_the_typed_command() -> None:
    with linear_world() as world:
        said = await world.type("/undo")
        async with asyncio.timeout(5):
            while "nothing to undo" not in said:
                await asyncio.sleep(0)
                said += world.news()


async def test_a_run_or_a_file_is_taken_back_too() -> None:
    agent = agent_with(*FILES)
    with linear_world(agent) as world:
        await world.type_beside("/undo run")
        await world.type_beside("/undo src/a b.py")
        await world.type_beside("/undo now")
    assert agent.undo.wishes == [UndoLastRun(), UndoFile(path="src/a b.py", call_id=None)]
    assert [plan for plan, _ in agent.undo.carried_out] == ["undo-7"]
