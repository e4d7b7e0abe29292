"""Before and after of every call."""

import json
import os
import stat
from pathlib import Path

import pytest

from caramelo_tui.domain.ids import CallId, RunId, TurnId
from caramelo_tui.workspace.file_io import content_hash
from caramelo_tui.workspace.journal import (
    EntryKind,
    Journal,
    JournalDamaged,
    JournalEntry,
    RecordedChange,
    Switch,
)


class FakeClock:
    def __init__(self) -> None:
        self.seconds = 100.0

    def now(self) -> float:
        self.seconds += 1
        return self.seconds

    def monotonic(self) -> float:
        return self.seconds


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "state" / "journal"


def record(
    journal: Journal, path: str, before: bytes | None, after: bytes | None, call: str = "c1"
) -> JournalEntry:
    return journal.record(
        call_id=CallId(call),
        turn_id=TurnId("t1"),
        run_id=RunId("r1"),
        path=path,
        before=before,
        after=after,
    )


def test_both_images_can_be_read_back(folder: Path) -> None:
    journal = Journal(folder, FakeClock())
    entry = record(journal, "a", b"old \xff", b"new")
    assert entry.before_hash is not None
    assert entry.after_hash is not None
    assert journal.blob(entry.before_hash) == b"old \xff"
    assert journal.blob(entry.after_hash) == b"new"
    assert (entry.at, entry.run_id, entry.turn_id) == (101.0, "r1", "t1")


def test_created_and_deleted_files_have_no_image_on_that_side(folder: Path) -> None:
    journal = Journal(folder, FakeClock())
    assert record(journal, "a", None, b"x").before_hash is None
    assert record(journal, "a", b"x", None).after_hash is None


def test_equal_contents_are_kept_once(folder: Path) -> None:
    journal = Journal(folder, FakeClock())
    record(journal, "a", b"same", b"other")
    record(journal, "b", b"same", b"same")
    assert len([path for path in (folder / "blobs").rglob("*") if path.is_file()]) == 2


def test_entries_tell_which_call_made_them_in_order(folder: Path) -> None:
    journal = Journal(folder, FakeClock())
    record(journal, "a", None, b"1", call="c1")
    record(journal, "b", None, b"1", call="c2")
    record(journal, "a", b"1", b"2", call="c3")
    assert [entry.call_id for entry in journal.entries()] == ["c1", "c2", "c3"]


def test_a_later_start_sees_all_entries(folder: Path) -> None:
    journal = Journal(folder, FakeClock())
    journal.record(
        call_id=CallId("c1"), turn_id=None, run_id=None, path="caf\udce9", before=None, after=b""
    )
    record(journal, "b", b"1", None)
    again = Journal(folder, FakeClock())
    assert again.entries() == journal.entries()
    assert again.entries()[0].path == "caf\udce9"


@pytest.mark.parametrize("torn", [b'{"at": 1, "run', b"[1]", b'{"at": "x"}', b'{"at": 1}'])
def test_a_line_that_a_crash_cut_is_left_out_and_joins_nothing(folder: Path, torn: bytes) -> None:
    first = record(Journal(folder, FakeClock()), "a", None, b"1")
    with (folder / "journal.jsonl").open("ab") as log:
        log.write(torn)
    second = record(Journal(folder, FakeClock()), "b", None, b"2")
    assert Journal(folder, FakeClock()).entries() == (first, second)


def test_everything_is_private_whatever_the_umask(folder: Path) -> None:
    previous = os.umask(0)
    try:
        record(Journal(folder, FakeClock()), "a", b"1", b"2")
    finally:
        os.umask(previous)
    for path in [folder, *folder.rglob("*")]:
        mode = stat.S_IMODE(path.stat().st_mode)
        assert mode == (0o700 if path.is_dir() else 0o600)


def test_one_json_object_a_line(folder: Path) -> None:
    record(Journal(folder, FakeClock()), "a\nb", None, b"1")
    (line,) = (folder / "journal.jsonl").read_text().splitlines()
    assert json.loads(line)["path"] == "a\nb"


def test_a_missing_or_damaged_content_is_said(folder: Path) -> None:
    journal = Journal(folder, FakeClock())
    known = record(journal, "a", None, b"1").after_hash
    assert known is not None
    (folder / "blobs" / known[:2] / known).write_bytes(b"2")
    with pytest.raises(JournalDamaged, match="damaged"):
        journal.blob(known)
    with pytest.raises(JournalDamaged, match="cannot be read"):
        journal.blob(content_hash(b"never stored"))
    with pytest.raises(JournalDamaged, match="not a content hash"):
        journal.blob("../../etc/passwd")


def test_a_journal_in_the_workspace_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="workspace"):
        Journal(tmp_path / "ws" / ".state", FakeClock(), workspace=tmp_path / "ws")
    Journal(tmp_path / "ws-state", FakeClock(), workspace=tmp_path / "ws")


