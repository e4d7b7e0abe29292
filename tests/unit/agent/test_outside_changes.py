"""The note about files that changed on disk: one, short, about known files only."""

import pytest

from caramelo_tui.agent.outside_changes import OutsideChanges
from caramelo_tui.domain.files import ChangeKind, FileChange
from tests.doubles.agent_worlds import STAMP, FakeStamps


@pytest.fixture
def disk() -> FakeStamps:
    return FakeStamps()


@pytest.fixture
def outside(disk: FakeStamps) -> OutsideChanges:
    return OutsideChanges(disk)


def read(disk: FakeStamps, outside: OutsideChanges, *paths: str) -> None:
    """Let the model see files as they are on disk."""
    for path in paths:
        disk.files.setdefault(path, STAMP)
    outside.remember({path: disk(path) for path in paths})


def told(outside: OutsideChanges) -> list[str]:
    note = outside.take_note()
    if note is None:
        return []
    assert note.is_note
    return note.text.splitlines()[1:]


def test_known_files_are_told_once_with_what_happened(
    disk: FakeStamps, outside: OutsideChanges
) -> None:
    read(disk, outside, "b.py", "a.py", "c.py")
    outside.add([disk.change("b.py"), disk.delete("a.py"), disk.change("new.py")])
    assert told(outside) == ["- a.py: deleted", "- b.py: changed"]
    assert told(outside) == []
    outside.add([disk.change("b.py")])
    assert told(outside) == ["- b.py: changed"]


def test_what_stands_there_in_the_end_counts(disk: FakeStamps, outside: OutsideChanges) -> None:
    read(disk, outside, "a", "b")
    outside.add([disk.delete("a"), disk.change("b")])
    outside.add([disk.change("a"), disk.delete("b")])
    assert told(outside) == ["- a: changed", "- b: deleted"]


def test_reading_a_file_again_settles_its_change(disk: FakeStamps, outside: OutsideChanges) -> None:
    read(disk, outside, "a")
    outside.add([disk.change("a")])
    read(disk, outside, "a")
    assert told(outside) == []


def test_a_change_between_a_read_and_what_is_remembered_of_it_is_told(
    disk: FakeStamps, outside: OutsideChanges
) -> None:
    disk.files["a"] = STAMP
    seen = disk("a")
    outside.add([disk.change("a")])
    outside.remember({"a": seen})
    assert told(outside) == ["- a: changed"]


def test_a_late_word_of_what_the_model_has_seen_is_not_told(
    disk: FakeStamps, outside: OutsideChanges
) -> None:
    late = disk.change("a")
    read(disk, outside, "a")
    outside.add([late])
    assert told(outside) == []


def test_a_deleted_folder_takes_its_known_files_along(
    disk: FakeStamps, outside: OutsideChanges
) -> None:
    read(disk, outside, "src/deep/a.py", "srcs/b.py")
    disk.delete("src/deep/a.py")
    outside.add([FileChange(path="src", kind=ChangeKind.DELETED)])
    assert told(outside) == ["- src/deep/a.py: deleted"]


def test_a_folder_that_was_listed_is_no_file_that_changes(
    disk: FakeStamps, outside: OutsideChanges
) -> None:
    outside.remember({".": None, "src": None})
    outside.add([FileChange(path="src", kind=ChangeKind.DELETED), disk.change("new.py")])
    assert told(outside) == []


def test_many_changes_are_counted_and_odd_names_stay_one_line(
    disk: FakeStamps, outside: OutsideChanges
) -> None:
    paths = [*(f"f{number:03}" for number in range(60)), "a\nb"]
    read(disk, outside, *paths)
    outside.add([disk.change(path) for path in paths])
    lines = told(outside)
    assert len(lines) == 51
    assert lines[0] == "- a<U+000A>b: changed"
    assert lines[-1] == "- and 11 more"
