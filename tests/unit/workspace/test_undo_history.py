"""What is applied, and what is taken back, by the journal alone."""

from pathlib import Path

import pytest

from caramelo_tui.domain.ids import CallId, RunId, TurnId
from caramelo_tui.workspace.journal import Journal, JournalEntry
from caramelo_tui.workspace.journal_entries import EntryKind, RecordedChange, Switch
from caramelo_tui.workspace.undo_history import FileChangePlan, UndoHistory
from tests.doubles.clocks import ManualClock

TEN = "".join(f"{n}\n" for n in range(1, 11)).encode()
EDITED = TEN.replace(b"2\n", b"two\n").replace(b"8\n", b"eight\n")


@pytest.fixture
def journal(tmp_path: Path) -> Journal:
    return Journal(tmp_path, ManualClock())


def write(journal: Journal, before: bytes, after: bytes, *, turn: str = "t1") -> JournalEntry:
    return journal.record_change(
        RecordedChange(
            call_id=CallId(f"call-{turn}"),
            turn_id=TurnId(turn),
            run_id=RunId(f"run-{turn}"),
            path="a",
            before=before,
            after=after,
        )
    )


def switch(journal: Journal, kind: EntryKind, entry: JournalEntry, *parts: int) -> JournalEntry:
    return journal.record_change(
        RecordedChange(
            call_id=CallId(f"{kind}-{entry.number}"),
            path="a",
            before=b"1",
            after=b"2",
            kind=kind,
            switches=(Switch(number=entry.number, parts=parts),),
        )
    )


def test_an_entry_is_applied_as_long_as_one_part_is(journal: Journal) -> None:
    entry, history = write(journal, TEN, EDITED), UndoHistory(journal)
    switch(journal, EntryKind.UNDO, entry, 0)
    assert history.applied() == (entry,)
    assert history.all_parts([entry]) == (Switch(number=0, parts=(1,)),)
    switch(journal, EntryKind.UNDO, entry, 1)
    assert history.applied() == ()
    switch(journal, EntryKind.REDO, entry, 0)
    assert history.all_parts([entry]) == (Switch(number=0, parts=(0,)),)


def test_the_newest_turn_and_run_that_are_left(journal: Journal) -> None:
    history = UndoHistory(journal)
    assert (history.last_turn(), history.last_run()) == (None, None)
    write(journal, b"1", b"2", turn="t1")
    second = write(journal, b"2", b"3", turn="t2")
    assert (history.last_turn(), history.last_run()) == ("t2", "run-t2")
    assert history.last_turn(without=[TurnId("t2")]) == "t1"
    switch(journal, EntryKind.UNDO, second, 0)
    assert (history.last_turn(), history.last_run()) == ("t1", "run-t1")
    assert history.runs() == ("run-t1", "run-t2")


def test_a_write_that_did_not_happen_is_nothing_to_undo(journal: Journal) -> None:
    entry = write(journal, b"1", b"2")
    journal.void(entry)
    assert UndoHistory(journal).applied() == ()


def test_a_write_without_a_change_is_nothing_to_undo(journal: Journal) -> None:
    write(journal, b"1", b"1")
    assert UndoHistory(journal).applied() == ()


def test_a_hunk_on_the_screen_is_found_by_its_lines(journal: Journal) -> None:
    write(journal, TEN, EDITED)
    history = UndoHistory(journal)

    def parts(start: int, count: int) -> list[tuple[int, ...]]:
        found = history.parts_at(CallId("call-t1"), "a", old_start=start, old_count=count)
        return [switch.parts for switch in found]

    assert parts(2, 1) == [(0,)]
    assert parts(8, 1) == [(1,)]
    assert parts(2, 7) == [(0, 1)]
    assert parts(5, 1) == []


def test_what_is_switched_is_said_by_call_and_lines(journal: Journal) -> None:
    entry = write(journal, TEN, EDITED)
    whole = write(journal, b"\0", b"\0\0", turn="t2")
    history = UndoHistory(journal)
    found = history.switched(
        [Switch(number=entry.number, parts=(1,)), Switch(number=whole.number, parts=(0,))]
    )
    assert [(h.call_id, h.old_start, h.old_count) for h in found] == [
        ("call-t1", 8, 1),
        ("call-t2", 0, 0),
    ]


def test_a_plan_says_what_the_file_would_be(journal: Journal) -> None:
    entry = write(journal, TEN, EDITED)
    history = UndoHistory(journal)
    (plan,) = history.plan_undo(history.all_parts([entry]), lambda _path: EDITED)
    assert isinstance(plan, FileChangePlan)
    assert (plan.current, plan.after, plan.conflicts, plan.is_merged) == (EDITED, TEN, 0, False)


def test_many_entries_do_not_stay_in_memory(journal: Journal) -> None:
    entries = [write(journal, b"%d" % n, b"%d" % (n + 1), turn=f"t{n}") for n in range(80)]
    history = UndoHistory(journal)
    (plan,) = history.plan_undo(history.all_parts(entries), lambda _path: b"80")
    assert isinstance(plan, FileChangePlan)
    assert plan.after == b"0"
