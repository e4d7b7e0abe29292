"""A recorded change that never reached its file is no change."""

from pathlib import Path

import pytest

from caramelo_tui.domain.ids import CallId, RunId, TurnId
from caramelo_tui.workspace.file_io import FileStore
from caramelo_tui.workspace.journal import Journal
from caramelo_tui.workspace.journal_entries import EntryKind, JournalEntry, RecordedChange, Switch
from caramelo_tui.workspace.journal_repair import void_unwritten
from caramelo_tui.workspace.sandbox import Sandbox
from tests.doubles.clocks import ManualClock

Content = bytes | None


class World:
    """A journal and the one file that it is about."""

    def __init__(self, folder: Path) -> None:
        self.root = folder / "work"
        self.root.mkdir()
        self.state = folder / "state"
        self.journal = Journal(self.state, ManualClock())

    def record(
        self,
        before: Content,
        after: Content,
        *,
        run: str = "r",
        path: str = "a",
        kind: EntryKind = EntryKind.CALL,
        switches: tuple[Switch, ...] = (),
    ) -> JournalEntry:
        is_call = kind in {EntryKind.CALL, EntryKind.COMMAND}
        return self.journal.record_change(
            RecordedChange(
                call_id=CallId(f"c-{run}"),
                run_id=RunId(run) if is_call else None,
                turn_id=TurnId("t") if is_call else None,
                path=path,
                before=before,
                after=after,
                kind=kind,
                switches=switches,
            )
        )

    def repaired(self, content: Content) -> tuple[JournalEntry, ...]:
        """Return what is left of the journal once the file is found to be this."""
        if content is not None:
            (self.root / "a").write_bytes(content)
        again = Journal(self.state, ManualClock())
        void_unwritten(again, FileStore(Sandbox(self.root)))
        assert Journal(self.state, ManualClock()).entries() == again.entries()
        return again.entries()


@pytest.fixture
def world(tmp_path: Path) -> World:
    return World(tmp_path)


def test_nothing_recorded_is_nothing_to_repair(world: World) -> None:
    assert world.repaired(b"1") == ()


def test_a_change_that_is_on_disk_stays(world: World) -> None:
    entry = world.record(b"1", b"2")
    assert world.repaired(b"2") == (entry,)


@pytest.mark.parametrize("before", [None, b"1"])
def test_a_change_that_is_not_on_disk_goes(world: World, before: Content) -> None:
    world.record(before, b"2")
    assert world.repaired(before) == ()


def test_of_writes_that_are_written_once_all_go(world: World) -> None:
    first = world.record(b"0", b"1")
    world.record(b"1", b"2")
    world.record(b"2", b"3")
    assert world.repaired(b"1") == (first,)


def test_what_others_wrote_since_leaves_the_record(world: World) -> None:
    entry = world.record(b"1", b"2")
    assert world.repaired(b"other") == (entry,)


def test_what_others_wrote_in_between_ends_the_search(world: World) -> None:
    entries = (world.record(b"0", b"1"), world.record(b"other", b"2"))
    assert world.repaired(b"0") == entries


def test_an_undo_that_was_not_written_is_none(world: World) -> None:
    entry = world.record(b"1", b"2")
    switches = (Switch(number=entry.number, parts=(0,)),)
    world.record(b"2", b"1", run="undo", kind=EntryKind.UNDO, switches=switches)
    assert world.repaired(b"2") == (entry,)


def test_earlier_runs_and_commands_are_left_alone(world: World) -> None:
    earlier = world.record(b"1", b"2", run="early")
    command = world.record(b"1", b"2", kind=EntryKind.COMMAND)
    assert world.repaired(b"1") == (earlier, command)


def test_a_file_that_cannot_be_read_leaves_the_record(world: World) -> None:
    entry = world.record(None, b"2")
    (world.root / "a").mkdir()
    assert world.repaired(None) == (entry,)
