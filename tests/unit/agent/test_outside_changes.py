"""The note about files that changed on disk: one, short, about known files only."""

from caramelo_tui.agent.outside_changes import OutsideChanges
from caramelo_tui.domain.files import ChangeKind, FileChange


def change(path: str, kind: ChangeKind = ChangeKind.MODIFIED) -> FileChange:
    return FileChange(path=path, kind=kind)


def test_known_files_are_told_once_with_what_happened() -> None:
    outside = OutsideChanges()
    outside.remember(["b.py", "a.py", "c.py"])
    outside.add([change("b.py"), change("a.py", ChangeKind.DELETED), change("new.py")])
    note = outside.take_note()
    assert note is not None
    assert note.is_note
    assert note.text.splitlines()[1:] == ["- a.py: deleted", "- b.py: changed"]
    assert outside.take_note() is None


def test_the_last_thing_that_happened_counts() -> None:
    outside = OutsideChanges()
    outside.remember(["a"])
    outside.add([change("a", ChangeKind.DELETED)])
    outside.add([change("a", ChangeKind.CREATED)])
    note = outside.take_note()
    assert note is not None
    assert "- a: changed" in note.text


def test_reading_a_file_again_settles_its_change() -> None:
    outside = OutsideChanges()
    outside.remember(["a"])
    outside.add([change("a")])
    outside.remember(["a"])
    assert outside.take_note() is None


def test_a_deleted_folder_takes_its_known_files_along() -> None:
    outside = OutsideChanges()
    outside.remember(["src/a.py", "srcs/b.py"])
    outside.add([change("src", ChangeKind.DELETED)])
    note = outside.take_note()
    assert note is not None
    assert "src/a.py: deleted" in note.text
    assert "srcs" not in note.text


def test_many_changes_are_counted_and_odd_names_stay_one_line() -> None:
    outside = OutsideChanges()
    paths = [f"f{number:03}" for number in range(60)]
    outside.remember([*paths, "a\nb"])
    outside.add([change(path) for path in [*paths, "a\nb"]])
    note = outside.take_note()
    assert note is not None
    lines = note.text.splitlines()
    assert len(lines) == 52
    assert lines[1] == "- a<U+000A>b: changed"
    assert lines[-1] == "- and 11 more"