def test_opening_makes_nothing(folder: Path) -> None:
    Journal(folder, FakeClock())
    assert not folder.exists()


def test_an_undo_keeps_what_it_switched(folder: Path) -> None:
    switches = (Switch(number=0, parts=(0, 2)), Switch(number=3, parts=(1,)))
    change = RecordedChange(
        call_id=CallId("undo-1"),
        path="a",
        before=b"1",
        after=b"2",
        kind=EntryKind.UNDO,
        switches=switches,
        redone=(4,),
        mode=0o755,
    )
    made = Journal(folder, FakeClock()).record_change(change)
    (read,) = Journal(folder, FakeClock()).entries()
    assert read == made
    assert (read.switches, read.redone, read.mode) == (switches, (4,), 0o755)


def test_entries_are_numbered_and_void_ones_are_gone_for_good(folder: Path) -> None:
    journal = Journal(folder, FakeClock())
    first, second = record(journal, "a", b"1", b"2"), record(journal, "b", b"1", b"2")
    journal.void(first)
    third = record(journal, "a", b"2", b"3")
    assert [entry.number for entry in (first, second, third)] == [0, 1, 2]
    assert journal.entries() == (second, third)
    again = Journal(folder, FakeClock())
    assert again.entries() == (second, third)
    assert record(again, "c", b"1", b"2").number == 3


def test_a_line_of_a_kind_from_the_future_is_passed_over(folder: Path) -> None:
    record(Journal(folder, FakeClock()), "a", b"1", b"2")
    log = folder / "journal.jsonl"
    line = json.loads(log.read_text())
    log.write_text(json.dumps({**line, "kind": "strange"}) + "\n" + json.dumps(line) + "\n")
    assert len(Journal(folder, FakeClock()).entries()) == 1


def test_contents_can_be_shared_with_other_journals(folder: Path) -> None:
    shared = folder / "shared"
    one = Journal(folder / "one", FakeClock(), blobs=shared)
    two = Journal(folder / "two", FakeClock(), blobs=shared)
    name = one.keep(b"same")
    assert name is not None
    assert two.blob(name) == b"same"


def test_a_content_that_a_power_cut_emptied_is_stored_again(folder: Path) -> None:
    journal = Journal(folder, FakeClock())
    name = journal.keep(b"content")
    assert name is not None
    (folder / "blobs" / name[:2] / name).write_bytes(b"")
    assert journal.keep(b"content") == name
    assert journal.blob(name) == b"content"


def test_a_void_that_cannot_be_stored_holds_for_this_process(folder: Path) -> None:
    journal = Journal(folder, FakeClock())
    entry = record(journal, "a", b"1", b"2")
    log = folder / "journal.jsonl"
    log.unlink()
    log.mkdir()
    journal.void(entry)
    assert journal.entries() == ()


@pytest.mark.parametrize(
    "line",
    [
        b"[" * 100_000,
        b'{"a":' * 100_000,
        b"\0" * 50,
        b'{"at": 1' + b"0" * 400 + b', "call_id": "c", "path": "a"}',
        b'{"at": NaN, "call_id": "c", "path": "a"}',
        b'{"at": -1e999, "call_id": "c", "path": "a"}',
        b'{"void": [1' + b"0" * 400 + b', true, "x", null]}',
        b'{"at": 1, "call_id": "c", "path": "a", "kind": "erase"}',
        b"\xff\xfe\x00",
    ],
)
def test_a_damaged_line_costs_no_other_one(folder: Path, line: bytes) -> None:
    journal = Journal(folder, FakeClock())
    first = record(journal, "a.txt", b"1", b"2")
    with (folder / "journal.jsonl").open("ab") as file:
        file.write(line + b"\n")
    again = Journal(folder, FakeClock())
    second = record(again, "b.txt", b"1", b"2")
    assert again.entries() == (first, second)
    assert [entry.path for entry in Journal(folder, FakeClock()).entries()] == ["a.txt", "b.txt"]


@pytest.mark.parametrize("mode", ["-1", "1" + "0" * 30, "65536", '"x"'])
def test_a_mode_that_is_none_is_unknown(folder: Path, mode: str) -> None:
    folder.mkdir(parents=True)
    text = f'{{"at": 1, "call_id": "c", "path": "a", "mode": {mode}}}'
    (folder / "journal.jsonl").write_text(text + "\n")
    assert [entry.mode for entry in Journal(folder, FakeClock()).entries()] == [None]


def test_a_journal_that_cannot_be_read_takes_no_entry(folder: Path) -> None:
    (folder / "journal.jsonl").mkdir(parents=True)
    journal = Journal(folder, FakeClock())
    assert journal.entries() == ()
    with pytest.raises(OSError, match="directory"):
        record(journal, "a.txt", b"1", b"2")
