"""What commands change is recorded like writes."""

import asyncio
from pathlib import Path

import pytest

from caramelo_tui.agent.command_captures import NO_CAPTURES, CommandCaptures
from caramelo_tui.agent.event_stream import EventStream
from caramelo_tui.domain.agent_events import NoticeRaised
from caramelo_tui.domain.ids import CallId, RunId, TurnId
from caramelo_tui.workspace import checkpoints
from caramelo_tui.workspace.checkpoints import TreePictures
from caramelo_tui.workspace.file_io import FileStore
from caramelo_tui.workspace.journal import Journal
from caramelo_tui.workspace.journal_entries import EntryKind
from caramelo_tui.workspace.sandbox import Sandbox
from tests.doubles.clocks import ManualClock


class World:
    def __init__(self, folder: Path) -> None:
        self.root = folder / "work"
        self.root.mkdir()
        clock = ManualClock()
        self.events = EventStream(clock)
        self.journal = Journal(folder / "state", clock)
        sandbox = Sandbox(self.root)
        self.captures = CommandCaptures(
            TreePictures(sandbox, FileStore(sandbox), self.journal), self.journal, self.events
        )

    async def end(self) -> None:
        await self.captures.end(CallId("c1"), TurnId("t1"), RunId("r1"))

    @property
    def notices(self) -> list[str]:
        return [event.text for event in self.events.events if isinstance(event, NoticeRaised)]


@pytest.fixture
def world(tmp_path: Path) -> World:
    return World(tmp_path)


async def test_a_change_is_an_entry_of_the_commands_call(world: World) -> None:
    (world.root / "a").write_text("a")
    await world.captures.begin()
    (world.root / "a").write_text("A")
    await world.end()
    (entry,) = world.journal.entries()
    assert (entry.call_id, entry.turn_id, entry.run_id) == ("c1", "t1", "r1")
    assert (entry.kind, entry.path) == (EntryKind.COMMAND, "a")
    assert entry.before_hash is not None
    assert world.journal.blob(entry.before_hash) == b"a"
    assert world.notices == []


async def test_a_large_tree_is_given_up_and_said_once(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(checkpoints, "FILES_LIMIT", 0)
    (world.root / "a").write_text("a")
    for _ in range(2):
        await world.captures.begin()
        await world.end()
    assert len(world.notices) == 1
    assert "cannot be undone in this session: it has more than 0 files" in world.notices[0]
    assert world.journal.entries() == ()


async def test_a_tree_that_a_command_made_large_is_said_too(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    await world.captures.begin()
    monkeypatch.setattr(checkpoints, "FILES_LIMIT", 0)
    (world.root / "a").write_text("a")
    await world.end()
    assert len(world.notices) == 1


async def test_a_large_file_is_named_once(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checkpoints, "FILE_LIMIT_BYTES", 1)
    for text in ("first", "second"):
        await world.captures.begin()
        (world.root / "big").write_text(text)
        await world.end()
    assert len(world.notices) == 1
    assert ": big." in world.notices[0]


async def test_an_interrupt_comes_after_the_record(world: World) -> None:
    (world.root / "a").write_text("a")
    await world.captures.begin()
    (world.root / "a").write_text("A")
    task = asyncio.create_task(world.end())
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert len(world.journal.entries()) == 1


async def test_nothing_is_kept_where_nobody_keeps() -> None:
    await NO_CAPTURES.begin()
    await NO_CAPTURES.end(CallId("c"), None, None)


async def test_commands_side_by_side_record_each_change_once(world: World) -> None:
    await world.captures.begin()
    (world.root / "first").write_text("1")
    await world.captures.begin()
    (world.root / "second").write_text("2")
    await world.captures.end(CallId("c1"), TurnId("t1"), None)
    (world.root / "third").write_text("3")
    await world.captures.end(CallId("c2"), TurnId("t2"), None)
    assert [(entry.path, entry.call_id) for entry in world.journal.entries()] == [
        ("first", "c1"),
        ("second", "c1"),
        ("third", "c2"),
    ]


async def test_a_write_of_the_models_meanwhile_is_not_the_commands(world: World) -> None:
    (world.root / "a").write_text("a")
    await world.captures.begin()
    world.journal.record(
        call_id=CallId("write"),
        turn_id=TurnId("t1"),
        run_id=RunId("r1"),
        path="a",
        before=b"a",
        after=b"written",
    )
    (world.root / "a").write_text("written")
    (world.root / "b").write_text("by the command")
    await world.captures.end(CallId("own"), TurnId("own"), None)
    assert [(entry.path, entry.call_id) for entry in world.journal.entries()] == [
        ("a", "write"),
        ("b", "own"),
    ]


async def test_what_a_command_made_of_a_write_is_the_commands(world: World) -> None:
    await world.captures.begin()
    world.journal.record(
        call_id=CallId("write"), turn_id=None, run_id=None, path="a", before=None, after=b"one"
    )
    (world.root / "a").write_text("two")
    await world.captures.end(CallId("own"), TurnId("own"), None)
    assert [entry.call_id for entry in world.journal.entries()] == ["write", "own"]


async def test_a_command_that_was_given_up_while_the_tree_was_looked_at_leaves_no_trace(
    world: World,
) -> None:
    task = asyncio.create_task(world.captures.begin())
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    await world.captures.begin()
    (world.root / "a").write_text("a")
    await world.end()
    assert [entry.path for entry in world.journal.entries()] == ["a"]
