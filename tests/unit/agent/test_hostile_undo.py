"""An undo whose journal or tree was meddled with never reaches out of the workspace."""

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from caramelo_tui.agent.undo_port import Redo, UndoLastTurn
from caramelo_tui.domain.undo import ConflictChoice
from caramelo_tui.workspace.journal_entries import JournalEntry
from tests.unit.agent.test_undo import World, world

__all__ = ["world"]

SECRET = "the secret\n"


def outside_of(world: World) -> Path:
    outside = world.root.parent / "outside"
    outside.mkdir(exist_ok=True)
    (outside / "secret").write_text(SECRET)
    return outside


@pytest.mark.parametrize(
    "path",
    ["../outside/secret", "/outside/secret", "a/../../outside/secret", "link/secret", "alias", "",
     ".", "..", "a\0b", "\ud800", "x/" * 5_000],
)  # fmt: skip
async def test_a_journal_that_names_a_path_outside_writes_nothing_there(
    world: World, path: str
) -> None:
    outside = outside_of(world)
    (world.root / "link").symlink_to(outside)
    (world.root / "alias").symlink_to(outside / "secret")
    world.put("good", "one\n")
    world.agent_writes("good", "two\n")
    kept = [world.journal.keep(text.encode()) for text in ("evil\n", SECRET)]
    line = {
        "at": 1.0, "run_id": "r1", "turn_id": "t1", "call_id": "c9", "path": path,
        "before": kept[0], "after": kept[1],
    }  # fmt: skip
    with (world.state / "journal.jsonl").open("a") as file:
        file.write(f"{json.dumps(line)}\n")
    world.open()

    plan = await world.undo.plan(UndoLastTurn())
    choices = {each.path: ConflictChoice.RESTORE for each in plan.files}
    await world.undo.carry_out(plan.id, choices)

    assert (outside / "secret").read_text() == SECRET
    assert sorted(entry.name for entry in world.root.parent.iterdir()) == [
        "outside", "state", "work",
    ]  # fmt: skip
    assert world.text("good") == "one\n"


def _link_file(world: World) -> None:
    (world.root / "a/f").unlink()
    (world.root / "a/f").symlink_to(outside_of(world) / "secret")


def _link_folder(world: World) -> None:
    (world.root / "a/f").unlink()
    (world.root / "a").rmdir()
    outside = outside_of(world)
    (outside / "f").write_text("two\n")
    (world.root / "a").symlink_to(outside)


def _pipe(world: World) -> None:
    (world.root / "a/f").unlink()
    os.mkfifo(world.root / "a/f")


def _folder(world: World) -> None:
    (world.root / "a/f").unlink()
    (world.root / "a/f").mkdir()


def _shared(world: World) -> None:
    """Give the file another name outside, and other content."""
    (world.root / "a/f").unlink()
    os.link(outside_of(world) / "secret", world.root / "a/f")


@pytest.mark.parametrize("meddle", [_link_file, _link_folder, _pipe, _folder, _shared])
@pytest.mark.parametrize("is_redo", [False, True])
async def test_what_takes_the_place_of_a_file_after_the_plan_is_left_alone(
    world: World, meddle: Callable[[World], None], *, is_redo: bool
) -> None:
    outside = outside_of(world)
    world.put("a/f", "one\n")
    world.agent_writes("a/f", "two\n")
    if is_redo:
        await world.do(UndoLastTurn())
    plan = await world.undo.plan(Redo() if is_redo else UndoLastTurn())
    meddle(world)
    problem = await world.undo.carry_out(plan.id, {"a/f": ConflictChoice.RESTORE})
    assert problem
    assert (outside / "secret").read_text() == SECRET
    assert not (outside / "f").exists() or (outside / "f").read_text() == "two\n"
    # Nothing was done, so nothing counts as done: in its place the file can go back after all.
    assert all(isinstance(entry, JournalEntry) for entry in world.journal.entries())


@pytest.mark.parametrize("parts", ["99", "-1", "0, 0, 7", "1" + "0" * 40])
async def test_switches_that_name_no_hunk_are_passed_over(world: World, parts: str) -> None:
    world.put("a", "1\n2\n3\n")
    world.agent_writes("a", "1\nX\n3\n")
    await world.do(UndoLastTurn())
    file = world.state / "journal.jsonl"
    text = file.read_text()
    assert '"switches": [[0, 0]]' in text
    file.write_text(text.replace('"switches": [[0, 0]]', f'"switches": [[0, {parts}], [77, 1]]'))
    world.open()
    for wish in (Redo(), UndoLastTurn(), Redo()):
        plan = await world.undo.plan(wish)
        await world.undo.carry_out(plan.id, {"a": ConflictChoice.RESTORE})
    assert world.text("a") in {"1\n2\n3\n", "1\nX\n3\n"}
