"""A fork's journal begins with what its own runs changed."""

from pathlib import Path

from caramelo_tui.domain.ids import CallId, RunId
from caramelo_tui.workspace.journal import JOURNAL_NAME, EntryKind, Journal, RecordedChange, Switch
from caramelo_tui.workspace.journal_forks import take_along
from tests.doubles.clocks import ManualClock


def journal_at(folder: Path) -> Journal:
    return Journal(folder, ManualClock(), blobs=folder.parent / "blobs")


def write(journal: Journal, path: str, run: str | None) -> None:
    journal.record(
        call_id=CallId(f"call-{path}"),
        turn_id=None,
        run_id=None if run is None else RunId(run),
        path=path,
        before=None,
        after=path.encode(),
    )


def test_it_has_what_came_before_the_first_foreign_run(tmp_path: Path) -> None:
    source = journal_at(tmp_path / "one")
    write(source, "a", "r1")
    write(source, "own", None)
    source.void(*source.entries()[:1])
    source.record_change(
        RecordedChange(
            call_id=CallId("undo"),
            path="own",
            before=b"own",
            after=None,
            kind=EntryKind.UNDO,
            switches=(Switch(number=1, parts=(0,)),),
        )
    )
    write(source, "b", "r2")
    write(source, "c", "r1")
    take_along(tmp_path / "one", tmp_path / "two", runs={RunId("r1")})
    fork = journal_at(tmp_path / "two")
    assert fork.entries() == source.entries()[:2]
    assert [entry.path for entry in fork.entries()] == ["own", "own"]
    write(fork, "d", "r3")
    assert fork.entries()[-1].number == 3


def test_a_journal_that_is_there_stays(tmp_path: Path) -> None:
    write(journal_at(tmp_path / "one"), "a", "r1")
    write(journal_at(tmp_path / "two"), "b", "r2")
    take_along(tmp_path / "one", tmp_path / "two", runs={RunId("r1")})
    assert [entry.path for entry in journal_at(tmp_path / "two").entries()] == ["b"]


def test_a_session_without_changes_gives_none(tmp_path: Path) -> None:
    take_along(tmp_path / "one", tmp_path / "two", runs={RunId("r1")})
    assert not (tmp_path / "two").exists()


def test_what_cannot_be_read_costs_the_changes_only(tmp_path: Path) -> None:
    (tmp_path / "one" / JOURNAL_NAME).mkdir(parents=True)
    take_along(tmp_path / "one", tmp_path / "two", runs={RunId("r1")})
    assert not (tmp_path / "two").exists()


def test_a_line_that_a_crash_cut_off_is_left(tmp_path: Path) -> None:
    source = journal_at(tmp_path / "one")
    write(source, "a", "r1")
    with (tmp_path / "one" / JOURNAL_NAME).open("ab") as file:
        file.write(b'{"at": 1, "run')
    take_along(tmp_path / "one", tmp_path / "two", runs={RunId("r1")})
    assert (tmp_path / "two" / JOURNAL_NAME).read_bytes().endswith(b"}\n")
